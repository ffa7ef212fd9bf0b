"""Which enquiries have advice, by their stage and the outcomes of their calls, and until when it is kept."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases.case import Outcome, Stage
from broker.clock import uk_date
from broker.duties.complaint import kept_until
from broker.storage.tables import EnquiryRow, NoteRow

ADVISED_OUTCOMES = {
    each.value for each in (Outcome.ADVICE_GIVEN, Outcome.APPLICATION, Outcome.OFFER, Outcome.COMPLETED)
}
_ADVISED_STAGES = {each.value for each in Stage} - {Stage.ENQUIRY.value, Stage.ADVICE.value}
"""Outcomes and stages which say that advice was given."""


async def advice_kept(
    connection: AsyncConnection, enquiries: ColumnElement[bool], *, today: date, years: int
) -> date | None:
    """Return until when the advice of any of some enquiries is kept; None without, or once over."""
    rows = await connection.execute(with_advice(enquiries))
    ends = (advice_until(row, row.noted, today, years) for row in rows)
    return max((end for end in ends if end), default=None)


def with_advice(where: ColumnElement[bool]) -> Any:
    """Return the select of those enquiries of some that have advice, each with its last note that says so."""
    columns = (EnquiryRow.id, EnquiryRow.stage, EnquiryRow.stage_since, EnquiryRow.changed_at, EnquiryRow.created)
    noted = (
        select(func.max(col(NoteRow.at)))
        .where(col(NoteRow.enquiry_id) == col(EnquiryRow.id), col(NoteRow.outcome).in_(ADVISED_OUTCOMES))
        .scalar_subquery()
    )
    return (
        select(*map(col, columns), col(EnquiryRow.delete_after), noted.label("noted"))
        .where(where, or_(col(EnquiryRow.stage).in_(_ADVISED_STAGES), noted.is_not(None)))
        .order_by(col(EnquiryRow.id))
    )


def advice_until(row: Row[Any], noted: datetime | None, today: date, years: int) -> date | None:
    """Return until when the advice of an enquiry is kept, some years from the last of it; None without, or once over.

    `noted` is the last note with an outcome that says so.
    """
    if noted is None and row.stage not in _ADVISED_STAGES:
        return None
    until = kept_until(uk_date(noted or row.stage_since or row.changed_at or row.created), years)
    return until if until >= today else None
