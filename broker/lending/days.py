"""Days as numbers of eight digits: 20270325 is 25 March 2027, and 0 is no day.

Every function but `day_number` also takes browser expressions. A month by itself is counted from the year 0: its
number is twelve times the year, and 0 to 11.
"""

from datetime import date

from broker.lending.arithmetic import Amount, Text, choose, looked_up, minimum, shared
from broker.lending.money import decimals
from broker.lending.mortgage import MONTHS

ISO_DAY = "[0-9]{4}-?[0-9]{2}-?[0-9]{2}"
"""A day as a field for dates sends it, or as its number, which is what an address has; as a regular expression."""

EARLIEST_YEAR, LATEST_YEAR = 2000, 2099

_MONTHS = {str(month): f"{date(2000, month, 1):%B}" for month in range(1, MONTHS + 1)}
_FEBRUARY, _LONG, _SHORT = 2, 31, 30

_FIRST_MARCH = 2000 * MONTHS + 2
"""March 2000: years that begin in March have their leap day at the end."""

_FOUR_YEARS = 4 * 365 + 1


def day_number(day: date) -> int:
    return day.year * 10_000 + day.month * 100 + day.day


def month_of(day: Amount) -> Amount:
    return day // 10_000 * MONTHS + day // 100 % 100 - 1


def is_day(number: Amount) -> Amount:
    """Return whether a number is a day of the years 2000 to 2099; every February may have 29."""
    year, month, day = number // 10_000, number // 100 % 100, number % 100
    is_month = (year >= EARLIEST_YEAR) & (year <= LATEST_YEAR) & (month >= 1) & (month <= MONTHS)
    return is_month & (day >= 1) & (day <= _last_day(month, february=29))


def months_earlier(day: Amount, months: int) -> Amount:
    """Return the day so many months earlier; the last of a shorter month, and the 28th of a February."""
    month = month_of(day) - months
    of_year = month % MONTHS + 1
    return month // MONTHS * 10_000 + of_year * 100 + minimum(day % 100, _last_day(of_year, february=28))


def days_earlier(day: Amount, days: Amount) -> Amount:
    """Return the day so many days earlier, both of the years 2000 to 2099; a 29 February that is none is 1 March."""
    months = shared(month_of(day) - _FIRST_MARCH)
    years = shared(months // MONTHS)
    ago = shared(years * 365 + years // 4 + _days_before(months % MONTHS) + day % 100 - 1 - days)
    year = shared((4 * ago + 3) // _FOUR_YEARS)
    of_year = shared(ago - year * 365 - year // 4)
    month = shared((5 * of_year + 2) // 153)
    found = shared(_FIRST_MARCH + year * MONTHS + month)
    return found // MONTHS * 10_000 + (found % MONTHS + 1) * 100 + of_year - _days_before(month) + 1


def _days_before(month: Amount) -> Amount:
    """Return the days from 1 March to the first of a month, counted from March, which is 0."""
    return (153 * month + 2) // 5


def day_text(day: Amount) -> Text:
    """Format a day: `25 March 2027`."""
    return decimals(day % 100, 0) + " " + month_text(month_of(day))


def month_text(month: Amount) -> Text:
    """Format a month by its number: `March 2027`."""
    return looked_up(decimals(month % MONTHS + 1, 0), _MONTHS) + " " + _four_digits(month // MONTHS)


def iso_text(day: Amount) -> Text:
    """Format a day as a field for dates takes it: `2027-03-25`; empty for no day."""
    written = _four_digits(day // 10_000) + "-" + _two_digits(day // 100 % 100) + "-" + _two_digits(day % 100)
    return choose(day == 0, lambda: "", lambda: written)


def _last_day(month: Amount, *, february: int) -> Amount:
    # April, June, September and November are even below August and odd above July
    is_short = (month + month // 8) % 2 == 0
    return choose(month == _FEBRUARY, lambda: february, lambda: choose(is_short, lambda: _SHORT, lambda: _LONG))


def _two_digits(number: Amount) -> Text:
    return decimals(number // 10, 0) + decimals(number % 10, 0)


def _four_digits(number: Amount) -> Text:
    return _two_digits(number // 100) + _two_digits(number % 100)
