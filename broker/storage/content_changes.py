"""Changes of the content in the database, so that every worker of every server knows which messages were accepted."""

from datetime import timedelta

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.domain.staff.publishing import ContentChange
from broker.storage.database import Database
from broker.storage.tables import ContentChangeRow


class ContentChangeStore:
    """The changes of late, by the signatures of their messages; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, change: ContentChange, *, signature: str, kept: timedelta) -> bool:
        """Store a change, and forget those that are older than `kept`; False where the signature is known."""
        row = {"at": change.at, "by": change.by, "signature": signature}
        old = delete(ContentChangeRow).where(col(ContentChangeRow.at) < change.at - kept)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(old)
            await connection.execute(insert(ContentChangeRow).values(row))

        try:
            await self._database.write(work)
        except IntegrityError:
            return False
        return True

    async def latest(self) -> ContentChange | None:
        """Return the last change; None for none."""
        last = select(ContentChangeRow).order_by(col(ContentChangeRow.id).desc()).limit(1)

        async def work(connection: AsyncConnection) -> ContentChange | None:
            row = (await connection.execute(last)).one_or_none()
            return ContentChange(at=row.at, by=row.by) if row else None

        return await self._database.read(work)
