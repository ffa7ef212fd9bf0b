"""While a source is away: who is refused at once, who finds out, and what counts against whom."""

import asyncio
from datetime import timedelta

import pytest

from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery
from broker.feeds.errors import FeedFaultError, FeedParseError, FeedStatusError, FeedUnavailableError
from broker.services.circuit_breaker import PAUSE
from broker.services.rates import search
from broker.services.rates.search import RatesService
from tests.unit.services.clock import Clock
from tests.unit.services.sources import ListSource, many

FIRST, SECOND = RatesQuery(price=300_000), RatesQuery(price=400_000)
AWAY = FeedUnavailableError("get_rates", "no answer in time (ReadTimeout)")


class Visitors:
    """Visitors of a live service whose clock goes by what each test tells."""

    def __init__(self, problem: RatesError = AWAY) -> None:
        self.source, self.clock = ListSource(many(1)), Clock()
        self.source.problem = problem
        self.service = RatesService(self.source, fresh_for=timedelta(seconds=1), clock=self.clock)

    def see(self, query: RatesQuery, *, at: float, away: bool) -> str:
        """Return what a visitor sees at a moment: `fresh`, `stale` or the error's name."""
        self.clock.now, self.source.away = at, away
        try:
            return "stale" if asyncio.run(self.service.search(query)).stale else "fresh"
        except RatesError as error:
            return type(error).__name__


def test_open_circuit_fails_searches_for_two_seconds() -> None:
    visitors = Visitors()
    seen = [visitors.see(query, at=at, away=True) for at, query in ((0, FIRST), (0.1, FIRST), (1.9, SECOND))]
    assert seen == ["FeedUnavailableError"] * 3
    assert visitors.source.asked == [FIRST]


def test_first_search_after_the_pause_finds_the_source_back() -> None:
    visitors = Visitors()
    moments = ((0, True), (1.9, False), (2.0, False), (2.1, False))
    assert [visitors.see(SECOND, at=at, away=away) for at, away in moments] == [
        "FeedUnavailableError",
        "FeedUnavailableError",
        "fresh",
        "fresh",
    ]


def test_one_search_in_two_seconds_finds_out_while_the_others_are_refused() -> None:
    visitors = Visitors()
    for at in range(0, 100, 5):
        visitors.see(RatesQuery(price=300_000 + at), at=at / 10, away=True)
    assert len(visitors.source.asked) == 5


def test_kept_answer_is_shown_at_once_while_the_source_is_away() -> None:
    visitors = Visitors()
    moments = ((0, False), (5, True), (5.5, True), (6.9, True))
    assert [visitors.see(FIRST, at=at, away=away) for at, away in moments] == ["fresh", "stale", "stale", "stale"]
    assert len(visitors.source.asked) == 2


def test_others_are_refused_while_one_finds_out() -> None:
    visitors = Visitors()

    async def both() -> tuple[RatesAnswer, str]:
        finder = asyncio.create_task(visitors.service.search(FIRST))
        await asyncio.sleep(0)
        try:
            await visitors.service.search(SECOND)
            refused = ""
        except RatesError as error:
            refused = type(error).__name__
        visitors.source.waits[FIRST.price].set()
        return await finder, refused

    visitors.see(SECOND, at=0, away=True)
    visitors.clock.now, visitors.source.away = 3, False
    visitors.source.waits[FIRST.price] = asyncio.Event()
    answer, refused = asyncio.run(both())
    assert (answer.stale, refused) == (False, "FeedUnavailableError")
    assert visitors.see(SECOND, at=3, away=False) == "fresh"


@pytest.mark.parametrize("problem", [FeedStatusError("get_rates", 502), FeedParseError("get_rates", "an HTML page")])
def test_bad_answer_counts_against_its_own_search_only(problem: RatesError) -> None:
    visitors = Visitors(problem)
    assert visitors.see(FIRST, at=0, away=True) == visitors.see(FIRST, at=1, away=True) == type(problem).__name__
    assert visitors.see(SECOND, at=1, away=False) == "fresh"
    assert visitors.source.asked == [FIRST, SECOND]
    assert visitors.see(FIRST, at=2, away=False) == "fresh"


def test_slow_search_does_not_count_against_a_source_that_answers_others() -> None:
    visitors = Visitors()
    visitors.source.waits[FIRST.price] = asyncio.Event()

    async def slow_and_quick() -> list[str]:
        slow = asyncio.create_task(visitors.service.search(FIRST))
        while not visitors.source.asked:
            await asyncio.sleep(0)
        visitors.clock.now = 1
        await visitors.service.search(SECOND)
        visitors.clock.now, visitors.source.away = 4, True
        visitors.source.waits[FIRST.price].set()
        (problem,) = await asyncio.gather(slow, return_exceptions=True)
        return [type(problem).__name__]

    assert asyncio.run(slow_and_quick()) == ["FeedUnavailableError"]
    assert visitors.see(SECOND, at=4.5, away=False) == "fresh"
    assert visitors.see(FIRST, at=4.6, away=False) == "FeedUnavailableError"


def test_fault_is_an_answer_that_stops_nobody_and_hides_the_list_before() -> None:
    visitors = Visitors(FeedFaultError("get_rates", "Invalid LTV"))
    seen = [visitors.see(FIRST, at=at, away=away) for at, away in ((0, False), (5, True), (5.1, False))]
    assert seen == ["fresh", "FeedFaultError", "fresh"]


def test_late_answer_of_a_source_known_to_be_away_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "OUTAGE_TIMEOUT", 0.01)
    visitors = Visitors()

    async def impatient_then_again() -> tuple[str, bool]:
        visitors.source.waits[FIRST.price] = asyncio.Event()
        (problem,) = await asyncio.gather(visitors.service.search(FIRST), return_exceptions=True)
        visitors.source.waits[FIRST.price].set()
        visitors.clock.now += PAUSE
        return type(problem).__name__, (await visitors.service.search(FIRST)).stale

    visitors.see(SECOND, at=0, away=True)
    visitors.clock.now, visitors.source.away = PAUSE, False
    assert asyncio.run(impatient_then_again()) == ("FeedUnavailableError", False)
    assert visitors.source.asked == [SECOND, FIRST]
