"""Corrections of lenders' windows by staff, in the database: the newest of a lender counts, earlier ones are kept."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import Row, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.lenders.windows import Correction
from broker.staff.audit import AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database, all_rows
from broker.storage.tables import LenderWindowRow


class WindowStore:
    """Methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self) -> tuple[Correction, ...]:
        last = select(col(LenderWindowRow.lender_id), func.max(col(LenderWindowRow.number)).label("number"))
        newest = last.group_by(col(LenderWindowRow.lender_id)).subquery()
        is_newest = (col(LenderWindowRow.lender_id) == newest.c.lender_id) & (
            col(LenderWindowRow.number) == newest.c.number
        )
        wanted = select(LenderWindowRow).join(newest, is_newest)
        return tuple(map(_correction, await self._database.read(all_rows(wanted))))

    async def add(self, given: Correction, entry: AuditEntry, *, at: datetime) -> bool:
        """Store a correction with its audit entry; False where its number is not the next."""
        row = {
            "lender_id": given.lender_id,
            "number": given.number,
            "opens": given.opens,
            "swap": given.swap,
            "source": given.source,
            "checked": given.checked.isoformat() if given.checked else "",
            "who": given.who,
            "at": at,
        }
        wanted = select(func.coalesce(func.max(col(LenderWindowRow.number)), 0))

        async def work(connection: AsyncConnection) -> bool:
            found = await connection.execute(wanted.where(col(LenderWindowRow.lender_id) == given.lender_id))
            if found.scalar_one() + 1 != given.number:
                return False
            await connection.execute(insert(LenderWindowRow).values(row))
            await add_entry(connection, entry)
            return True

        try:
            return await self._database.write(work)
        except IntegrityError:
            return False


def _correction(row: Row[Any]) -> Correction:
    return Correction(
        lender_id=row.lender_id,
        number=row.number,
        opens=row.opens,
        swap=row.swap,
        source=row.source,
        checked=date.fromisoformat(row.checked) if row.checked else None,
        who=row.who,
    )
