"""Rows of enquiries that are one case: an enquiry, and those that are merged into it."""

from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased
from sqlmodel import col

from broker.storage.tables import EnquiryRow


def in_case(id_: int) -> ColumnElement[bool]:
    """Return the condition of the enquiries of a case, by the id of the one that the others are merged into."""
    return or_(col(EnquiryRow.id) == id_, col(EnquiryRow.merged_into) == id_)


def due_cases(now: datetime, after: datetime) -> ColumnElement[bool]:
    """Return the condition of the enquiries of cases to delete until a moment, and after another."""
    case = aliased(EnquiryRow)
    found = select(col(case.id)).where(
        col(case.merged_into).is_(None), col(case.delete_after) <= now, col(case.delete_after) > after
    )
    return func.coalesce(col(EnquiryRow.merged_into), col(EnquiryRow.id)).in_(found)


async def delete_merged(connection: AsyncConnection) -> int:
    """Delete the enquiries whose case is deleted, and return how many."""
    left = (col(EnquiryRow.merged_into).is_not(None), col(EnquiryRow.merged_into).not_in(select(col(EnquiryRow.id))))
    return (await connection.execute(delete(EnquiryRow).where(*left))).rowcount
