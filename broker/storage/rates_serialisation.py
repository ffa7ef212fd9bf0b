"""An answer of a rate source as JSON and back, every field checked by msgspec."""

from dataclasses import astuple, fields
from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import answer_of

VERSION = 1
"""Version of the format; files of another version are ignored."""

_MAX_FIGURE = 1e15
_Figure: Any = Annotated[float, Meta(gt=-_MAX_FIGURE, lt=_MAX_FIGURE)]
_TYPES: dict[Any, Any] = {float: _Figure, float | None: _Figure | None}

_COLUMNS = tuple(field.name for field in fields(RateProduct))
_column_values = attrgetter(*_COLUMNS)


def _column_types() -> list[tuple[str, Any]]:
    hints = get_type_hints(RateProduct)
    types = {name: _TYPES.get(hints[name], hints[name]) for name in _COLUMNS}
    return list((types | {"initial_months": Annotated[int, Meta(ge=1)]}).items())


_Row = msgspec.defstruct("_Row", _column_types(), array_like=True, forbid_unknown_fields=True)


class _Header(msgspec.Struct):
    """What says whether the rest of a file can be read."""

    version: int = 0
    columns: tuple[str, ...] = ()
    query: list[Any] = []


class _Content(msgspec.Struct):
    """The answer in a file; its winners and counts follow from its products, a row each."""

    products: list[_Row]  # pyright: ignore[reportInvalidTypeForm] - made by defstruct
    fee_free: int
    read_at: Annotated[datetime, Meta(tz=True)]
    sample: bool


class RatesFileError(ValueError):
    """A file that is damaged, of another version, or the answer to another search."""


def serialise_answer(answer: RatesAnswer) -> bytes:
    return msgspec.json.encode(
        {
            "version": VERSION,
            "query": query_values(answer.query),
            "read_at": answer.read_at,
            "sample": answer.sample,
            "fee_free": answer.fee_free,
            "columns": _COLUMNS,
            "products": [_column_values(product) for product in answer.products],
        }
    )


def parse_answer(content: bytes, query: RatesQuery) -> RatesAnswer:
    """Return the answer to a search from the content of its file; raises RatesFileError."""
    header = _decoded(content, _Header)
    if header.version != VERSION or header.columns != _COLUMNS:
        raise RatesFileError("written by another version")
    if header.query != query_values(query):
        raise RatesFileError("the answer to another search")
    stored = _decoded(content, _Content)
    products = tuple(RateProduct(**msgspec.structs.asdict(row)) for row in stored.products)
    return answer_of(query, products, fee_free=stored.fee_free, read_at=stored.read_at, sample=stored.sample)


def query_values(query: RatesQuery) -> list[Any]:
    """Return what identifies a search: the values of its fields, in their order."""
    return list(astuple(query))


def _decoded(content: bytes, type_: type[Any]) -> Any:
    try:
        return msgspec.json.decode(content, type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RatesFileError(str(error)) from error
