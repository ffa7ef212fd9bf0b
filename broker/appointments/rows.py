"""Rows of appointments with those of their enquiries, as values, and their changes."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.staff.roles import Right, Role, may
from broker.storage.tables import AppointmentRow, EnquiryRow, StaffRow

_COLUMNS: tuple[Any, ...] = (
    *(AppointmentRow.id, AppointmentRow.uid, AppointmentRow.sequence, AppointmentRow.adviser, AppointmentRow.starts),
    *(AppointmentRow.minutes, AppointmentRow.medium, AppointmentRow.state, AppointmentRow.created),
    *(AppointmentRow.changed_by, AppointmentRow.changed_at, AppointmentRow.enquiry_id),
    *(EnquiryRow.reference, EnquiryRow.contact, EnquiryRow.kind),
)
OF_ENQUIRY = col(EnquiryRow.id) == col(AppointmentRow.enquiry_id)
IS_LIVE = col(AppointmentRow.state) == AppointmentState.BOOKED.value
IS_ADVISER = and_(
    col(StaffRow.enabled), col(StaffRow.role).in_([role.value for role in Role if may(role, Right.CASES)])
)
"""An account that can sign in, and whose role works on cases."""
TAKES_TIME = col(AppointmentRow.state) != AppointmentState.CANCELLED.value


async def appointment_row(
    connection: AsyncConnection, where: ColumnElement[bool], *, locked: bool = False
) -> Row[Any] | None:
    wanted = with_enquiry(where)
    if locked:
        wanted = wanted.with_for_update(of=AppointmentRow)
    return (await connection.execute(wanted)).one_or_none()


async def find_appointments(connection: AsyncConnection, enquiry_ids: Collection[int]) -> dict[int, Appointment]:
    """Return the appointments of enquiries, by the id of the enquiry, in the caller's transaction."""
    rows = await connection.execute(with_enquiry(col(AppointmentRow.enquiry_id).in_(enquiry_ids)))
    return {row.enquiry_id: appointment_of(row) for row in rows}


def with_enquiry(*where: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    return select(*map(col, _COLUMNS)).join(EnquiryRow, OF_ENQUIRY).where(*where)


async def change_row(
    connection: AsyncConnection, row: Row[Any], values: Mapping[str, Any], *, who: str, at: datetime
) -> Row[Any]:
    """Change an appointment, raise its sequence, and return its row."""
    stamp = {"sequence": row.sequence + 1, "changed_by": who, "changed_at": at}
    here = col(AppointmentRow.id) == row.id
    await connection.execute(update(AppointmentRow).where(here).values({**values, **stamp}))
    return await appointment_row(connection, here) or row


async def record(
    connection: AsyncConnection, row: Row[Any], what: Act, *, who: str, at: datetime, detail: str = ""
) -> None:
    await add_entry(connection, AuditEntry(at=at, who=who, what=what, about=row.reference, detail=detail))


def slot_of(row: Row[Any]) -> Slot:
    return Slot(start=row.starts, minutes=row.minutes, medium=Medium(row.medium))


def appointment_of(row: Row[Any]) -> Appointment:
    return Appointment(
        id=row.id,
        uid=row.uid,
        sequence=row.sequence,
        adviser=row.adviser,
        slot=slot_of(row),
        state=AppointmentState(row.state),
        reference=row.reference,
        created=row.created,
        changed_by=row.changed_by,
        changed_at=row.changed_at,
    )
