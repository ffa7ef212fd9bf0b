from dataclasses import replace
from typing import Any

import pytest

from broker.lenders.lender import KnownLender
from broker.rates import search_params
from broker.rates.query import RatesQuery

NAMES = {42: "Halifax", 1: "Santander"}
LENDERS = (
    KnownLender(lender_id=3, name="Lets", slug="lets", residential=False),
    KnownLender(lender_id=2, name="homes", slug="homes", buy_to_let=False),
    KnownLender(lender_id=1, name="Both", slug="both"),
)


def test_lenders_of_the_customers_kind_are_offered_by_name() -> None:
    both, homes, lets = (1, "Both"), (2, "homes"), (3, "Lets")
    offered = {"": [both, homes, lets], "remortgaging": [both, homes], "buy-to-let": [both, lets]}
    assert {each: list(search_params.offered_lenders(each, LENDERS).items()) for each in offered} == offered


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (RatesQuery(), ""),
        (RatesQuery(lender_id=42), "from Halifax"),
        (RatesQuery(most_fees=1_000), "with fees up to £1,000"),
        (RatesQuery(with_fee_free=True, most_fees=0), "with no lender fee"),
        (RatesQuery(filters=frozenset({"noerc", "cashback"})), "with cashback, with no early repayment charge"),
        (RatesQuery(lender_id=42, most_fees=500), "from Halifax, with fees up to £500"),
        (RatesQuery(lender_id=7), "from one lender"),
    ],
)
def test_words_say_which_filters_are_on(query: RatesQuery, words: str) -> None:
    assert search_params.filters_words(query, NAMES) == words


def test_search_without_its_filters_keeps_the_rest() -> None:
    query = RatesQuery(term=30, lender_id=42, most_fees=500, filters=frozenset({"cashback", "noerc"}))
    assert query.unfiltered == RatesQuery(term=30)
    every = RatesQuery(with_fee_free=True)
    assert every.unfiltered == every
    assert replace(every, most_fees=0).unfiltered == RatesQuery()


@pytest.mark.parametrize(("value", "fits"), [("", True), ("1", True), ("42", True), ("042", False), ("٣", False)])
def test_lender_is_an_id_in_plain_digits(value: str, *, fits: bool) -> None:
    assert search_params.is_lender(value) is fits


@pytest.mark.parametrize("lender", ["7", "x", "4" * 1_000, None, 42, ["42"]], ids=lambda value: repr(value)[:12])
def test_unknown_lender_is_left_out(lender: Any) -> None:
    assert search_params.known_lender({"lender": lender, "price": "1"}, NAMES) == {"price": "1"}
    for known in ("", "42"):
        assert search_params.known_lender({"lender": known}, NAMES) == {"lender": known}
