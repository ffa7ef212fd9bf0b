"""The diary of advisers for staff: a day of it, and the forms of hours, absences and changes of appointments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from broker.appointments.appointment import LENGTHS, Appointment, AppointmentState, Medium, Slot
from broker.appointments.slots import MAX_RANGES, Absence, AdviserHours, TimeRange, absence_problem, hours_problem
from broker.clock import UK, uk_midnight
from broker.enquiries.contact_details import parse_word, single_line
from broker.enquiries.working_time import parse_hours

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
"""Names of the fields of the form of hours, each with the ranges of a weekday."""

FROM_DAY, FROM_TIME, TO_DAY, TO_TIME = "from", "from-time", "to", "to-time"
"""Fields of an absence; without its times it is of whole days."""

ADVISER, START_DAY, START_TIME, LENGTH, MEDIUM, SURE = "with", "day", "time", "minutes", "by", "sure"
"""Fields of a booking; `sure` says that a booking with an absent adviser, or a cancellation, is meant."""

SENTENCE = "sentence"
"""Field with what staff tell the visitor."""

MAX_SENTENCE = 300
"""Characters of it."""

MAX_HOURS_TEXT = 120
"""Characters of the hours of a weekday."""

MAX_AHEAD = timedelta(days=2 * 366)
"""Longest time until the end of an absence."""

_SPLIT = str.maketrans({";": ",", "&": ",", "\n": ","})


@dataclass(frozen=True, slots=True, kw_only=True)
class DiaryEntry:
    """An appointment with what staff need to keep it; `name` is empty where no key decrypts it.

    `is_returned`, known where one alone is read, says that mail to the address comes back.
    """

    appointment: Appointment
    name: str = ""
    telephone: str = ""
    tel: str = ""
    email: str = ""
    is_returned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookable:
    """A case to book an appointment for; `coming` is the one that it has, `assigned` is its adviser or empty.

    `name` is empty where no key decrypts it. Nothing is booked for a case that `is_only_advice`. `is_returned`: mail to
    the address comes back.
    """

    reference: str
    assigned: str = ""
    coming: Appointment | None = None
    is_only_advice: bool = False
    name: str = ""
    telephone: str = ""
    tel: str = ""
    email: str = ""
    is_returned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DiaryDay:
    """A day of an adviser in UK time; `free` counts the starts that visitors are offered on it."""

    day: date
    adviser: str
    hours: tuple[TimeRange, ...] = ()
    absences: tuple[Absence, ...] = ()
    is_holiday: bool = False
    entries: tuple[DiaryEntry, ...] = ()
    free: int = 0

    @property
    def shown(self) -> tuple[DiaryEntry, ...]:
        """Return the appointments that take time: those that are not cancelled."""
        return tuple(each for each in self.entries if each.appointment.state is not AppointmentState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeDay:
    """The free times of an adviser on a day, for one appointment."""

    day: date
    slots: tuple[Slot, ...]


def parse_day(text: object) -> date | None:
    """Return a day of a form or an address, `2026-11-27` or `27/11/2026`; None for any other text."""
    typed = text.strip() if isinstance(text, str) and len(text) <= 40 else ""
    for pattern in ("%Y-%m-%d", "%d/%m/%Y"):
        try:
            return datetime.strptime(typed, pattern).date()
        except ValueError:
            continue
    return None


def hours_text(ranges: Sequence[TimeRange]) -> str:
    """Return the hours of a weekday as staff write them: `09:00 to 12:30, 13:30 to 17:00`."""
    return ", ".join(f"{each.opens:%H:%M} to {each.closes:%H:%M}" for each in ranges)


def hours_values(hours: AdviserHours) -> dict[str, str]:
    """Return the values of the form of hours."""
    return {name: hours_text(hours.ranges.get(place, ())) for place, name in enumerate(WEEKDAYS)}


def parse_adviser_hours(given: Mapping[str, str]) -> AdviserHours | dict[str, str]:
    """Return the hours of a form, or why fields are wrong, by name."""
    ranges: dict[int, tuple[TimeRange, ...]] = {}
    problems: dict[str, str] = {}
    for place, name in enumerate(WEEKDAYS):
        found = _ranges(given.get(name, ""))
        problem = found if isinstance(found, str) else _day_problem(place, found)
        if problem:
            problems[name] = problem
        elif found and not isinstance(found, str):
            ranges[place] = found
    return problems or AdviserHours(ranges=ranges)


def _ranges(text: str) -> tuple[TimeRange, ...] | str:
    """Return the ranges of a text in order, or why it is refused."""
    typed = single_line(text.translate(_SPLIT).replace(" and ", ","), MAX_HOURS_TEXT)
    parts = [part.strip() for part in (typed or "").split(",") if part.strip()]
    found = [parse_hours(part) for part in parts]
    if typed is None or not all(found):
        return "Write it like 9:00 to 12:30, 13:30 to 17:00, the earlier time first; or leave it empty"
    if len(found) > MAX_RANGES:
        return f"Enter at most {MAX_RANGES} ranges"
    return tuple(sorted(TimeRange(opens=each.opens, closes=each.closes) for each in found if each))


def _day_problem(place: int, ranges: tuple[TimeRange, ...]) -> str:
    return hours_problem(AdviserHours(ranges={place: ranges})) if ranges else ""


def parse_absence(given: Mapping[str, str], *, now: datetime) -> Absence | dict[str, str]:
    """Return the absence of a form, or why fields are wrong, by name."""
    days = {name: parse_day(given.get(name, "")) for name in (FROM_DAY, TO_DAY)}
    times = {name: _time(given.get(name, "")) for name in (FROM_TIME, TO_TIME)}
    problems = {name: "Enter a day, like 27/11/2026" for name, day in days.items() if day is None}
    problems |= {
        name: "Enter a time like 13:20, or leave it empty for the whole day"
        for name, at in times.items()
        if at is None and given.get(name, "").strip()
    }
    first, last = days[FROM_DAY], days[TO_DAY]
    if problems or first is None or last is None:
        return problems
    start = datetime.combine(first, times[FROM_TIME] or time(), tzinfo=UK)
    closes = times[TO_TIME]
    end = datetime.combine(last, closes, tzinfo=UK) if closes else _day_end(last)
    if end <= start:
        return {TO_DAY: "Enter an end after the start"}
    if end <= now:
        return {TO_DAY: "Enter an end that is still to come"}
    if end - now > MAX_AHEAD:
        return {TO_DAY: "Enter a day of the next two years"}
    absence = Absence(start=start, end=end)
    problem = absence_problem(absence)
    return {TO_DAY: problem} if problem else absence


def parse_start(given: Mapping[str, str], *, now: datetime) -> Slot | dict[str, str]:
    """Return the slot of a start that staff typed, or why fields are wrong, by name."""
    day, at = parse_day(given.get(START_DAY, "")), _time(given.get(START_TIME, ""))
    minutes = next((each for each in LENGTHS if str(each) == given.get(LENGTH, "")), None)
    medium = parse_word(given.get(MEDIUM, ""), Medium)
    problems = {
        START_DAY: "" if day else "Enter a day, like 27/11/2026",
        START_TIME: "" if at and at.minute % 5 == 0 else "Enter a time in steps of five minutes, like 13:20",
        LENGTH: "" if minutes else "Choose how long it is",
        MEDIUM: "" if medium else "Choose telephone or video",
    }
    if day is None or at is None or minutes is None or medium is None or any(problems.values()):
        return {name: words for name, words in problems.items() if words}
    start = datetime.combine(day, at, tzinfo=UK).astimezone(UTC)
    if not now < start <= now + MAX_AHEAD:
        return {START_DAY: "Enter a time to come, in the next two years"}
    return Slot(start=start, minutes=minutes, medium=medium)


def booking_stamp(given: Mapping[str, str]) -> str:
    """Return which adviser and time a form is about, as the field `sure` names them."""
    return " ".join(given.get(name, "") for name in (ADVISER, "slot", START_DAY, START_TIME, LENGTH))


def _day_end(day: date) -> datetime:
    if day == date.max:
        return datetime.combine(day, time.max, tzinfo=UK)
    return uk_midnight(day + timedelta(days=1))


def _time(text: str) -> time | None:
    typed = text.strip().replace(".", ":")
    try:
        return time.fromisoformat(typed.zfill(5)) if len(typed) in (4, 5) else None
    except ValueError:
        return None


def parse_sentence(text: str, *, is_needed: bool = False) -> tuple[str, str]:
    """Return what staff tell the visitor as one line, and why it is refused or empty."""
    sentence = single_line(text, MAX_SENTENCE)
    if sentence is None:
        return "", f"Use {MAX_SENTENCE} characters or fewer"
    return sentence, "Write a sentence to the visitor" if is_needed and not sentence else ""
