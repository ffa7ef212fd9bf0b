"""Parsing of JSON objects: texts, numbers and keyed maps, with every fault recorded at its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import unescape
from math import isfinite
from typing import Any

from broker.domain.questionnaire.errors import Fault

_SHOWN = 40
"""Characters of a wrong value that its fault quotes."""

_DIGITS = 12
"""Digits of a number at most, more than any bound of the specification has."""

MAX_TEXT = 1_000
"""Characters of a question, an answer or an explanation at most."""


_SURROGATE = re.compile("[\ud800-\udfff]")
"""A lone surrogate, valid in JSON and not in a page."""


class JsonObject(dict[str, Any]):
    """An object of a JSON text; `duplicates` are its repeated keys."""

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        listed = list(pairs)
        super().__init__(listed)
        keys = [key for key, _ in listed]
        self.duplicates = tuple(dict.fromkeys(key for key in keys if keys.count(key) > 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An object of the tree and its place; its faults are added to `faults`, shared by the whole flow."""

    values: Mapping[str, Any]
    faults: list[Fault]
    step: str = ""
    place: str = ""
    key: str = ""

    @classmethod
    def of(cls, value: object, *, faults: list[Fault], step: str = "", place: str = "", key: str = "") -> Item:
        """Return the item of a value, an empty one with its fault told where the value is no object."""
        item = cls(values=value if isinstance(value, dict) else {}, faults=faults, step=step, place=place, key=key)
        if not isinstance(value, dict):
            item.fault("", f"must be an object with named values, not {shown(value)}")
        if isinstance(value, JsonObject):
            for name in value.duplicates:
                item.fault(name, "stands twice")
        return item

    def fault(self, name: str, words: str) -> None:
        """Record a fault of a field of this item."""
        place = " ".join(part for part in (self.place, name) if part)
        self.faults.append(Fault(step=self.step, field=place, words=words))

    def has(self, name: str) -> bool:
        """Return whether a field has a value; PHP writes an empty map as `[]` and no text as `false`."""
        value = self.values.get(name)
        return not (value is None or value is False or value in ("", [], {}))

    def text(self, name: str) -> str:
        """Return a text without HTML entities, empty if there is none; a whole number becomes a text."""
        value = self.values.get(name)
        if isinstance(value, int) and _fits(whole_number(value)):
            return str(value)
        if isinstance(value, str) and len(value) <= MAX_TEXT and not _SURROGATE.search(value):
            return unescape(value).strip()
        if self.has(name):
            most = f" of at most {MAX_TEXT} characters" if isinstance(value, str) and len(value) > MAX_TEXT else ""
            self.fault(name, f"must be a text{most}, not {shown(value)}")
        return ""

    def whole(self, name: str) -> int:
        """Return a required whole number; 0 with a fault if it is missing."""
        number = whole_number(self.values.get(name))
        if number is None or not _fits(number):
            words = f"must be a whole number, not {shown(self.values[name])}" if self.has(name) else "is missing"
            self.fault(name, words)
            return 0
        return number

    def optional(self, name: str) -> int | None:
        """Return a whole number, or None."""
        return self.whole(name) if self.has(name) else None

    def nested(self, name: str) -> Item:
        """Return the object under a name."""
        place = f"{self.place} {name}".strip()
        return Item.of(self.values.get(name), faults=self.faults, step=self.step, place=place)

    def keyed(self, name: str) -> tuple[Item, ...]:
        """Return the objects of a keyed map in order; a list has the keys 0, 1 and so on, as PHP writes it."""
        value, place = self.values.get(name), f"{self.place} {name}".strip()
        if isinstance(value, list):
            value = {str(number): entry for number, entry in enumerate(value)}
        if not self.has(name):
            return ()
        under = Item.of(value, faults=self.faults, step=self.step, place=place)
        return tuple(
            Item.of(entry, faults=self.faults, step=self.step, place=f"{place} {key}", key=key)
            for key, entry in under.values.items()
        )


def whole_number(value: object) -> int | None:
    """Return a whole number from an int, a float without a fraction or a text of digits; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if isfinite(value) and value.is_integer() else None
    if isinstance(value, int):
        return int(value)
    text = value.strip() if isinstance(value, str) else ""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS else None


def _fits(number: int | None) -> bool:
    return number is not None and abs(number) < 10**_DIGITS


def shown(value: object) -> str:
    """Return the beginning of a value for a fault; only the type of a list or object."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        return repr(value[:_SHOWN])
    return "nothing" if value is None else str(value) if isinstance(value, bool | float) else "a number"
