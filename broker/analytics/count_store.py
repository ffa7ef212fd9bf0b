"""Daily counts in the database, which all processes add to; they are kept without end (decision 59)."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import Date, bindparam, select, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.analytics.counted import Counted
from broker.storage.database import Database, all_rows
from broker.storage.tables import DailyCountRow

_ADD = text(
    "INSERT INTO daily_counts (day, kind, total) VALUES (:day, :kind, :total) "
    "ON CONFLICT (day, kind) DO UPDATE SET total = daily_counts.total + excluded.total"
).bindparams(bindparam("day", type_=Date))


class CountStore:
    """Methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, counts: Mapping[tuple[date, Counted], int]) -> None:
        """Add to the counts of days and kinds."""
        # in one order, so that two processes never wait for each other's rows
        rows = [{"day": day, "kind": kind.value, "total": total} for (day, kind), total in sorted(counts.items())]

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(_ADD, rows)

        await self._database.write(work)

    async def since(self, day: date) -> list[tuple[date, str, int]]:
        """Return day, kind and count from a day on, in order."""
        columns = (col(DailyCountRow.day), col(DailyCountRow.kind), col(DailyCountRow.total))
        wanted = select(*columns).where(columns[0] >= day).order_by(*columns[:2])
        return [(row.day, row.kind, row.total) for row in await self._database.read(all_rows(wanted))]
