import asyncio
from dataclasses import replace
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.rates.customers import default_query
from broker.rates.feed.product_rows import parse_row
from broker.rates.feed.products import FeedRateSource, parse_products, product_from_row, rates_form
from broker.rates.product import RateProduct, RateType
from broker.rates.query import RatesQuery, SortOrder
from tests.unit.rates.feed.answers import answer, body, row, without
from tests.unit.rates.feed.recorded import AT, client, recorded, replied

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


def test_answer_says_when_it_was_read_and_which_product_wins() -> None:
    bare = without("InitialMonthlyPayment", "NYearCostIncFeesExERC")
    rows = [
        {**bare, "InitialRate": "4.10", "Note": "b"},
        {**bare, "InitialRate": "4.00", "Note": "a", "TotalFees": "1999.00"},
        row(TotalFees="0"),
        row(Term="5"),
        row(InitialRate="0.0001"),
    ]

    async def search() -> Any:
        source = FeedRateSource(client=client(lambda _: replied(body(answer(rows)))), clock=lambda: AT)
        return await source.search(RatesQuery())

    found = asyncio.run(search())
    assert [product.title for product in found.products] == ["a", "b"]
    assert (found.read_at, found.sample, found.fee_free, found.left_out) == (AT, False, 1, 2)
    assert (found.winners.cash, found.winners.true) == (found.products[1], found.products[1])


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
        row(FinalRate="7.2", RepaymentBasis="INTEREST_ONLY", InitialMonthlyPayment="349.17"),
        {"interest_only": True, "follow_on_payment": 600.0},
    ),
    "no payment": (without("InitialMonthlyPayment"), {"initial_payment": 538.38}),
    "no cost": (without("NYearCostIncFeesExERC"), {"cash_cost": 13_920.12, "true_cost": 9_191.8}),
    "a cost over the whole term": (
        row(NYearCostIncFeesExERC="213286.56"),
        {"cash_cost": 13_920.12, "true_cost": 9_191.8},
    ),
    "a follow-on payment far from its rate": (
        row(FinalRate="7.39", FinalMonthlyPayment="71.87"),
        {"follow_on_rate": 7.39, "follow_on_payment": 718.74},
    ),
    "a follow-on rate that no mortgage has": (row(FinalRate="0.0001"), {"follow_on_rate": None}),
    "no basis, and the payment of interest alone": (
        {**without("RepaymentBasis"), "InitialMonthlyPayment": "349.17"},
        {"interest_only": True, "initial_payment": 349.17},
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


GARBLED = {
    "a term of 5 years beside the payment of 25": row(Term="5"),
    "a rate of 0.0001": row(InitialRate="0.0001"),
    "a rate of 0.0001 and its payment": row(InitialRate="0.0001", InitialMonthlyPayment="333.34"),
    "a rate of 0.0001 without a payment": {**without("InitialMonthlyPayment"), "InitialRate": "0.0001"},
    "a rate ten times too high": row(InitialRate="41.9"),
    "a rate ten times too low": row(InitialRate="0.419"),
    "an APRC of 0.0606": row(APRC="0.0606"),
    "a payment without its decimal point": row(InitialMonthlyPayment="53838"),
    "a payment of pence": row(InitialMonthlyPayment="5.38"),
    "a payment of a year": row(InitialMonthlyPayment="6460.56"),
    "the payment of interest alone beside repayment": row(InitialMonthlyPayment="349.17"),
    "another loan": row(LoanAmount="10000"),
    "cashback above all that the deal costs": row(Note="£9,900 cashback"),
}

CONSISTENT = {
    "as given": row(),
    "rounded up to pounds": row(InitialMonthlyPayment="539"),
    "rounded down to pounds": row(InitialMonthlyPayment="538"),
    "fees added to the loan": row(InitialMonthlyPayment="569.50", TotalFees="5780"),
    "interest only": row(InitialMonthlyPayment="349.17", RepaymentBasis="INTEREST_ONLY"),
    "interest only by days": row(InitialMonthlyPayment="355.86", RepaymentBasis="INTEREST_ONLY"),
    "a rate for the whole term": row(InitialRateControlPeriod="1"),
}


def test_row_with_impossible_figures_is_left_out_and_counted() -> None:
    listed = parse_products([*GARBLED.values(), row(Note="right"), row(LenderID="934")], RatesQuery())
    assert [product.title for product in listed.products] == ["right"]
    assert (listed.unusable, listed.dropped) == (len(GARBLED), len(GARBLED) + 1)
    kept = {name: len(parse_products([fields], RatesQuery()).products) for name, fields in CONSISTENT.items()}
    assert kept == dict.fromkeys(CONSISTENT, 1)


@settings(deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "InitialRate": st.sampled_from(["4.19", "0.0001", "0.5", "24.9", "419"]),
            "Term": st.sampled_from(["25", "5", "40", "1", "0"]),
            "InitialMonthlyPayment": st.sampled_from(["538.38", "53838", "349.17", "1851.02", "0.01", "8521.23"]),
            "InitialRateControlPeriod": st.sampled_from(["24", "60", "1", "300"]),
            "TotalFees": st.sampled_from(["999", "1", "99999"]),
            "NYearCostIncFeesExERC": st.sampled_from(["13920.12", "1", "1e9"]),
            "RepaymentBasis": st.sampled_from(["Repayment", "INTEREST_ONLY", ""]),
            "Note": st.sampled_from(["Fixed", "£500 cashback", "£25,000 cashback"]),
        }
    )
)
def test_no_listed_product_costs_less_than_nothing(changes: dict[str, str]) -> None:
    for product in parse_products([row(**changes)], RatesQuery()).products:
        assert min(product.true_cost, product.initial_interest, product.cash_cost) >= 0
        assert product.initial_rate >= 0.1


def test_rate_type_is_that_of_the_query_or_the_products_own_word() -> None:
    both = RatesQuery(variable=True)
    assert read(row(), RatesQuery(fixed=False, variable=True)).rate_type is RateType.VARIABLE
    assert read(row(Note="Tracker", RateDescription={}), RatesQuery()).rate_type is RateType.FIXED
    assert read(row(), both).rate_type is RateType.FIXED
    assert read(row(Note="Tracker", RateDescription={}), both).rate_type is RateType.VARIABLE


def test_product_id_depends_on_what_identifies_the_product() -> None:
    first = read(row()).product_id
    assert first == read(row(APRC="6.2", InitialMonthlyPayment="1", Notes={})).product_id == "f-" + first[2:]
    for change in ("LenderID", "InitialRate", "InitialRateControlPeriod", "TotalFees", "LTV", "Note"):
        assert read(row(**{change: "12"})).product_id != first
