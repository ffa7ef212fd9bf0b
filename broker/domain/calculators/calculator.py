"""What a calculator is: its fields, and a function from their values to a worked answer.

`Calculator.work` is called with numbers in tests and with browser expressions when a page is built, so
every text and figure of a `Working` may be either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from broker.domain import money
from broker.domain.arithmetic import Amount, Text, choose, matches


class Unit(StrEnum):
    """What a field is counted in."""

    POUNDS = "pounds"
    PERCENT = "percent"
    YEARS = "years"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A number that the visitor gives: a box and, with `slider`, a slider from `low` to `high` in steps of `step`.

    The box takes more than the slider: pounds from 0 to below ten billion (specification 5), percentages
    and years from `least` to `most`.
    """

    name: str
    label: str
    default: float
    unit: Unit = Unit.POUNDS
    low: float = 0
    high: float = 0
    step: float = 1
    least: float = 0
    most: float = money.CEILING
    hint: str = ""
    only_for: str = ""
    """The choice that the field belongs to, as `choice name=value`; empty where it always shows."""

    @property
    def slider(self) -> bool:
        """Tell whether the field has a slider beside its box."""
        return self.high > self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of several things the visitor picks; `options` pairs each value with its words, `group` is whose it is."""

    name: str
    group: str
    label: str
    default: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A statement that the visitor ticks when it is so; unticked at first."""

    name: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar of a small comparison: `size` decides its length beside the others, 0 or more."""

    label: Text
    figure: Text
    size: Amount
    accent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A warning that belongs to the answer: a bold line, and what follows from it."""

    title: Text
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtLine:
    """One debt over the years: `owed(month)` is the balance in pounds once that many payments are made."""

    label: str
    owed: Callable[[Amount], Amount]


@dataclass(frozen=True, slots=True, kw_only=True)
class DebtChart:
    """Debts over a term of `years`, drawn from the start to the end, with the same figures as a table."""

    loan: Amount
    years: Amount
    lines: tuple[DebtLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A worked answer: the figure (`per` month, say), what it means, and the sum with the visitor's numbers."""

    label: Text
    figure: Text
    per: str = ""
    caption: Text
    steps: Sequence[Text]
    bars: tuple[Bar, ...] = ()
    note: Note | None = None
    chart: DebtChart | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """A calculator: what it asks and how it answers. `slug` names it on pages, in links and in page lists."""

    slug: str
    title: str
    subtitle: str
    group: str
    work: Callable[[Mapping[str, Amount]], Working]
    fields: tuple[Field, ...]
    choices: tuple[Choice, ...] = ()
    ticks: tuple[Tick, ...] = ()

    def defaults(self) -> dict[str, Amount]:
        """Return the value of every field, choice and tick before the visitor changes any."""
        fields = {field.name: field.default for field in self.fields}
        choices = {choice.name: choice.default for choice in self.choices}
        return {**fields, **choices, **{tick.name: False for tick in self.ticks}}


def written(field: Field, value: Amount) -> Text:
    """Write a value as it stands in the field's box, without its unit: `250,000`, `4.50`, `25`."""
    return money.decimals(value, 2) if field.unit is Unit.PERCENT else money.exact(value)


def spoken(field: Field, value: Amount) -> Text:
    """Write a value with its unit, as a screen reader says it: `£250,000`, `4.50%`, `25 years`."""
    if field.unit is Unit.PERCENT:
        return money.percent(value)
    if field.unit is Unit.YEARS:
        return money.decimals(value, 0) + " years"
    return money.exact_pounds(value)


def problem(field: Field, text: Text) -> Text:
    """Say what is wrong with what was typed in a field, or return an empty text (specification 5)."""
    if field.unit is Unit.POUNDS:
        return money.amount_problem(text)
    limits = f"{money.decimals(field.least, 0)} to {money.decimals(field.most, 0)}"
    years = field.unit is Unit.YEARS
    advice = f"Enter whole years from {limits}" if years else f"Enter a rate from {limits}%, to two places at most"
    return choose(
        matches(text, money.WHOLE if years else money.TWO_PLACES),
        lambda: choose(
            (money.amount_in(text) >= field.least) & (money.amount_in(text) <= field.most),
            lambda: "",
            lambda: advice,
        ),
        lambda: advice,
    )
