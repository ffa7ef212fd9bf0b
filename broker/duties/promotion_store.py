"""Approvals of public pages in the database, each with the text that was approved."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.duties.promotion import Approval, digest_of
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database, rows_changed
from broker.storage.tables import PromotionRow

_CURRENT = col(PromotionRow.ended_at).is_(None)


class PromotionStore:
    """Approvals by the path of their page; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def current(self) -> Mapping[str, Approval]:
        """Return the approval of each page that was approved last, by its path."""
        wanted = select(PromotionRow).where(_CURRENT).order_by(col(PromotionRow.id))

        async def work(connection: AsyncConnection) -> dict[str, Approval]:
            return {
                row.path: Approval(path=row.path, text=row.text, who=row.who, at=row.at, due=row.due)
                for row in await connection.execute(wanted)
            }

        return await self._database.read(work)

    async def approve(self, approvals: Sequence[Approval], *, about: str) -> None:
        """Store approvals of one time, `about` a page or a family; those before end with them."""
        rows = [{**asdict(each), "digest": digest_of(each.text)} for each in approvals]
        at, who = approvals[0].at, approvals[0].who

        async def work(connection: AsyncConnection) -> None:
            before = update(PromotionRow).where(col(PromotionRow.path).in_([each.path for each in approvals]), _CURRENT)
            await connection.execute(before.values(ended_at=at))
            await connection.execute(insert(PromotionRow), rows)
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.PROMOTION_APPROVED, about=about))

        await self._database.write(work)

    async def end(self, paths: frozenset[str], at: datetime) -> None:
        """End the approvals of pages that are no longer shown."""
        if not paths:
            return
        gone = update(PromotionRow).where(col(PromotionRow.path).in_(paths), _CURRENT)
        await self._database.write(rows_changed(gone.values(ended_at=at)))

    async def delete_ended(self, before: datetime) -> int:
        """Delete the approvals that ended before a time; return how many."""
        return await self._database.write(rows_changed(delete(PromotionRow).where(col(PromotionRow.ended_at) < before)))
