"""The lists that the feed has saved: what is kept of them, and what a failed refresh leaves."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

import pytest

from broker.domain.rates.customers import default_query
from broker.domain.rates.query import RatesQuery
from broker.feeds.endpoints import SAVED_LENDERS, SAVED_LTV_RATES, SAVED_RATES, SERVICE, Call
from broker.feeds.errors import FeedStatusError
from broker.services.rates.saved_rates import SavedLists
from tests.unit.feeds.answers import answer, fault, row
from tests.unit.services.clock import Clock
from tests.unit.services.feed import Feed
from tests.unit.services.memory_archive import MemoryArchive

BUYER, MOVER = "first-time-buyer", "home-mover"
CEDAR = [row(Note=str(place), InitialRate=f"4.{place}") for place in range(1, 6)]
TREES: dict[Call, Any] = {
    SAVED_RATES: {BUYER: answer([row()]), MOVER: answer([row(), row(TotalFees="0", Note="free")]), "remortgaging": {}},
    SAVED_LTV_RATES: {"103": {"50": answer(CEDAR), "75": answer(CEDAR)}, "104": {"75": answer([row(LenderID="104")])}},
    SERVICE: {"saved": 2},
    SAVED_LENDERS: [{"id": "103", "name": "Cedar Bank", "updated": ""}],
}


def lists(feed: Feed, clock: Clock | None = None) -> SavedLists:
    """Return saved lists of two lenders, nothing read yet."""
    return SavedLists(feed.client, lender_ids=lambda: (103, 104), clock=clock or Clock())


def test_nothing_is_saved_before_the_first_refresh() -> None:
    saved = lists(Feed(dict(TREES)))
    assert (saved.of_customer(BUYER), saved.of_lender(103)) == (None, None)


def test_list_of_a_customer_type_is_a_live_answer_to_its_default_search() -> None:
    saved = lists(Feed(dict(TREES)))
    asyncio.run(saved.refresh_customers())
    found = saved.of_customer(MOVER)
    assert found is not None
    assert (found.query, len(found.products), found.fee_free) == (default_query(MOVER), 1, 1)
    assert (found.sample, found.stale, found.cheapest_cash) == (False, False, found.products[0])
    assert saved.of_customer("remortgaging") is None


def test_lender_has_its_three_best_at_the_50_key() -> None:
    saved = lists(Feed(dict(TREES)))
    asyncio.run(saved.refresh_lenders())
    found = saved.of_lender(103)
    assert found is not None
    assert [product.title for product in found.products] == ["1", "2", "3"]
    assert (found.query, found.stale) == (RatesQuery(lender_id=103), False)
    assert (saved.of_lender(104), saved.of_lender(9)) == (None, None)


def test_failed_refresh_keeps_what_there_was_as_stale() -> None:
    feed = Feed(dict(TREES))
    saved = lists(feed)

    async def twice() -> None:
        await saved.refresh_customers()
        await saved.refresh_lenders()
        feed.trees = {}
        with pytest.raises(FeedStatusError):
            await saved.refresh_customers()
        with pytest.raises(FeedStatusError):
            await saved.refresh_lenders()

    asyncio.run(twice())
    kept = (saved.of_customer(BUYER), saved.of_lender(103))
    assert [(len(one.products), one.stale) for one in kept if one] == [(1, True), (3, True)]


def test_customer_type_that_fails_alone_keeps_its_list(caplog: pytest.LogCaptureFixture) -> None:
    feed = Feed(dict(TREES))
    saved = lists(feed)

    async def twice() -> None:
        await saved.refresh_customers()
        feed.trees[SAVED_RATES] = {BUYER: fault("Invalid LTV"), MOVER: answer([row()])}
        await saved.refresh_customers()

    with caplog.at_level(logging.WARNING):
        asyncio.run(twice())
    kept = (saved.of_customer(BUYER), saved.of_customer(MOVER))
    assert [one.stale for one in kept if one] == [True, False]
    assert [record.getMessage() for record in caplog.records] == [
        f"saved rates of {BUYER} not refreshed: get_saved_rates: fault: Invalid LTV"
    ]


def test_order_is_sent_once_and_then_daily() -> None:
    feed, clock = Feed(dict(TREES)), Clock()
    saved = lists(feed, clock)

    async def refreshed() -> None:
        for clock.now in (0, 600, 86_399, 86_400, 86_401):
            await saved.refresh_lenders()

    asyncio.run(refreshed())
    assert feed.counted() == {SERVICE.name: 2, SAVED_LTV_RATES.name: 5, SAVED_LENDERS.name: 5}
    assert feed.asked[:3] == [SERVICE.name, SAVED_LTV_RATES.name, SAVED_LENDERS.name]
    assert feed.forms[0] == {
        "0[lenderId]": "103",
        "0[value]": "2-years-fixed",
        "0[ltv]": "50",
        "0[count]": "3",
        "1[lenderId]": "104",
        "1[value]": "2-years-fixed",
        "1[ltv]": "50",
        "1[count]": "3",
    }


def test_calls_whose_answers_are_only_logged_stop_nothing(caplog: pytest.LogCaptureFixture) -> None:
    feed = Feed({SAVED_LTV_RATES: TREES[SAVED_LTV_RATES]})
    saved = lists(feed)
    with caplog.at_level(logging.WARNING):
        asyncio.run(saved.refresh_lenders())
    assert saved.of_lender(103) is not None
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "saved rates not ordered",
        "lenders with saved rates not counted",
    ]


def test_lists_from_before_a_restart_are_shown_as_stale() -> None:
    logo_cache, feed = MemoryArchive(), Feed(dict(TREES))

    def started() -> SavedLists:
        return SavedLists(feed.client, lender_ids=lambda: (103, 104), archive=logo_cache)

    async def before_and_after() -> SavedLists:
        before, after = started(), started()
        await before.refresh_customers()
        await before.refresh_lenders()
        await after.restore()
        assert (after.of_customer(BUYER), after.of_lender(103)) == (
            replace(logo_cache.held[default_query(BUYER)], stale=True),
            replace(logo_cache.held[RatesQuery(lender_id=103)], stale=True),
        )
        return after

    saved = asyncio.run(before_and_after())
    assert (saved.of_customer("remortgaging"), saved.of_lender(104)) == (None, None)


def test_lists_are_counted_with_those_that_are_stale() -> None:
    feed = Feed(dict(TREES))
    saved = lists(feed)

    async def counted() -> list[tuple[int, int]]:
        seen = [saved.held]
        await saved.refresh_customers()
        await saved.refresh_lenders()
        seen.append(saved.held)
        feed.trees = {SAVED_RATES: TREES[SAVED_RATES]}
        await saved.refresh_customers()
        with pytest.raises(FeedStatusError):
            await saved.refresh_lenders()
        return [*seen, saved.held]

    assert asyncio.run(counted()) == [(0, 0), (3, 0), (3, 1)]
