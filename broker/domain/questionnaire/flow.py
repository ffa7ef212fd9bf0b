"""The questionnaire's flow as values: steps, what each asks, and where each answer leads (specification 3 and 4).

A step asks one of three things: a `Choice` of options, `Inputs` to fill in, or to look at `Rates`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

SUBMIT = "submit"
"""The next id with which a flow ends (specification 4)."""

START = "q1"
"""The step that a flow begins with (specification 4)."""

RATE_KINDS = {
    "buy-to-let-remortgage": "buy-to-let-remortgage",
    "remortgage": "remortgaging",
    "buy-to-let-purchase": "buy-to-let-purchase",
    "first-time-buyer": "first-time-buyer",
}
"""The kinds of rate step (specification 4), and the customer type that each searches for."""


class UnitType(StrEnum):
    """How the figure of a range is written: with thousands commas, or as a year."""

    NUMBER = "number"
    YEAR = "year"


class SecondValue(StrEnum):
    """What the second value of a loan-to-value calculator is: the loan, or the deposit that makes it smaller."""

    LOAN = "loan"
    DEPOSIT = "deposit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One of the cards of a choice: `img` names its drawing, `width` is in twelfths of the row."""

    key: str
    text: str
    next_id: str
    img: str = ""
    width: int = 12
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A whole number from `low` to `high`, both included; `unit` is the slider's step and binds only the slider.

    `before` and `after` stand round the figure ("£", "a month"). The slider starts at `start`.
    """

    key: str
    question: str
    label: str
    low: int
    high: int
    unit: int = 1
    unit_type: UnitType = UnitType.NUMBER
    before: str = ""
    after: str = ""
    default: int | None = None

    @property
    def start(self) -> int:
        """Return where the slider stands before it is moved: the default, or the low end where there is none."""
        return self.low if self.default is None else self.default


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """The loan to value, worked out from two ranges of the same step, by their keys; never typed (decision 32)."""

    key: str
    question: str
    label: str
    value_01: str
    value_02: str
    second: SecondValue = SecondValue.LOAN
    before: str = ""
    after: str = "%"


@dataclass(frozen=True, slots=True, kw_only=True)
class RadioOption:
    """One of the answers of a radio input."""

    key: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Radio:
    """A question of a step with several, answered by one of a few words; `option_id` names the group."""

    key: str
    question: str
    label: str
    option_id: str
    options: tuple[RadioOption, ...]


Input: TypeAlias = Range | Calculator | Radio


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A step answered by choosing one card, which also says what comes next."""

    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A step answered by filling in its inputs; `text` stands beside the button that goes on."""

    inputs: tuple[Input, ...]
    next_id: str
    text: str = ""
    button: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """A step that shows deals for the answers so far; it is passed once it has been seen.

    `customer` is the customer type to search for where it is more exact than the kind's own.
    """

    kind: str
    next_id: str
    customer: str = ""

    @property
    def searched(self) -> str:
        """Return the customer type to search for; empty, which is the general search, for an unknown kind."""
        return self.customer or RATE_KINDS.get(self.kind, "")


Prompt: TypeAlias = Choice | Inputs | Rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the questionnaire: its question, why we ask, and what it asks for.

    `label` names the question in a list of answers; `why` is empty where there is nothing to explain.
    """

    id: str
    question: str
    label: str
    asks: Prompt
    why: str = ""

    @property
    def next_ids(self) -> tuple[str, ...]:
        """Return every id that this step may lead to, each once, in the order of its answers."""
        if isinstance(self.asks, Choice):
            return tuple(dict.fromkeys(option.next_id for option in self.asks.options))
        return (self.asks.next_id,)

    @property
    def is_question(self) -> bool:
        """Tell whether the visitor is asked for something; a page of rates only shows."""
        return not isinstance(self.asks, Rates)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flow:
    """Every step by its id, in the order of the file, and the steps at which a visitor may begin.

    A flow is equal only to itself, so that what is worked out from it can be kept.
    """

    steps: Mapping[str, Step]
    start: str = START
    entries: tuple[str, ...] = (START,)
