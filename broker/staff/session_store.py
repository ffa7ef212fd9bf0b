"""Staff sessions in the database, under the digest of the token in the browser's cookie."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.staff.account_store import Account
from broker.staff.accounts import IDLE_TIMEOUT, MAX_SESSION, StaffSession
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.staff.people import OpenSession
from broker.staff.roles import Role
from broker.storage.database import Database, rows_changed
from broker.storage.tables import RecoveryCodeRow, StaffRow, StaffSessionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactor:
    """The second factor of a sign-in: the period of a one-time code, or the digest of a recovery code."""

    step: int | None = None
    recovery: str = ""


class _RefusedError(Exception):
    """The account has changed since it was read, or the code was used: the sign-in is rolled back."""


class StaffSessionStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def start(
        self, account: Account, token: str, *, now: datetime, factor: SecondFactor | None = None, agent: str = ""
    ) -> bool:
        """Start a session of an account in a browser (`agent`); raises StorageError.

        Return False, with nothing changed, if the account is disabled or changed, or if the code was used.
        """

        async def work(connection: AsyncConnection) -> None:
            await _admit(connection, account, now=now, factor=factor or SecondFactor())
            await connection.execute(delete(StaffSessionRow).where(_has_ended(now)))
            row = {"staff_id": account.id, "token": session_key(token), "started": now, "touched": now, "agent": agent}
            await connection.execute(insert(StaffSessionRow).values(row))
            await add_entry(connection, AuditEntry(at=now, who=account.name, what=Act.SIGNED_IN))

        try:
            await self._database.write(work)
        except _RefusedError:
            return False
        return True

    async def find(self, key: str, now: datetime) -> StaffSession | None:
        """Return the session of a digest; None if it has ended or its account is disabled. Raises StorageError."""
        wanted = (
            select(
                col(StaffSessionRow.staff_id),
                col(StaffRow.name),
                col(StaffRow.role),
                col(StaffSessionRow.started),
                col(StaffSessionRow.touched),
                col(StaffRow.code_secret).is_not(None),
            )
            .join(StaffRow, col(StaffRow.id) == col(StaffSessionRow.staff_id))
            .where(col(StaffSessionRow.token) == key, col(StaffRow.enabled))
        )

        async def work(connection: AsyncConnection) -> StaffSession | None:
            row = (await connection.execute(wanted)).one_or_none()
            if row is None:
                return None
            account_id, name, role, started, touched, has_codes = row
            return StaffSession(
                key=key,
                account_id=account_id,
                name=name,
                role=Role(role),
                started=started,
                touched=touched,
                has_codes=has_codes,
            )

        found = await self._database.read(work)
        return None if found is None or found.has_ended(now) else found

    async def sessions_of(self, account_id: int, now: datetime) -> tuple[OpenSession, ...]:
        """Return the open sessions of an account, newest first; raises StorageError."""

        async def work(connection: AsyncConnection) -> tuple[OpenSession, ...]:
            return tuple(each for owner, each in await open_sessions(connection, now) if owner == account_id)

        return await self._database.read(work)

    async def touch(self, key: str, now: datetime) -> None:
        """Store the time of the last activity of a session; raises StorageError."""
        here = update(StaffSessionRow).where(col(StaffSessionRow.token) == key)
        await self._database.write(rows_changed(here.values(touched=now)))

    async def replace(self, session: StaffSession, token: str) -> None:
        """Move a session to a new token; raises StorageError."""
        row = {"staff_id": session.account_id, "token": session_key(token)}

        async def work(connection: AsyncConnection) -> None:
            here = update(StaffSessionRow).where(col(StaffSessionRow.token) == session.key)
            if not (await connection.execute(here.values(token=session_key(token)))).rowcount:
                times = {"started": session.started, "touched": session.touched}
                await connection.execute(insert(StaffSessionRow).values({**row, **times}))

        await self._database.write(work)

    async def end(self, session: StaffSession, now: datetime, *, everywhere: bool = False) -> None:
        """End a session, or all sessions of its account; raises StorageError."""
        own = col(StaffSessionRow.staff_id) == session.account_id
        which = own if everywhere else col(StaffSessionRow.token) == session.key
        what = Act.SIGNED_OUT_EVERYWHERE if everywhere else Act.SIGNED_OUT

        async def work(connection: AsyncConnection) -> None:
            if (await connection.execute(delete(StaffSessionRow).where(which))).rowcount:
                await add_entry(connection, AuditEntry(at=now, who=session.name, what=what))

        await self._database.write(work)


async def open_sessions(connection: AsyncConnection, now: datetime) -> list[tuple[int, OpenSession]]:
    """Return the sessions that have not ended, newest first, each after the id of its account."""
    newest = select(StaffSessionRow).where(~_has_ended(now)).order_by(col(StaffSessionRow.id).desc())
    return [
        (row.staff_id, OpenSession(id=row.id, key=row.token, agent=row.agent, started=row.started, touched=row.touched))
        for row in await connection.execute(newest)
    ]


async def _admit(connection: AsyncConnection, account: Account, *, now: datetime, factor: SecondFactor) -> None:
    """Use up the second factor; raises _RefusedError."""
    here = [col(StaffRow.id) == account.id, col(StaffRow.epoch) == account.epoch, col(StaffRow.enabled)]
    values: dict[str, object] = {"signed_in_at": now}
    if factor.step is not None:
        here.append(col(StaffRow.code_step) < factor.step)
        values["code_step"] = factor.step
    if not (await connection.execute(update(StaffRow).where(*here).values(values))).rowcount:
        raise _RefusedError
    if factor.recovery:
        mine = (col(RecoveryCodeRow.staff_id) == account.id, col(RecoveryCodeRow.digest) == factor.recovery)
        if not (await connection.execute(delete(RecoveryCodeRow).where(*mine))).rowcount:
            raise _RefusedError
        await add_entry(connection, AuditEntry(at=now, who=account.name, what=Act.RECOVERY_CODE_USED))


def session_key(token: str) -> str:
    """Return the SHA-256 of a token, which needs no salt since tokens have 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def _has_ended(now: datetime) -> ColumnElement[bool]:
    return or_(col(StaffSessionRow.started) <= now - MAX_SESSION, col(StaffSessionRow.touched) <= now - IDLE_TIMEOUT)
