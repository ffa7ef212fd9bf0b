"""Validation of an answer to one step, and the answer in words.

Answers are untrusted input: any value of any type is either valid or gets an error message; nothing is raised.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from broker.lending.arithmetic import Amount, matches, maximum
from broker.lending.loan_to_value import loan_to_value as shown_ltv
from broker.lending.loan_to_value import ltv_figure
from broker.lending.money import NO_AMOUNT, amount_in, decimals
from broker.questionnaire.flow import Calculator, Choice, Input, Inputs, Radio, Range, SecondValue, Step, UnitType
from broker.questionnaire.flow_reader import whole_number

SEEN = "seen"
"""The answer to a rate step: the visitor continued from it."""

Value: TypeAlias = str | dict[str, int | str]
"""A valid answer as it is stored: an option's key, the values of the inputs by key, or `SEEN`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A question and its answer in words, for the page that checks the answers."""

    label: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """Why an answer is refused: the step, the input's key (empty for a choice), and a sentence for the visitor."""

    step: str
    input: str = ""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A step with a valid answer: its stored value, the computed values by their keys, and both in words.

    `lines` is empty for a rate step.
    """

    step: Step
    value: Value
    computed: Mapping[str, float]
    lines: tuple[Line, ...]

    @property
    def next_id(self) -> str:
        """Return the id of the step after this answer."""
        if isinstance(self.step.asks, Choice):
            return next(option.next_id for option in self.step.asks.options if option.key == self.value)
        return self.step.asks.next_id

    def figure(self, key: str) -> int:
        """Return the value of a range of this step; 0 for an unknown key."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return value if isinstance(value, int) else 0


def read_answer(step: Step, raw: object) -> Answered | tuple[Invalid, ...]:
    """Return a step with its answer, or every reason why the answer is refused.

    Values of calculators and of unknown keys are ignored.
    """
    if isinstance(step.asks, Choice):
        return _read_choice(step, step.asks, raw)
    if isinstance(step.asks, Inputs):
        return _read_inputs(step, step.asks, raw)
    if isinstance(raw, str) and raw == SEEN:
        return Answered(step=step, value=SEEN, computed={}, lines=())
    return (Invalid(step=step.id, reason="Look at these deals, then press Continue"),)


def loan(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan in pounds: the second value itself, or the price less the deposit, 0 or more."""
    return second if kind is SecondValue.LOAN else maximum(value - second, 0)


def loan_to_value(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan to value in percent, rounded as pages show it; above 100 for negative equity."""
    return shown_ltv(loan(value, second, kind=kind), value)


def range_words(each: Range, value: int) -> str:
    """Format a figure with the words of its range: `£1,250 a month`, `1985`."""
    figure = str(value) if each.unit_type is UnitType.YEAR else decimals(value, 0)
    return _with_units(figure, each.before, after=each.after)


def range_problem(each: Range) -> str:
    """Return the error message for a figure that is missing, not a number, or out of range."""
    low, high = range_words(each, each.low), range_words(each, each.high)
    if each.unit_type is UnitType.YEAR:
        return f"Enter a year from {low} to {high}"
    return f"Enter {'an amount in whole pounds' if each.before == '£' else 'a whole number'}, from {low} to {high}"


def _read_choice(step: Step, asks: Choice, raw: object) -> Answered | tuple[Invalid, ...]:
    for option in asks.options:
        if isinstance(raw, str) and raw == option.key:
            lines = (Line(label=step.label, words=option.text),)
            return Answered(step=step, value=option.key, computed={}, lines=lines)
    return (Invalid(step=step.id, reason="Choose one of the answers"),)


def _read_inputs(step: Step, asks: Inputs, raw: object) -> Answered | tuple[Invalid, ...]:
    given = raw if isinstance(raw, Mapping) else {}
    value: dict[str, int | str] = {}
    problems: list[Invalid] = []
    for each in asks.inputs:
        if isinstance(each, Calculator):
            continue
        typed = given.get(each.key)
        read, problem = _read_range(each, typed) if isinstance(each, Range) else _read_radio(each, typed)
        if problem:
            problems.append(Invalid(step=step.id, input=each.key, reason=problem))
        else:
            value[each.key] = read
    if problems:
        return tuple(problems)
    computed = {each.key: _computed(each, value) for each in asks.inputs if isinstance(each, Calculator)}
    lines = tuple(_line(each, value, computed) for each in asks.inputs)
    return Answered(step=step, value=value, computed=computed, lines=lines)


def _read_range(each: Range, raw: object) -> tuple[int, str]:
    number = whole_number(_parse_figure(raw) if isinstance(raw, str) else raw)
    return (0, range_problem(each)) if number is None or not each.low <= number <= each.high else (number, "")


def _parse_figure(text: str) -> float | None:
    return None if matches(text, NO_AMOUNT) else amount_in(text)


def _read_radio(each: Radio, raw: object) -> tuple[str, str]:
    fits = isinstance(raw, str) and any(raw == option.key for option in each.options)
    return (str(raw), "") if fits else ("", "Choose one of the answers")


def _computed(each: Calculator, value: Mapping[str, int | str]) -> float:
    first, second = value.get(each.value_01, 0), value.get(each.value_02, 0)
    return float(loan_to_value(first, second, kind=each.second))


def _line(each: Input, value: Mapping[str, int | str], computed: Mapping[str, float]) -> Line:
    if isinstance(each, Range):
        words = range_words(each, int(value[each.key]))
    elif isinstance(each, Radio):
        words = next(option.text for option in each.options if option.key == value[each.key])
    else:
        words = _with_units(ltv_figure(computed[each.key]), each.before, after=each.after)
    return Line(label=each.label, words=words)


def _with_units(figure: str, before: str, *, after: str) -> str:
    gap = "" if not after or after[0] in "%°" else " "
    return f"{before}{figure}{gap}{after}"
