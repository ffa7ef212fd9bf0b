"""An answer as a file's content: the same when it is read again, and nothing at all where a byte is wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import winners
from broker.storage.rates_serialisation import RatesFileError, read_answer, serialise_answer
from tests.unit.domain.rates.products import drawn

QUERY = RatesQuery(customer="first-time-buyer", lender_id=42, price=300_000)


def answered(count: int) -> RatesAnswer:
    """Return a live answer with some products, the last of which leaves out what a feed may leave out."""
    draw = random.Random(7)
    products = tuple(drawn(draw, f"p{place}") for place in range(count))
    if products:
        unstated = {"follow_on_rate": None, "follow_on_payment": None, "least_loan": None, "most_loan": None}
        products = (*products[:-1], replace(products[-1], early_repayment_charge="", **unstated))
    best = winners(products)
    return RatesAnswer(
        query=QUERY,
        products=products,
        fee_free=3,
        read_at=datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC),
        sample=False,
        cheapest_cash=best.cash,
        cheapest_true=best.true,
    )


@pytest.mark.parametrize("count", [0, 1, 60])
def test_answer_is_the_same_when_it_is_read_again(count: int) -> None:
    answer = answered(count)
    assert read_answer(serialise_answer(answer), QUERY) == answer


def changed(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    """Return what puts other values into a file's content."""
    return lambda held: held | changes


def product_with(name: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    """Return what puts another value into a file's first product."""

    def change(held: dict[str, Any]) -> dict[str, Any]:
        held["products"][0][held["columns"].index(name)] = value
        return held

    return change


DAMAGED: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "another version": (changed(version=0), "written by another version"),
    "other columns": (changed(columns=["product_id"]), "written by another version"),
    "a list": (lambda _held: [], "written by another version"),
    "another search": (changed(query=[]), "the answer to another search"),
    "no products": (changed(products=None), "no list of products"),
    "a product that is none": (changed(products=["deal"]), "a product with another number of fields"),
    "a short product": (changed(products=[[1, 2]]), "a product with another number of fields"),
    "a rate in words": (product_with("initial_rate", "4.5"), "initial_rate is no number"),
    "an endless rate": (product_with("initial_rate", float("inf")), "initial_rate is no number"),
    "a rate that is no number": (product_with("initial_rate", float("nan")), "initial_rate is no number"),
    "a payment beyond all bounds": (product_with("initial_payment", 10**400), "initial_payment is no number"),
    "a true rate": (product_with("aprc", True), "aprc is no number"),
    "a broken term": (product_with("term_years", 2.5), "term_years is no whole number"),
    "no initial period": (product_with("initial_months", 0), "a product without an initial period"),
    "a flag in words": (product_with("interest_only", "no"), "interest_only is neither true nor false"),
    "a name that is none": (product_with("lender_name", None), "lender_name is no text"),
    "a kind of rate that there is not": (product_with("rate_type", "capped"), "rate_type is no kind of rate"),
    "a kind of rate that is a list": (product_with("rate_type", []), "rate_type is no kind of rate"),
    "a time in words": (changed(read_at="yesterday"), "read_at is no time"),
    "a time without a zone": (changed(read_at="2026-03-04T05:06:07"), "read_at has no time zone"),
    "no count": (changed(fee_free="3"), "fee_free is no whole number"),
}


@pytest.mark.parametrize(("damage", "problem"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_file_is_refused_with_its_reason(damage: Callable[[dict[str, Any]], Any], problem: str) -> None:
    content = json.dumps(damage(json.loads(serialise_answer(answered(2)))))
    with pytest.raises(RatesFileError, match=problem):
        read_answer(content.encode("utf-8"), QUERY)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"<html>"])
def test_content_that_is_no_json_is_refused(content: bytes) -> None:
    with pytest.raises(RatesFileError, match="no JSON"):
        read_answer(content, QUERY)


def test_file_cut_anywhere_is_refused() -> None:
    content = serialise_answer(answered(1))
    for end in range(len(content)):
        with pytest.raises(RatesFileError):
            read_answer(content[:end], QUERY)
