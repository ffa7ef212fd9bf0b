"""The last good answers of a live rate source on disk: one JSON file per search, the newest `MAX_ANSWERS`.

Writes are atomic. A file that is unreadable, damaged or of another version is logged and ignored.
"""

import asyncio
import hashlib
import json
import logging
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import astuple, fields
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import Meta

from broker.rates.filters import FILTERS
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.query import RatesQuery
from broker.rates.ranking import answer_of

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
    """The fields that show whether the rest of a file can be read."""

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
    """Return what identifies a search: the values of its fields, in their order, and whether each filter is on."""
    *values, filters = astuple(query)
    return [*values, *(each.parameter in filters for each in FILTERS)]


def _decoded(content: bytes, type_: type[Any]) -> Any:
    try:
        return msgspec.json.decode(content, type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RatesFileError(str(error)) from error


MAX_ANSWERS = 8_192
"""Answers kept on disk, the most recently written, about 9 kB each. A build makes some 30 searches a
lender, and uses their last answers where the source fails."""

_SUFFIX = ".json"
_log = logging.getLogger(__name__)


class RatesArchive:
    """Answers by search, of one source (the address of an API) only."""

    def __init__(self, folder: Path, *, source: str, max_answers: int = MAX_ANSWERS) -> None:
        self._folder = folder
        self._source = source
        self._max_answers = max_answers
        self._names: OrderedDict[str, None] | None = None
        self._writing = asyncio.Lock()
        self._has_warned = False

    async def load(self, query: RatesQuery) -> RatesAnswer | None:
        return await asyncio.to_thread(self._read, query)

    async def load_all(self, queries: Iterable[RatesQuery]) -> list[RatesAnswer]:
        return await asyncio.to_thread(lambda: [found for query in queries if (found := self._read(query))])

    async def save(self, answer: RatesAnswer) -> None:
        """Replace the saved answer to a search; a failing disk is logged once until a write succeeds again."""
        async with self._writing:
            try:
                await asyncio.to_thread(self._write, answer)
            except OSError as error:
                if not self._has_warned:
                    _log.warning("answers cannot be saved for a restart: %s", error)
                self._has_warned = True
            else:
                self._has_warned = False

    def _read(self, query: RatesQuery) -> RatesAnswer | None:
        name = self._name(query)
        try:
            return parse_answer((self._folder / name).read_bytes(), query)
        except FileNotFoundError:
            return None
        except (OSError, RatesFileError) as error:
            _log.warning("the saved answer %s is ignored: %s", name, error)
            return None

    def _write(self, answer: RatesAnswer) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        name = self._name(answer.query)
        part = self._folder / f"{name}.part"
        part.write_bytes(serialise_answer(answer))
        part.replace(self._folder / name)
        self._prune(name)

    def _prune(self, name: str) -> None:
        """Record a file as the newest, and remove the oldest above the maximum."""
        if self._names is None:
            self._names = OrderedDict.fromkeys(_oldest_first(self._folder))
        self._names[name] = None
        self._names.move_to_end(name)
        while len(self._names) > self._max_answers:
            oldest, _ = self._names.popitem(last=False)
            (self._folder / oldest).unlink(missing_ok=True)

    def _name(self, query: RatesQuery) -> str:
        identity = json.dumps([self._source, query_values(query)])
        return hashlib.sha256(identity.encode("utf-8")).hexdigest()[:32] + _SUFFIX


def _oldest_first(folder: Path) -> list[str]:
    found = [(path.stat().st_mtime, path.name) for path in folder.iterdir() if path.suffix == _SUFFIX]
    return [name for _, name in sorted(found)]
