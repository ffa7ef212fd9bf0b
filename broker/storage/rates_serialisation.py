"""An answer as a file's content, and back: JSON, each figure checked against its field before it is a product again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import astuple, fields
from datetime import datetime
from operator import attrgetter
from typing import Any

from broker.domain.rates.product import RateProduct, RatesAnswer, RateType
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import winners

VERSION = 1

_MOST = 1e15
"""No figure reaches this; infinities and what is not a number fail the comparison too."""

_COLUMNS = tuple(field.name for field in fields(RateProduct))
_values = attrgetter(*_COLUMNS)


class RatesFileError(ValueError):
    """A file that holds no answer, a damaged one, one of another version, or one to another search."""


def serialise_answer(answer: RatesAnswer) -> bytes:
    """Return the content of an answer's file; the winners are left out, they follow from the products."""
    held = {
        "version": VERSION,
        "query": query_values(answer.query),
        "read_at": answer.read_at.isoformat(),
        "sample": answer.sample,
        "fee_free": answer.fee_free,
        "columns": _COLUMNS,
        "products": [_values(product) for product in answer.products],
    }
    return json.dumps(held, separators=(",", ":")).encode("utf-8")


def read_answer(content: bytes, query: RatesQuery) -> RatesAnswer:
    """Return the answer that a file holds to a search; raises RatesFileError."""
    try:
        held = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RatesFileError(f"no JSON ({type(error).__name__})") from error
    if not isinstance(held, dict) or held.get("version") != VERSION or held.get("columns") != list(_COLUMNS):
        raise RatesFileError("written by another version")
    if held.get("query") != query_values(query):
        raise RatesFileError("the answer to another search")
    rows = held.get("products")
    products = tuple(_product(row) for row in rows) if isinstance(rows, list) else None
    if products is None:
        raise RatesFileError("no list of products")
    best = winners(products)
    return RatesAnswer(
        query=query,
        products=products,
        fee_free=_whole("fee_free", held.get("fee_free")),
        read_at=_moment(held.get("read_at")),
        sample=held.get("sample") is True,
        cheapest_cash=best.cash,
        cheapest_true=best.true,
    )


def query_values(query: RatesQuery) -> list[Any]:
    """Return what tells one search from another, in the order of its fields."""
    return list(astuple(query))


def _product(row: Any) -> RateProduct:
    if not isinstance(row, list) or len(row) != len(_COLUMNS):
        raise RatesFileError("a product with another number of fields")
    values: dict[str, Any] = {name: _READERS[name](name, value) for name, value in zip(_COLUMNS, row, strict=True)}
    if values["initial_months"] < 1:
        raise RatesFileError("a product without an initial period")
    return RateProduct(**values)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise RatesFileError(f"{name} is no text")
    return value


def _number(name: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < _MOST:
        raise RatesFileError(f"{name} is no number")
    return value


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise RatesFileError(f"{name} is no whole number")
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise RatesFileError(f"{name} is neither true nor false")
    return value


def _number_or_none(name: str, value: Any) -> float | None:
    return None if value is None else _number(name, value)


def _rate_type(name: str, value: Any) -> RateType:
    if value not in tuple(RateType):
        raise RatesFileError(f"{name} is no kind of rate")
    return RateType(value)


def _moment(value: Any) -> datetime:
    try:
        moment = datetime.fromisoformat(_text("read_at", value))
    except ValueError as error:
        raise RatesFileError("read_at is no time") from error
    if moment.tzinfo is None:
        raise RatesFileError("read_at has no time zone")
    return moment


_KINDS: Mapping[str, Callable[[str, Any], Any]] = {
    "str": _text,
    "int": _whole,
    "float": _number,
    "bool": _flag,
    "float | None": _number_or_none,
    "RateType": _rate_type,
}
_READERS = {field.name: _KINDS[str(field.type)] for field in fields(RateProduct)}
"""What reads each field of a product, by its type; a type that no reader is for fails when the module is loaded."""
