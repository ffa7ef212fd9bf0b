"""Frozen models as plain JSON and back, by their own annotations; nothing about any one model is written here."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any, TypeVar

from broker.content.errors import ContentError

Model = TypeVar("Model")


def plain_form(value: Any) -> Any:
    """Return a model as JSON has it: objects, lists, texts, numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: plain_form(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain_form(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [plain_form(entry) for entry in value]
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, date) else value


def mapped(given: Model, change: Callable[[str], str]) -> Model:
    """Return a model with each of its texts changed."""
    return model_of(type(given), _changed(plain_form(given), change), source=type(given).__name__)


def texts_in(tree: Any) -> Iterator[str]:
    """Yield every text of a plain form."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from texts_in(value)


def model_of(kind: type[Model], tree: Any, *, source: str) -> Model:
    """Return the model that JSON stands for; raises ContentError with the place in `source` that does not fit."""
    return _read(kind, tree, source)


def _changed(tree: Any, change: Callable[[str], str]) -> Any:
    if isinstance(tree, dict):
        return {name: _changed(value, change) for name, value in tree.items()}
    if isinstance(tree, list):
        return [_changed(value, change) for value in tree]
    return change(tree) if isinstance(tree, str) else tree


def _read(kind: Any, tree: Any, place: str) -> Any:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return None if tree is None else _read(next(one for one in inner if one is not type(None)), tree, place)
    if origin is tuple:
        return _tuple(inner, _kind(list, tree, place), place)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {key: _read(inner[1], value, f"{place}, {key}") for key, value in _kind(dict, tree, place).items()}
    if is_dataclass(kind):
        return _dataclass(kind, _kind(dict, tree, place), place)
    if kind is date or issubclass(kind, Enum):
        make: Any = date.fromisoformat if kind is date else kind
        try:
            return make(_kind(str, tree, place))
        except ValueError as error:
            raise ContentError(place, f"is no {kind.__name__}: {tree!r}") from error
    if kind is float:
        return _kind(int | float, tree, place)
    return _kind(kind, tree, place)


def _tuple(inner: tuple[Any, ...], tree: list[Any], place: str) -> tuple[Any, ...]:
    if inner[-1] is Ellipsis:
        return tuple(_read(inner[0], entry, f"{place} {number}") for number, entry in enumerate(tree, 1))
    if len(tree) != len(inner):
        raise ContentError(place, f"has {len(tree)} entries, not {len(inner)}")
    return tuple(_read(kind, entry, place) for kind, entry in zip(inner, tree, strict=True))


def _dataclass(kind: Any, tree: dict[str, Any], place: str) -> Any:
    hints = typing.get_type_hints(kind)
    known = {entry.name: entry for entry in fields(kind)}
    if unknown := sorted(set(tree) - set(known)):
        raise ContentError(place, f"unknown field {', '.join(unknown)}; take a new snapshot")
    for name, entry in known.items():
        if name not in tree and entry.default is MISSING and entry.default_factory is MISSING:
            raise ContentError(place, f"missing {name}; take a new snapshot")
    return kind(**{name: _read(hints[name], value, f"{place}, {name}") for name, value in tree.items()})


def _kind(kind: Any, tree: Any, place: str) -> Any:
    if not isinstance(tree, kind) or (isinstance(tree, bool) and kind is not bool):
        raise ContentError(place, f"must be {getattr(kind, '__name__', kind)}, not {tree!r:.60}")
    return tree
