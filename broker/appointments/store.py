"""Appointments in the database: advisers' hours and absences, and what is booked, moved and cancelled."""

import hashlib
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, case, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import (
    CANCELLED_ACTION,
    NEXT_ACTION,
    OUTCOME_ACTION,
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
from broker.appointments.booking import (
    absences_of,
    book,
    book_again,
    free_adviser,
    hours_of,
    open_times,
    release_time,
    slot_values,
    take_time,
    taken_cells,
    taken_cells_and_holders,
    uncovered,
)
from broker.appointments.notices import Notice
from broker.appointments.rows import (
    IS_ADVISER,
    IS_LIVE,
    appointment_of,
    appointment_row,
    change_row,
    record,
    slot_of,
    with_enquiry,
)
from broker.appointments.slots import MAX_DAYS_AHEAD, NOTICE, Absence, AdviserHours, cells, next_reminder
from broker.appointments.visitor_mails import VisitorMails
from broker.cases.case import ONLY_ADVICE, WaitingFor
from broker.cases.change_store import locked_row
from broker.clock import uk_date, uk_midnight
from broker.enquiries.confirmation import mail_links
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.rows import in_case, only_advice_since
from broker.mail.mail import MailKind
from broker.mail.outbox_store import MailCipher, find_returned
from broker.staff.audit import VISITOR, Act, AuditEntry, uk_detail
from broker.staff.audit_log import add_entry
from broker.storage.database import Database, all_rows
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import AbsenceRow, AdviserHoursRow, AppointmentRow, CalendarFeedRow, EnquiryRow, StaffRow

FEED_DAYS = 30
"""Days for which a feed keeps what is over."""

_MAX_ATTEMPTS = 5
"""Attempts at a change that another process makes impossible at the same moment."""

_MAX_REMINDERS = 100
"""Reminders of one transaction."""

_OFFERED = timedelta(days=MAX_DAYS_AHEAD + 1)
"""Time ahead in which slots are offered, and a day."""

Done = TypeVar("Done")

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
    """An appointment with the encrypted row of its enquiry, for staff: read it with `EnquiryCipher.contact`.

    `is_returned`, known where one alone is read, says that mail to the address comes back.
    """

    appointment: Appointment
    enquiry: Row[Any]
    is_returned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BookableCase:
    """The encrypted row of a case, as in `BookedEnquiry`, and the appointments of its enquiries.

    Nothing is booked for a case that `is_only_advice`: the rest of it was deleted. `is_returned` says that mail to its
    address comes back.
    """

    enquiry: Row[Any]
    appointments: tuple[Appointment, ...]
    is_only_advice: bool = False
    is_returned: bool = False

    def coming(self, now: datetime) -> Appointment | None:
        """Return the appointment for which the case needs no other."""
        return next((each for each in self.appointments if each.is_live and not each.is_over(now)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedAndFree:
    """The free slots in order, and the references of enquiries with a coming appointment, by digest of the form."""

    free: tuple[Slot, ...]
    holders: Mapping[str, str]


class AppointmentStore:
    """Every method raises StorageError; times are with their zone."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._links = database, mail_links(keys)
        self._mails, self._cipher, self._mail_cipher = VisitorMails(keys), EnquiryCipher(keys), MailCipher(keys)

    # for visitors

    async def free(self, minutes: int, medium: Medium, *, now: datetime, adviser: str = "") -> tuple[Slot, ...]:
        """Return the free slots of an adviser, by default of all, in order and each once."""

        async def work(connection: AsyncConnection) -> tuple[Slot, ...]:
            taken = await taken_cells(connection, now, now + _OFFERED)
            times = await open_times(connection)
            return times.free(taken, minutes, medium, now=now, adviser=adviser)

        return await self._database.read(work)

    async def booked_and_free(self, minutes: int, medium: Medium, *, now: datetime) -> BookedAndFree:
        """Return the free slots, and who has the coming appointments."""

        async def work(connection: AsyncConnection) -> BookedAndFree:
            # in one statement: a slot that is not free has its holder
            taken, holders = await taken_cells_and_holders(connection, now, now + _OFFERED)
            times = await open_times(connection)
            return BookedAndFree(free=times.free(taken, minutes, medium, now=now), holders=holders)

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
            row = await appointment_row(connection, col(AppointmentRow.uid) == uid, locked=True)
            refused = _refusal(row, sequence=sequence, is_repeated=lambda now: now.is_live and now.slot == slot, at=at)
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            await release_time(connection, row.id)
            adviser = await free_adviser(connection, slot, now=at, moved=row)
            moved = await _set_slot(connection, row, slot, adviser=adviser, who=VISITOR, at=at)
            await self._mails.add(connection, moved, Notice(kind=MailKind.APPOINTMENT_MOVED), at=at)
            await self._mails.add_note(connection, moved, change="moved", at=at)
            return AppointmentChanged(appointment=appointment_of(moved))

        return await self._write(work)

    async def cancel(self, uid: str, *, sequence: int, at: datetime) -> StaffOutcome:
        """Cancel a coming appointment for its visitor, with its mails; a repeated press returns it as it is."""

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await appointment_row(connection, col(AppointmentRow.uid) == uid, locked=True)
            refused = _refusal(
                row, sequence=sequence, is_repeated=lambda now: now.state is AppointmentState.CANCELLED, at=at
            )
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            cancelled = await self._cancel(connection, row, who=VISITOR, at=at)
            await self._mails.add(connection, cancelled, Notice(kind=MailKind.APPOINTMENT_CANCELLED), at=at)
            await self._mails.add_note(connection, cancelled, change="cancelled", at=at)
            return AppointmentChanged(appointment=appointment_of(cancelled))

        return await self._write(work)

    # for staff

    async def diaries(self) -> tuple[AdviserDiary, ...]:
        """Return the diary of every adviser, and of former ones with hours or live appointments, by name."""
        accounts = select(col(StaffRow.name), IS_ADVISER).order_by(col(StaffRow.name))
        feeds = select(col(CalendarFeedRow.adviser))
        busy = select(col(AppointmentRow.adviser)).where(IS_LIVE).distinct()

        async def work(connection: AsyncConnection) -> tuple[AdviserDiary, ...]:
            rows = (await connection.execute(accounts)).all()
            hours, absences = await hours_of(connection), await absences_of(connection)
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
        async def work(connection: AsyncConnection) -> BookedEnquiry | None:
            row = (await connection.execute(with_enquiry(col(AppointmentRow.id) == id_))).one_or_none()
            return replace(_booked(row), is_returned=await self._is_returned(connection, row)) if row else None

        return await self._database.read(work)

    async def uncovered(self, now: datetime) -> tuple[BookedEnquiry, ...]:
        """Return the coming appointments whose adviser is absent then or disabled."""

        async def work(connection: AsyncConnection) -> tuple[BookedEnquiry, ...]:
            return tuple(map(_booked, await _uncovered(connection, now)))

        return await self._database.read(work)

    async def cover(self, now: datetime) -> Coverage:
        """Offer the coming appointments of absent and disabled advisers to colleagues, with audit entries."""
        if not await self.uncovered(now):
            return Coverage(taken_over=(), left=())

        return await self._write(lambda connection: self._cover(connection, at=now))

    async def bookable(self, reference: str) -> BookableCase | None:
        """Return the case of an enquiry, with what was booked for it; None where it does not exist."""
        wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference)

        async def work(connection: AsyncConnection) -> BookableCase | None:
            row = (await connection.execute(wanted)).one_or_none()
            if row and row.merged_into:
                kept = select(EnquiryRow).where(col(EnquiryRow.id) == row.merged_into)
                row = (await connection.execute(kept)).one_or_none()
            if row is None:
                return None
            booked = (await connection.execute(with_enquiry(in_case(row.id)))).all()
            return BookableCase(
                enquiry=row,
                appointments=tuple(map(appointment_of, booked)),
                is_only_advice=bool(await only_advice_since(connection, row)),
                is_returned=await self._is_returned(connection, row),
            )

        return await self._database.read(work)

    async def book_by_staff(
        self, reference: str, slot: Slot, *, who: str, at: datetime, adviser: str = ""
    ) -> StaffOutcome:
        """Book a coming time for a case, and send the visitor the mail of a booking; the case becomes booked.

        With a named adviser it is any time in which that one has no other appointment, else a free slot, without
        notice. A repeated press returns the appointment as it is, and Conflict is with another one that is to come. A
        former one that is over or cancelled gives its row (`book_again`). Raises SlotTakenError.
        """

        async def work(connection: AsyncConnection) -> StaffOutcome:
            kept = await locked_row(connection, reference)
            if kept is None:
                return AppointmentConflict(appointment=None)
            if await only_advice_since(connection, kept):
                return AppointmentRefused(reason=ONLY_ADVICE)
            rows = (await connection.execute(with_enquiry(in_case(kept.id)))).all()
            held = BookableCase(enquiry=kept, appointments=tuple(map(appointment_of, rows)))
            if coming := held.coming(at):
                is_repeated = coming.slot == slot and adviser in ("", coming.adviser)
                return (AppointmentChanged if is_repeated else AppointmentConflict)(appointment=coming)
            if slot.start <= at:
                return AppointmentRefused(reason=NOT_COMING)
            former = next((each for each in rows if each.enquiry_id == kept.id), None)
            chosen = adviser or await free_adviser(connection, slot, now=at - NOTICE)
            others = await taken_cells(connection, slot.start, slot.end, without=former.id if former else 0)
            if others[chosen].intersection(cells(slot.start, slot.minutes)):
                raise SlotTakenError
            if former:
                await book_again(connection, former, slot, adviser=chosen, who=who, at=at)
            else:
                await book(connection, slot, adviser=chosen, enquiry_id=kept.id, reference=kept.reference, at=at)
            return AppointmentChanged(appointment=await self._settle_case(connection, kept, former, who=who, at=at))

        return await self._write(work)

    async def _cancel(self, connection: AsyncConnection, row: Row[Any], *, who: str, at: datetime) -> Row[Any]:
        """Cancel an appointment; a case that was due then is due now, to agree another time.

        The form that booked it, sent again, is another enquiry from now on.
        """
        due, action = col(EnquiryRow.next_due), col(EnquiryRow.next_action)
        changed = {
            "submission": secrets.token_hex(32),
            "next_due": case((due == row.starts, at), else_=due),
            "next_action": case((due == row.starts, self._cipher.work(CANCELLED_ACTION)), else_=action),
        }
        await connection.execute(update(EnquiryRow).where(col(EnquiryRow.id) == row.enquiry_id).values(changed))
        await release_time(connection, row.id)
        values = {"state": AppointmentState.CANCELLED.value, "remind_at": None}
        cancelled = await change_row(connection, row, values, who=who, at=at)
        detail = uk_detail(row.starts)
        await record(connection, cancelled, Act.APPOINTMENT_CANCELLED, who=who, at=at, detail=detail)
        return cancelled

    async def _settle_case(
        self, connection: AsyncConnection, kept: Row[Any], former: Row[Any] | None, *, who: str, at: datetime
    ) -> Appointment:
        """Make a case booked whose appointment staff have just stored, with its mail and audit entries.

        One that nobody has is that of the appointment's adviser from then on.
        """
        row = await appointment_row(connection, col(AppointmentRow.enquiry_id) == kept.id)
        assert row
        values = {
            "state": EnquiryState.BOOKED.value,
            "close_reason": "",
            "waiting_for": WaitingFor.US.value,
            "waiting_note": kept.waiting_note if kept.waiting_for == WaitingFor.US.value else None,
            "next_action": self._cipher.work(NEXT_ACTION),
            "next_due": row.starts,
            "call_by": row.starts,
            "assigned": kept.assigned or row.adviser,
            "version": kept.version + 1,
            "changed_by": who,
            "changed_at": at,
        }
        await connection.execute(update(EnquiryRow).where(col(EnquiryRow.id) == kept.id).values(values))
        link = self._links.write(kept.reference, made=at)
        await self._mails.add(connection, row, Notice(enquiry_link=link), at=at)
        detail = uk_detail(row.starts)
        if former:
            detail += f"; {_former_text(appointment_of(former))}"
        if not kept.assigned:
            await record(connection, row, Act.ENQUIRY_ASSIGNED, who=who, at=at, detail=f"to {row.adviser}")
        await record(connection, row, Act.APPOINTMENT_BOOKED, who=who, at=at, detail=detail)
        return appointment_of(row)

    async def _ask_outcome(self, connection: AsyncConnection, row: Row[Any], *, who: str, at: datetime) -> None:
        """Make a case that was due at an appointment, or promised its first call then, due to record its outcome.

        It is new no longer. One that nobody has is that of the appointment's adviser from then on.
        """
        kept = await locked_row(connection, row.reference)
        if kept is None:
            return
        is_new = kept.state == EnquiryState.NEW.value
        if (kept.next_due or (kept.call_by if is_new else None)) != row.starts:
            return
        values = {
            "state": EnquiryState.BOOKED.value if is_new else kept.state,
            "next_action": self._cipher.work(OUTCOME_ACTION),
            "next_due": uk_midnight(uk_date(at) + timedelta(days=1)) - timedelta(minutes=1),
            "assigned": kept.assigned or row.adviser,
            "version": kept.version + 1,
            "changed_by": who,
            "changed_at": at,
        }
        await connection.execute(update(EnquiryRow).where(col(EnquiryRow.id) == kept.id).values(values))
        if not kept.assigned:
            detail = f"to {row.adviser}"
            await record(connection, row, Act.ENQUIRY_ASSIGNED, who=who, at=at, detail=detail)

    async def move_by_staff(self, change: StaffChange, slot: Slot, *, adviser: str = "") -> StaffOutcome:
        """Move an appointment to a coming time in which its adviser, or the `adviser` named, has no other.

        The visitor gets a mail, with the sentence of staff, where the slot is another or there is a sentence.
        """

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await appointment_row(connection, col(AppointmentRow.id) == change.id, locked=True)
            refused = _refusal(row, sequence=change.sequence, at=change.at)
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            chosen = adviser or row.adviser
            problem = NOT_COMING if slot.start <= change.at else ""
            if not problem:
                others = await taken_cells(connection, slot.start, slot.end, without=row.id)
                problem = OVERLAPS if others[chosen].intersection(cells(slot.start, slot.minutes)) else ""
            if problem:
                return AppointmentRefused(reason=problem, appointment=appointment_of(row))
            await release_time(connection, row.id)
            moved = await _set_slot(connection, row, slot, adviser=chosen, who=change.who, at=change.at)
            if slot != slot_of(row) or change.sentence:
                notice = Notice(kind=MailKind.APPOINTMENT_MOVED, sentence=change.sentence)
                await self._mails.add(connection, moved, notice, at=change.at)
            return AppointmentChanged(appointment=appointment_of(moved))

        return await self._write(work)

    async def cancel_by_staff(self, change: StaffChange) -> StaffOutcome:
        """Cancel a coming appointment and tell the visitor, with the sentence of staff."""

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await appointment_row(connection, col(AppointmentRow.id) == change.id, locked=True)
            refused = _refusal(row, sequence=change.sequence, at=change.at)
            if refused or row is None:
                return refused or AppointmentConflict(appointment=None)
            cancelled = await self._cancel(connection, row, who=change.who, at=change.at)
            notice = Notice(kind=MailKind.APPOINTMENT_CANCELLED, sentence=change.sentence)
            await self._mails.add(connection, cancelled, notice, at=change.at)
            return AppointmentChanged(appointment=appointment_of(cancelled))

        return await self._write(work)

    async def close(self, change: StaffChange, state: AppointmentState) -> StaffOutcome:
        """Record that an appointment that has begun was held or missed, or neither (booked); no mail.

        A case that was due at one held or missed is due until the end of the day, to record its outcome.
        """

        async def work(connection: AsyncConnection) -> StaffOutcome:
            row = await appointment_row(connection, col(AppointmentRow.id) == change.id, locked=True)
            if row is None or row.sequence != change.sequence or row.state == AppointmentState.CANCELLED.value:
                return AppointmentConflict(appointment=appointment_of(row) if row else None)
            if row.starts > change.at:
                return AppointmentRefused(reason=NOT_BEGUN, appointment=appointment_of(row))
            closed = await change_row(connection, row, {"state": state.value}, who=change.who, at=change.at)
            if state in (AppointmentState.HELD, AppointmentState.MISSED):
                await self._ask_outcome(connection, closed, who=change.who, at=change.at)
            detail = f"{row.state} to {state}"
            await record(connection, closed, Act.APPOINTMENT_CLOSED, who=change.who, at=change.at, detail=detail)
            return AppointmentChanged(appointment=appointment_of(closed))

        return await self._write(work)

    # reminders

    async def remind_due(self, now: datetime) -> int:
        """Add the mails of due reminders, each once, and return how many; at most _MAX_REMINDERS.

        What has begun is left as it is: a clock that is ahead for a while costs no reminder.
        """
        starts, remind_at = col(AppointmentRow.starts), col(AppointmentRow.remind_at)
        due = with_enquiry(IS_LIVE, remind_at <= now, starts > now).order_by(remind_at).limit(_MAX_REMINDERS)
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
        owner = owner.where(col(CalendarFeedRow.token) == _digest(token), IS_ADVISER)
        since = col(AppointmentRow.starts) >= now - timedelta(days=FEED_DAYS)

        async def work(connection: AsyncConnection) -> tuple[str, tuple[Appointment, ...]] | None:
            adviser = (await connection.execute(owner)).scalar()
            if adviser is None:
                return None
            wanted = with_enquiry(col(AppointmentRow.adviser) == adviser, since).order_by(col(AppointmentRow.starts))
            return adviser, tuple(map(appointment_of, await connection.execute(wanted)))

        return await self._database.read(work)

    async def _find(self, where: ColumnElement[bool]) -> Appointment | None:
        found = await self._list(where)
        return found[0].appointment if found else None

    async def _is_returned(self, connection: AsyncConnection, enquiry: Row[Any]) -> bool:
        """Return whether mail to the address of an enquiry comes back; False where no key decrypts it."""
        try:
            email = self._cipher.contact(enquiry).email
        except DecryptionError:
            return False
        return await find_returned(connection, self._mail_cipher, email) is not None

    async def _list(self, *where: ColumnElement[bool]) -> tuple[BookedEnquiry, ...]:
        wanted = with_enquiry(*where).order_by(col(AppointmentRow.starts), col(AppointmentRow.id))
        return tuple(map(_booked, await self._database.read(all_rows(wanted))))

    async def _cover(self, connection: AsyncConnection, *, at: datetime, adviser: str = "") -> Coverage:
        taken_over, left = list[Appointment](), list[Appointment]()
        for each in await _uncovered(connection, at):
            if adviser and each.adviser != adviser:
                continue
            row = await appointment_row(connection, col(AppointmentRow.id) == each.id, locked=True)
            if row is None or row.state != AppointmentState.BOOKED.value:
                continue
            slot = slot_of(row)
            try:
                # colleagues take it at any notice
                colleague = await free_adviser(connection, slot, now=slot.start - NOTICE, without=row.adviser)
            except SlotTakenError:
                left.append(appointment_of(row))
                continue
            await release_time(connection, row.id)
            await take_time(connection, row.id, colleague, slot)
            changed = await change_row(connection, row, {"adviser": colleague}, who=colleague, at=at)
            detail = f"from {row.adviser}"
            await record(connection, changed, Act.APPOINTMENT_TAKEN_OVER, who=colleague, at=at, detail=detail)
            taken_over.append(appointment_of(changed))
        return Coverage(taken_over=tuple(taken_over), left=tuple(left))

    async def _write(self, work: Callable[[AsyncConnection], Awaitable[Done]]) -> Done:
        for _ in range(_MAX_ATTEMPTS):
            try:
                return await self._database.write(work)
            except IntegrityError:  # another process has taken the same time at this moment
                continue
        raise StorageError("the database refuses a time as one that is taken")


async def _set_slot(
    connection: AsyncConnection, row: Row[Any], slot: Slot, *, adviser: str, who: str, at: datetime
) -> Row[Any]:
    """Set the slot of an appointment whose time was released, what is due of its enquiry then, and the record."""
    await take_time(connection, row.id, adviser, slot)
    moved = await change_row(connection, row, {"adviser": adviser, **slot_values(slot, at=at)}, who=who, at=at)
    due = col(EnquiryRow.next_due)
    promised = {"call_by": slot.start, "next_due": case((due == row.starts, slot.start), else_=due)}
    await connection.execute(update(EnquiryRow).where(col(EnquiryRow.id) == row.enquiry_id).values(promised))
    detail = f"from {uk_detail(row.starts)} to {uk_detail(slot.start)}"
    await record(connection, moved, Act.APPOINTMENT_MOVED, who=who, at=at, detail=detail)
    return moved


async def _uncovered(connection: AsyncConnection, now: datetime) -> tuple[Row[Any], ...]:
    """Return the rows of coming appointments whose adviser is absent then or disabled."""
    coming = with_enquiry(IS_LIVE, col(AppointmentRow.starts) > now).order_by(col(AppointmentRow.starts))
    rows = (await connection.execute(coming)).all()
    found = await uncovered(connection, map(appointment_of, rows))
    return tuple(row for row in rows if row.id in found)


def _refusal(
    row: Row[Any] | None, *, sequence: int, at: datetime, is_repeated: Callable[[Appointment], bool] = lambda _: False
) -> StaffOutcome | None:
    """Return why a coming appointment cannot be changed, or its unchanged state for a repeated press; else None."""
    if row is None:
        return AppointmentConflict(appointment=None)
    now = appointment_of(row)
    if is_repeated(now):
        return AppointmentChanged(appointment=now)
    if now.sequence != sequence:
        return AppointmentConflict(appointment=now)
    is_coming = now.is_live and now.slot.start > at
    return None if is_coming else AppointmentRefused(reason=TOO_LATE, appointment=now)


def _former_text(former: Appointment) -> str:
    """Return a former appointment as the audit record keeps it, from which figures count it (`figures_store`)."""
    starts, created = (f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" for at in (former.slot.start, former.created))
    return f"after one {former.state}, {starts}, {former.adviser}, booked {created}"


def _booked(row: Row[Any]) -> BookedEnquiry:
    return BookedEnquiry(appointment=appointment_of(row), enquiry=row)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
