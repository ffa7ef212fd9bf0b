"""Appointments in the database: advisers' hours and absences, what is booked, moved and cancelled, and its mail."""

import hashlib
import logging
import secrets
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, Select, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import (
    Appointment,
    AppointmentChanged,
    AppointmentConflict,
    AppointmentRefused,
    AppointmentState,
    Coverage,
    Medium,
    Slot,
    SlotTakenError,
    StaffChange,
    StaffOutcome,
)
from broker.appointments.notices import Notice, appointment_links, notice_mail, staff_note
from broker.appointments.slots import (
    BUFFER,
    MAX_DAYS_AHEAD,
    NOTICE,
    Absence,
    AdviserHours,
    Holidays,
    TimeRange,
    cells,
    free_slots,
    next_reminder,
)
from broker.clock import UK
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.working_time import bank_holidays
from broker.mail.mail import MailKind
from broker.mail.outbox_store import MailCipher, add_mail, drop_waiting
from broker.staff.audit import VISITOR, Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import (
    AbsenceRow,
    AdviserHoursRow,
    AppointmentCellRow,
    AppointmentRow,
    CalendarFeedRow,
    EnquiryRow,
    StaffRow,
)

MAX_NEXT_FREE = 6
"""Free slots that are offered where one was taken."""

FEED_DAYS = 30
"""Days for which a feed keeps what is over."""

_MAX_ATTEMPTS = 5
"""Attempts at a change that another process makes impossible at the same moment."""

_MAX_REMINDERS = 100
"""Reminders of one transaction."""

_LONGEST = timedelta(minutes=40) + BUFFER

Done = TypeVar("Done")
log = logging.getLogger(__name__)

TOO_LATE = "This appointment is over, so it can no longer be changed"
OVERLAPS = "The adviser has another appointment at this time"
NOT_COMING = "Choose a time to come"
NOT_BEGUN = "This appointment has not begun yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviserDiary:
    """An adviser's hours and absences; `enabled` is that of the account, `has_feed` whether a calendar may read."""

    adviser: str
    hours: AdviserHours
    absences: tuple[Absence, ...] = ()
    enabled: bool = True
    has_feed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedEnquiry:
    """An appointment with the encrypted row of its enquiry, for staff: read it with `EnquiryCipher.contact`."""

    appointment: Appointment
    enquiry: Row[Any]


_COLUMNS: tuple[Any, ...] = (
    *(AppointmentRow.id, AppointmentRow.uid, AppointmentRow.sequence, AppointmentRow.adviser, AppointmentRow.starts),
    *(AppointmentRow.minutes, AppointmentRow.medium, AppointmentRow.state, AppointmentRow.created),
    *(AppointmentRow.changed_by, AppointmentRow.changed_at, AppointmentRow.enquiry_id),
    *(EnquiryRow.reference, EnquiryRow.contact, EnquiryRow.kind),
)
_WITH_ENQUIRY = col(EnquiryRow.id) == col(AppointmentRow.enquiry_id)
_LIVE = col(AppointmentRow.state) == AppointmentState.BOOKED.value
_TAKES_TIME = col(AppointmentRow.state) != AppointmentState.CANCELLED.value


async def book(
    connection: AsyncConnection, slot: Slot, *, enquiry_id: int, at: datetime, holidays: Holidays = bank_holidays
) -> None:
    """Book a slot in the caller's transaction with the free adviser who has the fewest appointments that day.

    Raises SlotTakenError, and IntegrityError where another process takes the same time of the adviser at this moment:
    then the whole transaction is tried again.
    """
    adviser = await _free_adviser(connection, slot, now=at, holidays=holidays)
    row = {
        "uid": secrets.token_hex(16),
        "enquiry_id": enquiry_id,
        "adviser": adviser,
        **_slot_values(slot, at=at),
        "state": AppointmentState.BOOKED.value,
        "sequence": 0,
        "created": at,
        "changed_by": "",
    }
    added = await connection.execute(insert(AppointmentRow).values(row).returning(col(AppointmentRow.id)))
    id_ = added.scalar_one() or 0
    await _take(connection, id_, adviser, slot)


async def find_appointments(connection: AsyncConnection, enquiry_ids: Collection[int]) -> dict[int, Appointment]:
    """Return the appointments of enquiries, by the id of the enquiry, in the caller's transaction."""
    rows = await connection.execute(_with_enquiry(col(AppointmentRow.enquiry_id).in_(enquiry_ids)))
    return {row.enquiry_id: _appointment(row) for row in rows}


class AppointmentStore:
    """Every method raises StorageError; times are with their zone."""

    def __init__(self, database: Database, keys: SecretKeys, *, holidays: Holidays = bank_holidays) -> None:
        self._database, self._holidays = database, holidays
        self._mails = VisitorMails(keys)

    # for visitors

    async def free(self, minutes: int, medium: Medium, *, now: datetime) -> tuple[Slot, ...]:
        """Return the free slots of all advisers, in order and each once."""
        return await self._free(minutes, medium, now=now, first=now, days=MAX_DAYS_AHEAD + 1)

    async def near(self, slot: Slot, *, now: datetime) -> tuple[Slot, ...]:
        """Return at most MAX_NEXT_FREE free slots from the start of a slot on, itself first if it is free.

        Where there are none, the first ones of all.
        """
        for days in (7, MAX_DAYS_AHEAD + 1):
            found = await self._free(
                slot.minutes, slot.medium, now=now, first=slot.start, days=days, most=MAX_NEXT_FREE
            )
            if len(found) == MAX_NEXT_FREE:
                return found
        return found or (await self.free(slot.minutes, slot.medium, now=now))[:MAX_NEXT_FREE]

    async def holders(self, slot: Slot) -> Mapping[str, str]:
        """Return the references of the enquiries with an appointment at the start of a slot, by digest of the form."""
        wanted = select(col(EnquiryRow.submission), col(EnquiryRow.reference)).join(AppointmentRow, _WITH_ENQUIRY)
        wanted = wanted.where(col(AppointmentRow.starts) == slot.start, _TAKES_TIME)

        async def work(connection: AsyncConnection) -> dict[str, str]:
            return {row.submission: row.reference for row in await connection.execute(wanted)}

        return await self._database.read(work)

    async def find(self, uid: str) -> Appointment | None:
        return await self._find(col(AppointmentRow.uid) == uid)

    async def of_enquiry(self, reference: str) -> Appointment | None:
        """Return the appointment of an enquiry, None for an enquiry without one."""
        return await self._find(col(EnquiryRow.reference) == reference)

    async def move(self, uid: str, slot: Slot, *, sequence: int, at: datetime) -> StaffOutcome:
        """Move a coming appointment for its visitor, with the same adviser where that one is free, and its mails.

        A repeated press returns the appointment as it is. Raises SlotTakenError.
        """

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await _appointment_row(connection, col(AppointmentRow.uid) == uid, locked=True)
            refused = _refusal(row, sequence=sequence, is_repeated=lambda now: now.is_live and now.slot == slot, at=at)
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            await _release(connection, row.id)
            adviser = await _free_adviser(connection, slot, now=at, holidays=self._holidays, moved=row)
            moved = await _set_slot(connection, row, slot, adviser=adviser, who=VISITOR, at=at)
            await self._mails.add(connection, moved, Notice(kind=MailKind.APPOINTMENT_MOVED), at=at)
            await self._mails.add_note(connection, moved, change="moved", at=at)
            return AppointmentChanged(appointment=_appointment(moved))

        return await self._write(work)

    async def cancel(self, uid: str, *, sequence: int, at: datetime) -> StaffOutcome:
        """Cancel a coming appointment for its visitor, with its mails; a repeated press returns it as it is."""

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await _appointment_row(connection, col(AppointmentRow.uid) == uid, locked=True)
            refused = _refusal(
                row, sequence=sequence, is_repeated=lambda now: now.state is AppointmentState.CANCELLED, at=at
            )
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            cancelled = await _cancel(connection, row, who=VISITOR, at=at)
            await self._mails.add(connection, cancelled, Notice(kind=MailKind.APPOINTMENT_CANCELLED), at=at)
            await self._mails.add_note(connection, cancelled, change="cancelled", at=at)
            return AppointmentChanged(appointment=_appointment(cancelled))

        return await self._write(work)

    # for staff

    async def diaries(self) -> tuple[AdviserDiary, ...]:
        """Return the diary of every enabled account, and of disabled ones with hours or live appointments, by name."""
        accounts = select(col(StaffRow.name), col(StaffRow.enabled)).order_by(col(StaffRow.name))
        feeds = select(col(CalendarFeedRow.adviser))
        busy = select(col(AppointmentRow.adviser)).where(_LIVE).distinct()

        async def work(connection: AsyncConnection) -> tuple[AdviserDiary, ...]:
            rows = (await connection.execute(accounts)).all()
            hours, absences = await _hours(connection), await _absences(connection)
            with_feed = set((await connection.execute(feeds)).scalars())
            with_appointments = set((await connection.execute(busy)).scalars())
            return tuple(
                AdviserDiary(
                    adviser=name,
                    hours=hours.get(name, AdviserHours()),
                    absences=absences.get(name, ()),
                    enabled=enabled,
                    has_feed=name in with_feed,
                )
                for name, enabled in rows
                if enabled or name in hours or name in with_appointments
            )

        return await self._database.read(work)

    async def set_hours(self, adviser: str, hours: AdviserHours, *, who: str, at: datetime) -> None:
        """Replace the hours of an adviser, with an audit entry; appointments stay."""
        rows = [
            {"adviser": adviser, "weekday": weekday, "opens": each.opens, "closes": each.closes}
            for weekday, ranges in hours.ranges.items()
            for each in ranges
        ]

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(AdviserHoursRow).where(col(AdviserHoursRow.adviser) == adviser))
            if rows:
                await connection.execute(insert(AdviserHoursRow), rows)
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.HOURS_CHANGED, about=adviser))

        await self._write(work)

    async def add_absence(self, adviser: str, absence: Absence, *, who: str, at: datetime) -> Coverage:
        """Add an absence and offer the appointments in it to colleagues, with audit entries."""
        row = {"adviser": adviser, "starts": absence.start, "ends": absence.end}

        async def work(connection: AsyncConnection) -> Coverage:
            await connection.execute(insert(AbsenceRow).values(row))
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.ABSENCE_ADDED, about=adviser))
            return await self._cover(connection, adviser=adviser, at=at)

        return await self._write(work)

    async def remove_absence(self, id_: int, *, who: str, at: datetime) -> bool:
        """Remove an absence, with an audit entry; return whether it existed."""
        removed = delete(AbsenceRow).where(col(AbsenceRow.id) == id_).returning(col(AbsenceRow.adviser))

        async def work(connection: AsyncConnection) -> bool:
            adviser = (await connection.execute(removed)).scalar()
            if adviser is not None:
                await add_entry(connection, AuditEntry(at=at, who=who, what=Act.ABSENCE_REMOVED, about=adviser))
            return adviser is not None

        return await self._write(work)

    async def between(self, start: datetime, end: datetime, *, adviser: str = "") -> tuple[BookedEnquiry, ...]:
        """Return the appointments that begin in [start, end), in order, cancelled ones included."""
        within = [col(AppointmentRow.starts) >= start, col(AppointmentRow.starts) < end]
        if adviser:
            within.append(col(AppointmentRow.adviser) == adviser)
        return await self._list(*within)

    async def get(self, id_: int) -> BookedEnquiry | None:
        found = await self._list(col(AppointmentRow.id) == id_)
        return found[0] if found else None

    async def uncovered(self, now: datetime) -> tuple[BookedEnquiry, ...]:
        """Return the coming appointments whose adviser is absent then or disabled."""

        async def work(connection: AsyncConnection) -> tuple[BookedEnquiry, ...]:
            return tuple(map(_booked, await _uncovered(connection, now)))

        return await self._database.read(work)

    async def cover(self, now: datetime) -> Coverage:
        """Offer the coming appointments of absent and disabled advisers to colleagues, with audit entries."""
        if not await self.uncovered(now):
            return Coverage(taken_over=(), left=())

        async def work(connection: AsyncConnection) -> Coverage:
            return await self._cover(connection, at=now)

        return await self._write(work)

    async def move_by_staff(self, change: StaffChange, slot: Slot, *, adviser: str = "") -> StaffOutcome:
        """Move an appointment to a coming time in which its adviser, or the `adviser` named, has no other.

        The visitor gets a mail, with the sentence of staff, where the slot is another or there is a sentence.
        """

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await _appointment_row(connection, col(AppointmentRow.id) == change.id, locked=True)
            refused = _refusal(row, sequence=change.sequence, at=change.at)
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            chosen = adviser or row.adviser
            problem = NOT_COMING if slot.start <= change.at else ""
            if not problem:
                others = await _taken(connection, (chosen,), slot.start, slot.end, without=row.id)
                problem = OVERLAPS if others[chosen].intersection(cells(slot.start, slot.minutes)) else ""
            if problem:
                return AppointmentRefused(reason=problem, appointment=_appointment(row))
            await _release(connection, row.id)
            moved = await _set_slot(connection, row, slot, adviser=chosen, who=change.who, at=change.at)
            if slot != _slot(row) or change.sentence:
                notice = Notice(kind=MailKind.APPOINTMENT_MOVED, sentence=change.sentence)
                await self._mails.add(connection, moved, notice, at=change.at)
            return AppointmentChanged(appointment=_appointment(moved))

        return await self._write(work)

    async def cancel_by_staff(self, change: StaffChange) -> StaffOutcome:
        """Cancel a coming appointment and tell the visitor, with the sentence of staff."""

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await _appointment_row(connection, col(AppointmentRow.id) == change.id, locked=True)
            refused = _refusal(row, sequence=change.sequence, at=change.at)
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            cancelled = await _cancel(connection, row, who=change.who, at=change.at)
            notice = Notice(kind=MailKind.APPOINTMENT_CANCELLED, sentence=change.sentence)
            await self._mails.add(connection, cancelled, notice, at=change.at)
            return AppointmentChanged(appointment=_appointment(cancelled))

        return await self._write(work)

    async def close(self, change: StaffChange, state: AppointmentState) -> StaffOutcome:
        """Record that an appointment that has begun was held or missed, or neither (booked); no mail."""

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await _appointment_row(connection, col(AppointmentRow.id) == change.id, locked=True)
            if row is None or row.sequence != change.sequence or row.state == AppointmentState.CANCELLED.value:
                return AppointmentConflict(appointment=_appointment(row) if row else None)
            if row.starts > change.at:
                return AppointmentRefused(reason=NOT_BEGUN, appointment=_appointment(row))
            closed = await _change(connection, row, {"state": state.value}, who=change.who, at=change.at)
            detail = f"{row.state} to {state}"
            await _record(connection, closed, Act.APPOINTMENT_CLOSED, who=change.who, at=change.at, detail=detail)
            return AppointmentChanged(appointment=_appointment(closed))

        return await self._write(work)

    # reminders

    async def remind_due(self, now: datetime) -> int:
        """Add the mails of due reminders, each once, and return how many; at most _MAX_REMINDERS.

        What has begun is left as it is: a clock that is ahead for a while costs no reminder.
        """
        starts, remind_at = col(AppointmentRow.starts), col(AppointmentRow.remind_at)
        due = _with_enquiry(_LIVE, remind_at <= now, starts > now).order_by(remind_at).limit(_MAX_REMINDERS)
        # PostgreSQL skips those that another process reminds of; SQLite has one writer and no such clause
        claimed = due.with_for_update(skip_locked=True, of=AppointmentRow)

        async def read(connection: AsyncConnection) -> bool:
            return (await connection.execute(due)).first() is not None

        async def work(connection: AsyncConnection) -> int:
            rows = (await connection.execute(claimed)).all()
            for row in rows:
                left = {"remind_at": next_reminder(row.starts, after=now)}
                await connection.execute(update(AppointmentRow).where(col(AppointmentRow.id) == row.id).values(left))
                await self._mails.add(connection, row, Notice(kind=MailKind.APPOINTMENT_REMINDER), at=now)
            return len(rows)

        return await self._write(work) if await self._database.read(read) else 0

    # calendar feeds

    async def make_feed(self, adviser: str, *, who: str, at: datetime) -> str:
        """Return the token of a new feed of an adviser, whose earlier one ends."""
        token = secrets.token_urlsafe(32)
        row = {"adviser": adviser, "token": _digest(token), "made": at}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(CalendarFeedRow).where(col(CalendarFeedRow.adviser) == adviser))
            await connection.execute(insert(CalendarFeedRow).values(row))
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.FEED_MADE, about=adviser))

        await self._write(work)
        return token

    async def revoke_feed(self, adviser: str, *, who: str, at: datetime) -> bool:
        """End the feed of an adviser; return whether there was one."""

        async def work(connection: AsyncConnection) -> bool:
            ended = await connection.execute(delete(CalendarFeedRow).where(col(CalendarFeedRow.adviser) == adviser))
            if ended.rowcount:
                await add_entry(connection, AuditEntry(at=at, who=who, what=Act.FEED_REVOKED, about=adviser))
            return bool(ended.rowcount)

        return await self._write(work)

    async def feed(self, token: str, *, now: datetime) -> tuple[str, tuple[Appointment, ...]] | None:
        """Return the adviser of a feed's token and the appointments of FEED_DAYS back and all to come.

        Cancelled ones are included. None for an unknown token, and for one whose account is disabled.
        """
        owner = select(col(CalendarFeedRow.adviser)).join(StaffRow, col(StaffRow.name) == col(CalendarFeedRow.adviser))
        owner = owner.where(col(CalendarFeedRow.token) == _digest(token), col(StaffRow.enabled))
        since = col(AppointmentRow.starts) >= now - timedelta(days=FEED_DAYS)

        async def work(connection: AsyncConnection) -> tuple[str, tuple[Appointment, ...]] | None:
            adviser = (await connection.execute(owner)).scalar()
            if adviser is None:
                return None
            wanted = _with_enquiry(col(AppointmentRow.adviser) == adviser, since).order_by(col(AppointmentRow.starts))
            return adviser, tuple(map(_appointment, await connection.execute(wanted)))

        return await self._database.read(work)

    async def _free(
        self, minutes: int, medium: Medium, *, now: datetime, first: datetime, days: int, most: int | None = None
    ) -> tuple[Slot, ...]:
        """Return the free slots of some days from `first`, at most the earliest `most`."""
        last = first + timedelta(days=days)

        async def work(connection: AsyncConnection) -> tuple[_Diary, Mapping[str, set[int]]]:
            diary = await _open_diary(connection)
            return diary, await _taken(connection, diary.hours, first, last) if diary.hours else {}

        diary, taken = await self._database.read(work)
        asked = {"now": now, "minutes": minutes, "holidays": self._holidays, "first": first}
        free = (
            islice(takewhile(lambda start: start < last, diary.starts(adviser, taken[adviser], **asked)), most)
            for adviser in diary.hours
        )
        starts = sorted({start for each in free for start in each})[:most]
        return tuple(Slot(start=start, minutes=minutes, medium=medium) for start in starts)

    async def _find(self, where: ColumnElement[bool]) -> Appointment | None:
        found = await self._list(where)
        return found[0].appointment if found else None

    async def _list(self, *where: ColumnElement[bool]) -> tuple[BookedEnquiry, ...]:
        wanted = _with_enquiry(*where).order_by(col(AppointmentRow.starts), col(AppointmentRow.id))

        async def work(connection: AsyncConnection) -> tuple[BookedEnquiry, ...]:
            return tuple(map(_booked, await connection.execute(wanted)))

        return await self._database.read(work)

    async def _cover(self, connection: AsyncConnection, *, at: datetime, adviser: str = "") -> Coverage:
        taken_over, left = list[Appointment](), list[Appointment]()
        for each in await _uncovered(connection, at):
            if adviser and each.adviser != adviser:
                continue
            row = await _appointment_row(connection, col(AppointmentRow.id) == each.id, locked=True)
            if row is None or row.state != AppointmentState.BOOKED.value:
                continue
            slot = _slot(row)
            try:
                # colleagues take it at any notice
                colleague = await _free_adviser(
                    connection, slot, now=slot.start - NOTICE, holidays=self._holidays, without=row.adviser
                )
            except SlotTakenError:
                left.append(_appointment(row))
                continue
            await _release(connection, row.id)
            await _take(connection, row.id, colleague, slot)
            changed = await _change(connection, row, {"adviser": colleague}, who=colleague, at=at)
            detail = f"from {row.adviser}"
            await _record(connection, changed, Act.APPOINTMENT_TAKEN_OVER, who=colleague, at=at, detail=detail)
            taken_over.append(_appointment(changed))
        return Coverage(taken_over=tuple(taken_over), left=tuple(left))

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[Done]]) -> Done:
        for _ in range(_MAX_ATTEMPTS):
            try:
                return await self._database.write(work)
            except IntegrityError:  # another process has taken the same time at this moment
                continue
        raise StorageError("the database refuses a time as one that is taken")


class VisitorMails:
    """Adds the mails of an appointment in the caller's transaction; a visitor without an address gets none."""

    def __init__(self, keys: SecretKeys) -> None:
        self._contact, self._mail, self._links = EnquiryCipher(keys), MailCipher(keys), appointment_links(keys)

    async def add(
        self, connection: AsyncConnection, row: Row[Any], notice: Notice, *, at: datetime, is_kept: bool = True
    ) -> None:
        """Add a mail to the visitor; one whose enquiry is not `is_kept` outlives it."""
        try:
            recipient = self._contact.contact(row).email
        except DecryptionError:
            log.error("the visitor of an appointment gets no mail: no key decrypts the address")
            return
        if notice.kind in {MailKind.APPOINTMENT_MOVED, MailKind.APPOINTMENT_CANCELLED}:
            await drop_waiting(connection, MailKind.APPOINTMENT_REMINDER, enquiry_id=row.enquiry_id)
        if recipient:
            enquiry_id = row.enquiry_id if is_kept else None
            mail = notice_mail(
                _appointment(row), notice, recipient=recipient, links=self._links, enquiry_id=enquiry_id, at=at
            )
            await add_mail(connection, self._mail, mail)

    async def confirm(self, connection: AsyncConnection, *, enquiry_id: int, enquiry_link: str, at: datetime) -> None:
        """Add the mail that confirms a booking; `enquiry_link` is the secret that opens the enquiry."""
        row = await _appointment_row(connection, col(AppointmentRow.enquiry_id) == enquiry_id)
        if row is not None:
            await self.add(connection, row, Notice(enquiry_link=enquiry_link), at=at)

    async def add_note(
        self, connection: AsyncConnection, row: Row[Any], *, change: str, at: datetime, is_kept: bool = True
    ) -> None:
        """Add a mail to staff."""
        enquiry_id = row.enquiry_id if is_kept else None
        await add_mail(
            connection, self._mail, staff_note(_appointment(row), change=change, enquiry_id=enquiry_id, at=at)
        )

    async def withdraw(
        self, connection: AsyncConnection, *which: ColumnElement[bool], at: datetime, by_visitor: bool = False
    ) -> None:
        """Add the mails of the coming appointments of enquiries that are deleted in the same transaction."""
        coming = _with_enquiry(*which, _LIVE, col(AppointmentRow.starts) > at)
        for row in (await connection.execute(coming)).all():
            # calendars remove an event only by a later version of it
            cancelled = await _change(connection, row, {"state": AppointmentState.CANCELLED.value}, who="", at=at)
            notice = Notice(kind=MailKind.APPOINTMENT_CANCELLED)
            await self.add(connection, cancelled, notice, at=at, is_kept=False)
            if by_visitor:
                await self.add_note(connection, cancelled, change="cancelled", at=at, is_kept=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Diary:
    """Hours and absences of enabled advisers who have hours."""

    hours: Mapping[str, AdviserHours]
    absences: Mapping[str, tuple[Absence, ...]]

    def starts(self, adviser: str, taken: set[int], **given: Any) -> Iterable[datetime]:
        return free_slots(self.hours[adviser], self.absences.get(adviser, ()), taken, **given)


async def _open_diary(connection: AsyncConnection) -> _Diary:
    return _Diary(hours=await _hours(connection, enabled=True), absences=await _absences(connection))


async def _hours(connection: AsyncConnection, *, enabled: bool = False) -> dict[str, AdviserHours]:
    wanted = select(AdviserHoursRow).order_by(
        col(AdviserHoursRow.adviser), col(AdviserHoursRow.weekday), col(AdviserHoursRow.opens)
    )
    if enabled:
        wanted = wanted.join(StaffRow, col(StaffRow.name) == col(AdviserHoursRow.adviser)).where(col(StaffRow.enabled))
    found: dict[str, dict[int, tuple[TimeRange, ...]]] = defaultdict(dict)
    for row in await connection.execute(wanted):
        before = found[row.adviser].get(row.weekday, ())
        found[row.adviser][row.weekday] = (*before, TimeRange(opens=row.opens, closes=row.closes))
    return {adviser: AdviserHours(ranges=ranges) for adviser, ranges in found.items()}


async def _absences(connection: AsyncConnection) -> dict[str, tuple[Absence, ...]]:
    found: dict[str, tuple[Absence, ...]] = {}
    for row in await connection.execute(select(AbsenceRow).order_by(col(AbsenceRow.starts))):
        absence = Absence(start=row.starts, end=row.ends, id=row.id)
        found[row.adviser] = (*found.get(row.adviser, ()), absence)
    return found


async def _taken(
    connection: AsyncConnection, advisers: Iterable[str], start: datetime, end: datetime, *, without: int = 0
) -> dict[str, set[int]]:
    """Return the cells of each adviser's appointments that are near [start, end), but the one `without`."""
    names = tuple(advisers)
    near = (col(AppointmentRow.starts) > start - _LONGEST, col(AppointmentRow.starts) < end + _LONGEST)
    columns: tuple[Any, ...] = (AppointmentRow.adviser, AppointmentRow.starts, AppointmentRow.minutes)
    wanted: Select[*tuple[Any, ...]] = select(*map(col, columns)).where(
        col(AppointmentRow.adviser).in_(names), *near, _TAKES_TIME, col(AppointmentRow.id) != without
    )
    found: dict[str, set[int]] = {name: set() for name in names}
    for adviser, starts, minutes in await connection.execute(wanted):
        found[adviser].update(cells(starts, minutes))
    return found


async def _free_adviser(
    connection: AsyncConnection,
    slot: Slot,
    *,
    now: datetime,
    holidays: Holidays,
    moved: Row[Any] | None = None,
    without: str = "",
) -> str:
    """Return the adviser who is free in a slot: the one with the fewest appointments that day.

    The appointment that is `moved` takes no time of its own, and stays with its adviser if that one is free. The
    adviser `without` is left out. Raises SlotTakenError.
    """
    diary = await _open_diary(connection)

    def is_offered(adviser: str, taken: set[int]) -> bool:
        starts = diary.starts(adviser, taken, now=now, minutes=slot.minutes, holidays=holidays, first=slot.start)
        return next(iter(starts), None) == slot.start

    moved_id = moved.id if moved else 0
    taken = await _taken(connection, diary.hours, slot.start, slot.end, without=moved_id) if diary.hours else {}
    free = [name for name in diary.hours if name != without and is_offered(name, taken[name])]
    if not free:
        raise SlotTakenError
    if moved and moved.adviser in free:
        return moved.adviser
    counts = await _counts_of_day(connection, free, slot.start)
    return min(free, key=lambda name: (counts[name], name))


async def _counts_of_day(connection: AsyncConnection, names: Sequence[str], moment: datetime) -> Counter[str]:
    """Return how many appointments each adviser has on the UK day of a moment."""
    midnight = moment.astimezone(UK).replace(hour=0, minute=0, second=0, microsecond=0)
    of_day = (col(AppointmentRow.starts) >= midnight, col(AppointmentRow.starts) < midnight + timedelta(days=1))
    wanted = select(col(AppointmentRow.adviser)).where(col(AppointmentRow.adviser).in_(names), *of_day, _TAKES_TIME)
    return Counter((await connection.execute(wanted)).scalars())


async def _take(connection: AsyncConnection, id_: int, adviser: str, slot: Slot) -> None:
    rows = [{"adviser": adviser, "cell": cell, "appointment_id": id_} for cell in cells(slot.start, slot.minutes)]
    await connection.execute(insert(AppointmentCellRow), rows)


async def _release(connection: AsyncConnection, id_: int) -> None:
    """Free the time of an appointment, and what its row says of it until it is set."""
    await connection.execute(delete(AppointmentCellRow).where(col(AppointmentCellRow.appointment_id) == id_))


async def _set_slot(
    connection: AsyncConnection, row: Row[Any], slot: Slot, *, adviser: str, who: str, at: datetime
) -> Row[Any]:
    """Set the slot of an appointment whose time was released, the promised call of its enquiry, and the record."""
    await _take(connection, row.id, adviser, slot)
    moved = await _change(connection, row, {"adviser": adviser, **_slot_values(slot, at=at)}, who=who, at=at)
    promised = update(EnquiryRow).where(col(EnquiryRow.id) == row.enquiry_id).values(call_by=slot.start)
    await connection.execute(promised)
    await _record(connection, moved, Act.APPOINTMENT_MOVED, who=who, at=at)
    return moved


async def _cancel(connection: AsyncConnection, row: Row[Any], *, who: str, at: datetime) -> Row[Any]:
    await _release(connection, row.id)
    values = {"state": AppointmentState.CANCELLED.value, "remind_at": None}
    cancelled = await _change(connection, row, values, who=who, at=at)
    await _record(connection, cancelled, Act.APPOINTMENT_CANCELLED, who=who, at=at)
    return cancelled


async def _change(
    connection: AsyncConnection, row: Row[Any], values: Mapping[str, Any], *, who: str, at: datetime
) -> Row[Any]:
    """Change an appointment, raise its sequence, and return its row."""
    stamp = {"sequence": row.sequence + 1, "changed_by": who, "changed_at": at}
    here = col(AppointmentRow.id) == row.id
    await connection.execute(update(AppointmentRow).where(here).values({**values, **stamp}))
    return await _appointment_row(connection, here) or row


async def _record(
    connection: AsyncConnection, row: Row[Any], what: Act, *, who: str, at: datetime, detail: str = ""
) -> None:
    await add_entry(connection, AuditEntry(at=at, who=who, what=what, about=row.reference, detail=detail))


async def _uncovered(connection: AsyncConnection, now: datetime) -> tuple[Row[Any], ...]:
    """Return the rows of coming appointments whose adviser is absent then or disabled."""
    coming = _with_enquiry(_LIVE, col(AppointmentRow.starts) > now).order_by(col(AppointmentRow.starts))
    disabled = select(col(StaffRow.name)).where(col(StaffRow.enabled).is_(False))
    rows, absences = (await connection.execute(coming)).all(), await _absences(connection)
    ended = set((await connection.execute(disabled)).scalars())

    def is_uncovered(row: Row[Any]) -> bool:
        slot = _slot(row)
        return row.adviser in ended or any(
            each.start < slot.end and slot.start < each.end for each in absences.get(row.adviser, ())
        )

    return tuple(row for row in rows if is_uncovered(row))


async def _appointment_row(
    connection: AsyncConnection, where: ColumnElement[bool], *, locked: bool = False
) -> Row[Any] | None:
    wanted = _with_enquiry(where)
    if locked:
        wanted = wanted.with_for_update(of=AppointmentRow)
    return (await connection.execute(wanted)).one_or_none()


def _with_enquiry(*where: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    return select(*map(col, _COLUMNS)).join(EnquiryRow, _WITH_ENQUIRY).where(*where)


def _refusal(
    row: Row[Any] | None, *, sequence: int, at: datetime, is_repeated: Callable[[Appointment], bool] = lambda _: False
) -> StaffOutcome | None:
    """Return why a coming appointment cannot be changed, or its unchanged state for a repeated press; else None."""
    if row is None:
        return AppointmentConflict(appointment=None)
    now = _appointment(row)
    if is_repeated(now):
        return AppointmentChanged(appointment=now)
    if now.sequence != sequence:
        return AppointmentConflict(appointment=now)
    is_coming = now.is_live and now.slot.start > at
    return None if is_coming else AppointmentRefused(reason=TOO_LATE, appointment=now)


def _slot_values(slot: Slot, *, at: datetime) -> dict[str, Any]:
    return {
        "starts": slot.start,
        "minutes": slot.minutes,
        "medium": slot.medium.value,
        "remind_at": next_reminder(slot.start, after=at),
    }


def _slot(row: Row[Any]) -> Slot:
    return Slot(start=row.starts, minutes=row.minutes, medium=Medium(row.medium))


def _appointment(row: Row[Any]) -> Appointment:
    return Appointment(
        id=row.id,
        uid=row.uid,
        sequence=row.sequence,
        adviser=row.adviser,
        slot=_slot(row),
        state=AppointmentState(row.state),
        reference=row.reference,
        created=row.created,
        changed_by=row.changed_by,
        changed_at=row.changed_at,
    )


def _booked(row: Row[Any]) -> BookedEnquiry:
    return BookedEnquiry(appointment=_appointment(row), enquiry=row)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
