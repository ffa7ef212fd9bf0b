"""The lists that the feed has saved: what is kept of them, and what a failed refresh leaves."""

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
    return SavedLists(feed.client, lender_ids=lambda: (103, 104), clock=clock or Clock())


async def test_lists_are_live_answers_to_default_searches() -> None:
    saved = lists(Feed(dict(TREES)))
    assert (saved.of_customer(BUYER), saved.of_lender(103)) == (None, None)
    await saved.refresh_customers()
    found = saved.of_customer(MOVER)
    assert found is not None
    assert (found.query, len(found.products), found.fee_free) == (default_query(MOVER), 1, 1)
    assert (found.sample, found.stale, found.winners.cash) == (False, False, found.products[0])
    assert saved.of_customer("remortgaging") is None


async def test_lender_has_its_three_best_at_the_50_key() -> None:
    saved = lists(Feed(dict(TREES)))
    await saved.refresh_lenders()
    found = saved.of_lender(103)
    assert found is not None
    assert [product.title for product in found.products] == ["1", "2", "3"]
    assert (found.query, found.stale) == (RatesQuery(lender_id=103), False)
    assert (saved.of_lender(104), saved.of_lender(9)) == (None, None)


async def test_failed_refresh_leaves_stale_lists_which_are_counted() -> None:
    feed = Feed(dict(TREES))
    saved = lists(feed)
    assert saved.held == (0, 0)
    await saved.refresh_customers()
    await saved.refresh_lenders()
    assert saved.held == (3, 0)
    feed.trees = {SAVED_RATES: TREES[SAVED_RATES]}
    await saved.refresh_customers()
    with pytest.raises(FeedStatusError):
        await saved.refresh_lenders()
    assert saved.held == (3, 1)
    feed.trees = {}
    with pytest.raises(FeedStatusError):
        await saved.refresh_customers()
    found = (saved.of_customer(BUYER), saved.of_lender(103))
    assert [(len(one.products), one.stale) for one in found if one] == [(1, True), (3, True)]


async def test_customer_type_that_fails_alone_keeps_its_list(caplog: pytest.LogCaptureFixture) -> None:
    feed = Feed(dict(TREES))
    saved = lists(feed)
    with caplog.at_level(logging.WARNING):
        await saved.refresh_customers()
        feed.trees[SAVED_RATES] = {BUYER: fault("Invalid LTV"), MOVER: answer([row()])}
        await saved.refresh_customers()
    kept = (saved.of_customer(BUYER), saved.of_customer(MOVER))
    assert [one.stale for one in kept if one] == [True, False]
    assert caplog.messages == [f"saved rates of {BUYER} not refreshed: get_saved_rates: fault: Invalid LTV"]


async def test_order_is_sent_once_and_then_daily() -> None:
    feed, clock = Feed(dict(TREES)), Clock()
    saved = lists(feed, clock)
    for clock.now in (0, 600, 86_399, 86_400, 86_401):
        await saved.refresh_lenders()
    assert feed.counted() == {SERVICE.name: 2, SAVED_LTV_RATES.name: 5, SAVED_LENDERS.name: 5}
    assert feed.asked[:3] == [SERVICE.name, SAVED_LTV_RATES.name, SAVED_LENDERS.name]
    first = {"0[lenderId]": "103", "0[value]": "2-years-fixed", "0[ltv]": "50", "0[count]": "3"}
    second = {"1[lenderId]": "104", "1[value]": "2-years-fixed", "1[ltv]": "50", "1[count]": "3"}
    assert feed.forms[0] == first | second


async def test_calls_whose_answers_are_only_logged_stop_nothing(caplog: pytest.LogCaptureFixture) -> None:
    feed = Feed({SAVED_LTV_RATES: TREES[SAVED_LTV_RATES]})
    saved = lists(feed)
    with caplog.at_level(logging.WARNING):
        await saved.refresh_lenders()
    assert saved.of_lender(103) is not None
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "saved rates not ordered",
        "lenders with saved rates not counted",
    ]


async def test_lists_from_before_a_restart_are_shown_as_stale() -> None:
    archive, feed = MemoryArchive(), Feed(dict(TREES))
    before, after = (SavedLists(feed.client, lender_ids=lambda: (103, 104), archive=archive) for _ in range(2))
    await before.refresh_customers()
    await before.refresh_lenders()
    await after.restore()
    assert after.of_customer(BUYER) == replace(archive.held[default_query(BUYER)], stale=True)
    assert after.of_lender(103) == replace(archive.held[RatesQuery(lender_id=103)], stale=True)
    assert (after.of_customer("remortgaging"), after.of_lender(104)) == (None, None)
