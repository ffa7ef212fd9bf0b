import random
from dataclasses import replace
from typing import Any

import pytest

from broker.rates.customers import RULES, default_query, restricted
from broker.rates.filters import FILTERS
from broker.rates.query import QueryError, RatesQuery, SortOrder
from broker.rates.search_params import (
    CHOICES,
    FIELDS,
    LENDER,
    form_of,
    known_customer,
    parameters_of,
    query_of,
    query_or_default,
    typed_form,
)

OPENING = {
    "price": "200,000",
    "amount": "100,000",
    "term": "25",
    "rate": "fixed",
    "period": "2",
    "for": "purchase",
    "repay": "repayment",
    "property": "residential",
    "sort": "rate",
    "fees": "",
    **{each.parameter: "" for each in FILTERS},
    "lender": "",
}


def drawn_query(draw: random.Random) -> RatesQuery:
    customer = draw.choice(list(RULES))
    price, years, fixed = draw.randint(1, 10 ** draw.randint(1, 9)), draw.choice([2, 3, 5]), draw.random() < 0.5
    flags = {name: draw.random() < 0.5 for name in ("purchase", "repayment", "residential")}
    fees = [{"most_fees": most} for most in (None, 500, 1_000, 1_500, 2_000)]
    fees += [{"with_fee_free": True}, {"with_fee_free": True, "most_fees": 0}]
    return restricted(
        RatesQuery(
            customer=customer,
            price=price,
            amount=draw.randint(1, price),
            term=draw.randint(1, 40),
            fixed=fixed,
            variable=not fixed,
            two_years=years == 2,
            three_years=years == 3,
            five_years=years == 5,
            sort=draw.choice(list(SortOrder)),
            **draw.choice(fees),  # pyright: ignore[reportArgumentType] - a filter on fees
            filters=frozenset(each.parameter for each in FILTERS if draw.random() < 0.5),
            lender_id=draw.choice([None, 1, 42, 2_009]),
            **flags,  # pyright: ignore[reportArgumentType] - three flags
        )
    )


QUERIES = [drawn_query(random.Random(seed)) for seed in range(1_000)]


def test_general_search_opens_with_this_form() -> None:
    assert form_of(default_query("")) == OPENING
    assert tuple(OPENING) == FIELDS


def test_every_search_survives_the_form_and_the_address() -> None:
    for query in QUERIES:
        address = parameters_of(query)
        for parameters in (form_of(query), address):
            assert query_of(query.customer, typed_form(default_query(query.customer), parameters)) == query
        assert not any("," in value for value in address.values())


def test_address_holds_only_what_differs_from_its_pages_opening_search() -> None:
    assert {customer: parameters_of(default_query(customer)) for customer in RULES} == {each: {} for each in RULES}
    query = RatesQuery(price=1_250_000, five_years=True, two_years=False, sort=SortOrder.TRUE_COST, with_fee_free=True)
    assert parameters_of(query) == {"price": "1250000", "period": "5", "sort": "true-cost", "fees": "any"}
    assert parameters_of(replace(default_query("buy-to-let"), repayment=False)) == {"repay": "interest-only"}


@pytest.mark.parametrize(
    ("parameters", "changed"),
    [
        ({}, {}),
        ({"price": "£300,000"}, {"price": "300,000"}),
        (
            {"price": " 0300000 ", "amount": "200000", "term": "30 "},
            {"price": "300,000", "amount": "200,000", "term": "30"},
        ),
        ({"price": "000", "amount": "9" * 99, "term": "0030"}, {"price": "0", "amount": "9" * 40, "term": "30"}),
        ({"price": ""}, {"price": ""}),
        ({"price": "£250k", "amount": "0.125m", "term": "25.0"}, {"price": "250,000", "amount": "125,000"}),
        ({"price": "310000.00", "amount": "250 000.5"}, {"price": "310,000", "amount": "250,001"}),
        ({"price": "150,50", "term": "2,5"}, {"price": "150,50", "term": "2,5"}),
        ({"price": "abc", "term": "41"}, {"price": "abc", "term": "41"}),
        ({"rate": "variable", "period": "5"}, {"rate": "variable", "period": "5"}),
        ({"rate": "Variable", "period": "4", "sort": "", "for": "sale"}, {}),
        ({"feefree": "1"}, {"fees": "any"}),
        ({"feefree": "1", "fees": "500"}, {"fees": "500"}),
        ({"feefree": "yes"}, {}),
        ({"cashback": "1", "noerc": "1"}, {"cashback": "1", "noerc": "1"}),
        ({"cashback": "yes", "noerc": ""}, {}),
        ({"fees": "1000", "lender": "42"}, {"fees": "1000", "lender": "42"}),
        ({"fees": "700", "lender": "0"}, {}),
        ({"fees": "1,000", "lender": "042"}, {}),
        ({"fees": "-500", "lender": "1" * 10}, {}),
        ({"customer": "buy-to-let", "lender_id": "7", "__class__": "x", "": ""}, {}),
    ],
)
def test_form_takes_known_names_and_values(parameters: dict[str, object], changed: dict[str, str]) -> None:
    assert typed_form(default_query(""), parameters) == {**OPENING, **changed}


HOSTILE: list[Any] = [
    *(None, True, 0, -1, 300_000, 1e308, float("nan"), b"300000", object),
    *([], ["300000"], {}, {"price": "300000"}, ("fixed",)),
]


def test_values_that_are_not_text_are_ignored() -> None:
    parameters = [{name: value} for name in FIELDS for value in HOSTILE]
    assert [each for each in parameters if typed_form(default_query(""), each) != OPENING] == []


TEXTS = ["x" * 41, "9" * 100_000, "\x00", "\ud800", "\u202e7", "<script>", "'; --", "../..", "%00", "null"]
TEXTS += ["\n", " ", "", "1e9", "-1", "٣", "."]


@pytest.mark.parametrize("name", [name for name in FIELDS if name in CHOICES or name == LENDER])
def test_unknown_text_for_a_choice_is_ignored(name: str) -> None:
    opening = default_query("first-time-buyer")
    assert [text for text in TEXTS if query_of(opening.customer, typed_form(opening, {name: text})) != opening] == []


@pytest.mark.parametrize("name", ["price", "amount", "term"])
def test_text_that_is_no_figure_is_a_problem_of_its_field(name: str) -> None:
    for text in TEXTS:
        with pytest.raises(QueryError) as refused:
            query_of("first-time-buyer", typed_form(default_query("first-time-buyer"), {name: text}))
        assert (text, list(refused.value.problems)) == (text, [name])


def test_random_texts_make_a_search_or_a_problem() -> None:
    draw = random.Random(31)
    signs = "0123456789,.£%-eE +xX\t\n\u00a0\u2003٣"
    for _ in range(2_000):
        typed = {name: "".join(draw.choices(signs, k=draw.randint(0, 8))) for name in ("price", "amount", "term")}
        try:
            query = query_of("", typed_form(default_query(""), typed))
        except QueryError as refused:
            assert set(refused.problems) <= set(typed)
        else:
            assert 1 <= query.amount <= query.price
            assert 1 <= query.term <= 40


@pytest.mark.parametrize("customer", RULES)
def test_query_never_has_what_its_customer_rules_out(customer: str) -> None:
    options = [{name: value} for name in ("for", "repay", "property") for value in CHOICES[name]]
    queries = [query_of(customer, typed_form(default_query(customer), parameters)) for parameters in options]
    assert [query for query in queries if restricted(query) != query] == []


def test_known_customer_is_itself_and_any_other_the_general_one() -> None:
    assert [known_customer(customer) for customer in RULES] == list(RULES)
    others = [*HOSTILE, "landlord", "First-Time-Buyer", "buy-to-let ", "../"]
    assert [customer for customer in others if known_customer(customer) != ""] == []


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"price": "300000", "period": "5"}, {"price": "300000", "period": "5"}),
        ({"price": "abc", "term": "30", "period": "5"}, {"period": "5"}),
        ({"amount": "200001", "rate": "variable", "sort": "fees"}, {"rate": "variable", "sort": "fees"}),
    ],
)
def test_wrong_figures_are_the_pages_own(parameters: dict[str, str], expected: dict[str, str]) -> None:
    assert parameters_of(query_or_default("", parameters)) == expected
