from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from broker.rates.feed.client import SAVED_LTV_RATES, SAVED_RATES
from broker.rates.feed.errors import FeedParseError
from broker.rates.live_feed import SavedLists
from broker.rates.product import RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import EMPTY_FRESH_FOR, RatesService
from tests.unit.rates.feed.answers import answer
from tests.unit.rates.feed.changing_feed import Feed
from tests.unit.rates.sources import Clock, ListSource, MemoryArchive, many
from tests.unit.rates.test_saved_rates import BUYER, MOVER, TREES

NOTHING: dict[str, Any] = {"false": False, "list": [], "object": {}, "text": "", "no rows": answer([])}


async def read_twice(first: Any, second: Any, **settings: Any) -> tuple[SavedLists, list[str]]:
    """Return saved lists that were read from both trees, and the problems of the second time."""
    feed, problems = Feed(dict(TREES) | first), list[str]()
    saved = SavedLists(feed.client, lender_ids=lambda: (103,), **settings)
    await saved.refresh_customers()
    await saved.refresh_lenders()
    feed.trees |= second
    for refresh in (saved.refresh_customers, saved.refresh_lenders):
        try:
            await refresh()
        except FeedParseError as error:
            problems.append(error.call)
    return saved, problems


@pytest.mark.parametrize("nothing", NOTHING.values(), ids=NOTHING)
async def test_saved_lists_stay_stale_where_the_feed_has_none_now(nothing: Any) -> None:
    whole = {SAVED_RATES: nothing, SAVED_LTV_RATES: nothing}
    saved, problems = await read_twice({}, whole)
    assert problems == [SAVED_RATES.name, SAVED_LTV_RATES.name]
    kept = (saved.of_customer(BUYER), saved.of_customer(MOVER), saved.of_lender(103).get(50))
    assert [(len(one.products), one.stale) for one in kept if one] == [(1, True), (1, True), (5, True)]


@pytest.mark.parametrize("nothing", [tree for tree in NOTHING.values() if tree is not False])
async def test_one_saved_list_that_is_empty_now_stays_stale_for_a_time(nothing: Any) -> None:
    one = {SAVED_RATES: TREES[SAVED_RATES] | {BUYER: nothing}, SAVED_LTV_RATES: {"103": {"50": nothing}}}
    saved, problems = await read_twice({}, one)
    assert problems == [SAVED_LTV_RATES.name]
    kept = (saved.of_customer(BUYER), saved.of_customer(MOVER), saved.of_lender(103).get(50))
    assert [(len(one.products), one.stale) for one in kept if one] == [(1, True), (1, False), (5, True)]
    saved, _ = await read_twice({}, one, shown_for=timedelta(0))
    assert (saved.of_customer(BUYER), saved.of_lender(103)) == (None, {})


def live(source: ListSource, clock: Clock, **settings: Any) -> RatesService:
    return RatesService(source, fresh_for=timedelta(minutes=10), clock=clock, **settings)


async def test_page_keeps_a_list_that_a_search_no_longer_finds() -> None:
    source, clock, query = ListSource(many(3)), Clock(), RatesQuery(price=300_000)
    service = live(source, clock)
    assert not (await service.for_page(query)).stale
    source.products = []
    clock.now += 601
    for _ in range(3):
        assert not (await service.search(query)).products
        shown = await service.for_page(query)
        assert (len(shown.products), shown.stale) == (3, True)
        clock.now += EMPTY_FRESH_FOR.total_seconds() + 1
    source.products = many(2)
    shown = await service.for_page(query)
    assert (len(shown.products), shown.stale) == (2, False)


async def test_list_of_a_page_is_empty_once_the_last_one_is_old() -> None:
    source, clock, query = ListSource(many(3)), Clock(), RatesQuery(price=300_000)
    service = live(source, clock, shown_for=timedelta(hours=2))
    last = await service.for_page(query)
    source.products, source.read_at = [], last.read_at + timedelta(hours=1)
    clock.now += 601
    assert len((await service.for_page(query)).products) == 3
    source.read_at = last.read_at + timedelta(hours=3)
    clock.now += 601
    assert not (await service.for_page(query)).products


async def test_saved_list_replaces_an_empty_answer_after_a_restart() -> None:
    source, clock, query, archive = ListSource(many(3)), Clock(), RatesQuery(price=300_000), MemoryArchive()
    before = live(source, clock, archive=archive)
    await before.search(query)
    await before.wait_until_saved()
    source.products = []
    service = live(source, clock, archive=archive)
    shown = await service.for_page(query)
    assert (len(shown.products), shown.stale) == (3, True)
    archive.held.clear()
    assert not (await live(source, clock, archive=archive).for_page(replace(query, term=30))).products


async def test_search_that_fails_after_an_empty_answer_has_the_last_list() -> None:
    source, clock, query = ListSource(many(3)), Clock(), RatesQuery(price=300_000)
    service = live(source, clock)
    await service.search(query)
    source.products = []
    clock.now += 601
    for asked in (query, replace(query, term=30)):
        assert not (await service.search(asked)).products
    source.away = True
    clock.now += 601
    assert len((await service.search(query)).products) == 3
    with pytest.raises(RatesError):
        await service.search(replace(query, term=30))
