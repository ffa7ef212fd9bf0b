"""The audit record in the database; triggers refuse updates and deletes."""

from collections.abc import Sequence
from datetime import UTC

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.enquiries.contact_details import single_line
from broker.staff.audit import MAX_ACTOR_LENGTH, MAX_DETAIL_LENGTH, MAX_SUBJECT_LENGTH, Act, AuditEntry
from broker.storage.database import Database, all_rows
from broker.storage.tables import AuditRow

MAX_ENTRIES = 500
"""Entries of one read."""


class AuditStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, entry: AuditEntry) -> None:
        """Add an entry in its own transaction; raises StorageError."""
        await self._database.write(lambda connection: add_entry(connection, entry))

    async def latest(
        self, count: int, *, before: int = 0, who: str = "", about: str = "", acts: Sequence[Act] = ()
    ) -> tuple[AuditEntry, ...]:
        """Return the newest entries first, at most `MAX_ENTRIES`; raises StorageError.

        `before` is the number of the last entry of the previous page, 0 for the first page. `who`, `about` and `acts`
        filter by account, subject and acts.
        """
        wanted = select(AuditRow).order_by(col(AuditRow.id).desc()).limit(max(0, min(count, MAX_ENTRIES)))
        if before > 0:
            wanted = wanted.where(col(AuditRow.id) < before)
        if who:
            wanted = wanted.where(col(AuditRow.who) == who)
        if about:
            wanted = wanted.where(col(AuditRow.about) == about)
        if acts:
            wanted = wanted.where(col(AuditRow.what).in_([act.value for act in acts]))
        return tuple(
            AuditEntry(at=row.at, who=row.who, what=Act(row.what), about=row.about, detail=row.detail, number=row.id)
            for row in await self._database.read(all_rows(wanted))
        )

    async def names(self) -> tuple[str, ...]:
        """Return the names of all accounts in the record, sorted; raises StorageError."""
        wanted = select(col(AuditRow.who)).distinct().order_by(col(AuditRow.who))
        return tuple(row.who for row in await self._database.read(all_rows(wanted)))


async def add_entry(connection: AsyncConnection, entry: AuditEntry) -> None:
    """Add an entry in the transaction of the change that it records."""
    row = {
        "at": entry.at.astimezone(UTC),
        "who": _cut(entry.who, MAX_ACTOR_LENGTH),
        "what": entry.what.value,
        "about": _cut(entry.about, MAX_SUBJECT_LENGTH),
        "detail": _cut(entry.detail, MAX_DETAIL_LENGTH),
    }
    await connection.execute(insert(AuditRow).values(row))


def _cut(text: str, max_length: int) -> str:
    """Return a text as one line of visible characters, cut to a length; PostgreSQL refuses NUL, for example."""
    return (single_line(text[: 2 * max_length], 8 * max_length) or "")[:max_length]
