"""Work beside the requests: when it is done again, and how it ends."""

import asyncio
import logging
from datetime import timedelta

import pytest

from broker.domain.rates.product import RatesError
from broker.services.background_tasks import in_background, refresh_periodically

PERIOD = timedelta(minutes=1)


class EnoughError(Exception):
    """Ends what would go on for ever."""


def waits(outcomes: list[bool], *, every: timedelta = PERIOD) -> list[float]:
    """Return the seconds waited after each refresh; False is one that fails."""
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


def test_refresh_comes_again_every_period() -> None:
    assert waits([True, True, True]) == [60, 60, 60]


def test_failure_is_tried_again_soon_and_ever_less_often_up_to_the_period() -> None:
    assert waits([False] * 6) == [5, 10, 20, 40, 60, 60]
    assert waits([False, False, True, False]) == [5, 10, 60, 5]
    assert waits([False, False], every=timedelta(seconds=2)) == [2, 2]


def test_failure_is_one_line_with_its_cause(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        waits([False])
    assert [record.getMessage() for record in caplog.records] == [
        "lenders not refreshed, tried again in 5 s: get_lenders: answered 502"
    ]


def test_jobs_run_beside_the_block_and_end_with_it() -> None:
    seen: list[str] = []

    async def job() -> None:
        seen.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("ended")

    async def block() -> None:
        async with in_background(job()):
            await asyncio.sleep(0)
            seen.append("block")

    asyncio.run(block())
    assert seen == ["begun", "block", "ended"]


def test_job_that_ends_by_a_mistake_says_so_and_takes_nothing_with_it(caplog: pytest.LogCaptureFixture) -> None:
    async def job() -> None:
        raise TypeError("a mistake")

    async def block() -> str:
        async with in_background(job()):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return "done"

    with caplog.at_level(logging.ERROR):
        assert asyncio.run(block()) == "done"
    assert [record.getMessage() for record in caplog.records] == ["a background job has ended"]
