"""Which enquiries have advice, by their stage and the outcomes of their calls, and until when it is kept.

A case is kept as long as the advice of any enquiry that is merged into it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased
from sqlmodel import col

from broker.cases.case import Outcome, Stage
from broker.clock import uk_date, uk_midnight
from broker.duties.complaint import kept_until
from broker.enquiries.enquiry import EnquiryState
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.tables import AppointmentRow, DeskUndoRow, EnquiryRow, MailRow, NoteDraftRow, NoteRow

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
    """Return the select of those enquiries of some that have advice, each with its last note that says so.

    `case_id` and `delete_after` are those of its case.
    """
    case = aliased(EnquiryRow)
    columns = (EnquiryRow.id, EnquiryRow.stage, EnquiryRow.stage_since, EnquiryRow.changed_at, EnquiryRow.created)
    noted = (
        select(func.max(col(NoteRow.at)))
        .where(col(NoteRow.enquiry_id) == col(EnquiryRow.id), col(NoteRow.outcome).in_(ADVISED_OUTCOMES))
        .scalar_subquery()
    )
    return (
        select(*map(col, columns), col(case.id).label("case_id"), col(case.delete_after), noted.label("noted"))
        .join(case, col(case.id) == func.coalesce(col(EnquiryRow.merged_into), col(EnquiryRow.id)))
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


def advised(enquiries: Sequence[Row[Any]], notes: Sequence[Row[Any]], *, today: date, years: int) -> dict[int, date]:
    """Return until when whole cases keep their advice, by the id of each enquiry that has some or whose case has."""
    noted = dict[int, datetime]()
    for note in notes:
        if note.outcome in ADVISED_OUTCOMES:
            noted[note.enquiry_id] = max(note.at, noted.get(note.enquiry_id, note.at))
    found = {row.id: until for row in enquiries if (until := advice_until(row, noted.get(row.id), today, years))}
    for row in enquiries:
        if row.merged_into and (until := found.get(row.id)):
            found[row.merged_into] = max(until, found.get(row.merged_into, until))
    return found


def kept_notes(enquiries: Sequence[Row[Any]], notes: Sequence[Row[Any]], kept: Mapping[int, date]) -> set[int]:
    """Return the notes that are the record of advice of enquiries that are kept; all of a case where none says so."""
    case_of = {row.id: row.merged_into or row.id for row in enquiries if row.id in kept}
    of_case = defaultdict[int, set[int]](set)
    for note in notes:
        if note.enquiry_id in case_of:
            of_case[case_of[note.enquiry_id]].add(note.id)
    marked = {note.id for note in notes if note.outcome in ADVISED_OUTCOMES}
    return {id_ for ids in of_case.values() for id_ in (ids & marked or ids)}


async def keep_advice_alone(
    connection: AsyncConnection,
    enquiries: Sequence[Row[Any]],
    notes: Sequence[Row[Any]],
    kept: Mapping[int, date],
    *,
    who: str,
    at: datetime,
) -> None:
    """Delete all of the enquiries that are `kept` but who it is and the advice, and close them.

    Each gets an audit entry, by which the search of cases learns of it.
    """
    record = kept_notes(enquiries, notes, kept)
    others = [note.id for note in notes if note.enquiry_id in kept and note.id not in record]
    await connection.execute(delete(NoteRow).where(col(NoteRow.id).in_(others)))
    for table in (AppointmentRow, DeskUndoRow, NoteDraftRow, MailRow):
        await connection.execute(delete(table).where(col(table.enquiry_id).in_(kept)))
    empty = {"needs": None, "next_action": None, "next_due": None, "waiting_note": None, "marketing": ""}
    for row in enquiries:
        if until := kept.get(row.id):
            values = {"state": EnquiryState.CLOSED.value, "delete_after": end_of(until), "version": row.version + 1}
            stamp = {"changed_by": who, "changed_at": at}
            here = col(EnquiryRow.id) == row.id
            await connection.execute(update(EnquiryRow).where(here).values({**values, **empty, **stamp}))
            detail = f"advice kept until {until:%-d %B %Y}"
            entry = AuditEntry(at=at, who=who, what=Act.ADVICE_KEPT, about=row.reference, detail=detail)
            await add_entry(connection, entry)


def end_of(day: date) -> datetime:
    """Return the first moment after a day in the UK."""
    return uk_midnight(day + timedelta(days=1))
