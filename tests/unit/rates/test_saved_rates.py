import asyncio
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broker.enquiries.working_time import UK
from broker.rates.customers import default_query
from broker.rates.daily_lowest import DailyLowestFile
from broker.rates.deal_types import DEAL_TYPES, of_every_type, type_of
from broker.rates.feed.client import SAVED_LENDERS, SAVED_LTV_RATES, SAVED_RATES, SERVICE, Call
from broker.rates.feed.errors import FeedStatusError
from broker.rates.live_feed import MAX_CONCURRENT, PAGE_LTVS, SavedLists
from broker.rates.query import RatesQuery
from tests.unit.rates.feed.answers import answer, fault, row
from tests.unit.rates.feed.changing_feed import Feed
from tests.unit.rates.feed.recorded import SETTINGS
from tests.unit.rates.sources import Clock, MemoryArchive

BUYER, MOVER = "first-time-buyer", "home-mover"
CEDAR = [row(Note=str(place), InitialRate=f"4.{place}") for place in range(1, 6)]
TREES: dict[Call, Any] = {
    SAVED_RATES: {BUYER: answer([row()]), MOVER: answer([row(), row(TotalFees="0", Note="free")]), "remortgaging": {}},
    SAVED_LTV_RATES: {"103": {"50": answer(CEDAR), "75": answer(CEDAR)}, "104": {"75": answer([row(LenderID="104")])}},
    SERVICE: {"saved": 2},
    SAVED_LENDERS: [{"id": "103", "name": "Cedar Bank", "updated": ""}],
}


def at_ltv(lender_id: int, ltv: int) -> RatesQuery:
    """Return the search that a saved list of a lender answers."""
    return of_every_type(RatesQuery(lender_id=lender_id), ltv=ltv)


def lists(feed: Feed, clock: Clock | None = None) -> SavedLists:
    return SavedLists(feed.client, lender_ids=lambda: (103, 104), clock=clock or Clock())


async def test_lists_are_live_answers_to_default_searches() -> None:
    saved = lists(Feed(dict(TREES)))
    assert (saved.of_customer(BUYER), saved.of_lender(103)) == (None, {})
    await saved.refresh_customers()
    found = saved.of_customer(MOVER)
    assert found is not None
    assert (found.query, len(found.products), found.fee_free) == (default_query(MOVER), 1, 1)
    assert (found.sample, found.stale, found.winners.cash) == (False, False, found.products[0])
    assert saved.of_customer("remortgaging") is None


async def test_lender_has_a_list_at_each_loan_to_value_of_its_pages() -> None:
    feed = Feed(dict(TREES))
    feed.trees[SAVED_LTV_RATES] = {"103": {"50": answer(CEDAR), "55": answer(CEDAR), "75": answer(CEDAR[1:])}}
    saved = lists(feed)
    await saved.refresh_lenders()
    found = saved.of_lender(103)
    assert {ltv: [product.title for product in each.products] for ltv, each in found.items()} == {
        50: ["1", "2", "3", "4", "5"],
        75: ["2", "3", "4", "5"],
    }
    assert (found[75].query, found[75].stale) == (at_ltv(103, 75), False)
    assert (saved.of_lender(9), list(saved.lenders)) == ({}, [103])


async def test_deal_type_follows_rate_type_and_length() -> None:
    variable = row(Note="Two-year tracker", Notes="", RateDescription="Tracks Bank Rate")
    longer = row(Note="Five years", InitialRateControlPeriod="60", NYearCostIncFeesExERC="33301.80")
    saved = lists(Feed({SAVED_LTV_RATES: {"103": {"60": answer([row(), variable, longer])}}}))
    await saved.refresh_lenders()
    kinds = {product.title: type_of(product) for product in saved.of_lender(103)[60].products}
    assert {title: kind and kind.slug for title, kind in kinds.items()} == {
        "Two years fixed": "2-years-fixed",
        "Two-year tracker": "2-years-variable",
        "Five years": "5-years-fixed",
    }


def of_one_lender(sent: dict[str, str]) -> Any:
    """Answer call 4 for one lender alone; 104 is refused in words."""
    lender = sent.get("lenderId")
    return {"103": {"103": {"50": answer(CEDAR)}}, "104": fault("No such lender")}.get(lender or "", [])


@pytest.mark.parametrize("whole", [[], {}, fault("lenderId is missing")])
async def test_lists_are_read_lender_by_lender_where_the_feed_wants_a_lender(whole: Any) -> None:
    def respond(sent: dict[str, str]) -> Any:
        return of_one_lender(sent) if sent else whole

    feed = Feed(dict(TREES) | {SAVED_LTV_RATES: respond})
    saved = SavedLists(feed.client, lender_ids=lambda: (9, 103, 104), clock=Clock())
    await saved.refresh_lenders()
    assert list(saved.lenders) == [103]
    sent = [form for name, form in zip(feed.asked, feed.forms, strict=True) if name == SAVED_LTV_RATES.name]
    assert sorted(form.get("lenderId", "") for form in sent) == ["", "103", "104", "9"]


async def test_calls_by_lender_end_when_the_feed_goes_away() -> None:
    def respond(sent: dict[str, str]) -> Any:
        return None if sent else []

    feed = Feed({SAVED_LTV_RATES: respond})
    saved = SavedLists(feed.client, lender_ids=lambda: range(1, 101), clock=Clock())
    with pytest.raises(FeedStatusError):
        await saved.refresh_lenders()
    assert feed.counted()[SAVED_LTV_RATES.name] <= 1 + MAX_CONCURRENT * (1 + SETTINGS.retries)


async def test_lender_keeps_no_list_that_it_withdrew_but_one_that_failed() -> None:
    feed = Feed(dict(TREES))
    saved = lists(feed)
    await saved.refresh_lenders()
    feed.trees[SAVED_LTV_RATES] = {"103": {"50": answer(CEDAR), "75": fault("x")}}
    await saved.refresh_lenders()
    assert {ltv: each.stale for ltv, each in saved.of_lender(103).items()} == {50: False, 75: True}
    feed.trees[SAVED_LTV_RATES] = {"103": {"50": answer(CEDAR)}}
    await saved.refresh_lenders()
    assert {ltv: each.stale for ltv, each in saved.of_lender(103).items()} == {50: False}
    assert {ltv: each.stale for ltv, each in saved.of_lender(104).items()} == {75: True}


async def test_version_changes_with_each_refresh() -> None:
    feed = Feed(dict(TREES))
    saved, seen = lists(feed), list[int]()
    for trees in (TREES, TREES, {}):
        seen.append(saved.version)
        feed.trees = dict(trees)
        await asyncio.gather(saved.refresh_lenders(), return_exceptions=True)
    assert len({*seen, saved.version}) == 4


async def test_failed_refresh_leaves_stale_lists_which_are_counted() -> None:
    feed = Feed(dict(TREES))
    saved = lists(feed)
    assert saved.held == (0, 0)
    await saved.refresh_customers()
    await saved.refresh_lenders()
    assert saved.held == (5, 0)
    feed.trees = {SAVED_RATES: TREES[SAVED_RATES]}
    await saved.refresh_customers()
    with pytest.raises(FeedStatusError):
        await saved.refresh_lenders()
    assert saved.held == (5, 3)
    feed.trees = {}
    with pytest.raises(FeedStatusError):
        await saved.refresh_customers()
    found = (saved.of_customer(BUYER), *saved.of_lender(103).values())
    assert [(len(one.products), one.stale) for one in found if one] == [(1, True), (5, True), (5, True)]


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
    assert len(feed.forms[0]) == 4 * 2 * len(PAGE_LTVS) * len(DEAL_TYPES)
    first = {"0[lenderId]": "103", "0[value]": "2-years-fixed", "0[ltv]": "50", "0[count]": "3"}
    last = {"63[lenderId]": "104", "63[value]": "2-years-variable", "63[ltv]": "95", "63[count]": "3"}
    assert first.items() <= feed.forms[0].items() >= last.items()


async def test_no_order_has_more_fields_than_php_reads() -> None:
    feed = Feed(dict(TREES))
    await SavedLists(feed.client, lender_ids=lambda: range(1, 31)).refresh_lenders()
    orders = [form for name, form in zip(feed.asked, feed.forms, strict=True) if name == SERVICE.name]
    assert len(orders) == 4
    assert max(len(form) for form in orders) <= 1_000
    assert sum(len(form) for form in orders) == 4 * 30 * len(PAGE_LTVS) * len(DEAL_TYPES)


async def test_calls_whose_answers_are_only_logged_stop_nothing(caplog: pytest.LogCaptureFixture) -> None:
    feed = Feed({SAVED_LTV_RATES: TREES[SAVED_LTV_RATES]})
    saved = lists(feed)
    with caplog.at_level(logging.WARNING):
        await saved.refresh_lenders()
    assert saved.of_lender(103)
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
    assert after.of_lender(103) == {ltv: replace(archive.held[at_ltv(103, ltv)], stale=True) for ltv in (50, 75)}
    assert (after.of_customer("remortgaging"), list(after.of_lender(104))) == (None, [75])


async def test_lowest_rates_of_the_day_are_stored_with_each_reading(tmp_path: Path) -> None:
    feed, file = Feed(dict(TREES)), DailyLowestFile(tmp_path / "daily-lowest.csv")
    saved = SavedLists(feed.client, lender_ids=lambda: (103, 104), clock=Clock(), daily=file)
    await saved.refresh_lenders()
    read = saved.of_lender(103)[75]
    (kind,) = {type_of(product) for product in read.products}
    assert kind
    lowest = min(product.initial_rate for lender in (103, 104) for product in saved.of_lender(lender)[75].products)
    assert file.current().of(kind.years, 75) == {read.read_at.astimezone(UK).date(): lowest}
