import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from broker.rates.archive import RatesFileError, parse_answer, query_values, serialise_answer
from broker.rates.filters import FILTERS
from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery
from broker.rates.ranking import answer_of
from tests.unit.rates.products import drawn

QUERY = RatesQuery(customer="first-time-buyer", lender_id=42, price=300_000)


def answered(count: int) -> RatesAnswer:
    draw = random.Random(7)
    products = tuple(drawn(draw, f"p{place}") for place in range(count))
    if products:
        unstated = {"follow_on_rate": None, "follow_on_payment": None, "least_loan": None, "most_loan": None}
        products = (*products[:-1], replace(products[-1], early_repayment_charge="", **unstated))
    return answer_of(QUERY, products, fee_free=3, read_at=datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC), sample=False)


@pytest.mark.parametrize("count", [0, 1, 60])
def test_answer_is_the_same_when_it_is_read_again(count: int) -> None:
    answer = answered(count)
    assert parse_answer(serialise_answer(answer), QUERY) == answer


def changed(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda held: held | changes


def product_with(name: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    def change(held: dict[str, Any]) -> dict[str, Any]:
        held["products"][0][held["columns"].index(name)] = value
        return held

    return change


DAMAGED: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "another version": (changed(version=0), "written by another version"),
    "other columns": (changed(columns=["product_id"]), "written by another version"),
    "a list": (lambda _: [], "Expected `object`, got `array`"),
    "another search": (changed(query=[]), "the answer to another search"),
    "a short product": (changed(products=[["a", 2]]), "Expected `array` of at least length"),
    "a rate in words": (product_with("initial_rate", "4.5"), "Expected `float`, got `str`"),
    "an infinite rate": (product_with("initial_rate", float("inf")), "JSON is malformed"),
    "a rate that is not a number": (product_with("initial_rate", float("nan")), "JSON is malformed"),
    "a payment above the bounds": (product_with("initial_payment", 10**16), "Expected `float` < 1000000000000000.0"),
    "a payment below the bounds": (product_with("follow_on_payment", -1e16), "Expected `float` > -1000000000000000.0"),
    "no initial period": (product_with("initial_months", 0), "Expected `int` >= 1"),
    "a time without a zone": (changed(read_at="2026-03-04T05:06:07"), "with a timezone component"),
}


def problem_of(content: bytes) -> str:
    with pytest.raises(RatesFileError) as refused:
        parse_answer(content, QUERY)
    return str(refused.value)


def test_damaged_file_is_refused_with_its_reason() -> None:
    whole = serialise_answer(answered(2))
    found = {name: problem_of(json.dumps(damage(json.loads(whole))).encode()) for name, (damage, _) in DAMAGED.items()}
    assert [f"{name}: {found[name]}" for name, (_, problem) in DAMAGED.items() if problem not in found[name]] == []


def test_content_that_is_not_json_is_refused() -> None:
    for content in (b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b'{"a":' + b"[" * 100_000, b"<html>"):
        assert problem_of(content)


def test_file_cut_anywhere_is_refused() -> None:
    content = serialise_answer(answered(1))
    for end in range(len(content)):
        assert problem_of(content[:end])


def test_file_of_the_first_release_is_read() -> None:
    answer = answered(2)
    held = json.loads(serialise_answer(answer)) | {"read_at": answer.read_at.isoformat()}
    assert parse_answer(json.dumps(held, separators=(",", ":")).encode(), QUERY) == answer


def test_search_is_identified_as_by_earlier_releases() -> None:
    plain = ["", None, 25, True, False, True, False, False, True, True, True, 200_000, 100_000, "rate", False, None]
    filters = [each.parameter == "noerc" for each in FILTERS]
    assert query_values(RatesQuery(filters=frozenset({"noerc"}))) == [*plain, *filters]
