import asyncio
from datetime import timedelta

import pytest

from broker.background import MAX_PROBLEM, Refresh, SourceStatus
from broker.rates.product import RatesError
from broker.staff.source_health import LastRead
from tests.unit.enquiries.enquiring import BEGINNING, Calendar

LATER = BEGINNING + timedelta(minutes=1)


def test_source_fails_until_it_is_read_again() -> None:
    calendar = Calendar()
    source_status = SourceStatus(calendar)
    seen = [(source_status.last, source_status.last.is_failing)]
    for problem in ("answered 502", "", "answered 503"):
        source_status.record(problem)
        seen.append((source_status.last, source_status.last.is_failing))
        calendar.forward(minutes=1)
    last = LATER + timedelta(minutes=1)
    assert seen == [
        (LastRead(), False),
        (LastRead(failed_at=BEGINNING, problem="answered 502"), True),
        (LastRead(read_at=LATER, failed_at=BEGINNING, problem="answered 502"), False),
        (LastRead(read_at=LATER, failed_at=last, problem="answered 503"), True),
    ]


def test_last_outcome_counts_though_the_clock_goes_back() -> None:
    calendar = Calendar()
    source_status, failing = SourceStatus(calendar), []
    for problem in ("answered 502", "", "answered 503"):
        source_status.record(problem)
        failing.append(source_status.last.is_failing)
        calendar.forward(hours=-1)
    assert failing == [True, False, True]


def test_problem_is_kept_in_so_many_characters() -> None:
    source_status = SourceStatus(Calendar())
    source_status.failed("x" * 10_000)
    assert len(source_status.last.problem) == MAX_PROBLEM


async def test_source_is_read_once_for_all_who_ask_meanwhile() -> None:
    asked: list[int] = []

    async def read() -> int:
        asked.append(1)
        await asyncio.sleep(0)
        if len(asked) == 1:
            raise RatesError("answered 502")
        return len(asked)

    refresh = Refresh(read, clock=Calendar())
    outcomes = await asyncio.gather(refresh.now(), refresh.now(), return_exceptions=True)
    assert refresh.source_status.last.problem == "answered 502"
    await refresh.now()
    outcomes, last = ([type(outcome).__name__ for outcome in outcomes], refresh.source_status.last)
    assert (outcomes, len(asked)) == (["RatesError", "RatesError"], 2)
    assert (last.read_at, last.failed_at) == (BEGINNING, BEGINNING)
    assert not last.is_failing
    assert (last.left_out, last.left_out_at) == (2, BEGINNING)


async def test_mistake_of_ours_is_no_failure_of_the_source() -> None:
    async def read() -> int:
        raise LookupError

    refresh = Refresh(read, clock=Calendar())
    with pytest.raises(LookupError):
        await refresh.read()
    assert refresh.source_status.last == LastRead()
