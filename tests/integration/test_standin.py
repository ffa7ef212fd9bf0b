"""The product's feeds over real HTTP against the stand-in: its good answers, and every switch."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar
from urllib.request import Request, urlopen

import pytest

from broker.rates.feed.client import FeedClient, FeedSettings
from broker.rates.feed.errors import FeedError
from broker.rates.feed.lenders import fetch_lenders, fetch_logos
from broker.rates.feed.product_rows import ROW
from broker.rates.feed.products import FeedRateSource
from broker.rates.feed.saved_rates import (
    SavedRatesRequest,
    fetch_saved_lenders,
    fetch_saved_ltv_rates,
    fetch_saved_rates,
    request_saved_rates,
)
from broker.rates.feed.site_content import fetch_faqs
from broker.rates.product import NO_CHARGE, RateProduct, RatesAnswer
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import ranked, with_fees, within_filters
from tests.standin import NAMES, Standin, running
from tests.standin.market import stated
from tests.standin.setting import FAILURES, ROWS
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.rates.market import searching

Result = TypeVar("Result")

TIMEOUTS = {"slow": {"total_timeout": 1.0}, "silent": {"read_timeout": 1.0}}
"""Seconds of the timeout that ends a failure which ends by nothing else."""

EVERYTHING = RatesQuery(with_fee_free=True)
QUERIES = {
    "default": RatesQuery(),
    "fee-free too": EVERYTHING,
    "by fees": replace(EVERYTHING, sort=SortOrder.FEES),
    "by true cost": RatesQuery(sort=SortOrder.TRUE_COST),
    "variable, 30 years": RatesQuery(fixed=False, variable=True, term=30),
    "five years, interest only": RatesQuery(two_years=False, five_years=True, repayment=False),
    "one lender": RatesQuery(lender_id=42, amount=150_000, with_fee_free=True),
    "remortgage of a let house": RatesQuery(customer="buy-to-let-remortgage", price=300_000, amount=180_000),
    "first-time buyer at 95%": RatesQuery(customer="first-time-buyer", amount=190_000, term=40),
    "nothing": RatesQuery(amount=200_000),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture
def standin(server: Standin) -> Standin:
    server.switch(rows=ROWS, delay=0)
    server.forget()
    return server


def read(standin: Standin, call: Callable[[FeedClient], Awaitable[Result]]) -> Result:
    settings = FeedSettings(
        api_url=standin.url, read_timeout=ANSWER_TIMEOUT, total_timeout=ANSWER_TIMEOUT, backoff_seconds=0.01
    )
    settings = replace(settings, **TIMEOUTS.get(standin.site.setting.name, {}))

    async def asked() -> Result:
        client = FeedClient(settings)
        try:
            return await call(client)
        finally:
            await client.aclose()

    return asyncio.run(asked())


def search(standin: Standin, query: RatesQuery) -> RatesAnswer:
    return read(standin, lambda client: FeedRateSource(client=client).search(query))


def outcome(standin: Standin) -> tuple[str, object]:
    """Return what a search comes to: the number of products, or the error's name and sentence."""
    try:
        return "products", len(search(standin, EVERYTHING).products)
    except FeedError as error:
        return type(error).__name__, str(error).removeprefix("get_rates: ")


def expected(query: RatesQuery) -> list[RateProduct]:
    """Return the market's first hundred products for a query, as the feed sorts and then the product does."""
    sent = SortOrder.FEES if query.sort is SortOrder.FEES else SortOrder.RATE
    every = replace(query, customer="", sort=sent, with_fee_free=True)
    first = within_filters(searching.search(every).products[:ROWS], query)
    return first if query.with_fee_free else with_fees(first)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_feed_over_http_gives_the_markets_products(standin: Standin, query: RatesQuery) -> None:
    answer = search(standin, query)
    market = {product.title + product.lender_name: product for product in expected(query)}
    assert (len(answer.products), answer.sample) == (len(market), False)
    for product in answer.products:
        same = market[product.title + product.lender_name]
        assert product == replace(
            same,
            product_id=product.product_id,
            aprc=round(same.aprc, 4),
            cash_cost=round(same.cash_cost, 2),
            true_cost=pytest.approx(same.true_cost, abs=0.011),
            fee_percent=0,
            early_repayment_charge=NO_CHARGE if same.has_no_charge else "",
            notes=product.notes,
            incentives=stated(same.incentives),
            least_loan=None,
            most_loan=None,
        )


def test_sort_by_fees_skips_fee_free_products_that_the_feed_lists_first(standin: Standin) -> None:
    products = search(standin, RatesQuery(sort=SortOrder.FEES)).products
    assert len(products) > 50
    assert list(products) == ranked(products, SortOrder.FEES)
    assert min(product.total_fees for product in products) > 0
    assert standin.asked()["get_rates"] == 2


ALL, NONE = ("products", ROWS), ("products", 0)
OUTCOMES: dict[str, tuple[str, object]] = {
    "one": ("products", 1),
    **dict.fromkeys(
        ("none-object", "none-list", "null", "empty-text", "empty-list", "empty-object", "empty-body"), NONE
    ),
    "fault": ("FeedFaultError", "fault: Invalid LTV"),
    "fault-empty": ("FeedFaultError", "fault: The rates service could not answer this search."),
    "status-not-ok": ("FeedFaultError", "fault: The service answered with code Failed."),
    "false": ("FeedParseError", "answered false"),
    "no-body-key": ("FeedParseError", "an answer without GetSchemesExResponse"),
    "html-200": ("FeedParseError", "an HTML page, or XML that declares its own entities"),
    "html-502": ("FeedStatusError", "answered 502"),
    "status-500": ("FeedStatusError", "answered 500 (internal_server_error)"),
    "php-warning-500": ("FeedStatusError", "answered 500 (internal_server_error)"),
    "redirect": ("FeedStatusError", "answered 302"),
    "slow": ("FeedUnavailableError", "no answer in time (TimeoutError)"),
    "silent": ("FeedUnavailableError", "no answer in time (ReadTimeout)"),
    "huge": ("FeedTooLargeError", "a body above 8388608 bytes"),
    "short": ("FeedUnavailableError", "the connection failed (RemoteProtocolError)"),
    "reset": ("FeedUnavailableError", "the connection failed (ReadError)"),
    **dict.fromkeys(("php-warning", "gql-errors", "gql-partial", "gql-errors-empty"), ALL),
}
"""What a search comes to under each failure; under every odd shape not named here it finds all."""


@pytest.mark.parametrize("name", NAMES)
def test_switch_gives_its_outcome_and_the_feed_recovers(standin: Standin, name: str) -> None:
    standin.switch(name)
    assert outcome(standin) == OUTCOMES.get(name, ALL)
    assert standin.asked() == {"get_rates": 1}
    standin.switch()
    assert outcome(standin) == ALL


def test_every_failure_has_its_outcome() -> None:
    assert set(FAILURES) <= set(OUTCOMES) <= set(NAMES)


def test_search_that_makes_no_sense_is_a_fault(standin: Standin) -> None:
    found = post(standin, "/api/wp-json/get_rates/v1/get", "LoanTerm=45&mortgageAmount=100000")
    assert found["Body"]["Fault"]["faultstring"] == "The loan amount is outside the permitted range."


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        ("mortgageFixed=true&mortgageVariable=false", 100),
        ("mortgageFixed=1&mortgageVariable=0", 100),
        ("mortgageFixed=false&mortgageVariable=", 0),
        ("mortgageFixed=0", 0),
        ("", 100),
    ],
)
def test_flags_are_compared_as_text(standin: Standin, form: str, rows: int) -> None:
    schemes = post(standin, "/api/wp-json/get_rates/v1/get", form)["Body"]["GetSchemesExResponse"]["objSchemes"]
    assert len(schemes.get(ROW, ())) == rows


def test_rows_are_sorted_as_numbers_and_follow_on_figures_can_be_left_out(standin: Standin) -> None:
    address = "/api/wp-json/get_rates/v1/get?x-rows=2000&x-final=0"
    rows = post(standin, address, "sortBy=TotalFees")["Body"]["GetSchemesExResponse"]["objSchemes"][ROW]
    fees = [float(row["TotalFees"]) for row in rows]
    assert fees == sorted(fees)
    assert {999.0, 1_499.0} < set(fees)
    assert not [row for row in rows if "FinalRate" in row or "FinalMonthlyPayment" in row]


@pytest.mark.parametrize("name", ["ok", "prefix-kept", "prefix-glued", "xml-body", "gaps-object", "numbers-typed"])
def test_lenders_and_logos_are_read(standin: Standin, name: str) -> None:
    standin.switch(name)
    market = searching.catalogue().lenders
    lenders = read(standin, fetch_lenders)
    assert {lender.lender_id: lender.name for lender in lenders} == {key: one.name for key, one in market.items()}
    logos = read(standin, lambda client: fetch_logos(client, [42, 1, 999_999]))
    assert {key: logo.media_type for key, logo in logos.by_lender.items()} == {1: "image/png", 42: "image/png"}


@pytest.mark.parametrize(("name", "kinds"), [("logo-gif", ["image/gif"]), ("logo-bad-base64", [])])
def test_logos_are_taken_for_what_they_are(standin: Standin, name: str, kinds: list[str]) -> None:
    standin.switch(name)
    logos = read(standin, lambda client: fetch_logos(client, [42]))
    assert ([logo.media_type for logo in logos.by_lender.values()], tuple(logos.faults)) == (
        kinds,
        () if kinds else (42,),
    )


@pytest.mark.parametrize("name", ["ok", "prefix-kept", "prefix-glued", "empties-as-list", "double-encoded"])
def test_saved_rates_are_read(standin: Standin, name: str) -> None:
    standin.switch(name)
    saved = read(standin, fetch_saved_rates)
    assert ({len(reading.products) for reading in saved.by_type.values()}, saved.problems) == ({20}, {})
    by_ltv = read(standin, lambda client: fetch_saved_ltv_rates(client, lender_id=42))
    assert (list(by_ltv.by_lender), [len(by_ltv.by_lender[42][ltv]) for ltv in (50, 75, 90)]) == ([42], [12, 12, 12])


def test_other_calls_are_read_and_counted(standin: Standin) -> None:
    faqs = read(standin, fetch_faqs)
    assert faqs["remortgaging"][1].answer.startswith("<p>We charge no fee.</p>")
    order = SavedRatesRequest(lender_id=42, value="remortgaging", ltv=50, count=3)
    assert read(standin, lambda client: request_saved_rates(client, [order, order])) == 2
    assert read(standin, fetch_saved_lenders)[0].lender_id == 1
    assert standin.asked() == {"faqs": 1, "service": 1, "get_saved_lenders": 1}


def test_one_call_can_fail_while_the_others_are_well(standin: Standin) -> None:
    standin.switch("html-502", only="get_rates")
    assert outcome(standin)[0] == "FeedStatusError"
    assert read(standin, fetch_faqs)


def test_people_switch_it_over_http(standin: Standin) -> None:
    assert post(standin, "/_standin/switch", "name=fault&delay=5")["delay"] == 5
    assert outcome(standin)[0] == "FeedFaultError"
    assert post(standin, "/api/wp-json/get_rates/v1/get?x-fixture=null", "") is None
    assert get(standin, "/_standin/asked") == {"get_rates": 2}


def get(standin: Standin, address: str) -> Any:
    return post(standin, address, None)


def post(standin: Standin, address: str, form: str | None) -> Any:
    body = form if form is None else form.encode()
    with urlopen(Request(standin.url.removesuffix("/api") + address, data=body)) as answer:
        return json.load(answer)
