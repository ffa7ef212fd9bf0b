import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from broker.rates import search as search_module
from broker.rates.customers import RULES, UnknownCustomerError, default_query, restricted
from broker.rates.feed.errors import FeedFaultError, FeedParseError, FeedStatusError, FeedUnavailableError
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import PAUSE, RatesService, search_with_band
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.rates.sources import Clock, ListSource, MemoryArchive, many

QUERY = RatesQuery(price=300_000)
MINUTE = timedelta(seconds=60)


async def test_repeated_search_is_sent_to_the_source_once() -> None:
    source = ListSource(many(3))
    service = RatesService(source)
    assert await service.search(QUERY) is await service.search(QUERY)
    assert source.asked == [QUERY]
    source.asked.clear()
    await service.search(RatesQuery(customer="first-time-buyer", repayment=False))
    await service.search(RatesQuery(customer="first-time-buyer", purchase=False))
    assert source.asked == [default_query("first-time-buyer")]


async def test_excluded_options_are_replaced_before_the_source_is_searched() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    queries = [RatesQuery(customer=each, purchase=False, repayment=False, residential=False) for each in RULES]
    for query in queries:
        await service.search(query)
        await service.product(query, "p000")
    assert source.asked == [restricted(query) for query in queries for _ in range(2)]


async def test_unknown_customer_type_is_refused_before_the_source() -> None:
    source = ListSource(many(1))
    service, query = RatesService(source), RatesQuery(customer="pirate")
    assert issubclass(UnknownCustomerError, RatesError)
    for search_ in (service.search(query), service.product(query, "p")):
        with pytest.raises(UnknownCustomerError, match=r"^no customer type is called 'pirate'$"):
            await search_
    assert source.asked == []


async def test_failure_is_raised_and_not_cached() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    source.away = True
    for _ in range(2):
        with pytest.raises(RatesError, match="the source is away"):
            await service.search(RatesQuery())
    source.away = False
    assert len((await service.search(RatesQuery())).products) == 1
    assert len(source.asked) == 3


async def test_searches_at_the_same_time_get_their_own_answers() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    answers = await asyncio.gather(*(service.search(RatesQuery(price=200_000 + place)) for place in range(2_000)))
    assert [answer.query for answer in answers] == [RatesQuery(price=200_000 + place) for place in range(2_000)]


async def test_product_is_one_of_the_source_or_none() -> None:
    service = RatesService(ListSource(many(3)))
    found = await service.product(RatesQuery(), "p001")
    assert found == many(3)[1]
    assert await service.product(RatesQuery(), "p999") is None


async def test_live_product_may_be_of_another_search_for_the_same_loan() -> None:
    source = ListSource(many(3))
    service = RatesService(source, fresh_for=timedelta(minutes=10))
    await service.search(RatesQuery())
    await service.search(QUERY)
    source.products = many(1)
    longer = replace(RatesQuery(), two_years=False, five_years=True)
    assert await service.product(longer, "p002") == many(3)[2]
    assert await service.product(replace(longer, term=30), "p002") is None


async def test_simultaneous_equal_searches_share_one_request() -> None:
    source = ListSource(many(2))
    source.waits[QUERY.price] = asyncio.Event()
    service = RatesService(source)
    visitors = [asyncio.create_task(service.search(QUERY)) for _ in range(100)]
    await asyncio.sleep(0)
    visitors[0].cancel()
    source.waits[QUERY.price].set()
    answers = await asyncio.gather(*visitors[1:])
    assert len({id(answer) for answer in answers}) == 1
    assert source.asked == [QUERY]


async def test_answer_is_fetched_again_after_it_expires() -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=MINUTE, clock=clock)
    for clock.now in (0.0, 59.9, 60.0):
        await service.search(QUERY)
    assert source.asked == [QUERY, QUERY]


async def test_fresh_answer_of_another_worker_is_used_until_it_is_old() -> None:
    source, archive, clock = ListSource(many(2)), MemoryArchive(), Clock()
    service = partial(RatesService, source, fresh_for=MINUTE, archive=archive, is_shared=True)
    now = [source.read_at]
    one, other = (service(clock=clock, now=lambda: now[0]) for _ in range(2))
    answer = await one.search(QUERY)
    await one.wait_until_saved()
    now[0] += timedelta(seconds=50)
    assert (await other.search(QUERY), source.asked) == (answer, [QUERY])
    clock.now, now[0] = 11.0, now[0] + timedelta(seconds=11)
    await other.search(QUERY)
    assert source.asked == [QUERY, QUERY]


async def test_answer_from_before_a_restart_is_stale_until_there_is_a_new_one() -> None:
    source, archive, clock = ListSource(many(2)), MemoryArchive(), Clock()
    before, after = (RatesService(source, fresh_for=MINUTE, archive=archive, clock=clock) for _ in range(2))
    answer = await before.search(QUERY)
    await before.wait_until_saved()
    seen = []
    for clock.now, source.away in ((0.0, True), (0.5, True), (1.0, False), (2.0, False)):
        seen.append(await after.search(QUERY))
    assert seen == [replace(answer, stale=True)] * 3 + [answer]
    assert archive.loads == 1


async def test_empty_answer_expires_soon_and_keeps_the_last_good_one() -> None:
    source, archive, clock = ListSource(many(1)), MemoryArchive(), Clock()
    service = RatesService(source, fresh_for=MINUTE, archive=archive, clock=clock)
    seen = []
    for clock.now, source.products, source.away in (
        (0.0, many(1), False),
        (60.0, (), False),
        (64.0, many(2), False),
        (65.0, (), True),
        (68.0, many(2), False),
    ):
        answer = await service.search(QUERY)
        await service.wait_until_saved()
        seen.append((len(answer.products), answer.stale))
    assert seen == [(1, False), (0, False), (0, False), (1, True), (2, False)]


async def test_refresh_reads_every_answer_again_and_reports_failure() -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=timedelta(hours=1), clock=clock)
    await service.search(QUERY)
    assert service.source_status.last.read_at
    seen = []
    for source.away in (True, False):
        try:
            await service.refresh()
        except RatesError:
            assert service.source_status.last.problem == "the source is away"
        clock.now += 5
        seen.append((await service.search(QUERY)).stale)
    assert seen == [True, False]
    assert source.asked.count(QUERY) == 3
    assert not service.source_status.last.is_failing


NEAR = RatesQuery(price=310_000, amount=187_400)


def source_whose_band(answers: Callable[[], Awaitable[None]]) -> tuple[list[RatesQuery], search_module.Search]:
    source = ListSource(many(3))

    async def search(query: RatesQuery) -> RatesAnswer:
        if query != NEAR:
            await answers()
        return await source.search(query)

    return source.asked, search


async def test_list_does_not_wait_long_for_the_band(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "MAX_WAIT", 0.01)
    never = asyncio.Event()

    async def wait() -> None:
        await never.wait()

    asked, search = source_whose_band(wait)
    answer, band = await asyncio.wait_for(search_with_band(search, NEAR), timeout=ANSWER_TIMEOUT)
    assert (len(answer.products), band, asked) == (3, None, [NEAR])


async def test_band_that_fails_leaves_the_list() -> None:
    async def fail() -> None:
        raise RatesError("away")

    _, search = source_whose_band(fail)
    answer, band = await search_with_band(search, NEAR)
    assert (len(answer.products), band) == (3, None)


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
    monkeypatch.setattr(search_module, "OUTAGE_TIMEOUT", 0.01)
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
