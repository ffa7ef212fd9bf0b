"""Which slots are free: an adviser's hours in UK wall time, without absences, bank holidays and appointments.

One function serves the list that a visitor chooses from and the check when a slot is booked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

from broker.clock import UK, uk_date, uk_midnight
from broker.enquiries.working_time import bank_holidays

NOTICE = timedelta(hours=2)
"""Shortest time between booking and the start of an appointment."""

MAX_DAYS_AHEAD = 28

STEP = timedelta(minutes=20)
"""Time between the starts offered, counted from the opening of each range of hours."""

BUFFER = timedelta(minutes=10)
"""Time after each appointment in which its adviser has no other."""

CELL = timedelta(minutes=5)
"""Unit of an adviser's time: hours begin and end on it, and one cell belongs to one appointment."""

_CELL_SECONDS, _BUFFER_SECONDS = int(CELL.total_seconds()), int(BUFFER.total_seconds())

MAX_RANGES = 3
"""Ranges of hours on a weekday."""

MAX_ABSENCE = timedelta(days=366)

REMINDERS = (timedelta(hours=24), timedelta(hours=2))
"""Times before an appointment at which its visitor gets a mail, unless it is booked later than that."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class TimeRange:
    """Hours of a day in UK wall time."""

    opens: time
    closes: time


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviserHours:
    """The hours of an adviser by weekday, Monday is 0; the ranges of a day are in order and do not overlap."""

    ranges: Mapping[int, tuple[TimeRange, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Absence:
    """A time in which an adviser has no appointments; `id` is 0 before it is stored."""

    start: datetime
    end: datetime
    id: int = 0


def hours_problem(hours: AdviserHours) -> str:
    """Return why hours cannot be stored, empty for good ones."""
    for weekday, ranges in hours.ranges.items():
        times = [moment for each in ranges for moment in (each.opens, each.closes)]
        if not 0 <= weekday <= 6 or len(ranges) > MAX_RANGES:
            return f"Enter at most {MAX_RANGES} ranges of hours for a day"
        if any(each.second or each.microsecond or each.minute % 5 for each in times):
            return "Enter times in steps of five minutes, for example 09:00"
        if any(before >= after for before, after in pairwise(times)):
            return "Enter hours that end after they begin, and do not overlap"
    return ""


def absence_problem(absence: Absence) -> str:
    """Return why an absence cannot be stored, empty for a good one."""
    if absence.start >= absence.end:
        return "Enter an absence that ends after it begins"
    return "" if absence.end - absence.start <= MAX_ABSENCE else "Enter an absence of at most a year"


def cells(start: datetime, minutes: int) -> range:
    """Return the numbers of the cells that an appointment and its buffer take, counted from the epoch."""
    first = int(start.timestamp()) // _CELL_SECONDS
    return range(first, first + (60 * minutes + _BUFFER_SECONDS) // _CELL_SECONDS)


def free_slots(
    hours: AdviserHours,
    absences: Sequence[Absence],
    taken: set[int] | frozenset[int],
    *,
    now: datetime,
    minutes: int,
    first: datetime | None = None,
) -> Iterator[datetime]:
    """Yield the free starts of one adviser in UTC and in order, from `first` if that is later than the notice.

    `taken` are the cells of the adviser's appointments. Two starts that are free may be less than an appointment and
    its buffer apart: when one is booked, the other no longer is.
    """
    earliest, latest = max(now + NOTICE, first or now), now + timedelta(days=MAX_DAYS_AHEAD)
    length = timedelta(minutes=minutes)
    day, last_day = uk_date(earliest), uk_date(latest)
    while day <= last_day:
        for start in _starts(hours, day, minutes) if day not in bank_holidays(day.year) else ():
            is_free = earliest <= start <= latest and taken.isdisjoint(cells(start, minutes))
            if is_free and not any(each.start < start + length and start < each.end for each in absences):
                yield start
        day += timedelta(days=1)


def next_reminder(start: datetime, *, after: datetime) -> datetime | None:
    """Return when the first reminder later than `after` is due, None if there is none left."""
    return next((at for before in REMINDERS if (at := start - before) > after), None)


def _starts(hours: AdviserHours, day: date, minutes: int) -> Iterator[datetime]:
    """Yield the starts of a day in UTC, each wall time once: the first of two in October, none that March omits."""
    length, midnight = timedelta(minutes=minutes), uk_midnight(day)
    offset, is_change = midnight.utcoffset(), midnight.utcoffset() != (midnight + timedelta(days=1)).utcoffset()
    for each in hours.ranges.get(day.weekday(), ()):
        wall, closes = datetime.combine(day, each.opens, tzinfo=UTC), datetime.combine(day, each.closes, tzinfo=UTC)
        while wall + length <= closes:
            if not is_change:
                yield wall - (offset or timedelta())
            elif start := _real(wall, length, closes):
                yield start
            wall += STEP


def _real(wall: datetime, length: timedelta, closes: datetime) -> datetime | None:
    """Return the moment of a wall time on a day of a clock change; None if March omits it or it ends too late."""
    start = wall.replace(tzinfo=UK).astimezone(UTC)
    begins, ends = (each.astimezone(UK).replace(tzinfo=UTC) for each in (start, start + length))
    return start if begins == wall and ends <= closes else None
