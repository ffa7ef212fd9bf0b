"""The audit record in the database: added to, read, and nothing else; triggers of the database refuse all else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.domain.enquiries.contact_details import line_in
from broker.domain.staff.audit import MAX_ABOUT, MAX_DETAIL, MAX_WHO, Act, AuditEntry
from broker.storage.database import Database
from broker.storage.tables import AuditRow

MAX_ENTRIES = 500
"""Entries of one read."""


class AuditStore:
    """The record of one database."""

    def __init__(self, database: Database) -> None:
        """Keep where it is."""
        self._database = database

    async def add(self, entry: AuditEntry) -> None:
        """Add an entry in a transaction of its own; raises StorageError. See `add_entry` for one beside a change."""

        async def work(connection: AsyncConnection) -> None:
            await add_entry(connection, entry)

        await self._database.write(work)

    async def latest(
        self, count: int, *, before: int = 0, who: str = "", about: str = "", acts: Sequence[Act] = ()
    ) -> tuple[AuditEntry, ...]:
        """Return the newest entries first, at most `MAX_ENTRIES`; raises StorageError.

        `before` is the number of the last entry that was read, for those that are older; 0 begins with the newest.
        `who` and `about` narrow to one account and to one thing, `acts` to some acts, empty for all.
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

        async def work(connection: AsyncConnection) -> tuple[AuditEntry, ...]:
            return tuple(
                AuditEntry(
                    at=row.at, who=row.who, what=Act(row.what), about=row.about, detail=row.detail, number=row.id
                )
                for row in await connection.execute(wanted)
            )

        return await self._database.read(work)

    async def names(self) -> tuple[str, ...]:
        """Return everybody who stands in the record, by name; raises StorageError."""
        wanted = select(col(AuditRow.who)).distinct().order_by(col(AuditRow.who))

        async def work(connection: AsyncConnection) -> tuple[str, ...]:
            return tuple((await connection.execute(wanted)).scalars())

        return await self._database.read(work)


async def add_entry(connection: AsyncConnection, entry: AuditEntry) -> None:
    """Add an entry in the transaction of what it tells of: both are there, or neither."""
    row = {
        "at": entry.at.astimezone(UTC),
        "who": _kept(entry.who, MAX_WHO),
        "what": entry.what.value,
        "about": _kept(entry.about, MAX_ABOUT),
        "detail": _kept(entry.detail, MAX_DETAIL),
    }
    await connection.execute(insert(AuditRow).values(row))


def _kept(text: str, most: int) -> str:
    """Return a text as one visible line, cut to what is kept: PostgreSQL refuses some that a form may hold."""
    return (line_in(text[: 2 * most], 8 * most) or "")[:most]
