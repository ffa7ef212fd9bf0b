"""Months by their number, counted from the year 0, and their names; for numbers and browser expressions."""

from collections.abc import Callable
from datetime import date

from broker.lending.arithmetic import Amount, Text, looked_up
from broker.lending.money import decimals
from broker.lending.mortgage import MONTHS

THIS_MONTH = "thisMonth"
"""The name of today's month among the values of a plan."""

_NAMES = {str(month - 1): f"{date(2000, month, 1):%B}" for month in range(1, MONTHS + 1)}

_CENTURY = 20


def month_number(day: date) -> int:
    return day.year * MONTHS + day.month - 1


def month_name(number: Amount) -> Text:
    """Return a month of the years 2010 to 2099 in words: `March 2028`."""
    year = number // MONTHS % 100
    return looked_up(decimals(number % MONTHS, 0), _NAMES) + f" {_CENTURY}" + decimals(year, 0)


def month_after(this_month: Amount) -> Callable[[Amount], Text]:
    """Return the function that names the month after a number of months."""
    return lambda months: month_name(this_month + months)
