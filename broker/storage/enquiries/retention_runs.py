"""The last run of retention in the database, for all workers of all servers."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.storage.database import Database
from broker.storage.tables import RetentionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionRun:
    """A run at a time of the clock, which has been followed without a long gap since another."""

    at: datetime
    since: datetime


class RetentionRunStore:
    """The last run; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last(self) -> RetentionRun | None:
        """Return the last run; None for none."""
        latest = select(RetentionRow).order_by(col(RetentionRow.id).desc()).limit(1)

        async def work(connection: AsyncConnection) -> RetentionRun | None:
            row = (await connection.execute(latest)).one_or_none()
            return RetentionRun(at=row.at, since=row.since) if row else None

        return await self._database.read(work)

    async def record(self, run: RetentionRun) -> None:
        """Store a run in place of those before."""

        async def work(connection: AsyncConnection) -> None:
            added = await connection.execute(
                insert(RetentionRow).values(at=run.at, since=run.since).returning(col(RetentionRow.id))
            )
            await connection.execute(delete(RetentionRow).where(col(RetentionRow.id) < added.scalar_one()))

        await self._database.write(work)
