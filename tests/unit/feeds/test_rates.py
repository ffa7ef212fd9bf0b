"""The payload of a search, and the figures of a product where the feed gives more or less than usual."""

import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest

from broker.domain.rates.customers import default_query
from broker.domain.rates.product import RateProduct, RateType
from broker.domain.rates.query import RatesQuery, SortOrder
from broker.feeds.parsing.product_row import parse_row
from broker.feeds.products import product_from_row
from broker.feeds.rates import FeedRateSource, rates_form
from tests.unit.feeds.answers import answer, body, row, without
from tests.unit.feeds.recorded import AT, client, recorded, replied

COMMON = "mortgageFixed=true&mortgageVariable=false&periodUptoTwo=true&periodThree=false&periodFive=false"
SEARCHES: dict[str, tuple[RatesQuery, str]] = {
    "the general search": (
        RatesQuery(),
        f"type=&LoanTerm=25&{COMMON}&purchaseLoan=true&repayment=true&propertyPrice=200000&mortgageAmount=100000"
        "&residential=true&sortBy=InitialRate",
    ),
    "a lender's page": (
        replace(default_query("remortgaging"), lender_id=75, sort=SortOrder.FEES),
        f"lenderId=75&type=remortgaging&LoanTerm=25&{COMMON}&purchaseLoan=false&repayment=true&propertyPrice=200000"
        "&mortgageAmount=100000&residential=true&sortBy=TotalFees",
    ),
    "buy-to-let remortgage sends another type": (
        replace(default_query("buy-to-let-remortgage"), repayment=False, sort=SortOrder.TRUE_COST),
        f"type=buy-to-let&LoanTerm=25&{COMMON}&purchaseLoan=false&repayment=false&propertyPrice=200000"
        "&mortgageAmount=100000&residential=false&sortBy=InitialRate",
    ),
}


@pytest.mark.parametrize(("query", "form"), SEARCHES.values(), ids=SEARCHES)
def test_search_is_sent_as_specified(query: RatesQuery, form: str) -> None:
    sent: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return replied(body(answer([])))

    asyncio.run(FeedRateSource(client=client(respond)).search(query))
    (request,) = sent
    assert (request.method, str(request.url)) == ("POST", "https://feed.example/api/wp-json/get_rates/v1/get")
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert request.content == form.encode()


def test_form_is_the_recorded_one() -> None:
    assert rates_form(RatesQuery(customer="first-time-buyer")).decode() == recorded("get_rates_ok").request["body"]


def test_answer_tells_when_it_was_read_and_which_product_wins() -> None:
    bare = without("InitialMonthlyPayment", "NYearCostIncFeesExERC")
    rows = [
        {**bare, "InitialRate": "4.10", "Note": "b"},
        {**bare, "InitialRate": "4.00", "Note": "a", "TotalFees": "1999.00"},
        row(TotalFees="0"),
    ]

    async def search() -> Any:
        source = FeedRateSource(client=client(lambda _: replied(body(answer(rows)))), clock=lambda: AT)
        return await source.search(RatesQuery())

    found = asyncio.run(search())
    assert [product.title for product in found.products] == ["a", "b"]
    assert (found.read_at, found.sample, found.fee_free) == (AT, False, 1)
    assert (found.winners.cash, found.winners.true) == (found.products[1], found.products[1])


def test_fees_are_sorted_as_numbers() -> None:
    rows = [row(TotalFees=fee, Note=fee) for fee in ("1008.00", "999.00", "10000.00", "35.00")]
    source = FeedRateSource(client=client(lambda _: replied(body(answer(rows)))))
    found = asyncio.run(source.search(RatesQuery(sort=SortOrder.FEES)))
    assert [product.total_fees for product in found.products] == [35, 999, 1008, 10_000]


def read(fields: dict[str, Any], query: RatesQuery | None = None) -> RateProduct:
    product = product_from_row(parse_row(fields), query or RatesQuery())
    assert product is not None
    return product


FIGURES: dict[str, tuple[dict[str, Any], dict[str, object]]] = {
    "as given": (row(), {"aprc": 6.06, "initial_payment": 538.38, "cash_cost": 13_920.12, "true_cost": 9_191.8}),
    "no follow-on": (row(), {"follow_on_rate": None, "follow_on_payment": None}),
    "a follow-on as given": (
        row(FinalRate="7.39", FinalMonthlyPayment="716.60"),
        {"follow_on_rate": 7.39, "follow_on_payment": 716.60},
    ),
    "a follow-on rate alone": (row(FinalRate="7.39"), {"follow_on_rate": 7.39, "follow_on_payment": 718.74}),
    "a follow-on payment alone": (row(FinalMonthlyPayment="1"), {"follow_on_rate": None, "follow_on_payment": None}),
    "a follow-on, interest only": (
        row(FinalRate="7.2", RepaymentBasis="INTEREST_ONLY"),
        {"interest_only": True, "follow_on_payment": 600.0},
    ),
    "no payment": (without("InitialMonthlyPayment"), {"initial_payment": 538.38}),
    "no cost": (without("NYearCostIncFeesExERC"), {"cash_cost": 13_920.12, "true_cost": 9_191.8}),
    "a cost over the whole term": (
        row(NYearCostIncFeesExERC="213286.56"),
        {"cash_cost": 213_286.56, "true_cost": 9_191.8},
    ),
    "no loan and no term": (without("LoanAmount", "Term"), {"loan_amount": 100_000.0, "term_years": 25}),
    "no LTV": (without("LTV"), {"most_ltv": 50.0}),
    "no basis": (without("RepaymentBasis"), {"interest_only": False}),
    "a rate for the whole term": (row(InitialRateControlPeriod="1"), {"initial_months": 300, "follow_on_payment": 0.0}),
    "a deal longer than the term": (row(InitialRateControlPeriod="60", Term="3"), {"initial_months": 36}),
    "the sibling's names": (
        {**without("LenderID", "APRC"), "BaseLenderID": "42", "APR": "6.1"},
        {"lender_id": 42, "aprc": 6.1},
    ),
}


def test_figures_are_as_stated_or_calculated() -> None:
    for case, (fields, wanted) in FIGURES.items():
        product = read(fields)
        assert {name: getattr(product, name) for name in wanted} == wanted, case


def test_rate_type_is_what_was_asked_for_or_the_products_own_word() -> None:
    both = RatesQuery(variable=True)
    assert read(row(), RatesQuery(fixed=False, variable=True)).rate_type is RateType.VARIABLE
    assert read(row(Note="Tracker", RateDescription={}), RatesQuery()).rate_type is RateType.FIXED
    assert read(row(), both).rate_type is RateType.FIXED
    assert read(row(Note="Tracker", RateDescription={}), both).rate_type is RateType.VARIABLE


def test_product_id_stays_while_the_product_does() -> None:
    first = read(row()).product_id
    assert first == read(row(APRC="6.2", InitialMonthlyPayment="1", Notes={})).product_id == "f-" + first[2:]
    for change in ("LenderID", "InitialRate", "InitialRateControlPeriod", "TotalFees", "LTV", "Note"):
        assert read(row(**{change: "36"})).product_id != first
