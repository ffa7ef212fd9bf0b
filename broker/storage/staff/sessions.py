"""Sessions of staff in the database, under the digest of a token that only the browser has."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.domain.staff.accounts import ABSOLUTE, IDLE, StaffSession
from broker.domain.staff.audit import Act, AuditEntry
from broker.storage.database import Database
from broker.storage.staff.accounts import Account
from broker.storage.staff.audit import add_entry
from broker.storage.staff.tables import RecoveryCodeRow, StaffRow, StaffSessionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactor:
    """What somebody has shown beside the password: the period of a one-time code, or the digest of a recovery code."""

    step: int | None = None
    recovery: str = ""


class _RefusedError(Exception):
    """The account has changed since it was read: nothing of the sign-in is to stand."""


class StaffSessionStore:
    """Sessions by the digests of their tokens."""

    def __init__(self, database: Database) -> None:
        """Keep where they are."""
        self._database = database

    async def start(self, account: Account, token: str, *, now: datetime, proven: SecondFactor | None = None) -> bool:
        """Sign an account in under a new token, and forget its failures; raises StorageError.

        False, with nothing changed, where it was locked, disabled or changed since it was read, or where the code was
        used before.
        """

        async def work(connection: AsyncConnection) -> None:
            await _admit(connection, account, now=now, proven=proven or SecondFactor())
            await connection.execute(delete(StaffSessionRow).where(_is_over(now)))
            row = {"staff_id": account.id, "token": session_key(token), "started": now, "touched": now}
            await connection.execute(insert(StaffSessionRow).values(row))
            await add_entry(connection, AuditEntry(at=now, who=account.name, what=Act.SIGNED_IN))

        try:
            await self._database.write(work)
        except _RefusedError:
            return False
        return True

    async def find(self, key: str, now: datetime) -> StaffSession | None:
        """Return the session of a digest; None where it is over or its account disabled. Raises StorageError."""
        wanted = (
            select(
                col(StaffSessionRow.staff_id),
                col(StaffRow.name),
                col(StaffSessionRow.started),
                col(StaffSessionRow.touched),
            )
            .join(StaffRow, col(StaffRow.id) == col(StaffSessionRow.staff_id))
            .where(col(StaffSessionRow.token) == key, col(StaffRow.enabled))
        )

        async def work(connection: AsyncConnection) -> StaffSession | None:
            row = (await connection.execute(wanted)).one_or_none()
            if row is None:
                return None
            account_id, name, started, touched = row
            return StaffSession(key=key, account_id=account_id, name=name, started=started, touched=touched)

        found = await self._database.read(work)
        return None if found is None or found.has_ended(now) else found

    async def touch(self, key: str, now: datetime) -> None:
        """Keep that something was done in a session; raises StorageError."""

        async def work(connection: AsyncConnection) -> None:
            here = update(StaffSessionRow).where(col(StaffSessionRow.token) == key)
            await connection.execute(here.values(touched=now))

        await self._database.write(work)

    async def replace(self, session: StaffSession, token: str) -> None:
        """Go on with a session under a new token; raises StorageError."""
        row = {"staff_id": session.account_id, "token": session_key(token)}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(StaffSessionRow).where(col(StaffSessionRow.token) == session.key))
            times = {"started": session.started, "touched": session.touched}
            await connection.execute(insert(StaffSessionRow).values({**row, **times}))

        await self._database.write(work)

    async def end(self, session: StaffSession, now: datetime, *, everywhere: bool = False) -> None:
        """End a session, or all of its account's; raises StorageError."""
        own = col(StaffSessionRow.staff_id) == session.account_id
        which = own if everywhere else col(StaffSessionRow.token) == session.key
        what = Act.SIGNED_OUT_EVERYWHERE if everywhere else Act.SIGNED_OUT

        async def work(connection: AsyncConnection) -> None:
            if (await connection.execute(delete(StaffSessionRow).where(which))).rowcount:
                await add_entry(connection, AuditEntry(at=now, who=session.name, what=what))

        await self._database.write(work)


async def _admit(connection: AsyncConnection, account: Account, *, now: datetime, proven: SecondFactor) -> None:
    """Take the code that was shown, and forget the account's failures; raises _RefusedError."""
    here = [
        col(StaffRow.id) == account.id,
        col(StaffRow.epoch) == account.epoch,
        col(StaffRow.enabled),
        or_(col(StaffRow.locked_until).is_(None), col(StaffRow.locked_until) <= now),
    ]
    values: dict[str, object] = {"failures": 0, "locked_until": None, "signed_in_at": now}
    if proven.step is not None:
        here.append(col(StaffRow.code_step) < proven.step)
        values["code_step"] = proven.step
    if not (await connection.execute(update(StaffRow).where(*here).values(values))).rowcount:
        raise _RefusedError
    if proven.recovery:
        mine = (col(RecoveryCodeRow.staff_id) == account.id, col(RecoveryCodeRow.digest) == proven.recovery)
        if not (await connection.execute(delete(RecoveryCodeRow).where(*mine))).rowcount:
            raise _RefusedError
        await add_entry(connection, AuditEntry(at=now, who=account.name, what=Act.RECOVERY_CODE_USED))


def session_key(token: str) -> str:
    """Return what is kept of a token: its SHA-256, enough for 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def _is_over(now: datetime) -> ColumnElement[bool]:
    return or_(col(StaffSessionRow.started) <= now - ABSOLUTE, col(StaffSessionRow.touched) <= now - IDLE)
