"""Passkeys in the database, and the challenges that were not answered yet."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.staff.audit import AuditEntry
from broker.staff.audit_log import add_entry
from broker.staff.people import Passkey
from broker.storage.database import Database, all_rows, first_row, rows_changed
from broker.storage.tables import PasskeyChallengeRow, PasskeyRow


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPasskey:
    """A passkey with its credential id in base64url, as browsers give it, and its signature counter."""

    id: int
    account_id: int
    credential: str
    public_key: bytes
    counter: int


class PasskeyStore:
    """Methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, challenge: bytes, account_id: int | None, *, now: datetime, expires: datetime) -> None:
        """Store a challenge of an account that adds a passkey, or of a sign-in (None)."""
        row = {"challenge": _digest(challenge), "staff_id": account_id, "expires": expires}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(PasskeyChallengeRow).where(col(PasskeyChallengeRow.expires) <= now))
            await connection.execute(insert(PasskeyChallengeRow).values(row))

        await self._database.write(work)

    async def take(self, challenge: bytes, account_id: int | None, *, now: datetime) -> bool:
        """Use a challenge up; return False for one that was used, has ended or is another account's."""
        row = PasskeyChallengeRow
        owner = col(row.staff_id).is_(None) if account_id is None else col(row.staff_id) == account_id
        used = delete(row).where(col(row.challenge) == _digest(challenge), owner, col(row.expires) > now)
        return bool(await self._database.write(rows_changed(used)))

    async def add(self, passkey: StoredPasskey, name: str, entry: AuditEntry) -> bool:
        """Store a passkey; return False for one that is known already."""
        row = {
            "staff_id": passkey.account_id,
            "credential": passkey.credential,
            "public_key": passkey.public_key,
            "counter": passkey.counter,
            "name": name,
            "added": entry.at,
        }

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(insert(PasskeyRow).values(row))
            await add_entry(connection, entry)

        return await self._database.write_new(work)

    async def find(self, credential: str) -> StoredPasskey | None:
        wanted = select(PasskeyRow).where(col(PasskeyRow.credential) == credential)
        row = await self._database.read(first_row(wanted))
        if row is None:
            return None
        return StoredPasskey(
            id=row.id,
            account_id=row.staff_id,
            credential=row.credential,
            public_key=row.public_key,
            counter=row.counter,
        )

    async def used(self, passkey: StoredPasskey, counter: int, now: datetime) -> bool:
        """Store the counter of a signature; return False if the passkey was used or removed meanwhile."""
        here = (col(PasskeyRow.id) == passkey.id, col(PasskeyRow.counter) == passkey.counter)
        changed = update(PasskeyRow).where(*here).values(counter=counter, used=now)
        return bool(await self._database.write(rows_changed(changed)))

    async def of(self, account_id: int) -> tuple[tuple[Passkey, str], ...]:
        """Return the passkeys of an account, the oldest first, each with its credential id."""
        wanted = select(PasskeyRow).where(col(PasskeyRow.staff_id) == account_id).order_by(col(PasskeyRow.id))
        rows = await self._database.read(all_rows(wanted))
        return tuple(
            (Passkey(id=row.id, name=row.name, added=row.added, used=row.used), row.credential) for row in rows
        )


def _digest(challenge: bytes) -> str:
    return hashlib.sha256(challenge).hexdigest()
