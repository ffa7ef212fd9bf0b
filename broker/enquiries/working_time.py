"""Office hours, bank holidays, and the deadline of a promised call.

The thank-you page promises a call within one working day, in the requested part of the day, in UK time. Working days
are those of the firm without the bank holidays of England and Wales (Banking and Financial Dealings Act 1971,
https://www.gov.uk/bank-holidays). Special holidays of a single year are not included: the deadline is then a day early.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import islice

from broker.clock import UK
from broker.enquiries.contact_details import CallTime

NOON = time(12)
"""The end of the morning."""

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_DAY = "|".join(_WEEKDAYS)
_RANGE = re.compile(f"({_DAY})(?:\\s+(?:to|until|-|–)\\s+({_DAY}))?", re.IGNORECASE)
_CLOCK = r"(\d{1,2})(?:[.:](\d{2}))?\s*(am|pm)?"
_HOURS = re.compile(rf"{_CLOCK}\s*(?:to|until|-|–)\s*{_CLOCK}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """Opening and closing time of a day, in UK time."""

    opens: time
    closes: time


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingWeek:
    """The hours of each working weekday; Monday is 0."""

    hours: Mapping[int, Hours]

    def open_hours(self, day: date) -> Hours | None:
        """Return the hours of a date, None if the firm is closed, as on bank holidays."""
        return None if day in bank_holidays(day.year) else self.hours.get(day.weekday())

    def call_by(self, requested: datetime, when: CallTime) -> datetime:
        """Return the deadline of a call in UK time: one working day after the request.

        A working day is counted in open hours. The deadline for 3 pm on a Tuesday is 3 pm on Wednesday; for a request
        outside office hours, the end of the next working day. A requested morning or afternoon is the last one within
        that time.
        """
        first, last = self._one_working_day(requested.astimezone(UK))
        for day in (last.date(), first.date()):
            hours = self.open_hours(day)
            begin, end = _wanted(when, hours) if hours else (NOON, NOON)
            begins, ends = max(_moment(day, begin), first), min(_moment(day, end), last)
            if begins < ends:
                return ends
        return last

    def after_hours(self, at: datetime, time_open: timedelta) -> datetime:
        """Return the moment, in UK time, at which the firm has been open for a time since another moment.

        A moment at which the firm closes is the same as the next opening, which is returned instead.
        """
        at = at.astimezone(UK)
        for day, hours in self._open_days(at.date()):
            opens, closes = max(_moment(day, hours.opens), at), _moment(day, hours.closes)
            left = closes.astimezone(UTC) - opens.astimezone(UTC)
            if left > time_open:
                return opens + time_open
            time_open -= max(left, timedelta())
        raise AssertionError  # the days never end

    def next_wanted(self, at: datetime, when: CallTime) -> datetime:
        """Return the first moment from an open one on, in UK time, in a requested part of the day.

        It is the same moment if the firm is not open in that part of the days that follow.
        """
        for day, hours in islice(self._open_days(at.date()), len(_WEEKDAYS)):
            begin, end = _wanted(when, hours)
            begins = max(_moment(day, begin), at)
            if begins < _moment(day, end):
                return begins
        return at

    def working_day(self, day: date, count: int) -> tuple[date, Hours]:
        """Return the working day that is a number of working days after a date, with its hours."""
        days = self._open_days(day + timedelta(days=1))
        return next(found for number, found in enumerate(days, start=1) if number >= count)

    def _one_working_day(self, requested: datetime) -> tuple[datetime, datetime]:
        """Return the first open time from a request, and the time a working day of open hours later."""
        days = self._open_days(requested.date())
        day, hours = next(days)
        if requested >= _moment(day, hours.closes):
            day, hours = next(days)
        first = max(requested, _moment(day, hours.opens))
        if first == _moment(day, hours.opens):
            return first, _moment(day, hours.closes)
        used = first - _moment(day, hours.opens)
        day, hours = next(days)
        return first, min(_moment(day, hours.opens) + used, _moment(day, hours.closes))

    def _open_days(self, day: date) -> Iterator[tuple[date, Hours]]:
        while True:
            if hours := self.open_hours(day):
                yield day, hours
            day += timedelta(days=1)


OFFICE_WEEK = WorkingWeek(hours=dict.fromkeys(range(5), Hours(opens=time(9), closes=time(18))))
"""Monday to Friday, 9 am to 6 pm: the default if the content has no readable hours."""


def working_week(lines: Iterable[tuple[str, str]]) -> WorkingWeek:
    """Parse opening hours in words: ("Monday to Friday", "9am to 6pm") and the like.

    Lines without days or hours, such as "closed", are ignored; without any other, the result is `OFFICE_WEEK`.
    """
    found: dict[int, Hours] = {}
    for days, words in lines:
        if hours := _hours_of(_HOURS.search(words)):
            found |= dict.fromkeys(_weekdays(days), hours)
    return WorkingWeek(hours=found) if found else OFFICE_WEEK


@lru_cache(maxsize=64)
def bank_holidays(year: int) -> frozenset[date]:
    """Return the bank holidays of England and Wales in a year.

    New Year's Day, Christmas Day and Boxing Day at a weekend add the next working day.
    """
    easter = _easter(year)
    instead = {4: (28,), 5: (27, 28), 6: (27,)}.get(date(year, 12, 25).weekday(), ())
    return frozenset(
        {
            date(year, 1, 1),
            _next_weekday(date(year, 1, 1)),
            easter - timedelta(days=2),
            easter + timedelta(days=1),
            _first_monday(year, 5),
            _last_monday(year, 5),
            _last_monday(year, 8),
            *(date(year, 12, day) for day in (25, 26, *instead)),
        }
    )


def _weekdays(words: str) -> Iterator[int]:
    names = [name.casefold() for name in _WEEKDAYS]
    for first, last in _RANGE.findall(words):
        begin = names.index(first.casefold())
        length = (names.index(last.casefold()) - begin) % 7 if last else 0
        yield from ((begin + place) % 7 for place in range(length + 1))


def parse_hours(text: str) -> Hours | None:
    """Return the hours of a text like `9:00 to 17:30` or `9am to 5pm`; None for any other text."""
    return _hours_of(_HOURS.fullmatch(text.strip()))


def _hours_of(found: re.Match[str] | None) -> Hours | None:
    if found is None:
        return None
    opens, closes = _clock(*found.groups()[:3]), _clock(*found.groups()[3:])
    return Hours(opens=opens, closes=closes) if opens and closes and opens < closes else None


def _clock(hour: str, minute: str | None, half: str | None) -> time | None:
    of_day, minutes = int(hour), int(minute or 0)
    if half and 1 <= of_day <= 12:
        of_day = of_day % 12 + (12 if half.lower() == "pm" else 0)
    return time(of_day, minutes) if of_day < 24 and minutes < 60 else None


def _moment(day: date, at: time) -> datetime:
    return datetime.combine(day, at, tzinfo=UK)


def _wanted(when: CallTime, hours: Hours) -> tuple[time, time]:
    """Return the start and end of the requested part of a day."""
    parts = {
        CallTime.MORNING: (hours.opens, min(NOON, hours.closes)),
        CallTime.AFTERNOON: (max(NOON, hours.opens), hours.closes),
    }
    return parts.get(when, (hours.opens, hours.closes))


def _next_weekday(day: date) -> date:
    return day + timedelta(days={5: 2, 6: 1}.get(day.weekday(), 0))


def _first_monday(year: int, month: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=-first.weekday() % 7)


def _last_monday(year: int, month: int) -> date:
    last = date(year, month, 31)
    return last - timedelta(days=last.weekday())


def _easter(year: int) -> date:
    """Return Easter Sunday (the Gregorian computus, in the form of Meeus, Jones and Butcher)."""
    golden, century = year % 19, year // 100
    leap, rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - correction + 15) % 30
    quarter, odd = divmod(year % 100, 4)
    sunday = (32 + 2 * rest + 2 * quarter - epact - odd) % 7
    late = (golden + 11 * epact + 22 * sunday) // 451
    month, day = divmod(epact + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)
