from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.lending.days import day_number
from broker.watches.checks import (
    MAX_MAILS,
    WINDOW,
    Decision,
    Prices,
    Record,
    changed,
    decide,
    with_told,
    without_findings,
)
from broker.watches.watch import PRICE_TELLS, DealKind, Tell, Watch
from tests.unit.watches.watching import watch

DAY, MINUTES = timedelta(days=1), timedelta(minutes=10)
SINCE = date(2026, 3, 31)
OPENS = 20_260_825
GOOD = {"saving": 500.0, "lowest": 3.75}
"""Prices at which every tell of a watch holds."""


def at(day: str, hour: int = 9) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(hour), tzinfo=UTC)


def prices(now: datetime, **figures: Any) -> Prices:
    return Prices(read_at=now, **{**GOOD, **figures})


def dates(record: Record, now: datetime, kept: Watch | None = None, *, opens: int = OPENS) -> tuple[Tell, ...]:
    return decide(kept or watch(), record, opens=opens, now=now).tells


def lived(
    kept: Watch, moments: Iterable[datetime], *, record: Record | None = None, figures: dict[str, Any] | None = None
) -> list[tuple[datetime, tuple[Tell, ...]]]:
    """Return what an owner is told at some moments, each told at once."""
    told, record = list[tuple[datetime, tuple[Tell, ...]]](), record or Record(since=SINCE)
    for now in moments:
        decision = decide(kept, record, opens=OPENS, now=now, prices=prices(now, **figures) if figures else None)
        record = decision.record
        if decision.tells:
            told.append((now, decision.tells))
            record = with_told(record, decision.tells, now)
    return told


def hours(first: str, days: int) -> list[datetime]:
    return [at(first, 0) + timedelta(hours=hour) for hour in range(24 * days)]


def test_dates_are_told_on_their_day_each_once() -> None:
    found = lived(watch(), hours("2026-03-31", 300))
    assert [(now.date().isoformat(), tells) for now, tells in found] == [
        ("2026-08-25", (Tell.WINDOW,)),
        ("2026-09-25", (Tell.THREE_MONTHS,)),
        ("2026-11-25", (Tell.ONE_MONTH,)),
    ]


def test_only_what_was_asked_for_is_told() -> None:
    kept = watch(tells=frozenset({Tell.ONE_MONTH, Tell.RATE}))
    found = lived(kept, hours("2026-03-31", 300), figures=GOOD)
    assert [tells for _, tells in found] == [(Tell.RATE,), (Tell.ONE_MONTH,)]


def test_dates_that_had_passed_when_the_watch_began_are_no_news() -> None:
    record = Record(since=date(2026, 9, 26))
    assert dates(record, at("2026-09-27")) == ()
    assert dates(record, at("2026-11-25")) == (Tell.ONE_MONTH,)
    assert dates(Record(since=date(2026, 9, 25)), at("2026-09-25")) == (Tell.THREE_MONTHS,)


def test_three_months_is_not_told_a_month_before_the_end_and_nothing_after_it() -> None:
    record = Record(since=SINCE)
    assert dates(record, at("2026-12-01")) == (Tell.WINDOW, Tell.ONE_MONTH)
    assert [dates(record, at(day)) for day in ("2026-12-25", "2026-12-26", "2027-12-25")] == [(), (), ()]


@pytest.mark.parametrize(
    ("end", "three", "one"),
    [
        ("2028-02-29", "2027-11-29", "2028-01-29"),
        ("2028-05-31", "2028-02-28", "2028-04-30"),
        ("2027-03-31", "2026-12-31", "2027-02-28"),
    ],
)
def test_months_before_a_leap_day_and_the_end_of_a_month(end: str, three: str, one: str) -> None:
    kept, record = watch(deal_end=date.fromisoformat(end)), Record(since=SINCE, told={Tell.WINDOW: at("2026-04-01")})
    for day, tells in ((three, (Tell.THREE_MONTHS,)), (one, (Tell.ONE_MONTH,))):
        first = at(day, 0)
        assert (dates(record, first - timedelta(minutes=1), kept), dates(record, first, kept))[1] == tells
    assert dates(record, at(three, 0) - timedelta(minutes=1), kept) == ()


@pytest.mark.parametrize("day", ["2026-10-25", "2027-03-28"])
def test_day_of_a_clock_change_is_told_once(day: str) -> None:
    opens = day_number(date.fromisoformat(day))
    kept = watch(deal_end=date(2027, 8, 31), tells=frozenset({Tell.WINDOW}))
    found, record = list[datetime](), Record(since=SINCE)
    for minute in range(0, 3 * 24 * 60, 10):
        now = at(day, 0) - DAY + timedelta(minutes=minute)
        if tells := decide(kept, record, opens=opens, now=now).tells:
            found.append(now)
            record = with_told(record, tells, now)
    assert found == [at(day, 0)]


@pytest.mark.parametrize("tell", PRICE_TELLS)
def test_price_is_told_at_the_second_reading_that_finds_it(tell: Tell) -> None:
    kept, start = watch(tells=frozenset({tell})), at("2026-04-02")
    found = lived(kept, [start + MINUTES * place for place in range(5)], figures=GOOD)
    assert found == [(start + MINUTES, (tell,))]


@pytest.mark.parametrize(
    ("tell", "figures"),
    [
        *((Tell.SAVING, {"saving": 499.99}), (Tell.SAVING, {"saving": None}), (Tell.SAVING, {"saving": -3.0})),
        *((Tell.RATE, {"lowest": 3.76}), (Tell.RATE, {"lowest": None}), (Tell.FELL, {"lowest": 4.19})),
    ],
)
def test_price_just_short_of_what_was_asked_for_is_not_told(tell: Tell, figures: dict[str, Any]) -> None:
    kept, start = watch(tells=frozenset({tell})), at("2026-04-02")
    assert lived(kept, [start + MINUTES * place for place in range(5)], figures=GOOD | figures) == []


def test_rate_that_is_gone_at_the_next_reading_is_never_told() -> None:
    kept, record, now = watch(), Record(since=SINCE), at("2026-04-02")
    for place in range(20):
        now += MINUTES
        wrong = {"lowest": 0.4, "saving": 90_000.0} if place % 2 else {"lowest": 4.4, "saving": -100.0}
        decision = decide(kept, record, opens=OPENS, now=now, prices=prices(now, **wrong))
        assert decision.tells == ()
        record = decision.record


def test_same_reading_twice_is_one_finding_and_no_reading_changes_none() -> None:
    kept, first = watch(), at("2026-04-02")
    seen = decide(kept, Record(since=SINCE), opens=OPENS, now=first, prices=prices(first)).record
    assert set(seen.found) == set(PRICE_TELLS)
    again = decide(kept, seen, opens=OPENS, now=first + DAY, prices=prices(first + timedelta(seconds=30)))
    assert again == Decision(tells=(), record=seen)
    assert decide(kept, seen, opens=OPENS, now=first + DAY) == Decision(tells=(), record=seen)
    assert decide(kept, seen, opens=OPENS, now=first + DAY, prices=prices(first + DAY)).tells == PRICE_TELLS


def test_no_price_is_told_once_the_deal_has_ended() -> None:
    kept, end = watch(), at("2026-12-25")
    found = lived(kept, [end + DAY * place for place in range(1, 9)], figures=GOOD)
    assert found == []


def test_two_mails_in_a_month_and_the_third_waits() -> None:
    kept, now = watch(), at("2026-08-24")
    mailed = (now - 3 * DAY, now - DAY)
    record = Record(since=SINCE, mailed=mailed)
    told = lived(kept, [now + DAY * place for place in range(60)], record=record)
    assert [(moment.date().isoformat(), tells) for moment, tells in told] == [
        ("2026-09-21", (Tell.WINDOW,)),
        ("2026-09-25", (Tell.THREE_MONTHS,)),
    ]
    assert told[0][0] - mailed[0] >= WINDOW


forward = st.timedeltas(timedelta(minutes=1), timedelta(days=20))
jumps = st.sampled_from([-DAY, 365 * DAY, -365 * DAY, timedelta(hours=-1), timedelta(hours=1)])


def walked(steps: list[tuple[timedelta, bool]]) -> list[tuple[datetime, tuple[Tell, ...]]]:
    """Return what an owner is told after each step of the clock, with good prices or none."""
    kept, record, now = watch(deal_end=date(2028, 2, 29)), Record(since=SINCE), at("2026-04-01")
    told = list[tuple[datetime, tuple[Tell, ...]]]()
    for step, is_good in steps:
        now += step
        figures = prices(now) if is_good else prices(now, saving=None, lowest=None)
        decision = decide(kept, record, opens=20_271_029, now=now, prices=figures)
        record = decision.record
        if decision.tells:
            told.append((now, decision.tells))
            record = with_told(record, decision.tells, now)
    return told


@given(st.lists(st.tuples(st.one_of(forward, jumps), st.booleans()), max_size=60))
def test_whatever_the_clock_does_nothing_is_told_twice(steps: list[tuple[timedelta, bool]]) -> None:
    told = [tell for _, tells in walked(steps) for tell in tells]
    assert len(told) == len(set(told))


@given(st.lists(st.tuples(forward, st.booleans()), max_size=80))
def test_no_month_has_three_mails(steps: list[tuple[timedelta, bool]]) -> None:
    moments = [now for now, _ in walked(steps)]
    assert all(third - first >= WINDOW for first, third in zip(moments, moments[2:], strict=False))


@pytest.mark.parametrize("step", [-DAY, 365 * DAY])
def test_clock_set_back_a_day_or_on_a_year_tells_nothing_again(step: timedelta) -> None:
    kept, start = watch(), at("2026-11-01")
    usual = [start + DAY * place for place in range(40)]
    wrong = [moment + step for moment in usual[25:28]]
    found = lived(kept, [*usual[:25], *wrong, *usual[25:]], figures=GOOD)
    kinds = [tell for _, tells in found for tell in tells]
    assert sorted(kinds) == sorted({*PRICE_TELLS, Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH})


def test_mails_of_a_clock_that_was_ahead_hold_later_ones_back_for_a_month_from_now() -> None:
    ahead = at("2027-10-01")
    record = Record(since=SINCE, told={Tell.RATE: ahead}, mailed=(ahead, ahead))
    now = at("2026-08-25")
    first = decide(watch(), record, opens=OPENS, now=now)
    assert (first.tells, first.record.mailed, first.record.told) == ((), (now, now), {Tell.RATE: now})
    assert decide(watch(), first.record, opens=OPENS, now=now + WINDOW - DAY).tells == ()
    assert decide(watch(), first.record, opens=OPENS, now=now + WINDOW).tells[0] is Tell.WINDOW


def test_record_keeps_as_many_times_as_it_needs() -> None:
    record, now = Record(since=SINCE), at("2026-04-02")
    for place in range(5):
        record = with_told(record, (Tell.RATE,), now + place * DAY)
    assert len(record.mailed) == MAX_MAILS
    assert without_findings(Record(since=SINCE, found={Tell.RATE: now, Tell.SAVING: now}), (Tell.RATE,)).found == {
        Tell.SAVING: now
    }


def test_owner_who_changes_a_figure_may_be_told_of_the_new_one() -> None:
    now, everything = at("2026-10-02"), dict.fromkeys(Tell, at("2026-10-01"))
    record = Record(since=SINCE, told=everything, found={Tell.RATE: now}, mailed=(now,))

    def told_after(**changes: Any) -> set[Tell]:
        found = changed(record, watch(), watch(**changes), today=now.date())
        assert (found.found, found.mailed) == ({}, (now,))
        return set(found.told)

    assert told_after() == set(Tell)
    assert told_after(balance=1_000) == set(Tell)
    assert told_after(saving_over=900) == set(Tell) - {Tell.SAVING}
    assert told_after(rate_below=3) == set(Tell) - {Tell.RATE}
    assert told_after(kind=DealKind.FIVE_YEARS) == set(Tell) - {Tell.RATE, Tell.FELL}
    assert told_after(applied_rate=4) == set(Tell) - {Tell.FELL}
    assert told_after(deal_end=date(2027, 12, 25)) == {Tell.RATE, Tell.FELL}
    later = changed(record, watch(), watch(deal_end=date(2027, 12, 25)), today=now.date())
    assert later.since == now.date()
