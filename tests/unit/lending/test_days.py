from calendar import monthrange
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.lending.days import (
    day_number,
    day_text,
    days_earlier,
    is_day,
    iso_text,
    month_of,
    month_text,
    months_earlier,
)

days = st.dates(date(2000, 1, 1), date(2099, 12, 31))


@given(days)
def test_day_number_is_written_as_the_calendar_writes_the_day(day: date) -> None:
    number = day_number(day)
    assert is_day(number)
    assert iso_text(number) == day.isoformat()
    assert day_text(number) == f"{day.day} {day:%B %Y}"
    assert month_text(month_of(number)) == f"{day:%B %Y}"


@given(days, st.integers(0, 30))
def test_day_months_earlier_is_the_same_day_or_the_last_of_its_month(day: date, months: int) -> None:
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    last = 28 if month == 1 else monthrange(year, month + 1)[1]
    assert months_earlier(day_number(day), months) == day_number(date(year, month + 1, min(day.day, last)))


@given(st.dates(date(2001, 1, 1), date(2099, 12, 31)), st.integers(0, 365))
def test_day_days_earlier_is_that_of_the_calendar(day: date, count: int) -> None:
    assert days_earlier(day_number(day), count) == day_number(day - timedelta(days=count))


@pytest.mark.parametrize(
    "number", [0, 1, 20270000, 20271301, 20270100, 20270132, 20270230, 20270431, 19991231, 21000101, 99999999]
)
def test_number_that_no_calendar_has_is_refused(number: int) -> None:
    assert not is_day(number)


def test_missing_day_is_written_as_empty_text() -> None:
    assert iso_text(0) == ""
    assert day_number(date(2027, 3, 25) + timedelta(days=1)) == 20_270_326
