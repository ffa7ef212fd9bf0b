"""The rates service over the stand-in while that is down, slow, silent or talks rubbish, and when it is back."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.products import FeedRateSource
from broker.rates.product import RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import PAUSE, RatesService
from tests.standin import running
from tests.standin.server import Standin
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.rates.sources import Clock

KNOWN, NEW = RatesQuery(price=300_000), RatesQuery(price=400_000)
FRESH = timedelta(minutes=10)

FAILURES = {"status-500": {}, "html-200": {}, "reset": {}, "silent": {"read_timeout": 2.0}}
"""Failures of each kind, with the timeout in seconds that ends one; `test_standin` has all of them."""


async def visit(service: RatesService, query: RatesQuery) -> str:
    """Return what a visitor has on screen: `fresh`, `stale`, or `sentence` for an error."""
    try:
        answer = await service.search(query)
    except RatesError:
        return "sentence"
    return "stale" if answer.stale else "fresh"


def with_service(
    url: str, work: Callable[[RatesService, Clock], Awaitable[None]], *, read_timeout: float = ANSWER_TIMEOUT
) -> None:
    async def run() -> None:
        settings = FeedSettings(
            api_url=url, read_timeout=read_timeout, total_timeout=ANSWER_TIMEOUT, backoff_seconds=0.01
        )
        client, clock = FeedClient(settings), Clock()
        await work(RatesService(FeedRateSource(client=client), fresh_for=FRESH, clock=clock), clock)
        await client.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("failure", FAILURES)
def test_visitor_sees_the_last_list_or_a_sentence_until_recovery(failure: str) -> None:
    with running() as standin:

        async def work(service: RatesService, clock: Clock) -> None:
            assert await visit(service, KNOWN) == "fresh"
            standin.switch(failure)
            clock.now = FRESH.total_seconds()
            away = [await visit(service, query) for query in (KNOWN, KNOWN, NEW, NEW)]
            standin.switch()
            clock.now += PAUSE
            back = [await visit(service, query) for query in (KNOWN, NEW)]
            assert (away, back) == (["stale", "stale", "sentence", "sentence"], ["fresh", "fresh"])

        with_service(standin.url, work, **FAILURES[failure])


def test_feed_that_comes_back_on_its_port_is_found_without_a_restart() -> None:
    first = Standin()
    first.start()

    async def work(service: RatesService, clock: Clock) -> None:
        assert await visit(service, KNOWN) == "fresh"
        await asyncio.to_thread(first.stop)
        clock.now = FRESH.total_seconds()
        away = [await visit(service, query) for query in (KNOWN, NEW)]
        with running(first.port):
            clock.now += PAUSE
            back = [await visit(service, query) for query in (KNOWN, NEW)]
        assert (away, back) == (["stale", "sentence"], ["fresh", "fresh"])

    with_service(first.url, work)
