"""Advisers' time in the database: who is free in a slot, and whose time an appointment takes."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, bindparam, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import LENGTHS, Appointment, AppointmentState, Medium, Slot, SlotTakenError
from broker.appointments.rows import IS_ADVISER, OF_ENQUIRY, TAKES_TIME, change_row
from broker.appointments.slots import BUFFER, Absence, AdviserHours, TimeRange, cells, free_slots, next_reminder
from broker.clock import UK
from broker.storage.tables import AbsenceRow, AdviserHoursRow, AppointmentCellRow, AppointmentRow, EnquiryRow, StaffRow

_LONGEST = timedelta(minutes=max(LENGTHS)) + BUFFER

_HOURS = select(AdviserHoursRow).order_by(
    col(AdviserHoursRow.adviser), col(AdviserHoursRow.weekday), col(AdviserHoursRow.opens)
)
_ENABLED_HOURS = _HOURS.join(StaffRow, col(StaffRow.name) == col(AdviserHoursRow.adviser)).where(IS_ADVISER)
_ABSENCES = select(AbsenceRow).order_by(col(AbsenceRow.starts))
_TAKEN: Select[*tuple[Any, ...]] = select(
    col(AppointmentRow.adviser), col(AppointmentRow.starts), col(AppointmentRow.minutes)
).where(
    col(AppointmentRow.starts) > bindparam("after"),
    col(AppointmentRow.starts) < bindparam("before"),
    col(AppointmentRow.id) != bindparam("without"),
    TAKES_TIME,
)
_TAKEN_BY = _TAKEN.add_columns(col(EnquiryRow.submission), col(EnquiryRow.reference)).join(EnquiryRow, OF_ENQUIRY)


async def book(
    connection: AsyncConnection, slot: Slot, *, adviser: str, enquiry_id: int, reference: str, at: datetime
) -> Appointment:
    """Book a slot of an adviser in the caller's transaction for the enquiry of a reference.

    Raises IntegrityError where another process takes the same time of the adviser at this moment: then the whole
    transaction is tried again.
    """
    new = {"adviser": adviser, **_new_values(slot, at=at), "sequence": 0, "changed_by": ""}
    adding = insert(AppointmentRow).returning(col(AppointmentRow.id))
    id_ = (await connection.execute(adding, {"enquiry_id": enquiry_id, **new})).scalar_one() or 0
    await take_time(connection, id_, adviser, slot)
    return Appointment(
        id=id_,
        uid=new["uid"],
        sequence=new["sequence"],
        adviser=adviser,
        slot=slot,
        state=AppointmentState.BOOKED,
        reference=reference,
        created=at,
    )


async def book_again(
    connection: AsyncConnection, former: Row[Any], slot: Slot, *, adviser: str, who: str, at: datetime
) -> None:
    """Book a slot in the row of a former appointment of the enquiry, as an enquiry has one row.

    The appointment is another for calendars: its UID is new, so that the event of the former one stays as it was. The
    sequence goes on from the former one, so that a form about that is refused. What the former one was is kept by the
    audit record, from which figures count it. Raises IntegrityError like `book`.
    """
    await release_time(connection, former.id)
    await take_time(connection, former.id, adviser, slot)
    await change_row(connection, former, {"adviser": adviser, **_new_values(slot, at=at)}, who=who, at=at)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviserTimes:
    """Hours and absences of enabled advisers who have hours."""

    hours: Mapping[str, AdviserHours]
    absences: Mapping[str, tuple[Absence, ...]]

    def starts(self, adviser: str, taken: set[int], **given: Any) -> Iterable[datetime]:
        return free_slots(self.hours[adviser], self.absences.get(adviser, ()), taken, **given)

    def free(
        self, taken: defaultdict[str, set[int]], minutes: int, medium: Medium, *, now: datetime, adviser: str = ""
    ) -> tuple[Slot, ...]:
        """Return the free slots of an adviser, by default of all, in order and each once."""
        names = [name for name in self.hours if adviser in ("", name)]
        starts = {start for name in names for start in self.starts(name, taken[name], now=now, minutes=minutes)}
        return tuple(Slot(start=start, minutes=minutes, medium=medium) for start in sorted(starts))


async def open_times(connection: AsyncConnection) -> AdviserTimes:
    return AdviserTimes(hours=await hours_of(connection, enabled=True), absences=await absences_of(connection))


async def hours_of(connection: AsyncConnection, *, enabled: bool = False) -> dict[str, AdviserHours]:
    found: dict[str, dict[int, tuple[TimeRange, ...]]] = defaultdict(dict)
    for row in await connection.execute(_ENABLED_HOURS if enabled else _HOURS):
        before = found[row.adviser].get(row.weekday, ())
        found[row.adviser][row.weekday] = (*before, TimeRange(opens=row.opens, closes=row.closes))
    return {adviser: AdviserHours(ranges=ranges) for adviser, ranges in found.items()}


async def absences_of(connection: AsyncConnection) -> dict[str, tuple[Absence, ...]]:
    found: dict[str, tuple[Absence, ...]] = {}
    for row in await connection.execute(_ABSENCES):
        absence = Absence(start=row.starts, end=row.ends, id=row.id)
        found[row.adviser] = (*found.get(row.adviser, ()), absence)
    return found


async def uncovered(connection: AsyncConnection, appointments: Iterable[Appointment]) -> frozenset[int]:
    """Return the ids of those appointments whose adviser is absent then, or can work on cases no longer."""
    absences = await absences_of(connection)
    ended = set((await connection.execute(select(col(StaffRow.name)).where(~IS_ADVISER))).scalars())

    def is_uncovered(adviser: str, slot: Slot) -> bool:
        away = absences.get(adviser, ())
        return adviser in ended or any(each.start < slot.end and slot.start < each.end for each in away)

    return frozenset(each.id for each in appointments if is_uncovered(each.adviser, each.slot))


async def taken_cells(
    connection: AsyncConnection, start: datetime, end: datetime, *, without: int = 0
) -> defaultdict[str, set[int]]:
    """Return the cells of each adviser's appointments that are near [start, end), but the one `without`."""
    return _cells_of(await _near(connection, _TAKEN, start, end, without=without))


async def taken_cells_and_holders(
    connection: AsyncConnection, start: datetime, end: datetime
) -> tuple[defaultdict[str, set[int]], dict[str, str]]:
    """Return `taken_cells`, and the references of the enquiries whose appointments they are, by digest of the form."""
    rows = await _near(connection, _TAKEN_BY, start, end)
    return _cells_of(rows), {row.submission: row.reference for row in rows}


async def _near(
    connection: AsyncConnection, wanted: Select[*tuple[Any, ...]], start: datetime, end: datetime, *, without: int = 0
) -> Sequence[Row[Any]]:
    near = {"after": start - _LONGEST, "before": end + _LONGEST, "without": without}
    return (await connection.execute(wanted, near)).all()


def _cells_of(rows: Iterable[Row[Any]]) -> defaultdict[str, set[int]]:
    found: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        found[row.adviser].update(cells(row.starts, row.minutes))
    return found


async def free_adviser(
    connection: AsyncConnection, slot: Slot, *, now: datetime, moved: Row[Any] | None = None, without: str = ""
) -> str:
    """Return the adviser who is free in a slot: the one with the fewest appointments that day.

    The appointment that is `moved` takes no time of its own, and stays with its adviser if that one is free. The
    adviser `without` is left out. Raises SlotTakenError.
    """
    diary = await open_times(connection)

    def is_offered(adviser: str, taken: set[int]) -> bool:
        starts = diary.starts(adviser, taken, now=now, minutes=slot.minutes, first=slot.start)
        return next(iter(starts), None) == slot.start

    moved_id = moved.id if moved else 0
    taken = await taken_cells(connection, slot.start, slot.end, without=moved_id)
    free = [name for name in diary.hours if name != without and is_offered(name, taken[name])]
    if not free:
        raise SlotTakenError
    if moved and moved.adviser in free:
        return moved.adviser
    if len(free) == 1:
        return free[0]
    counts = await _counts_of_day(connection, free, slot.start)
    return min(free, key=lambda name: (counts[name], name))


async def _counts_of_day(connection: AsyncConnection, names: Sequence[str], moment: datetime) -> Counter[str]:
    """Return how many appointments each adviser has on the UK day of a moment."""
    midnight = moment.astimezone(UK).replace(hour=0, minute=0, second=0, microsecond=0)
    of_day = (col(AppointmentRow.starts) >= midnight, col(AppointmentRow.starts) < midnight + timedelta(days=1))
    wanted = select(col(AppointmentRow.adviser)).where(col(AppointmentRow.adviser).in_(names), *of_day, TAKES_TIME)
    return Counter((await connection.execute(wanted)).scalars())


async def take_time(connection: AsyncConnection, id_: int, adviser: str, slot: Slot) -> None:
    rows = [{"adviser": adviser, "cell": cell, "appointment_id": id_} for cell in cells(slot.start, slot.minutes)]
    await connection.execute(insert(AppointmentCellRow), rows)


async def release_time(connection: AsyncConnection, id_: int) -> None:
    await connection.execute(delete(AppointmentCellRow).where(col(AppointmentCellRow.appointment_id) == id_))


def _new_values(slot: Slot, *, at: datetime) -> dict[str, Any]:
    return {
        "uid": secrets.token_hex(16),
        **slot_values(slot, at=at),
        "state": AppointmentState.BOOKED.value,
        "created": at,
    }


def slot_values(slot: Slot, *, at: datetime) -> dict[str, Any]:
    return {
        "starts": slot.start,
        "minutes": slot.minutes,
        "medium": slot.medium.value,
        "remind_at": next_reminder(slot.start, after=at),
    }
