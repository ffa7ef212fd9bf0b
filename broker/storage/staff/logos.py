"""Logos of lenders in the database: every change is a new version, so that an older one can be put back.

A change says which version it was made to, and is a conflict where that is no longer the newest: nobody's change is
lost without being told. Versions beyond the last few go, and with them the pictures that no version shows any longer.
"""

from __future__ import annotations

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
"""How often changes are made anew that met others made at the same moment."""

Told: TypeAlias = Callable[[Sequence[LogoOutcome]], Iterable[AuditEntry]]
"""What is written into the audit record of changes, in the transaction that makes them."""


class LogoStore:
    """The logos of one database."""

    def __init__(self, database: Database) -> None:
        """Keep where they are."""
        self._database = database

    async def change(self, changes: Sequence[LogoChange], *, told: Told) -> tuple[LogoOutcome, ...]:
        """Make changes in one transaction, each or none of them where the database fails; raises StorageError.

        A change that does not fit (overtaken, unchanged, too old) leaves the others as they are.
        """
        # in one order everywhere, so that no two transactions wait for each other
        order = sorted(range(len(changes)), key=lambda place: changes[place].lender_id)

        async def work(connection: AsyncConnection) -> tuple[LogoOutcome, ...]:
            made = {place: await make(connection, changes[place]) for place in order}
            outcomes = tuple(made[place] for place in range(len(changes)))
            for entry in told(outcomes):
                await add_entry(connection, entry)
            return outcomes

        for _ in range(ATTEMPTS):
            try:
                return await self._database.write(work)
            except IntegrityError:
                continue
        raise StorageError("the database refuses a logo's version as one that is there")

    async def stamp(self) -> int:
        """Return a number that rises with every change of any lender's logo; raises StorageError."""
        newest = _newest_numbers().subquery()

        async def work(connection: AsyncConnection) -> int:
            return (await connection.execute(select(func.coalesce(func.sum(newest.c.number), 0)))).scalar_one()

        return int(await self._database.read(work))

    async def newest(self) -> tuple[LogoVersion, ...]:
        """Return the newest version of each lender and source; raises StorageError."""
        newest = _newest_numbers().subquery()
        wanted = select(LogoVersionRow).join(
            newest,
            (col(LogoVersionRow.lender_id) == newest.c.lender_id)
            & (col(LogoVersionRow.source) == newest.c.source)
            & (col(LogoVersionRow.number) == newest.c.number),
        )
        return await self._read(wanted)

    async def versions(self, lender_id: int) -> tuple[LogoVersion, ...]:
        """Return the versions of staff's that are kept of a lender, the newest first; raises StorageError."""
        wanted = (
            select(LogoVersionRow)
            .where(*version_of(lender_id, LogoSource.STAFF))
            .order_by(col(LogoVersionRow.number).desc())
        )
        return await self._read(wanted)

    async def png(self, name: str) -> bytes | None:
        """Return a picture's bytes by the name of its file, None for one that is not kept; raises StorageError."""

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
