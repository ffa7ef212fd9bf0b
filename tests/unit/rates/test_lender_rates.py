import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from broker.lenders.directory import LenderDirectory, market_lenders
from broker.lenders.lender import KnownLender
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, ltvs, narrowed
from broker.rates.feed.client import SAVED_LTV_RATES
from broker.rates.lender_rates import (
    MAX_CONCURRENT,
    LenderRates,
    SavedLenderRates,
    Search,
    find_rates_by_ltv,
    lowest_rates,
)
from broker.rates.lender_tables import lender_blocks
from broker.rates.live_feed import SavedLists
from broker.rates.lowest_rates import LTVS, LenderListing, LenderWithoutRatesError, searches_by_ltv
from broker.rates.market.rate_source import MarketLenderRates
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.ranking import BEST_PER_LENDER
from broker.rates.search import RatesService
from tests.unit.rates.feed.answers import answer, row
from tests.unit.rates.feed.changing_feed import Feed
from tests.unit.rates.market.searching import catalogue, search, source
from tests.unit.rates.sources import HeldRates, ListSource, MemoryArchive, many

FIVE_YEARS = DEAL_TYPES[2]
ALDER = KnownLender(lender_id=103, name="Alder Bank", slug="alder-bank")
BIRCH = KnownLender(lender_id=104, name="Birch Bank", slug="birch-bank")
LETS = KnownLender(lender_id=105, name="Cedar Lets", slug="cedar-lets", residential=False)


def a_dozen() -> list[KnownLender]:
    """Return a few lenders of each kind, that lend on homes alone, on let property alone, and on both."""
    sorts: dict[tuple[Any, ...], list[KnownLender]] = {}
    for lender in market_lenders(catalogue()):
        sorts.setdefault((lender.kind, lender.residential, lender.buy_to_let), []).append(lender)
    return [lender for same in sorts.values() for lender in same[:3]]


async def by_searches(search: Search, lender: KnownLender) -> LenderListing:
    """Return what searches for every deal type at every loan to value find of a lender, and of the market."""
    query = lender.query
    lowest, market = [
        await lowest_rates(search, each, ltvs=ltvs(each)) for each in (query, RatesQuery(residential=query.residential))
    ]
    places = [(kind, ltv) for ltv in ltvs(query) for kind in DEAL_TYPES]
    found = [await search(narrowed(query, kind, ltv=ltv)) for kind, ltv in places]
    products = {each.product_id: each for answer in found for each in answer.products}
    without_repayment = await search(replace(narrowed(query, TWO_YEARS_FIXED), repayment=False))
    return LenderListing(
        lender=lender,
        lowest=lowest,
        market=market,
        products=tuple(products.values()),
        interest_only=bool(without_repayment.products),
    )


async def test_sample_market_has_the_figures_of_its_searches() -> None:
    rates, search = LenderRates(MarketLenderRates(catalogue=catalogue())), source().search
    lenders = a_dozen()
    assert len(lenders) >= 12
    assert {lender.residential for lender in lenders} == {True, False}
    for lender in lenders:
        searched = await by_searches(search, lender)
        for kind in (None, *DEAL_TYPES):
            best, listing = await rates.blocks(lender, kind)
            whole = await search(narrowed(lender.query, kind or TWO_YEARS_FIXED))
            assert best == replace(whole, products=tuple(whole.products[:BEST_PER_LENDER]))
            assert lender_blocks(best, listing, kind=kind, logos={}) == lender_blocks(
                whole, searched, kind=kind, logos={}
            )
        _, listing = await rates.blocks(lender, None)
        assert [each.product_id for each in listing.products] == [each.product_id for each in searched.products]
        assert (list(listing.lowest.found), listing.lowest.query) == (list(searched.lowest.found), lender.query)
        assert listing.interest_only == searched.interest_only


async def test_lender_without_a_product_has_no_rates() -> None:
    with pytest.raises(RatesError):
        await LenderRates(MarketLenderRates(catalogue=catalogue())).blocks(replace(ALDER, lender_id=999_999), None)


async def test_blocks_are_cached_until_the_version_changes() -> None:
    held = HeldRates(ListSource(many(5)))
    rates = LenderRates(held)
    first = [await rates.blocks(ALDER, kind) for kind in (None, FIVE_YEARS)]
    asked = [*held.asked]
    assert sorted(asked) == ["alder-bank", "alder-bank 2-years-fixed", "alder-bank 5-years-fixed", "homes"]
    assert [await rates.blocks(ALDER, kind) for kind in (None, FIVE_YEARS)] == first
    assert held.asked == asked
    assert [len(best.products) for best, _ in first] == [BEST_PER_LENDER] * 2
    held.version = 2
    assert await rates.blocks(ALDER, None) == first[0]
    assert len(held.asked) == len(asked) + 3


def deals(lender_id: int, *, rate: float) -> Any:
    """Return a saved list: two deals fixed for two years, one for five, and a variable one."""
    five = {"InitialRateControlPeriod": "60", "NYearCostIncFeesExERC": "33301.80"}
    tracker = {"RateDescription": "Tracks Bank Rate"}
    rows = [
        {"Note": "Two years fixed, dear", "InitialRate": f"{rate + 0.02:.2f}"},
        {"Note": "Two years fixed", "InitialRate": f"{rate:.2f}"},
        {"Note": "Five years fixed", "InitialRate": f"{rate + 0.01:.2f}", **five},
        {"Note": "Tracker", "InitialRate": f"{rate + 0.03:.2f}", **tracker},
    ]
    return answer([row(LenderID=str(lender_id), **each) for each in rows])


def saved_trees() -> dict[Any, Any]:
    lists = {"50": deals(103, rate=4.11), "60": deals(103, rate=4.15), "95": deals(103, rate=4.2)}
    return {SAVED_LTV_RATES: {"103": lists, "104": {"60": deals(104, rate=4.13)}}}


def over(feed: Feed, archive: MemoryArchive | None = None) -> tuple[SavedLists, LenderRates]:
    directory = LenderDirectory([ALDER, BIRCH, LETS])
    saved = SavedLists(feed.client, lender_ids=lambda: directory.ids, archive=archive)
    return saved, LenderRates(SavedLenderRates(saved=saved, directory=directory))


async def test_saved_lists_are_narrowed_to_each_deal_type() -> None:
    saved, rates = over(Feed(saved_trees()))
    await saved.refresh_lenders()
    best, listing = await rates.blocks(ALDER, None)
    assert [product.title for product in best.products] == ["Two years fixed", "Two years fixed, dear"]
    assert (best.query, best.sample, best.stale) == (narrowed(ALDER.query, TWO_YEARS_FIXED), False, False)
    assert {
        (kind.slug, ltv): (product.title, product.initial_rate)
        for (kind, ltv), product in listing.lowest.found.items()
        if ltv == 60
    } == {
        ("2-years-fixed", 60): ("Two years fixed", 4.15),
        ("5-years-fixed", 60): ("Five years fixed", 4.16),
        ("2-years-variable", 60): ("Tracker", 4.18),
    }
    assert [ltv for kind, ltv in listing.lowest.found if kind is TWO_YEARS_FIXED] == [60, 95]
    assert (len(listing.products), listing.interest_only) == (8, None)
    assert [product.title for product in (await rates.blocks(ALDER, FIVE_YEARS))[0].products] == ["Five years fixed"]


async def test_market_of_saved_lists_is_the_lowest_of_all_lenders() -> None:
    saved, rates = over(Feed(saved_trees()))
    await saved.refresh_lenders()
    _, listing = await rates.blocks(ALDER, None)
    market = listing.market
    assert market
    lowest = {ltv: product for (kind, ltv), product in market.found.items() if kind is TWO_YEARS_FIXED}
    assert {ltv: (product.lender_id, product.initial_rate) for ltv, product in lowest.items()} == {
        50: (103, 4.11),
        60: (104, 4.13),
        95: (103, 4.2),
    }


async def test_lists_of_let_property_are_compared_among_themselves() -> None:
    feed = Feed(saved_trees())
    saved, rates = over(feed)
    await saved.refresh_lenders()
    with pytest.raises(RatesError):
        await rates.blocks(LETS, None)
    feed.trees[SAVED_LTV_RATES]["105"] = {"60": deals(105, rate=4.05)}
    await saved.refresh_lenders()
    best, listing = await rates.blocks(LETS, None)
    assert (best.products, listing.lowest.query.residential) == ((), False)
    assert listing.market
    assert {product.lender_id for product in listing.market.found.values()} == {105}
    _, homes = await rates.blocks(BIRCH, None)
    assert homes.market
    assert 105 not in {product.lender_id for product in homes.market.found.values()}


@pytest.mark.parametrize("ltv", [50, 65])
async def test_lender_without_a_list_at_its_tables_has_a_table_of_others(ltv: int) -> None:
    saved, rates = over(Feed({SAVED_LTV_RATES: {"103": {str(ltv): deals(103, rate=4.11)}}}))
    await saved.refresh_lenders()
    best, listing = await rates.blocks(ALDER, None)
    assert (len(best.products), {at for _, at in listing.lowest.found}) == (2 if ltv == 50 else 0, {ltv})


@pytest.mark.parametrize(("lender", "kind"), [(LETS, None), (ALDER, DEAL_TYPES[1])])
async def test_page_without_a_rate_says_so_instead_of_an_empty_table(lender: KnownLender, kind: Any) -> None:
    saved, rates = over(Feed(saved_trees()))
    await saved.refresh_lenders()
    with pytest.raises(LenderWithoutRatesError):
        await rates.blocks(lender, kind)


async def test_interest_only_deals_are_left_out_of_pages_about_repayment() -> None:
    only = row(RepaymentBasis="Interest only", InitialMonthlyPayment="349.17", NYearCostIncFeesExERC="9379.08")
    saved, rates = over(Feed({SAVED_LTV_RATES: {"103": {"60": answer([only])}}}))
    await saved.refresh_lenders()
    assert saved.of_lender(103)
    with pytest.raises(RatesError):
        await rates.blocks(ALDER, None)


async def test_feed_away_at_a_start_leaves_the_last_rates_with_their_time() -> None:
    archive = MemoryArchive()
    before, _ = over(Feed(saved_trees()), archive)
    await before.refresh_lenders()
    for held, is_known in ((MemoryArchive(), False), (archive, True)):
        saved, rates = over(Feed({}), held)
        await saved.restore()
        with pytest.raises(RatesError):
            await saved.refresh_lenders()
        if not is_known:
            with pytest.raises(RatesError) as raised:
                await rates.blocks(ALDER, None)
            assert not isinstance(raised.value, LenderWithoutRatesError)
            continue
        best, listing = await rates.blocks(ALDER, None)
        assert (best.stale, listing.lowest.stale, len(best.products)) == (True, True, 2)
        assert best.read_at == before.of_lender(103)[50].read_at


async def test_list_of_one_lender_from_before_a_failure_does_not_age_the_others() -> None:
    feed = Feed(saved_trees())
    saved, rates = over(feed)
    await saved.refresh_lenders()
    version = rates.version
    del feed.trees[SAVED_LTV_RATES]["104"]
    await saved.refresh_lenders()
    assert rates.version != version
    _, alder = await rates.blocks(ALDER, None)
    _, birch = await rates.blocks(BIRCH, None)
    assert alder.market
    assert (alder.lowest.stale, alder.market.stale, birch.lowest.stale) == (False, False, True)


QUERY = RatesQuery(price=300_000, amount=187_500)


class CountedSource(ListSource):
    """Answers after every other search has had its turn, and counts how many are under way."""

    now = most = 0

    async def search(self, query: RatesQuery) -> RatesAnswer:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(5):
            await asyncio.sleep(0)
        self.now -= 1
        return await super().search(query)


async def test_every_row_is_what_a_search_of_the_market_puts_first() -> None:
    async def ask(query: RatesQuery) -> RatesAnswer:
        return search(query)

    found = await find_rates_by_ltv(ask, QUERY)
    first = {ltv: search(asked).products[0] for ltv, asked in searches_by_ltv(QUERY).items()}
    assert {each.ltv: each.product for each in found.lowest} == first
    assert [each.ltv for each in found.lowest] == list(LTVS)


async def test_chart_is_searched_four_at_a_time_and_once() -> None:
    source = CountedSource(many(3))
    service = RatesService(source)
    await asyncio.gather(*(find_rates_by_ltv(service.search, QUERY) for _ in range(2)))
    await find_rates_by_ltv(service.search, QUERY)
    assert len(source.asked) == len(LTVS)
    alone = CountedSource(many(3))
    await find_rates_by_ltv(alone.search, QUERY)
    assert (alone.most, len(alone.asked)) == (MAX_CONCURRENT, len(LTVS))


async def test_chart_fails_where_one_of_its_searches_does() -> None:
    source = ListSource(many(3))

    async def ask(query: RatesQuery) -> RatesAnswer:
        source.away = query.ltv > 90
        return await source.search(query)

    with pytest.raises(RatesError, match="away"):
        await find_rates_by_ltv(ask, QUERY)


class RefusedError(RatesError):
    """What a source says in words of its own."""

    words = "The loan is too large"


def refusing(most: int) -> Callable[[RatesQuery], Awaitable[RatesAnswer]]:
    source = ListSource(many(3))

    async def ask(query: RatesQuery) -> RatesAnswer:
        if query.ltv > most:
            raise RefusedError("refused")
        return await source.search(query)

    return ask


async def test_loans_that_the_source_refuses_in_words_are_left_out() -> None:
    for most, shown in ((100, list(LTVS)), (80, [50, 60, 70, 75, 80])):
        assert [each.ltv for each in (await find_rates_by_ltv(refusing(most), QUERY)).lowest] == shown
    with pytest.raises(RefusedError):
        await find_rates_by_ltv(refusing(0), QUERY)
