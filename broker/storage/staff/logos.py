"""Versioned logos of lenders in the database, with optimistic concurrency.

The last few versions can be restored; older ones are deleted, with images that no version uses.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.audit import AuditEntry
from broker.domain.staff.logos import LogoSource, LogoVersion
from broker.storage.database import Database
from broker.storage.staff.audit import add_entry
from broker.storage.staff.logo_versions import LogoChange, LogoOutcome, make, version_in, version_of
from broker.storage.tables import LogoPictureRow, LogoVersionRow

ATTEMPTS = 5
"""Attempts to store changes that meet others at the same moment."""

AuditEntriesOf: TypeAlias = Callable[[Sequence[LogoOutcome]], Iterable[AuditEntry]]
"""A function that returns the audit entries of changes, stored in their transaction."""


class LogoStore:
    """The logos of one database; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def change(self, changes: Sequence[LogoChange], *, entries: AuditEntriesOf) -> tuple[LogoOutcome, ...]:
        """Make changes in one transaction; raises StorageError.

        The outcome of one change (conflict, unchanged, expired) does not affect the others.
        """
        # always in the same order, so that transactions cannot deadlock
        order = sorted(range(len(changes)), key=lambda place: changes[place].lender_id)

        async def work(connection: AsyncConnection) -> tuple[LogoOutcome, ...]:
            made = {place: await make(connection, changes[place]) for place in order}
            outcomes = tuple(made[place] for place in range(len(changes)))
            for entry in entries(outcomes):
                await add_entry(connection, entry)
            return outcomes

        for _ in range(ATTEMPTS):
            try:
                return await self._database.write(work)
            except IntegrityError:
                continue
        raise StorageError("the database refuses a logo version that exists")

    async def stamp(self) -> int:
        """Return a number that increases with every change of a logo; raises StorageError."""
        newest = _newest_numbers().subquery()

        async def work(connection: AsyncConnection) -> int:
            return (await connection.execute(select(func.coalesce(func.sum(newest.c.number), 0)))).scalar_one()

        return int(await self._database.read(work))

    async def newest(self) -> tuple[LogoVersion, ...]:
        newest = _newest_numbers().subquery()
        wanted = select(LogoVersionRow).join(
            newest,
            (col(LogoVersionRow.lender_id) == newest.c.lender_id)
            & (col(LogoVersionRow.source) == newest.c.source)
            & (col(LogoVersionRow.number) == newest.c.number),
        )
        return await self._read(wanted)

    async def versions(self, lender_id: int) -> tuple[LogoVersion, ...]:
        wanted = (
            select(LogoVersionRow)
            .where(*version_of(lender_id, LogoSource.STAFF))
            .order_by(col(LogoVersionRow.number).desc())
        )
        return await self._read(wanted)

    async def png(self, name: str) -> bytes | None:
        """Return an image by its file name, or None; raises StorageError."""

        async def work(connection: AsyncConnection) -> bytes | None:
            wanted = select(col(LogoPictureRow.png)).where(col(LogoPictureRow.name) == name)
            return (await connection.execute(wanted)).scalar()

        return await self._database.read(work)

    async def _read(self, wanted: Select[Any]) -> tuple[LogoVersion, ...]:
        async def work(connection: AsyncConnection) -> tuple[LogoVersion, ...]:
            return tuple(version_in(row) for row in await connection.execute(wanted))

        return await self._database.read(work)


def _newest_numbers() -> Select[int, str, int]:
    number = func.max(col(LogoVersionRow.number)).label("number")
    of = (col(LogoVersionRow.lender_id), col(LogoVersionRow.source))
    return select(*of, number).group_by(*of)
