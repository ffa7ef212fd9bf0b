"""The diary of advisers for staff: weeks and days, hours, absences, changes of appointments, and calendar feeds."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, TypeAlias

from broker.appointments.appointment import (
    Appointment,
    AppointmentRefused,
    AppointmentState,
    Coverage,
    Medium,
    Slot,
    SlotTakenError,
    StaffChange,
    StaffOutcome,
    next_free,
    parse_slot,
)
from broker.appointments.calendar_file import Host, feed_file
from broker.appointments.service import SLOT_TAKEN
from broker.appointments.slots import NOTICE, cells, free_slots
from broker.appointments.store import AdviserDiary, AppointmentStore, BookedEnquiry
from broker.clock import uk_date, uk_midnight, utc_now
from broker.enquiries.contact_details import ContactDetails, parse_word
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.working_time import bank_holidays
from broker.staff.audit import MAX_ACTOR_LENGTH
from broker.staff.diary_workflow import (
    ADVISER,
    MEDIUM,
    SENTENCE,
    START_DAY,
    SURE,
    Bookable,
    DiaryDay,
    DiaryEntry,
    FreeDay,
    booking_stamp,
    hours_values,
    parse_absence,
    parse_adviser_hours,
    parse_sentence,
    parse_start,
)
from broker.storage.encryption import DecryptionError

HOURS_CHANGED = (
    "Somebody else has changed these hours meanwhile. Compare what we hold now with yours, then press Save again"
)

NO_SLOT = "Choose one of the free times"

NO_ADVISER = "Choose an adviser"

NO_VIDEO = "A video call needs an email address, for its link. Book it by telephone"

AWAY = "{adviser} is away then. Book it again if you mean it: a colleague who is free takes it over"

NO_OUTCOME = "Choose whether it was held"

NOT_SURE = "Tick that you mean to cancel it"

WEEK = timedelta(days=7)


Adviser: TypeAlias = AdviserDiary
"""An adviser with hours and absences, as pages have it."""

Problems = dict[str, str]
"""Why fields of a form are wrong, by name; of all fields under the empty name."""


class DiaryAdmin:
    """Methods raise StorageError. The caller has checked that `who` is a member of staff."""

    def __init__(
        self,
        store: AppointmentStore,
        cipher: EnquiryCipher,
        *,
        host: Callable[[], Host],
        notify: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`host` returns the firm as calendars name it; `notify` is called when mail is due."""
        self._store, self._cipher, self._host, self._notify, self._clock = store, cipher, host, notify, clock

    @property
    def now(self) -> datetime:
        return self._clock()

    @property
    def today(self) -> date:
        return uk_date(self._clock())

    async def diaries(self) -> tuple[Adviser, ...]:
        return await self._store.diaries()

    async def week(self, adviser: Adviser, monday: date) -> tuple[DiaryDay, ...]:
        """Return the seven days from a Monday."""
        days = [monday + timedelta(days=number) for number in range(7)]
        found = await self._store.between(
            uk_midnight(days[0]), uk_midnight(days[-1] + timedelta(days=1)), adviser=adviser.adviser
        )
        entries = self._entries(found)
        return tuple(self._day(adviser, day, entries) for day in days)

    async def day(self, advisers: Sequence[Adviser], day: date) -> tuple[DiaryDay, ...]:
        """Return a day of each adviser."""
        found = await self._store.between(uk_midnight(day), uk_midnight(day + timedelta(days=1)))
        entries = self._entries(found)
        own = {
            each.adviser: [entry for entry in entries if entry.appointment.adviser == each.adviser] for each in advisers
        }
        return tuple(self._day(each, day, own[each.adviser]) for each in advisers)

    async def appointment(self, number: int) -> DiaryEntry | None:
        found = await self._store.get(number)
        return self._entry(found) if found else None

    async def uncovered(self) -> tuple[DiaryEntry, ...]:
        """Return the coming appointments whose adviser is absent then, or has no account any longer."""
        return tuple(self._entries(await self._store.uncovered(self._clock())))

    async def free_week(self, entry: DiaryEntry, adviser: Adviser, monday: date) -> tuple[FreeDay, ...]:
        """Return the times of a week to which staff may move an appointment: without notice, but to come."""
        begin, end = uk_midnight(monday), uk_midnight(monday + WEEK)
        found = await self._store.between(begin - timedelta(days=1), end, adviser=adviser.adviser)
        slot, now = entry.appointment.slot, self._clock()
        taken = _taken(each for each in self._entries(found) if each.appointment.id != entry.appointment.id)
        starts = free_slots(
            adviser.hours, adviser.absences, taken, now=now - NOTICE, minutes=slot.minutes, first=max(begin, now)
        )
        days: dict[date, list[Slot]] = defaultdict(list)
        is_own = adviser.adviser == entry.appointment.adviser
        for start in starts:
            if start >= end:
                break
            if adviser.enabled and start > now and not (is_own and start == slot.start):
                days[uk_date(start)].append(Slot(start=start, minutes=slot.minutes, medium=slot.medium))
        return tuple(FreeDay(day=day, slots=tuple(slots)) for day, slots in days.items())

    async def bookable(self, reference: str) -> Bookable | None:
        """Return the case to book an appointment for, None for an enquiry that does not exist."""
        found = await self._store.bookable(reference)
        if found is None:
            return None
        contact = self._contact(found.enquiry)
        return Bookable(
            reference=found.enquiry.reference,
            assigned=found.enquiry.assigned,
            coming=found.coming(self._clock()),
            is_only_advice=found.is_only_advice,
            name=contact.name if contact else "",
            telephone=contact.telephone_shown if contact else "",
            tel=contact.telephone if contact else "",
            email=contact.email if contact else "",
            is_returned=found.is_returned,
        )

    async def free(self, adviser: str, minutes: int, medium: Medium) -> tuple[Slot, ...]:
        """Return the slots that staff may book with an adviser, empty for any: without notice, but to come."""
        now = self._clock()
        found = await self._store.free(minutes, medium, now=now - NOTICE, adviser=adviser)
        return tuple(each for each in found if each.start > now)

    async def book(self, case: Bookable, given: Mapping[str, str], *, who: str) -> StaffOutcome | Problems:
        """Book a free slot of a form, or the start that was typed, and tell the visitor; return the problems of fields.

        A time that is taken is refused with the next free ones.
        """
        name, now, is_typed = given.get(ADVISER, ""), self._clock(), START_DAY in given
        slot = parse_start(given, now=now) if is_typed else parse_slot(given.get("slot", "")) or {"slot": NO_SLOT}
        adviser = next((each for each in await self.diaries() if each.adviser == name and each.enabled), None)
        problems = dict(slot) if isinstance(slot, dict) else {}
        if adviser is None and (name or is_typed):
            problems[ADVISER] = NO_ADVISER
        if problems or isinstance(slot, dict):
            return problems
        if slot.medium is Medium.VIDEO and not case.email:
            return {MEDIUM if is_typed else "slot": NO_VIDEO}
        is_away = adviser and any(each.start < slot.end and slot.start < each.end for each in adviser.absences)
        if is_away and given.get(SURE, "") != booking_stamp(given):
            return {SURE: AWAY.format(adviser=name)}
        try:
            done = await self._store.book_by_staff(case.reference, slot, adviser=name, who=_actor(who), at=now)
        except SlotTakenError:
            free = await self.free(name, slot.minutes, slot.medium)
            return AppointmentRefused(reason=SLOT_TAKEN, next_free=next_free(free, slot))
        return self._told(done)

    async def set_hours(self, adviser: Adviser, given: Mapping[str, str], *, seen: str, who: str) -> Problems:
        """Store the hours of a form that began with those `seen` (`hours_stamp`); return the problems of its fields."""
        hours = parse_adviser_hours(given)
        if isinstance(hours, dict):
            return hours
        if seen != hours_stamp(adviser):
            return {"": HOURS_CHANGED}
        await self._store.set_hours(adviser.adviser, hours, who=_actor(who), at=self._clock())
        return {}

    async def add_absence(self, adviser: Adviser, given: Mapping[str, str], *, who: str) -> Coverage | Problems:
        """Store an absence and pass its appointments on to free colleagues; return the problems of its fields."""
        now = self._clock()
        absence = parse_absence(given, now=now)
        if isinstance(absence, dict):
            return absence
        return await self._store.add_absence(adviser.adviser, absence, who=_actor(who), at=now)

    async def remove_absence(self, number: int, *, who: str) -> bool:
        return await self._store.remove_absence(number, who=_actor(who), at=self._clock())

    async def hand_over(self, adviser: str) -> tuple[int, int]:
        """Pass on what an adviser, absent or disabled, cannot keep to free colleagues at the same times.

        Return how many were passed on, and how many are left.
        """
        before = {each.id for each in await self._uncovered_of(adviser)}
        await self._store.cover(self._clock())
        left = {each.id for each in await self._uncovered_of(adviser)}
        return len(before - left), len(left)

    async def move(
        self, number: int, sequence: int, given: Mapping[str, str], *, adviser: str, who: str
    ) -> StaffOutcome | Problems:
        """Move an appointment to the slot of a form and tell the visitor; return the problems of its fields."""
        slot, (sentence, problem) = parse_slot(given.get("slot", "")), parse_sentence(given.get(SENTENCE, ""))
        found = {"slot": "" if slot else NO_SLOT, SENTENCE: problem}
        if slot is None or problem:
            return {name: words for name, words in found.items() if words}
        return self._told(
            await self._store.move_by_staff(self._change(number, sequence, who, sentence), slot, adviser=adviser)
        )

    async def cancel(
        self, number: int, sequence: int, given: Mapping[str, str], *, is_told: bool, who: str
    ) -> StaffOutcome | Problems:
        """Cancel an appointment once `sure` is ticked; a visitor who `is_told` by mail needs a sentence."""
        sentence, problem = parse_sentence(given.get(SENTENCE, ""), is_needed=is_told)
        problems = {SENTENCE: problem, SURE: "" if given.get(SURE) == "yes" else NOT_SURE}
        if any(problems.values()):
            return problems
        return self._told(await self._store.cancel_by_staff(self._change(number, sequence, who, sentence)))

    async def close(self, number: int, sequence: int, outcome: str, *, who: str) -> StaffOutcome | Problems:
        """Record that an appointment was held, that the visitor did not come, or neither."""
        state = parse_word(outcome, AppointmentState)
        if state is None or state is AppointmentState.CANCELLED:
            return {"outcome": NO_OUTCOME}
        return await self._store.close(self._change(number, sequence, who, ""), state)

    async def make_feed(self, adviser: str) -> str:
        """Return the token of a new feed of the adviser's own, which is shown once; an earlier one ends."""
        return await self._store.make_feed(adviser, who=_actor(adviser), at=self._clock())

    async def revoke_feed(self, adviser: str) -> bool:
        return await self._store.revoke_feed(adviser, who=_actor(adviser), at=self._clock())

    async def feed(self, token: str) -> bytes | None:
        """Return the calendar file of a feed, None for an unknown token."""
        found = await self._store.feed(token, now=self._clock())
        if found is None:
            return None
        adviser, appointments = found
        host = self._host()
        return feed_file(appointments, host, name=f"{host.name}: {adviser}")

    async def _uncovered_of(self, adviser: str) -> list[Appointment]:
        found = (each.appointment for each in await self._store.uncovered(self._clock()))
        return [each for each in found if each.adviser == adviser]

    def _told(self, outcome: StaffOutcome) -> StaffOutcome:
        if not isinstance(outcome, AppointmentRefused):
            self._notify()
        return outcome

    def _change(self, number: int, sequence: int, who: str, sentence: str) -> StaffChange:
        return StaffChange(id=number, sequence=sequence, who=_actor(who), at=self._clock(), sentence=sentence)

    def _day(self, adviser: Adviser, day: date, entries: Sequence[DiaryEntry]) -> DiaryDay:
        begin, end = uk_midnight(day), uk_midnight(day + timedelta(days=1))
        own = tuple(each for each in entries if begin <= each.appointment.slot.start < end)
        return DiaryDay(
            day=day,
            adviser=adviser.adviser,
            hours=adviser.hours.ranges.get(day.weekday(), ()),
            absences=tuple(each for each in adviser.absences if each.start < end and each.end > begin),
            is_holiday=day in bank_holidays(day.year),
            entries=own,
            free=self._count_free(adviser, own, begin, end) if adviser.enabled else 0,
        )

    def _count_free(self, adviser: Adviser, own: Sequence[DiaryEntry], begin: datetime, end: datetime) -> int:
        """Count the starts of a day that visitors are offered for twenty minutes."""
        now = self._clock()
        if end <= now:
            return 0
        starts = free_slots(adviser.hours, adviser.absences, _taken(own), now=now, minutes=20, first=begin)
        count = 0
        for start in starts:
            if start >= end:
                break
            count += 1
        return count

    def _entries(self, found: Sequence[BookedEnquiry]) -> list[DiaryEntry]:
        return [self._entry(each) for each in found]

    def _entry(self, found: BookedEnquiry) -> DiaryEntry:
        contact = self._contact(found.enquiry)
        if contact is None:
            return DiaryEntry(appointment=found.appointment)
        return DiaryEntry(
            appointment=found.appointment,
            name=contact.name,
            telephone=contact.telephone_shown,
            tel=contact.telephone,
            email=contact.email,
            is_returned=found.is_returned,
        )

    def _contact(self, enquiry: Any) -> ContactDetails | None:
        try:
            return self._cipher.contact(enquiry)
        except DecryptionError:
            return None


def hours_stamp(adviser: Adviser) -> str:
    """Return the hours of an adviser as one text, to notice a change by another between a form and its post."""
    return ";".join(hours_values(adviser.hours).values())


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _taken(entries: Iterable[DiaryEntry]) -> frozenset[int]:
    """Return the cells that the appointments take that are booked."""
    booked = (each.appointment.slot for each in entries if each.appointment.is_live)
    return frozenset(cell for slot in booked for cell in cells(slot.start, slot.minutes))


def _actor(who: str) -> str:
    return who[:MAX_ACTOR_LENGTH]
