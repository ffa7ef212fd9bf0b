"""The rates service over the stand-in while that is down, slow, silent or talks rubbish, and when it is back."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from broker.rates.archive import RatesArchive
from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.products import FeedRateSource
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import PAUSE, RatesService
from tests.standin import running
from tests.standin.server import Standin
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.services.sources import Clock

KNOWN, NEW = RatesQuery(price=300_000), RatesQuery(price=400_000)
FRESH = timedelta(minutes=10)

TIMEOUTS = {"silent": {"read_timeout": 2.0}, "slow": {"total_timeout": 3.0}}
"""Seconds of the timeout that ends a failure which ends by nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What a visitor has on screen: `fresh`, `stale`, or `sentence` for an error."""

    shown: str
    answer: RatesAnswer | None = None


async def visit(service: RatesService, query: RatesQuery = KNOWN) -> Visit:
    try:
        answer = await service.search(query)
    except RatesError:
        return Visit(shown="sentence")
    return Visit(shown="stale" if answer.stale else "fresh", answer=answer)


def process(
    url: str,
    folder: Path,
    *,
    clock: Clock,
    work: Callable[[RatesService], Awaitable[None]],
    read_timeout: float = ANSWER_TIMEOUT,
    total_timeout: float = ANSWER_TIMEOUT,
) -> None:
    """Do some work with the service of a process that begins and ends with it."""

    async def run() -> None:
        client = FeedClient(
            FeedSettings(api_url=url, read_timeout=read_timeout, total_timeout=total_timeout, backoff_seconds=0.01)
        )
        archive = RatesArchive(folder, source=url)
        service = RatesService(FeedRateSource(client=client), fresh_for=FRESH, archive=archive, clock=clock)
        await work(service)
        await service.wait_until_saved()
        await client.aclose()

    asyncio.run(run())


@pytest.mark.parametrize(
    "failure",
    (
        *("no-body-key", "status-500", "html-502", "html-200", "php-warning-500", "redirect", "huge"),
        *("silent", "slow", "short", "reset"),
    ),
)
def test_visitor_sees_the_last_list_or_a_sentence_until_recovery(failure: str, tmp_path: Path) -> None:
    clock = Clock()
    with running() as standin:

        async def work(service: RatesService) -> None:
            first = await visit(service)
            standin.switch(failure)
            clock.now = FRESH.total_seconds()
            away = [await visit(service), await visit(service), await visit(service, NEW), await visit(service, NEW)]
            standin.switch()
            clock.now += PAUSE
            back = [await visit(service), await visit(service, NEW)]
            assert [one.shown for one in (first, *away, *back)] == [
                *("fresh", "stale", "stale", "sentence", "sentence"),
                *("fresh", "fresh"),
            ]
            kept = [one.answer for one in (first, *away[:2])]
            assert len({one.products for one in kept if one}) == 1

        process(standin.url, tmp_path, clock=clock, work=work, **TIMEOUTS.get(failure, {}))


def test_silence_costs_one_deadline_and_then_nobody_waits(tmp_path: Path) -> None:
    clock = Clock()
    with running() as standin:

        async def work(service: RatesService) -> None:
            standin.switch("silent")
            together = await asyncio.gather(*(visit(service, RatesQuery(price=300_000 + one)) for one in range(20)))
            assert {one.shown for one in together} == {"sentence"}
            for price in range(100):
                clock.now += PAUSE / 101
                await visit(service, RatesQuery(price=500_000 + price))
            assert standin.asked()["get_rates"] == 20

        process(standin.url, tmp_path, clock=clock, work=work, **TIMEOUTS["silent"])


def test_restart_while_the_feed_is_down_shows_the_last_list_with_its_time(tmp_path: Path) -> None:
    seen: list[Visit] = []

    async def look(service: RatesService) -> None:
        seen.append(await visit(service))

    with running() as standin:
        url, port = standin.url, standin.port
        process(url, tmp_path, clock=Clock(), work=look)
    process(url, tmp_path, clock=Clock(), work=look)
    process(url.replace("/api", "/other-api"), tmp_path, clock=Clock(), work=look)
    with running(port):
        process(url, tmp_path, clock=Clock(), work=look)
    assert [one.shown for one in seen] == ["fresh", "stale", "sentence", "fresh"]
    first, restarted = seen[0].answer, seen[1].answer
    assert first is not None and restarted is not None
    assert (restarted.read_at, restarted.products) == (first.read_at, first.products)
    assert (restarted.sample, restarted.winners) == (False, first.winners)


def test_feed_that_comes_back_on_its_port_is_found_without_a_restart(tmp_path: Path) -> None:
    clock, first = Clock(), Standin()
    first.start()

    async def work(service: RatesService) -> None:
        shown = [(await visit(service)).shown]
        await asyncio.to_thread(first.stop)
        clock.now = FRESH.total_seconds()
        shown += [(await visit(service)).shown, (await visit(service, NEW)).shown]
        with running(first.port):
            clock.now += PAUSE
            shown += [(await visit(service)).shown, (await visit(service, NEW)).shown]
        assert shown == ["fresh", "stale", "sentence", "fresh", "fresh"]

    process(first.url, tmp_path, clock=clock, work=work)


def test_fault_is_passed_on_in_its_own_words_and_the_next_search_asks(tmp_path: Path) -> None:
    clock = Clock()
    with running() as standin:

        async def work(service: RatesService) -> None:
            await visit(service)
            standin.switch("fault")
            clock.now = FRESH.total_seconds()
            with pytest.raises(RatesError) as raised:
                await service.search(KNOWN)
            assert raised.value.words
            standin.switch()
            assert (await visit(service)).shown == "fresh"

        process(standin.url, tmp_path, clock=clock, work=work)
