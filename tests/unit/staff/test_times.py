from datetime import UTC, datetime, timedelta

import pytest

from broker.staff.times import clock, day_words, due_badge, due_moment, duration, moment_fact, moment_words

NOW = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
"""Half past eleven at night in the UK."""


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (datetime(2026, 6, 30, 8, 0, tzinfo=UTC), "today"),
        (datetime(2026, 6, 30, 23, 30, tzinfo=UTC), "tomorrow"),
        (datetime(2026, 6, 28, 23, 30, tzinfo=UTC), "yesterday"),
        (datetime(2026, 6, 28, 22, 30, tzinfo=UTC), "Sunday 28 June"),
        (datetime(2026, 12, 31, 12, 0, tzinfo=UTC), "Thursday 31 December"),
        (datetime(2027, 1, 1, 12, 0, tzinfo=UTC), "Friday 1 January 2027"),
    ],
)
def test_day_is_said_as_people_say_it(at: datetime, words: str) -> None:
    assert day_words(at, NOW) == words


def test_times_are_those_of_the_uk_in_summer_and_winter() -> None:
    summer, winter = datetime(2026, 6, 30, 11, 0, tzinfo=UTC), datetime(2026, 1, 5, 9, 5, tzinfo=UTC)
    assert (clock(summer), clock(winter)) == ("12:00", "09:05")
    assert moment_words(summer, NOW) == "today at 12:00"
    assert moment_fact(summer, NOW) == "Today at 12:00"


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (datetime(2026, 6, 30, 22, 45, tzinfo=UTC), "Today 23:45"),
        (datetime(2026, 7, 1, 9, 40, tzinfo=UTC), "Wed 1 Jul, 10:40"),
        (datetime(2026, 6, 29, 9, 40, tzinfo=UTC), "Mon 29, 10:40"),
        (datetime(2026, 12, 3, 9, 0, tzinfo=UTC), "Thu 3 Dec, 09:00"),
        (datetime(2027, 3, 1, 9, 5, tzinfo=UTC), "1 Mar 2027, 09:05"),
    ],
)
def test_next_date_has_its_time_however_far_it_is(at: datetime, words: str) -> None:
    assert due_moment(at, NOW, capital=True) == words


@pytest.mark.parametrize(
    ("late_s", "badge"),
    [
        (-90, ("in 2 min", "orange")),
        (0, ("in 0 min", "orange")),
        (1, ("late", "red")),
        (59, ("late", "red")),
        (60, ("1 min late", "red")),
        (3_600, ("1 h late", "red")),
        (3_900, ("1 h 5 min late", "red")),
    ],
)
def test_badge_says_late_from_the_first_second(late_s: int, badge: tuple[str, str]) -> None:
    assert due_badge(NOW - timedelta(seconds=late_s), NOW) == badge


@pytest.mark.parametrize(
    ("minutes", "words", "working"),
    [
        (0.4, "0 min", "0 min"),
        (30.5, "30 min", "30 min"),
        (59.6, "1 h", "1 h"),
        (130, "2 h 10 min", "2 h 10 min"),
        (539, "8 h 59 min", "8 h 59 min"),
        (540, "9 h", "1 day"),
        (828, "13 h 48 min", "1 day 5 h"),
        (1_070, "17 h 50 min", "2 days"),
        (4_560, "3 days 4 h", "8 days 4 h"),
    ],
)
def test_length_of_time_is_in_its_two_largest_units(minutes: float, words: str, working: str) -> None:
    assert (duration(minutes), duration(minutes, day=540)) == (words, working)
    assert duration(4_560, day=0) == "76 h"
