import random
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.appointments.appointment import LENGTHS, Medium, Slot, parse_slot
from broker.appointments.slots import (
    BUFFER,
    MAX_DAYS_AHEAD,
    NOTICE,
    Absence,
    AdviserHours,
    TimeRange,
    absence_problem,
    cells,
    free_slots,
    hours_problem,
    next_reminder,
)
from broker.clock import UK
from broker.enquiries.working_time import bank_holidays

MONDAY = datetime(2026, 11, 30, 8, tzinfo=UTC)
SPRING, AUTUMN = date(2027, 3, 28), date(2027, 10, 31)


def week(*ranges: tuple[int, int], days: Iterable[int] = range(7)) -> AdviserHours:
    """Return the same hours on each of these days, from and to whole hours."""
    hours = tuple(TimeRange(opens=time(opens), closes=time(closes)) for opens, closes in ranges)
    return AdviserHours(ranges=dict.fromkeys(days, hours))


def found(
    hours: AdviserHours,
    *absences: Absence,
    taken: Iterable[int] = (),
    now: datetime = MONDAY,
    minutes: int = 20,
    first: datetime | None = None,
) -> list[datetime]:
    return list(free_slots(hours, absences, frozenset(taken), now=now, minutes=minutes, first=first))


def on(starts: list[datetime], day: date) -> list[str]:
    local = [each.astimezone(UK) for each in starts]
    return [f"{each:%H:%M}" for each in local if each.date() == day]


def test_starts_are_every_twenty_minutes_of_the_hours_after_the_notice() -> None:
    starts = found(week((9, 11), (14, 15)))
    assert on(starts, MONDAY.date()) == ["10:00", "10:20", "10:40", "14:00", "14:20", "14:40"]
    assert on(starts, date(2026, 12, 1))[:3] == ["09:00", "09:20", "09:40"]
    assert on(found(week((9, 11)), minutes=40), date(2026, 12, 1)) == [*("09:00", "09:20", "09:40", "10:00", "10:20")]


def test_slots_end_after_four_weeks_and_leave_out_bank_holidays() -> None:
    starts = found(week((9, 17)))
    assert max(starts) <= MONDAY + timedelta(days=MAX_DAYS_AHEAD)
    assert on(starts, date(2026, 12, 24)) and not on(starts, date(2026, 12, 25)) and not on(starts, date(2026, 12, 28))


def test_appointment_takes_its_buffer_and_the_time_in_which_it_would_be_run_into() -> None:
    day = date(2026, 12, 1)
    taken = cells(datetime(2026, 12, 1, 10, tzinfo=UTC), 20)
    assert on(found(week((9, 12)), taken=taken), day) == ["09:00", "09:20", "10:40", "11:00", "11:20", "11:40"]
    assert on(found(week((9, 12)), taken=taken, minutes=40), day) == ["09:00", "10:40", "11:00", "11:20"]


def test_absence_takes_only_what_it_overlaps() -> None:
    away = Absence(start=datetime(2026, 12, 1, 9, 30, tzinfo=UTC), end=datetime(2026, 12, 1, 10, 20, tzinfo=UTC))
    assert on(found(week((9, 11)), away), date(2026, 12, 1)) == ["09:00", "10:20", "10:40"]


@pytest.mark.parametrize(
    ("day", "night"),
    [
        (SPRING, ["00:00", "00:20", "00:40", "02:00", "02:20", "02:40"]),
        (AUTUMN, ["00:00", "00:20", "00:40", "01:00", "01:20", "01:40", "02:00", "02:20", "02:40"]),
    ],
)
def test_days_of_clock_change_have_each_slot_once_and_none_that_does_not_exist(day: date, night: list[str]) -> None:
    now = datetime.combine(day, time(12), tzinfo=UTC) - timedelta(days=3)
    starts = found(week((0, 3), (9, 10)), now=now)
    assert on(starts, day) == [*night, "09:00", "09:20", "09:40"]
    assert len(set(starts)) == len(starts)


def test_hours_stay_at_their_wall_time_when_the_clocks_change() -> None:
    starts = found(week((9, 10)), now=datetime(2027, 3, 26, 12, tzinfo=UTC))
    by_day = {each.astimezone(UK).date(): each for each in reversed(starts)}
    assert [by_day[date(2027, 3, 27)].hour, by_day[date(2027, 3, 28)].hour] == [9, 8]


def test_leap_day_has_slots() -> None:
    starts = found(week((9, 10)), now=datetime(2028, 2, 28, 12, tzinfo=UTC))
    assert on(starts, date(2028, 2, 29)) == ["09:00", "09:20", "09:40"]


HALF_HOURS = st.lists(st.integers(0, 47), min_size=2, max_size=6, unique=True).filter(lambda found: len(found) % 2 == 0)
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2029, 12, 31)).map(lambda each: each.replace(tzinfo=UTC))
AROUND_CHANGES = st.one_of(
    MOMENTS,
    st.sampled_from([SPRING, AUTUMN, date(2028, 2, 29)]).flatmap(
        lambda day: st.integers(0, 40 * 24 * 60).map(
            lambda back: datetime.combine(day, time(12), tzinfo=UTC) - timedelta(minutes=back)
        )
    ),
)


@st.composite
def diaries(draw: st.DrawFn) -> tuple[AdviserHours, datetime, int, list[Absence]]:
    ranges: dict[int, tuple[TimeRange, ...]] = {}
    for day in draw(st.sets(st.integers(0, 6), min_size=1, max_size=3)):
        ends = sorted(draw(HALF_HOURS))
        times = [time(each // 2, each % 2 * 30) for each in ends]
        ranges[day] = tuple(
            TimeRange(opens=opens, closes=closes) for opens, closes in zip(times[::2], times[1::2], strict=True)
        )
    now = draw(AROUND_CHANGES)
    away = [
        Absence(start=now + timedelta(hours=begin), end=now + timedelta(hours=begin + length))
        for begin, length in draw(st.lists(st.tuples(st.integers(0, 600), st.integers(1, 100)), max_size=2))
    ]
    return AdviserHours(ranges=ranges), now, draw(st.sampled_from(LENGTHS)), away


@given(diaries())
def test_every_slot_is_within_hours_notice_and_horizon_and_wall_times_are_unique(
    diary: tuple[AdviserHours, datetime, int, list[Absence]],
) -> None:
    hours, now, minutes, away = diary
    assert not hours_problem(hours)
    starts = found(hours, *away, now=now, minutes=minutes)
    assert starts == sorted(set(starts))
    walls = [each.astimezone(UK).replace(tzinfo=None) for each in starts]
    assert len(set(walls)) == len(walls)
    for start, wall in zip(starts, walls, strict=True):
        end = (start + timedelta(minutes=minutes)).astimezone(UK).replace(tzinfo=None)
        within = [
            each for each in hours.ranges[wall.weekday()] if each.opens <= wall.time() and end.time() <= each.closes
        ]
        assert within
        assert (wall - datetime.combine(wall.date(), within[0].opens)) % timedelta(minutes=20) == timedelta(0)
        assert now + NOTICE <= start <= now + timedelta(days=MAX_DAYS_AHEAD)
        assert wall.date() not in bank_holidays(wall.year)
        assert not any(each.start < start + timedelta(minutes=minutes) and start < each.end for each in away)


@given(diaries(), st.randoms(use_true_random=False))
def test_booking_free_slots_one_after_another_never_overlaps(
    diary: tuple[AdviserHours, datetime, int, list[Absence]], chance: random.Random
) -> None:
    hours, now, minutes, away = diary
    taken: set[int] = set()
    booked: list[datetime] = []
    while len(booked) < 8 and (free := found(hours, *away, taken=taken, now=now, minutes=minutes)):
        booked.append(chance.choice(free))
        added = set(cells(booked[-1], minutes))
        assert not taken & added
        taken |= added
    booked.sort()
    apart = timedelta(minutes=minutes) + BUFFER
    assert all(after - before >= apart for before, after in pairwise(booked))


@given(diaries(), st.integers(0, 30 * 24))
def test_list_from_a_moment_is_the_end_of_the_whole_list(
    diary: tuple[AdviserHours, datetime, int, list[Absence]], hours_later: int
) -> None:
    hours, now, minutes, away = diary
    first = now + timedelta(hours=hours_later)
    whole = found(hours, *away, now=now, minutes=minutes)
    assert found(hours, *away, now=now, minutes=minutes, first=first) == [each for each in whole if each >= first]


@given(
    MOMENTS.map(lambda each: each.replace(second=0, microsecond=0)), st.sampled_from(LENGTHS), st.sampled_from(Medium)
)
def test_slot_is_read_back_from_its_form_value(start: datetime, minutes: int, medium: Medium) -> None:
    slot = Slot(start=start, minutes=minutes, medium=medium)
    assert parse_slot(slot.value) == slot


@pytest.mark.parametrize(
    "text",
    [
        *("", "20261127T1040Z-30-telephone", "20261127T1040Z-20-letter", "20261341T1040Z-20-telephone"),
        *("20261127T1040-20-telephone", " 20261127T1040Z-20-telephone", "٢0261127T1040Z-20-telephone", 7, None),
    ],
)
def test_anything_but_a_slot_is_none(text: object) -> None:
    assert parse_slot(text) is None


@pytest.mark.parametrize(
    ("ranges", "words"),
    [
        (((9, 12), (13, 17)), ""),
        (((9, 12), (12, 17)), "do not overlap"),
        (((12, 9),), "end after they begin"),
        (((1, 2), (3, 4), (5, 6), (7, 8)), "at most 3 ranges"),
    ],
)
def test_hours_that_cannot_be_stored_say_why(ranges: tuple[tuple[int, int], ...], words: str) -> None:
    assert words in hours_problem(week(*ranges))
    assert bool(words) == bool(hours_problem(week(*ranges)))


def test_hours_are_in_steps_of_five_minutes() -> None:
    odd = AdviserHours(ranges={0: (TimeRange(opens=time(9, 3), closes=time(12)),)})
    assert "five minutes" in hours_problem(odd)


def test_absence_ends_after_it_begins_and_within_a_year() -> None:
    assert not absence_problem(Absence(start=MONDAY, end=MONDAY + timedelta(days=14)))
    assert absence_problem(Absence(start=MONDAY, end=MONDAY))
    assert absence_problem(Absence(start=MONDAY, end=MONDAY + timedelta(days=400)))


def test_reminders_are_a_day_and_two_hours_before_and_none_later() -> None:
    start = MONDAY + timedelta(days=3)
    day_before, hours_before = start - timedelta(hours=24), start - timedelta(hours=2)
    assert next_reminder(start, after=MONDAY) == day_before
    assert next_reminder(start, after=day_before) == hours_before
    assert next_reminder(start, after=hours_before) is None
