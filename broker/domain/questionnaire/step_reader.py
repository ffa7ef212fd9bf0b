"""Parsing of a step's prompt: exactly one of options, inputs and rates."""

from enum import StrEnum
from typing import TypeVar

from broker.domain.questionnaire.flow import (
    Calculator,
    Choice,
    Input,
    Inputs,
    Option,
    Prompt,
    Radio,
    RadioOption,
    Range,
    Rates,
    SecondValue,
    UnitType,
)
from broker.domain.questionnaire.json_reader import Item

OPTIONS, INPUTS, RATES, NEXT = "options", "input_options", "rates", "next_option"

Word = TypeVar("Word", bound=StrEnum)


def read_prompt(step: Item) -> Prompt:
    """Return the prompt of a step; an empty choice, with a fault, for a step without one or with several."""
    kinds = [name for name in (OPTIONS, INPUTS, RATES) if step.has(name)]
    if len(kinds) > 1:
        step.fault("", f"has {', '.join(kinds)}, of which it may have one")
    if not kinds:
        kinds = [name for name in (OPTIONS, INPUTS, RATES) if name in step.values]
    if not kinds:
        if step.values:
            step.fault("", f"has none of {OPTIONS}, {INPUTS}, {RATES}")
        return Choice(options=())
    return {OPTIONS: _choice, INPUTS: _inputs, RATES: _rates}[kinds[0]](step)


def _choice(step: Item) -> Choice:
    return Choice(options=tuple(_option(item) for item in step.keyed(OPTIONS)))


def _option(item: Item) -> Option:
    width = item.optional("col_width")
    return Option(
        key=item.key,
        text=item.text("text"),
        next_id=_next_id(item),
        img=item.text("img"),
        width=12 if width is None else width,
        note=item.text("note"),
    )


def _inputs(step: Item) -> Inputs:
    items = step.keyed(INPUTS)
    deposits = {item.key for item in items if _is_deposit(item.values.get("input_query"))}
    inputs = tuple(found for item in items if (found := _input(item, deposits)))
    onwards = step.nested(NEXT)
    return Inputs(
        inputs=inputs,
        next_id=_next_id(onwards) if onwards.values else "",
        text=onwards.text("text"),
        button=onwards.text("button_text"),
    )


def _input(item: Item, deposits: set[str]) -> Input | None:
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


def _range(item: Item) -> Range:
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


def _calculator(item: Item, deposits: set[str]) -> Calculator:
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


def _radio(item: Item) -> Radio:
    """Parse a radio input, whose options are in the input or in an object of their own."""
    values = item.nested("radio") if item.has("radio") else item
    return Radio(
        key=item.key,
        question=item.text("input_query"),
        label=_label(item),
        option_id=values.text("option_id"),
        options=tuple(RadioOption(key=each.key, text=each.text("text")) for each in values.keyed(OPTIONS)),
    )


def _rates(step: Item) -> Rates:
    rates = step.nested(RATES)
    return Rates(
        kind=rates.text("input_type"), next_id=_next_id(rates) if rates.values else "", customer=rates.text("customer")
    )


def _is_deposit(question: object) -> bool:
    return isinstance(question, str) and "deposit" in question.lower()


def _label(item: Item) -> str:
    return item.text("label") or item.text("input_query")


def _next_id(item: Item) -> str:
    if not (found := item.text("next_id")):
        item.fault("next_id", "is missing")
    return found


def _word(item: Item, name: str, standard: Word) -> Word:
    """Return a word of an enumeration, the default one if there is none."""
    kind, given = type(standard), item.text(name)
    if given and given not in set(kind):
        item.fault(name, f"is {given!r}, not {' or '.join(kind)}")
    return kind(given) if given in set(kind) else standard
