import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from broker.rates.customers import default_query
from broker.rates.feed.client import SAVED_RATES
from broker.rates.live_feed import BestRates, SavedLists
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.search import RatesService
from tests.unit.rates.feed.changing_feed import Feed
from tests.unit.rates.sources import Clock, ListSource, many
from tests.unit.rates.test_saved_rates import BUYER, TREES


async def refreshed(*, stale: bool = False) -> SavedLists:
    """Return saved lists that were read, and then failed where they are to be stale."""
    feed = Feed(dict(TREES))
    saved = SavedLists(feed.client, lender_ids=tuple)
    for _ in range(2 if stale else 1):
        await asyncio.gather(saved.refresh_customers(), return_exceptions=True)
        feed.trees = {}
    return saved


def live(source: ListSource, clock: Clock | None = None) -> RatesService:
    return RatesService(source, fresh_for=timedelta(seconds=1), clock=clock or Clock())


async def test_embedded_market_is_searched() -> None:
    source = ListSource(many(5))
    found = await BestRates(RatesService(source)).of_customer(BUYER)
    assert (len(found.products), source.asked) == (5, [default_query(BUYER)])


async def test_saved_lists_are_shown_without_a_search() -> None:
    source = ListSource(many(5))
    best = BestRates(live(source), await refreshed())
    assert [product.lender_name for product in (await best.of_customer(BUYER)).products] == ["Cedar Bank"]
    assert source.asked == []


async def test_customer_without_a_saved_list_is_searched_for() -> None:
    source = ListSource(many(5))
    await BestRates(live(source), await refreshed()).of_customer("remortgaging")
    assert source.asked == [default_query("remortgaging")]


async def test_search_takes_over_from_saved_lists_that_could_not_be_refreshed() -> None:
    found = await BestRates(live(ListSource(many(5))), await refreshed(stale=True)).of_customer(BUYER)
    assert (len(found.products), found.stale) == (5, False)


async def test_saved_list_is_shown_as_stale_while_searches_fail_too() -> None:
    source, clock = ListSource(many(5)), Clock()
    source.away = True
    best = BestRates(live(source, clock), await refreshed(stale=True))
    found = await best.of_customer(BUYER)
    assert (len(found.products), found.stale) == (1, True)


@pytest.mark.parametrize(("day", "shown"), [(0, 1), (2, 0)])
async def test_stale_saved_list_replaces_an_empty_answer_for_a_day(day: int, shown: int) -> None:
    source = ListSource()
    source.read_at = datetime.now(tz=UTC) + timedelta(days=day)
    found = await BestRates(live(source), await refreshed(stale=True)).of_customer(BUYER)
    assert (len(found.products), found.stale) == (shown, shown > 0)


@pytest.mark.parametrize(("saved_on", "shown"), [(3, 5), (5, 1)])
async def test_later_of_two_old_lists_is_shown(saved_on: int, shown: int) -> None:
    class Earlier(SavedLists):
        """Lists that were saved on a day in March; the source of the tests answers on the fourth."""

        def of_customer(self, customer: str) -> RatesAnswer | None:
            held = super().of_customer(customer)
            return held and replace(held, read_at=datetime(2026, 3, saved_on, tzinfo=UTC))

    source, clock, feed = ListSource(many(5)), Clock(), Feed({SAVED_RATES: TREES[SAVED_RATES]})
    service, saved = live(source, clock), Earlier(feed.client, lender_ids=tuple)

    await service.search(default_query(BUYER))
    await saved.refresh_customers()
    feed.trees = {}
    await asyncio.gather(saved.refresh_customers(), return_exceptions=True)
    clock.now, source.away = 2, True
    found = await BestRates(service, saved).of_customer(BUYER)
    assert (len(found.products), found.stale) == (shown, True)


async def test_nothing_saved_and_nothing_found_is_an_error() -> None:
    source = ListSource()
    source.away = True
    best = BestRates(live(source), SavedLists(Feed({SAVED_RATES: []}).client, lender_ids=tuple))
    with pytest.raises(RatesError):
        await best.of_customer(BUYER)
