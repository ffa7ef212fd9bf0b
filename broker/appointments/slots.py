"""Which slots are free: an adviser's hours in UK wall time, without absences, bank holidays and appointments.

One function serves the list that a visitor chooses from and the check when a slot is booked.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

NOTICE = timedelta(hours=2)
"""Shortest time between booking and the start of an appointment."""

MAX_DAYS_AHEAD = 28

STEP = timedelta(minutes=20)
"""Time between the starts offered, counted from the opening of each range of hours."""

BUFFER = timedelta(minutes=10)
"""Time after each appointment in which its adviser has no other."""

CELL = timedelta(minutes=5)
"""Unit of an adviser's time: hours begin and end on it, and one cell belongs to one appointment."""

MAX_RANGES = 3
"""Ranges of hours on a weekday."""

Holidays = Callable[[int], Collection[date]]
"""Returns the firm's bank holidays of a year."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyTime:
    """The time of an appointment, without its buffer."""

    start: datetime
    end: datetime


def hours_problem(hours: AdviserHours) -> str:
    """Return why hours cannot be stored, empty for good ones."""
    raise NotImplementedError


def absence_problem(absence: Absence) -> str:
    """Return why an absence cannot be stored, empty for a good one."""
    raise NotImplementedError


def cells(start: datetime, minutes: int) -> range:
    """Return the numbers of the cells that an appointment and its buffer take, counted from the epoch."""
    first = int(start.timestamp()) // int(CELL.total_seconds())
    return range(first, first + (timedelta(minutes=minutes) + BUFFER) // CELL)


def free_slots(
    hours: AdviserHours,
    absences: Sequence[Absence],
    taken: Sequence[BusyTime],
    *,
    now: datetime,
    minutes: int,
    holidays: Holidays,
    first: datetime | None = None,
) -> Iterator[datetime]:
    """Yield the free starts of one adviser in UTC and in order, from `first` if that is later than the notice."""
    raise NotImplementedError
