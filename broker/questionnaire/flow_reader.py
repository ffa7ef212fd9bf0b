"""Parse a questionnaire's flow from JSON, as the site's file or WordPress writes it.

Optional fields besides the specification's: `why` and `label` of a step, `label`, `range_default` and `value_02_kind`
of an input, `note` of an option, `customer` of rates. PHP writes numbers as texts, keyed maps as lists, `[]` for
nothing, `input_range` for `range`, and HTML entities.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from html import unescape
from math import isfinite
from types import MappingProxyType
from typing import Any, TypeVar

from broker.questionnaire.flow import (
    START,
    Calculator,
    Choice,
    Fault,
    Flow,
    FlowError,
    Input,
    Inputs,
    Option,
    Prompt,
    Radio,
    RadioOption,
    Range,
    Rates,
    SecondValue,
    Step,
    UnitType,
)

ENTRIES: dict[str, str] = {
    "first-time-buyer": "q96",
    "home-mover": "q66",
    "buy-to-let": "q97",
    "buy-to-let-remortgage": "q3",
    "buy-to-let-purchase": "q33",
    "remortgaging": "q2",
    "purchase": "q32",
    "residential-purchase": "q52",
    "contractor-mortgage": START,
    "self-employed": START,
}
"""The first step by service or customer type; `purchase` and `residential-purchase` have links of their own.

Contractors and the self-employed may remortgage or buy, so they start at the first question.
"""

ENTRY_STEPS = tuple(dict.fromkeys((START, *ENTRIES.values())))
"""Every possible first step."""


_MAX_QUOTED = 40
"""Characters of a wrong value in its fault."""

_MAX_DIGITS = 12
"""Digits of a number: more than any bound of the specification has."""

_MAX_TEXT = 1_000
"""Characters of a question, an answer or an explanation."""


_SURROGATE = re.compile("[\ud800-\udfff]")
"""A lone surrogate, valid in JSON and not in a page."""

_ENVELOPE = "queries"
"""The key of the steps in a WordPress answer; the site's own file has the steps at the top level."""

_OPTIONS, _INPUTS, _RATES, _NEXT = "options", "input_options", "rates", "next_option"

_Word = TypeVar("_Word", bound=StrEnum)


def parse_json(text: str) -> Any:
    """Parse a JSON text and record duplicate keys; raises FlowError for invalid JSON."""
    try:
        return json.loads(text, object_pairs_hook=_JsonObject)
    except (ValueError, RecursionError) as error:
        raise FlowError([Fault(words=f"is not JSON: {error}")]) from error


def read_flow(tree: object) -> Flow:
    """Return the flow of a tree; raises FlowError with every field that cannot be parsed.

    `broker.questionnaire.check` finds the faults between steps.
    """
    flow, faults = read_leniently(tree)
    if faults:
        raise FlowError(faults)
    return flow


def read_leniently(tree: object) -> tuple[Flow, tuple[Fault, ...]]:
    """Return the flow of the valid parts of a tree, and a fault for every field that cannot be parsed."""
    faults: list[Fault] = []
    whole = _Item.of(tree, faults=faults)
    wrapped = _ENVELOPE in whole.values
    listed = _Item.of(whole.values[_ENVELOPE], faults=faults) if wrapped else whole
    if not listed.values and not faults:
        faults.append(Fault(words="has no steps"))
    steps = {id_: _step(id_, values, faults=faults) for id_, values in listed.values.items()}
    start = whole.text("start") if wrapped else ""
    start = start or START
    entries = tuple(dict.fromkeys((start, *(id_ for id_ in ENTRY_STEPS if id_ in steps))))
    return Flow(steps=MappingProxyType(steps), start=start, entries=entries), tuple(faults)


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
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS else None


def _step(id_: str, values: object, *, faults: list[Fault]) -> Step:
    item = _Item.of(values, faults=faults, step=id_)
    if item.values and (named := item.text("query_id")) != id_:
        item.fault("query_id", f"is {named!r} under the key {id_!r}" if named else "is missing")
    question = item.text("query")
    return Step(
        id=id_, question=question, label=item.text("label") or question, why=item.text("why"), asks=_prompt(item)
    )


def _prompt(step: _Item) -> Prompt:
    """Return the prompt of a step: exactly one of options, inputs and rates, else an empty choice and a fault."""
    kinds = [name for name in (_OPTIONS, _INPUTS, _RATES) if step.has(name)]
    if len(kinds) > 1:
        step.fault("", f"has {', '.join(kinds)}; it may have one of them")
    if not kinds:
        kinds = [name for name in (_OPTIONS, _INPUTS, _RATES) if name in step.values]
    if not kinds:
        if step.values:
            step.fault("", f"has none of {_OPTIONS}, {_INPUTS}, {_RATES}")
        return Choice(options=())
    return {_OPTIONS: _choice, _INPUTS: _inputs, _RATES: _rates}[kinds[0]](step)


def _choice(step: _Item) -> Choice:
    return Choice(options=tuple(_option(item) for item in step.keyed(_OPTIONS)))


def _option(item: _Item) -> Option:
    width = item.optional("col_width")
    return Option(
        key=item.key,
        text=item.text("text"),
        next_id=_next_id(item),
        img=item.text("img"),
        width=12 if width is None else width,
        note=item.text("note"),
    )


def _inputs(step: _Item) -> Inputs:
    items = step.keyed(_INPUTS)
    deposits = {item.key for item in items if _is_deposit(item.values.get("input_query"))}
    inputs = tuple(found for item in items if (found := _input(item, deposits)))
    onwards = step.nested(_NEXT)
    return Inputs(
        inputs=inputs,
        next_id=_next_id(onwards) if onwards.values else "",
        text=onwards.text("text"),
        button=onwards.text("button_text"),
    )


def _input(item: _Item, deposits: set[str]) -> Input | None:
    match item.text("input_type").removeprefix("input_"):
        case "range":
            return _range(item)
        case "calculator":
            return _calculator(item, deposits)
        case "radio":
            return _radio(item)
        case kind:
            item.fault("input_type", f"is {kind!r}, not range, calculator or radio" if kind else "is missing")
            return None


def _range(item: _Item) -> Range:
    unit = item.optional("range_unit")
    return Range(
        key=item.key,
        question=item.text("input_query"),
        label=_label(item),
        low=item.whole("range_from"),
        high=item.whole("range_to"),
        unit=1 if unit is None else unit,
        unit_type=_word(item, "unit_type", UnitType.NUMBER),
        before=item.text("range_text_before"),
        after=item.text("range_text_after"),
        default=item.optional("range_default"),
    )


def _calculator(item: _Item, deposits: set[str]) -> Calculator:
    """Parse a calculator, whose two values are in the input or in an object of their own.

    Without `value_02_kind`, the second value is a deposit if its question says so, else the loan.
    """
    values = item.nested("calculator") if item.has("calculator") else item
    second = values.text("value_02")
    return Calculator(
        key=item.key,
        question=item.text("input_query"),
        label=_label(item),
        value_01=values.text("value_01"),
        value_02=second,
        second=_word(values, "value_02_kind", SecondValue.DEPOSIT if second in deposits else SecondValue.LOAN),
        before=item.text("range_text_before"),
        after=item.text("range_text_after"),
    )


def _radio(item: _Item) -> Radio:
    """Parse a radio input, whose options are in the input or in an object of their own."""
    values = item.nested("radio") if item.has("radio") else item
    return Radio(
        key=item.key,
        question=item.text("input_query"),
        label=_label(item),
        option_id=values.text("option_id"),
        options=tuple(RadioOption(key=each.key, text=each.text("text")) for each in values.keyed(_OPTIONS)),
    )


def _rates(step: _Item) -> Rates:
    rates = step.nested(_RATES)
    return Rates(
        kind=rates.text("input_type"), next_id=_next_id(rates) if rates.values else "", customer=rates.text("customer")
    )


def _is_deposit(question: object) -> bool:
    return isinstance(question, str) and "deposit" in question.lower()


def _label(item: _Item) -> str:
    return item.text("label") or item.text("input_query")


def _next_id(item: _Item) -> str:
    if not (found := item.text("next_id")):
        item.fault("next_id", "is missing")
    return found


def _word(item: _Item, name: str, standard: _Word) -> _Word:
    """Return a word of an enumeration, the default one if there is none."""
    kind, given = type(standard), item.text(name)
    if given and given not in set(kind):
        item.fault(name, f"is {given!r}, not {' or '.join(kind)}")
    return kind(given) if given in set(kind) else standard


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """An object of the JSON tree and its place; `faults` is shared by the whole flow."""

    values: Mapping[str, Any]
    faults: list[Fault]
    step: str = ""
    place: str = ""
    key: str = ""

    @classmethod
    def of(cls, value: object, *, faults: list[Fault], step: str = "", place: str = "", key: str = "") -> _Item:
        """Return the item of a value; an empty one, with a fault, if the value is no object."""
        item = cls(values=value if isinstance(value, dict) else {}, faults=faults, step=step, place=place, key=key)
        if not isinstance(value, dict):
            item.fault("", f"must be an object with named values, not {_quoted(value)}")
        if isinstance(value, _JsonObject):
            for name in value.duplicates:
                item.fault(name, "is there twice")
        return item

    def fault(self, name: str, words: str) -> None:
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
        if isinstance(value, str) and len(value) <= _MAX_TEXT and not _SURROGATE.search(value):
            return unescape(value).strip()
        if self.has(name):
            most = f" of at most {_MAX_TEXT} characters" if isinstance(value, str) and len(value) > _MAX_TEXT else ""
            self.fault(name, f"must be a text{most}, not {_quoted(value)}")
        return ""

    def whole(self, name: str) -> int:
        """Return a required whole number; 0 with a fault if it is missing."""
        number = whole_number(self.values.get(name))
        if number is None or not _fits(number):
            words = f"must be a whole number, not {_quoted(self.values[name])}" if self.has(name) else "is missing"
            self.fault(name, words)
            return 0
        return number

    def optional(self, name: str) -> int | None:
        return self.whole(name) if self.has(name) else None

    def nested(self, name: str) -> _Item:
        place = f"{self.place} {name}".strip()
        return _Item.of(self.values.get(name), faults=self.faults, step=self.step, place=place)

    def keyed(self, name: str) -> tuple[_Item, ...]:
        """Return the objects of a keyed map in order; a list has the keys 0, 1 and so on, as PHP writes it."""
        value, place = self.values.get(name), f"{self.place} {name}".strip()
        if isinstance(value, list):
            value = {str(number): entry for number, entry in enumerate(value)}
        if not self.has(name):
            return ()
        under = _Item.of(value, faults=self.faults, step=self.step, place=place)
        return tuple(
            _Item.of(entry, faults=self.faults, step=self.step, place=f"{place} {key}", key=key)
            for key, entry in under.values.items()
        )


class _JsonObject(dict[str, Any]):
    """An object of a JSON text; `duplicates` are its repeated keys."""

    def __init__(self, pairs: Iterable[tuple[str, Any]]) -> None:
        listed = list(pairs)
        super().__init__(listed)
        keys = [key for key, _ in listed]
        self.duplicates = tuple(dict.fromkeys(key for key in keys if keys.count(key) > 1))


def _fits(number: int | None) -> bool:
    return number is not None and abs(number) < 10**_MAX_DIGITS


def _quoted(value: object) -> str:
    """Return the beginning of a value; only the type of a list, an object or a number."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        return repr(value[:_MAX_QUOTED])
    return "nothing" if value is None else str(value) if isinstance(value, bool | float) else "a number"
