import asyncio
import logging
from datetime import timedelta

import pytest

from broker.background import NextFlight, SingleFlight, in_background, refresh_periodically
from broker.rates.product import RatesError

PERIOD = timedelta(minutes=1)


class EnoughError(Exception):
    """Ends what would go on for ever."""


def waits(outcomes: list[bool], *, every: timedelta = PERIOD) -> list[float]:
    waited: list[float] = []
    ahead = iter(outcomes)

    async def refresh() -> None:
        if not next(ahead):
            raise RatesError("get_lenders: answered 502")

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == len(outcomes):
            raise EnoughError

    with pytest.raises(EnoughError):
        asyncio.run(refresh_periodically("lenders", refresh, every=every, sleep=sleep))
    return waited


def test_refresh_repeats_after_the_period_and_sooner_after_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    assert waits([True, True, True]) == [60, 60, 60]
    assert waits([False] * 6) == [5, 10, 20, 40, 60, 60]
    assert waits([False, False, True, False]) == [5, 10, 60, 5]
    assert waits([False, False], every=timedelta(seconds=2)) == [2, 2]
    caplog.clear()
    waits([False])
    assert caplog.messages == ["lenders not refreshed, tried again in 5 s: get_lenders: answered 502"]


async def test_jobs_run_beside_the_block_and_end_with_it() -> None:
    seen: list[str] = []

    async def job() -> None:
        seen.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("ended")

    async with in_background(job()):
        await asyncio.sleep(0)
        seen.append("block")
    assert seen == ["begun", "block", "ended"]


async def test_job_that_raises_is_logged_and_the_block_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    async def job() -> None:
        raise TypeError("a mistake")

    with caplog.at_level(logging.ERROR):
        async with in_background(job()):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
    assert caplog.messages == ["a background job has ended"]


async def test_concurrent_callers_share_one_call_and_the_next_calls_again() -> None:
    asked: list[str] = []

    flights: SingleFlight[str, int] = SingleFlight()
    gate = asyncio.Event()

    async def ask() -> int:
        asked.append("asked")
        await gate.wait()
        return len(asked)

    waiting = [flights.joined("a", ask) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()
    assert [*(await asyncio.gather(*waiting)), await flights.joined("a", ask)] == [1, 1, 1, 2]


async def test_different_keys_run_concurrently() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    met = asyncio.Barrier(2)

    async def ask(name: str) -> str:
        await met.wait()
        return name

    assert await asyncio.gather(*(flights.joined(name, lambda name=name: ask(name)) for name in "ab")) == ["a", "b"]


async def test_cancelled_caller_does_not_cancel_the_others() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    gate = asyncio.Event()

    async def ask() -> int:
        await gate.wait()
        return 7

    leaving, staying = flights.joined("a", ask), flights.joined("a", ask)
    leaving.cancel()
    gate.set()
    assert await staying == 7


async def test_failure_reaches_every_waiting_caller_and_no_later_one() -> None:
    flights: SingleFlight[str, int] = SingleFlight()
    problems = [ValueError("no")]

    async def ask() -> int:
        if problems:
            raise problems.pop()
        return 1

    found = await asyncio.gather(*(flights.joined("a", ask) for _ in range(2)), return_exceptions=True)
    assert ([str(each) for each in found], await flights.joined("a", ask)) == (["no", "no"], 1)


async def test_failure_without_a_caller_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    flights: SingleFlight[str, int] = SingleFlight()

    async def ask() -> int:
        raise ValueError("no")

    flights.joined("a", ask).cancel()
    await asyncio.sleep(0)
    assert caplog.records == []


async def test_next_flight_begins_after_every_call_that_joins_it() -> None:
    flights: NextFlight[str, int] = NextFlight()
    gate, begun = asyncio.Event(), list[str]()

    async def ask() -> int:
        begun.append("begun")
        number = len(begun)
        await gate.wait()
        return number

    first = flights.joined("a", ask)
    while not begun:
        await asyncio.sleep(0)
    later = [flights.joined("a", ask) for _ in range(3)]
    gate.set()
    assert await asyncio.gather(first, *later) == [1, 2, 2, 2]
    assert begun == ["begun", "begun"]


async def test_next_flight_begins_after_one_that_fails() -> None:
    flights: NextFlight[str, int] = NextFlight()
    problems = [ValueError("no")]

    async def ask() -> int:
        if problems:
            raise problems.pop()
        return 1

    with pytest.raises(ValueError, match="no"):
        await flights.joined("a", ask)
    assert await flights.joined("a", ask) == 1
