"""Staff accounts in the database; a change and its audit entry are one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import AppointmentState
from broker.staff.audit import UNKNOWN_ACTOR, Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.staff.people import Look
from broker.staff.roles import Role
from broker.storage.database import Database, all_rows, first_value, rows_changed
from broker.storage.tables import AppointmentRow, RecoveryCodeRow, StaffRow, StaffSessionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A row of accounts: `password` is a hash, `email`, `code_secret` and `code_pending` are encrypted."""

    id: int
    name: str
    password: str
    enabled: bool
    epoch: int
    code_secret: bytes | None
    code_pending: bytes | None
    code_step: int
    created: datetime
    signed_in_at: datetime | None
    role: Role = Role.OWNER
    display_name: str = ""
    email: bytes | None = None
    theme: str = ""
    keys_off: bool = False
    disabled_at: datetime | None = None

    @property
    def look(self) -> Look:
        return Look(theme=self.theme, keys_off=self.keys_off)

    @property
    def shown_name(self) -> str:
        """Return the person's name, the account's for an account without one."""
        return self.display_name or self.name


class StaffStore:
    """Accounts by name and id; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, name: str) -> Account | None:
        return next(iter(await self._accounts(col(StaffRow.name) == name)), None)

    async def with_id(self, account_id: int) -> Account | None:
        return next(iter(await self._accounts(col(StaffRow.id) == account_id)), None)

    async def all(self) -> tuple[Account, ...]:
        return await self._accounts()

    async def add(self, name: str, password: str, *, role: Role = Role.OWNER, entry: AuditEntry) -> bool:
        """Store an account with the hash of its password; return False if the name is taken. Raises StorageError."""
        row = {"name": name, "password": password, "role": role.value, "created": entry.at, "enabled": True}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(insert(StaffRow).values({**row, "epoch": 1, "code_step": 0}))
            await add_entry(connection, entry)

        return await self._database.write_new(work)

    async def change(self, account_id: int, entry: AuditEntry, *, ends: bool = True, **values: object) -> None:
        """Change fields of an account, and void its pending sign-ins, its locks and, with `ends`, its sessions.

        Raises StorageError.
        """
        changed = {**values, "epoch": col(StaffRow.epoch) + 1}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(update(StaffRow).where(col(StaffRow.id) == account_id).values(changed))
            if ends:
                await connection.execute(delete(StaffSessionRow).where(col(StaffSessionRow.staff_id) == account_id))
            await add_entry(connection, entry)

        await self._database.write(work)

    async def rehash(self, account: Account, password: str) -> None:
        """Store a new hash of the same password, unless that was changed meanwhile; raises StorageError."""
        same = (col(StaffRow.id) == account.id, col(StaffRow.password) == account.password)
        await self._database.write(rows_changed(update(StaffRow).where(*same).values(password=password)))

    async def failed(self, account: Account | None, *, now: datetime, why: str, locks: bool) -> None:
        """Record a failed sign-in, and where it `locks` the account that too; raises StorageError.

        For an unknown account the name is not recorded: it may be a password.
        """

        async def work(connection: AsyncConnection) -> None:
            who = account.name if account else UNKNOWN_ACTOR
            await add_entry(connection, AuditEntry(at=now, who=who, what=Act.SIGN_IN_FAILED, detail=why))
            if locks:
                await add_entry(connection, AuditEntry(at=now, who=who, what=Act.LOCKED))

        await self._database.write(work)

    async def set_look(self, account_id: int, look: Look) -> None:
        """Store what an account chose for its pages; raises StorageError."""
        mine = update(StaffRow).where(col(StaffRow.id) == account_id)
        await self._database.write(rows_changed(mine.values(theme=look.theme, keys_off=look.keys_off)))

    async def begin_codes(self, account_id: int, pending: bytes) -> None:
        """Store an encrypted secret until a code confirms it; raises StorageError."""
        mine = update(StaffRow).where(col(StaffRow.id) == account_id)
        await self._database.write(rows_changed(mine.values(code_pending=pending)))

    async def set_codes(
        self, account: Account, entry: AuditEntry, *, step: int = 0, digests: Sequence[str] = ()
    ) -> bool:
        """Activate the pending secret with recovery codes; without `digests`, remove secret and codes.

        `step` is the period of the confirming code. Return False if the pending secret changed. Raises StorageError.
        """
        here = [col(StaffRow.id) == account.id]
        if digests:
            here.append(col(StaffRow.code_pending) == account.code_pending)
        secret = account.code_pending if digests else None
        changed = {"code_secret": secret, "code_pending": None, "code_step": step, "epoch": col(StaffRow.epoch) + 1}

        async def work(connection: AsyncConnection) -> bool:
            if not (await connection.execute(update(StaffRow).where(*here).values(changed))).rowcount:
                return False
            await connection.execute(delete(RecoveryCodeRow).where(col(RecoveryCodeRow.staff_id) == account.id))
            rows = [{"staff_id": account.id, "digest": each} for each in digests]
            if rows:
                await connection.execute(insert(RecoveryCodeRow), rows)
            await add_entry(connection, entry)
            return True

        return await self._database.write(work)

    async def recovery_codes(self, account_id: int) -> int:
        """Return how many recovery codes are unused; raises StorageError."""
        mine = select(func.count()).select_from(RecoveryCodeRow).where(col(RecoveryCodeRow.staff_id) == account_id)
        return await self._database.read(first_value(mine))

    async def count_appointments(self, name: str, *, after: datetime) -> int:
        """Count the booked appointments of an account that begin after a time; raises StorageError."""
        row = AppointmentRow
        coming = (col(row.adviser) == name, col(row.state) == AppointmentState.BOOKED.value, col(row.starts) > after)
        return await self._database.read(first_value(select(func.count()).select_from(row).where(*coming)))

    async def _accounts(self, *where: Any) -> tuple[Account, ...]:
        wanted = select(StaffRow).where(*where).order_by(col(StaffRow.name))
        return tuple(account_of(row) for row in await self._database.read(all_rows(wanted)))


def account_of(row: Row[Any]) -> Account:
    """Return the account of a whole row."""
    return Account(**{**row._asdict(), "role": Role(row.role)})
