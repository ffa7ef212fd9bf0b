import asyncio
from datetime import timedelta

import pytest

from broker.rates import search
from broker.rates.feed.errors import FeedFaultError, FeedParseError, FeedStatusError, FeedUnavailableError
from broker.rates.product import RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import PAUSE, RatesService
from tests.unit.rates.sources import Clock, ListSource, many

FIRST, SECOND = RatesQuery(price=300_000), RatesQuery(price=400_000)
AWAY = FeedUnavailableError("get_rates", "no answer in time (ReadTimeout)")


class Visitors:
    """Visitors of a live service whose clock the test sets."""

    def __init__(self, problem: RatesError = AWAY) -> None:
        self.source, self.clock = ListSource(many(1)), Clock()
        self.source.problem = problem
        self.service = RatesService(self.source, fresh_for=timedelta(seconds=1), clock=self.clock)

    async def see(self, query: RatesQuery, *, at: float, away: bool) -> str:
        """Return what a visitor sees at a moment: `fresh`, `stale` or the error's name."""
        self.clock.now, self.source.away = at, away
        try:
            return "stale" if (await self.service.search(query)).stale else "fresh"
        except RatesError as error:
            return type(error).__name__


async def test_open_circuit_fails_searches_for_two_seconds() -> None:
    visitors = Visitors()
    seen = [await visitors.see(query, at=at, away=True) for at, query in ((0, FIRST), (0.1, FIRST), (1.9, SECOND))]
    assert seen == ["FeedUnavailableError"] * 3
    assert visitors.source.asked == [FIRST]


async def test_first_search_after_the_pause_finds_the_source_back() -> None:
    visitors = Visitors()
    moments = ((0, True), (1.9, False), (2.0, False), (2.1, False))
    seen = [await visitors.see(SECOND, at=at, away=away) for at, away in moments]
    assert seen == ["FeedUnavailableError"] * 2 + ["fresh"] * 2


async def test_one_search_in_two_seconds_tries_the_source() -> None:
    visitors = Visitors()
    for at in range(0, 100, 5):
        await visitors.see(RatesQuery(price=300_000 + at), at=at / 10, away=True)
    assert len(visitors.source.asked) == 5


async def test_kept_answer_is_shown_at_once_while_the_source_is_away() -> None:
    visitors = Visitors()
    moments = ((0, False), (5, True), (5.5, True), (6.9, True))
    assert [await visitors.see(FIRST, at=at, away=away) for at, away in moments] == ["fresh", "stale", "stale", "stale"]
    assert len(visitors.source.asked) == 2


async def test_other_searches_fail_while_one_tries_the_source() -> None:
    visitors = Visitors()
    await visitors.see(SECOND, at=0, away=True)
    visitors.clock.now, visitors.source.away = 3, False
    visitors.source.waits[FIRST.price] = asyncio.Event()
    finder = asyncio.create_task(visitors.service.search(FIRST))
    await asyncio.sleep(0)
    with pytest.raises(FeedUnavailableError):
        await visitors.service.search(SECOND)
    visitors.source.waits[FIRST.price].set()
    assert not (await finder).stale
    assert await visitors.see(SECOND, at=3, away=False) == "fresh"


@pytest.mark.parametrize("problem", [FeedStatusError("get_rates", 502), FeedParseError("get_rates", "an HTML page")])
async def test_bad_answer_counts_against_its_own_search_only(problem: RatesError) -> None:
    visitors = Visitors(problem)
    assert (
        await visitors.see(FIRST, at=0, away=True)
        == await visitors.see(FIRST, at=1, away=True)
        == type(problem).__name__
    )
    assert await visitors.see(SECOND, at=1, away=False) == "fresh"
    assert visitors.source.asked == [FIRST, SECOND]
    assert await visitors.see(FIRST, at=2, away=False) == "fresh"


async def test_slow_search_does_not_count_against_a_source_that_answers_others() -> None:
    visitors = Visitors()
    visitors.source.waits[FIRST.price] = asyncio.Event()

    slow = asyncio.create_task(visitors.service.search(FIRST))
    while not visitors.source.asked:
        await asyncio.sleep(0)
    visitors.clock.now = 1
    await visitors.service.search(SECOND)
    visitors.clock.now, visitors.source.away = 4, True
    visitors.source.waits[FIRST.price].set()
    with pytest.raises(FeedUnavailableError):
        await slow
    assert await visitors.see(SECOND, at=4.5, away=False) == "fresh"
    assert await visitors.see(FIRST, at=4.6, away=False) == "FeedUnavailableError"


async def test_fault_does_not_open_the_circuit_and_hides_the_list_before() -> None:
    visitors = Visitors(FeedFaultError("get_rates", "Invalid LTV"))
    seen = [await visitors.see(FIRST, at=at, away=away) for at, away in ((0, False), (5, True), (5.1, False))]
    assert seen == ["fresh", "FeedFaultError", "fresh"]


async def test_late_answer_of_a_source_known_to_be_away_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "OUTAGE_TIMEOUT", 0.01)
    visitors = Visitors()
    await visitors.see(SECOND, at=0, away=True)
    visitors.clock.now, visitors.source.away = PAUSE, False
    visitors.source.waits[FIRST.price] = asyncio.Event()
    with pytest.raises(FeedUnavailableError):
        await visitors.service.search(FIRST)
    visitors.source.waits[FIRST.price].set()
    visitors.clock.now += PAUSE
    assert not (await visitors.service.search(FIRST)).stale
    assert visitors.source.asked == [SECOND, FIRST]
