"""Rows of enquiries that are one case: an enquiry, and those that are merged into it."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased
from sqlmodel import col

from broker.enquiries.enquiry import EnquiryState
from broker.staff.audit import Act
from broker.storage.tables import AuditRow, EnquiryRow


def in_case(id_: int) -> ColumnElement[bool]:
    """Return the condition of the enquiries of a case, by the id of the one that the others are merged into."""
    return or_(col(EnquiryRow.id) == id_, col(EnquiryRow.merged_into) == id_)


async def only_advice_since(connection: AsyncConnection, case: Row[Any]) -> datetime | None:
    """Return when all of a case but the record of advice was deleted, None for a case of which more is kept.

    `case` is the row that the others are merged into.
    """
    if case.state != EnquiryState.CLOSED.value:
        return None
    of_enquiry = and_(col(AuditRow.about) == col(EnquiryRow.reference), col(AuditRow.what) == Act.ADVICE_KEPT.value)
    wanted = (
        select(func.max(col(AuditRow.at)))
        .select_from(EnquiryRow)
        .outerjoin(AuditRow, of_enquiry)
        .where(in_case(case.id))
        .group_by(col(EnquiryRow.id))
    )
    found = (await connection.execute(wanted)).scalars().all()
    return None if None in found else max(found, default=None)


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
