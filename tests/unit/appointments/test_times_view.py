from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from broker.appointments.appointment import Medium, Slot
from broker.appointments.times_view import MAX_DAYS, ShownTimes, TimesPage, WantedTimes, shown_times, wanted_times

FRIDAY = date(2026, 11, 27)


def slot(day: date, hour: int, minute: int = 0) -> Slot:
    start = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
    return Slot(start=start, minutes=20, medium=Medium.TELEPHONE)


def shown(
    slots: Sequence[Slot], parameters: Mapping[str, str] | None = None, *, chosen: Slot | None = None
) -> ShownTimes:
    given = parameters or {}
    page = TimesPage(path="/contact/", parameters=given)
    return shown_times(slots, wanted_times(given), page=page, name="when", today=FRIDAY, chosen=chosen)


def days(count: int) -> list[Slot]:
    return [slot(FRIDAY + timedelta(days=each), hour) for each in range(count) for hour in (9, 14)]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, WantedTimes()),
        ({"minutes": "40", "by": "video"}, WantedTimes(minutes=40, medium=Medium.VIDEO)),
        ({"minutes": "30", "by": "pigeon", "from": "soon"}, WantedTimes()),
        ({"minutes": "٤٠", "from": "2026-12-07"}, WantedTimes(first=date(2026, 12, 7))),
    ],
)
def test_parameters_that_are_none_of_ours_are_left_out(given: dict[str, str], wanted: WantedTimes) -> None:
    assert wanted_times(given) == wanted


def test_days_are_named_in_words_and_the_first_is_open() -> None:
    times = shown([slot(FRIDAY, 15), slot(FRIDAY + timedelta(days=1), 9), slot(FRIDAY + timedelta(days=3), 12, 20)])
    assert [(day.name, day.count, day.is_open) for day in times.days] == [
        ("Today, Friday 27 November", "1 time", True),
        ("Tomorrow, Saturday 28 November", "1 time", False),
        ("Monday 30 November", "1 time", False),
    ]


def test_times_are_those_of_the_uk_by_morning_and_afternoon() -> None:
    summer = date(2027, 7, 1)
    (day,) = shown([slot(summer, 8), slot(summer, 10, 40), slot(summer, 11), slot(summer, 13, 20)]).days
    assert [(part.name, [each.words for each in part.times]) for part in day.parts] == [
        ("Morning", ["9am", "11:40am"]),
        ("Afternoon", ["noon", "2:20pm"]),
    ]
    assert day.parts[0].times[0].value == "20270701T0800Z-20-telephone"


def test_no_more_days_than_fit_are_shown_with_links_to_the_others() -> None:
    first = shown(days(MAX_DAYS + 3))
    assert (len(first.days), first.earlier) == (MAX_DAYS, "")
    assert first.later == "/contact/?minutes=20&by=telephone&from=2026-12-07#call-times"
    later = shown(days(MAX_DAYS + 3), {"from": "2026-12-07"})
    assert [day.name for day in later.days] == ["Monday 7 December", "Tuesday 8 December", "Wednesday 9 December"]
    assert (later.earlier, later.later) == ("/contact/?minutes=20&by=telephone&from=2026-11-27#call-times", "")


def test_first_day_that_is_past_or_beyond_all_times_shows_the_first_ones() -> None:
    for first in ("2026-01-01", "2028-01-01"):
        assert shown(days(2), {"from": first}).days[0].name == "Today, Friday 27 November"


def test_chosen_time_is_on_the_page_and_its_day_open() -> None:
    late = slot(FRIDAY + timedelta(days=11), 14)
    times = shown(days(12), chosen=late)
    (opened,) = [day for day in times.days if day.is_open]
    assert opened.name == "Tuesday 8 December"
    assert [each.words for part in opened.parts for each in part.times if each.is_chosen] == ["2pm"]


def test_chosen_time_that_is_taken_is_not_chosen() -> None:
    times = shown(days(2), chosen=slot(FRIDAY, 10))
    assert not any(each.is_chosen for day in times.days for part in day.parts for each in part.times)
    assert times.days[0].is_open


def test_links_to_lengths_and_media_keep_what_else_the_address_has() -> None:
    times = shown(days(1), {"result": "/tools/rates/result.pdf", "amount": "150000", "minutes": "40", "by": "video"})
    kept = "/contact/?result=%2Ftools%2Frates%2Fresult.pdf&amount=150000"
    assert [(each.words, each.address, each.is_current) for each in (*times.lengths, *times.media)] == [
        ("20 minutes", f"{kept}&minutes=20&by=video#call-times", False),
        ("40 minutes", f"{kept}&minutes=40&by=video#call-times", True),
        ("Telephone", f"{kept}&minutes=40&by=telephone#call-times", False),
        ("Video", f"{kept}&minutes=40&by=video#call-times", True),
    ]
    assert times.call == "40-minute video call"


def test_nearest_times_name_their_day() -> None:
    page = TimesPage(path="/contact/")
    near = [slot(FRIDAY, 11, 20), slot(FRIDAY + timedelta(days=3), 9)]
    times = shown_times([], WantedTimes(), page=page, name="when", today=FRIDAY, nearest=near, problem="Taken")
    assert [each.words for each in times.nearest] == ["11:20am on Friday 27 November", "9am on Monday 30 November"]
