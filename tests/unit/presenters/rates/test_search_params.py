"""A search as form, query and address: it comes back as it went, and nonsense falls back to the page's own."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from broker.domain.rates.customers import RULES, default_query, restricted
from broker.domain.rates.query import QueryError, RatesQuery, SortOrder
from broker.presenters.rates.filters import LENDER
from broker.presenters.rates.search_params import (
    CHOICES,
    FIELDS,
    form_of,
    in_order,
    known_customer,
    parameters_of,
    query_of,
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
    "feefree": "",
    "fees": "",
    "lender": "",
}


def drawn_query(draw: random.Random) -> RatesQuery:
    """Return a search that the form can make, for any customer type."""
    customer = draw.choice(list(RULES))
    price, years, fixed = draw.randint(1, 10 ** draw.randint(1, 9)), draw.choice([2, 3, 5]), draw.random() < 0.5
    flags = {name: draw.random() < 0.5 for name in ("purchase", "repayment", "residential", "with_fee_free")}
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
            most_fees=draw.choice([None, 500, 1_000, 1_500, 2_000]),
            lender_id=draw.choice([None, 1, 42, 2_009]),
            **flags,  # pyright: ignore[reportArgumentType] - four flags
        )
    )


QUERIES = [drawn_query(random.Random(seed)) for seed in range(1_000)]


def test_general_search_opens_with_this_form() -> None:
    assert form_of(default_query("")) == OPENING
    assert tuple(OPENING) == FIELDS


def test_every_search_survives_the_form() -> None:
    for query in QUERIES:
        assert query_of(query.customer, typed_form(default_query(query.customer), form_of(query))) == query


def test_every_search_survives_the_address() -> None:
    for query in QUERIES:
        parameters = parameters_of(query)
        assert query_of(query.customer, typed_form(default_query(query.customer), parameters)) == query
        assert not any("," in value for value in parameters.values())


@pytest.mark.parametrize("customer", RULES)
def test_opening_search_has_an_address_without_parameters(customer: str) -> None:
    assert parameters_of(default_query(customer)) == {}


def test_address_holds_only_what_differs_from_its_pages_opening_search() -> None:
    query = RatesQuery(price=1_250_000, five_years=True, two_years=False, sort=SortOrder.TRUE_COST, with_fee_free=True)
    assert parameters_of(query) == {"price": "1250000", "period": "5", "sort": "true-cost", "feefree": "1"}
    let = replace(default_query("buy-to-let"), repayment=False)
    assert parameters_of(let) == {"repay": "interest-only"}


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({}, {}),
        ({"price": "£300,000"}, {"price": "£300,000"}),
        ({"price": ""}, {"price": ""}),
        ({"price": "abc", "term": "41"}, {"price": "abc", "term": "41"}),
        ({"rate": "variable", "period": "5"}, {"rate": "variable", "period": "5"}),
        ({"rate": "Variable", "period": "4", "sort": "", "for": "sale"}, {}),
        ({"feefree": "1"}, {"feefree": "1"}),
        ({"feefree": "yes"}, {}),
        ({"fees": "1000", "lender": "42"}, {"fees": "1000", "lender": "42"}),
        ({"fees": "700", "lender": "0"}, {}),
        ({"fees": "1,000", "lender": "042"}, {}),
        ({"fees": "-500", "lender": "1" * 10}, {}),
        ({"customer": "buy-to-let", "lender_id": "7", "__class__": "x", "": ""}, {}),
    ],
)
def test_form_takes_known_names_and_values(given: dict[str, object], changed: dict[str, str]) -> None:
    assert typed_form(default_query(""), given) == {**OPENING, **changed}


HOSTILE: list[Any] = [
    None,
    True,
    0,
    -1,
    300_000,
    1e308,
    float("nan"),
    b"300000",
    [],
    ["300000"],
    {},
    {"price": "300000"},
    ("fixed",),
    object,
]


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:24])
@pytest.mark.parametrize("name", FIELDS)
def test_form_falls_back_for_anything_that_is_not_text(name: str, value: Any) -> None:
    assert typed_form(default_query(""), {name: value}) == OPENING


TEXTS = [
    "x" * 41,
    "9" * 100_000,
    "\x00",
    "\ud800",
    "\u202e7",
    "<script>",
    "'; --",
    "../..",
    "%00",
    "null",
    "\n",
    " ",
    "",
    "1e9",
    "-1",
    "٣",
    ".",
]


@pytest.mark.parametrize("text", TEXTS, ids=repr)
@pytest.mark.parametrize("name", FIELDS)
def test_any_text_makes_a_search_or_a_sentence(name: str, text: str) -> None:
    form = typed_form(default_query("first-time-buyer"), {name: text})
    if name in CHOICES or name == LENDER:
        assert query_of("first-time-buyer", form) == default_query("first-time-buyer")
    else:
        with pytest.raises(QueryError) as refused:
            query_of("first-time-buyer", form)
        assert list(refused.value.problems) == [name]


def test_chance_texts_make_a_search_or_a_sentence() -> None:
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
    asked = {"for": "remortgage", "repay": "interest-only", "property": "buy-to-let"}
    for given in ({name: asked[name]} for name in asked):
        query = query_of(customer, typed_form(default_query(customer), given))
        assert restricted(query) == query
    assert form_of(query_of(customer, typed_form(default_query(customer), asked))).keys() == OPENING.keys()


@pytest.mark.parametrize("customer", RULES)
def test_known_customer_is_itself(customer: str) -> None:
    assert known_customer(customer) == customer


@pytest.mark.parametrize("customer", [*HOSTILE, "landlord", "First-Time-Buyer", "buy-to-let ", "../"], ids=repr)
def test_any_other_customer_is_the_general_one(customer: Any) -> None:
    assert known_customer(customer) == ""


def test_in_order_changes_the_order_and_nothing_else() -> None:
    query = RatesQuery(price=300_000, sort=SortOrder.FEES)
    assert in_order(query, "true-cost") == replace(query, sort=SortOrder.TRUE_COST)


@pytest.mark.parametrize("order", [*HOSTILE, "", "RATE", "InitialRate"], ids=lambda value: repr(value)[:24])
def test_in_order_leaves_the_query_for_an_unknown_order(order: Any) -> None:
    query = RatesQuery(sort=SortOrder.FEES)
    assert in_order(query, order) == query
