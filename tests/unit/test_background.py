import asyncio
import logging
from datetime import timedelta

import pytest

from broker.background import in_background, refresh_periodically
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
