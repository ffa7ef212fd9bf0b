"""One contract for both rate sources: the embedded market, and a feed that answers with the market's products."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest

from broker.rates.customers import default_query
from broker.rates.feed.products import FeedRateSource
from broker.rates.filters import FILTERS
from broker.rates.product import ANY_AMOUNT, Incentives, RatesAnswer, RateSource
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import ranked, winners, with_fees
from tests.standin.market import row
from tests.unit.rates.feed.answers import answer, body
from tests.unit.rates.feed.recorded import AT, client, replied
from tests.unit.rates.market import searching


def feed_source() -> FeedRateSource:
    """Return a feed that answers with the market's products, as texts and in the order of texts."""
    return FeedRateSource(client=client(respond), clock=lambda: AT)


def respond(request: httpx.Request) -> httpx.Response:
    given = dict(parse_qsl(request.content.decode(), keep_blank_values=True))
    found = [row(product) for product in searching.search(asked(given)).products]
    found.sort(key=lambda fields: str(fields[given["sortBy"]]))
    return replied(body(answer(found)))


def asked(given: dict[str, str]) -> RatesQuery:
    flags = {
        "fixed": "mortgageFixed",
        "variable": "mortgageVariable",
        "two_years": "periodUptoTwo",
        "three_years": "periodThree",
        "five_years": "periodFive",
        "purchase": "purchaseLoan",
        "repayment": "repayment",
        "residential": "residential",
    }
    values: dict[str, Any] = {name: given[field] == "true" for name, field in flags.items()}
    return RatesQuery(
        lender_id=int(given["lenderId"]) if "lenderId" in given else None,
        term=int(given["LoanTerm"]),
        price=int(given["propertyPrice"]),
        amount=int(given["mortgageAmount"]),
        sort=SortOrder.RATE,
        with_fee_free=True,
        **values,
    )


SOURCES: dict[str, Callable[[], RateSource]] = {"market": searching.source, "feed": feed_source}

QUERIES = {
    "default": RatesQuery(),
    "fee-free too": RatesQuery(with_fee_free=True),
    "variable": RatesQuery(fixed=False, variable=True),
    "five years, interest only": RatesQuery(two_years=False, five_years=True, repayment=False),
    "one lender": RatesQuery(lender_id=42, amount=150_000),
    "fees up to £500": RatesQuery(most_fees=500),
    "one lender, fee-free or fees up to £1,000": RatesQuery(lender_id=1, most_fees=1_000, with_fee_free=True),
    "remortgage of a let house": default_query("buy-to-let-remortgage"),
    "first-time buyer": RatesQuery(customer="first-time-buyer", amount=190_000, term=40),
    **{each.label: RatesQuery(filters=frozenset({each.parameter})) for each in FILTERS},
    "no charge, no fee": RatesQuery(variable=True, filters=frozenset({"noerc"}), with_fee_free=True, most_fees=0),
    "nothing": RatesQuery(amount=200_000),
}
LET = RatesQuery(residential=False, with_fee_free=True, three_years=True, five_years=True)
MARKET_QUERIES = {
    "widest": searching.WIDEST,
    "one year": replace(searching.WIDEST, term=1),
    "two years, interest only": replace(searching.WIDEST, term=2, repayment=False),
    "let, interest only": replace(LET, repayment=False, variable=True),
    "let, where 1% is £995": replace(LET, amount=99_500),
}
"""Beside those: long lists, and deals that fill the term."""


def search(source: RateSource, query: RatesQuery) -> RatesAnswer:
    async def found() -> RatesAnswer:
        return await source.search(query)

    return asyncio.run(found())


def check_search(source: RateSource, query: RatesQuery) -> None:
    """Hold a source to what every list promises."""
    answer = search(source, query)
    products = list(answer.products)
    best = winners(products)
    assert [product.product_id for product in products] == [
        product.product_id for product in ranked(products, query.sort)
    ]
    assert answer.winners == best
    assert len({product.product_id for product in products}) == len(products)
    assert answer.read_at.tzinfo is not None
    for product in products:
        assert product.aprc > 0
        assert product.lender_id > 0
        assert 0 < product.initial_months <= product.term_years * 12
        assert product.true_cost <= product.cash_cost
        assert query.lender_id in (None, product.lender_id)
        assert query.most_fees is None or product.total_fees <= query.most_fees
        assert all(each.keeps(product) for each in FILTERS if each.parameter in query.filters)
    assert answer.counts == {each.parameter: sum(map(each.keeps, products)) for each in FILTERS}


def check_fee_free(source: RateSource) -> None:
    """Hold a source to leaving fee-free products out, and counting them (decision 12)."""
    without, everything = search(source, RatesQuery()), search(source, RatesQuery(with_fee_free=True))
    assert list(without.products) == with_fees(everything.products)
    assert without.fee_free == everything.fee_free == len(everything.products) - len(without.products) > 0


def check_most_fees(source: RateSource) -> None:
    """Hold a source to leaving out what exceeds the highest fees, and nothing else, fees in percent counted in pounds.

    Two thirds of a percent of a loan are no whole pennies: they count as they are shown.
    """
    query = RatesQuery(amount=133_333, with_fee_free=True)
    everything = search(source, query)
    fees = sorted({math.ceil(product.total_fees) for product in everything.products} - {0})
    for most in (fees[0], fees[len(fees) // 2], fees[-1]):
        within = search(source, replace(query, most_fees=most))
        assert list(within.products) == [product for product in everything.products if product.total_fees <= most]
        assert within.fee_free == everything.fee_free


def check_details(source: RateSource) -> None:
    """Hold a source to finding a listed product again, and no other."""

    async def found_again() -> None:
        listed = (await source.search(RatesQuery())).products[3]
        assert await source.product(RatesQuery(), listed.product_id) == listed
        assert await source.product(RatesQuery(), "no-such-product") is None

    asyncio.run(found_again())


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_source_follows_the_contract(source: Callable[[], RateSource], query: RatesQuery) -> None:
    for order in SortOrder:
        check_search(source(), replace(query, sort=order))


@pytest.mark.parametrize("query", MARKET_QUERIES.values(), ids=MARKET_QUERIES)
def test_market_follows_the_contract_in_long_lists(query: RatesQuery) -> None:
    for order in SortOrder:
        check_search(searching.source(), replace(query, sort=order))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_source_applies_fee_limits_and_finds_products_again(source: Callable[[], RateSource]) -> None:
    check_fee_free(source())
    check_most_fees(source())
    check_details(source())


def _stated(offered: Incentives) -> Incentives:
    """Return what the notes of a product say of its incentives: nothing of what it does not have."""
    share = offered.overpayment_percent
    return replace(
        offered, overpayment_percent=None if share == ANY_AMOUNT else share, is_portable=offered.is_portable or None
    )


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_feed_shows_the_markets_own_figures(query: RatesQuery) -> None:
    market, feed = search(searching.source(), query), search(feed_source(), query)
    theirs = {product.title + product.lender_name: product for product in market.products}
    assert len(feed.products) == len(market.products) == len(theirs)
    assert (feed.fee_free, feed.sample) == (market.fee_free, False)
    for product in feed.products:
        same = theirs[product.title + product.lender_name]
        assert product == replace(
            same,
            product_id=product.product_id,
            aprc=round(same.aprc, 4),
            cash_cost=round(same.cash_cost, 2),
            true_cost=pytest.approx(same.true_cost, abs=0.011),
            fee_percent=0,
            early_repayment_charge=same.early_repayment_charge if same.has_no_charge else "",
            notes=product.notes,
            incentives=_stated(same.incentives),
            least_loan=product.least_loan,
            most_loan=product.most_loan,
        )
