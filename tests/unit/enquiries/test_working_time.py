from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.clock import UK
from broker.enquiries.contact_details import CallTime
from broker.enquiries.working_time import OFFICE_WEEK, Hours, WorkingWeek, bank_holidays, working_week

ANY, MORNING, AFTERNOON = CallTime.ANY, CallTime.MORNING, CallTime.AFTERNOON


def uk(text: str) -> datetime:
    """Return a moment in UK time: `2026-03-03 15:00`, a Tuesday."""
    return datetime.fromisoformat(text).replace(tzinfo=UK)


PROMISES = {
    "while open, to the same time next day": ("2026-03-03 15:00", ANY, "2026-03-04 15:00"),
    "before opening, by closing": ("2026-03-03 07:30", ANY, "2026-03-03 18:00"),
    "at opening, by closing": ("2026-03-03 09:00", ANY, "2026-03-03 18:00"),
    "after closing, by closing of the next day": ("2026-03-03 20:00", ANY, "2026-03-04 18:00"),
    "at closing, by closing of the next day": ("2026-03-03 18:00", ANY, "2026-03-04 18:00"),
    "on Friday, on Monday": ("2026-03-06 11:00", ANY, "2026-03-09 11:00"),
    "on Friday evening, by Monday's closing": ("2026-03-06 21:00", ANY, "2026-03-09 18:00"),
    "on Saturday, by Monday's closing": ("2026-03-07 10:00", ANY, "2026-03-09 18:00"),
    "over Easter": ("2026-04-02 17:00", ANY, "2026-04-07 17:00"),
    "on a bank holiday": ("2026-05-04 10:00", ANY, "2026-05-05 18:00"),
    "over Christmas at a weekend": ("2026-12-24 17:30", ANY, "2026-12-29 17:30"),
    "over New Year": ("2026-12-31 19:00", ANY, "2027-01-04 18:00"),
    "a morning, requested before opening": ("2026-03-03 08:00", MORNING, "2026-03-03 12:00"),
    "a morning, requested in the morning": ("2026-03-03 10:00", MORNING, "2026-03-04 10:00"),
    "a morning, requested in the afternoon": ("2026-03-03 15:00", MORNING, "2026-03-04 12:00"),
    "a morning, requested at noon": ("2026-03-03 12:00", MORNING, "2026-03-04 12:00"),
    "a morning, requested at night": ("2026-03-06 23:00", MORNING, "2026-03-09 12:00"),
    "an afternoon, requested before opening": ("2026-03-03 08:00", AFTERNOON, "2026-03-03 18:00"),
    "an afternoon, requested in the morning": ("2026-03-03 10:00", AFTERNOON, "2026-03-03 18:00"),
    "an afternoon, requested at noon": ("2026-03-03 12:00", AFTERNOON, "2026-03-03 18:00"),
    "an afternoon, requested in the afternoon": ("2026-03-03 15:00", AFTERNOON, "2026-03-04 15:00"),
    "across the change to summer time": ("2026-03-27 16:00", ANY, "2026-03-30 16:00"),
}


@pytest.mark.parametrize(("requested", "when", "promised"), PROMISES.values(), ids=PROMISES)
def test_promise_is_within_one_working_day(requested: str, when: CallTime, promised: str) -> None:
    assert OFFICE_WEEK.call_by(uk(requested).astimezone(UTC), when) == uk(promised)


@given(
    requested=st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    when=st.sampled_from(CallTime),
)
def test_call_is_promised_in_opening_hours_and_never_delayed_by_a_wish(requested: datetime, when: CallTime) -> None:
    promised = OFFICE_WEEK.call_by(requested, when)
    hours = OFFICE_WEEK.open_hours(promised.date())
    assert hours
    assert hours.opens <= promised.time() <= hours.closes
    assert requested < promised <= OFFICE_WEEK.call_by(requested, ANY)
    if when is not ANY:
        before = (promised - timedelta(microseconds=1)).time()
        assert (before < time(12)) == (when is MORNING)


def test_call_time_outside_opening_hours_is_promised_within_a_working_day() -> None:
    mornings = WorkingWeek(hours={1: Hours(opens=time(9), closes=time(11)), 2: Hours(opens=time(9), closes=time(10))})
    assert mornings.call_by(uk("2026-03-03 08:00"), AFTERNOON) == uk("2026-03-03 11:00")
    assert mornings.call_by(uk("2026-03-03 10:45"), ANY) == uk("2026-03-04 10:00")


BANK_HOLIDAYS = {
    2025: "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26",
    2026: "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-26 12-28",
    2027: "01-01 03-26 03-29 05-03 05-31 08-30 12-25 12-26 12-27 12-28",
    2016: "01-01 03-25 03-28 05-02 05-30 08-29 12-25 12-26 12-27",
    2017: "01-01 01-02 04-14 04-17 05-01 05-29 08-28 12-25 12-26",
}


@pytest.mark.parametrize(("year", "days"), BANK_HOLIDAYS.items(), ids=str)
def test_bank_holidays_are_the_published_ones(year: int, days: str) -> None:
    assert sorted(bank_holidays(year)) == [date.fromisoformat(f"{year}-{day}") for day in days.split()]


NINE_TO_SIX = Hours(opens=time(9), closes=time(18))
WEEKS = {
    "the firm's own": (
        [("Monday to Friday", "9am to 6pm"), ("Saturday, Sunday and bank holidays", "closed")],
        dict.fromkeys(range(5), NINE_TO_SIX),
    ),
    "a shorter Saturday": (
        [("monday – friday", "09:00 - 18:00"), ("Saturday", "9.30am until 1pm")],
        dict.fromkeys(range(5), NINE_TO_SIX) | {5: Hours(opens=time(9, 30), closes=time(13))},
    ),
    "over the weekend": ([("Saturday to Monday", "9am to 6pm")], dict.fromkeys((5, 6, 0), NINE_TO_SIX)),
    "some days": ([("Monday, Wednesday and Friday", "9am to 6pm")], dict.fromkeys((0, 2, 4), NINE_TO_SIX)),
    "noon": ([("Monday", "9am to 12pm")], {0: Hours(opens=time(9), closes=time(12))}),
    "nothing": ([], OFFICE_WEEK.hours),
    "no words of ours": ([("Weekdays", "9am to 6pm"), ("Monday", "by appointment")], OFFICE_WEEK.hours),
    "hours that are none": ([("Monday", "25:00 to 26:00"), ("Tuesday", "6pm to 9am")], OFFICE_WEEK.hours),
}


@pytest.mark.parametrize(("lines", "hours"), WEEKS.values(), ids=WEEKS)
def test_week_is_read_from_the_words_of_the_content(lines: list[tuple[str, str]], hours: dict[int, Hours]) -> None:
    assert working_week(lines).hours == hours
