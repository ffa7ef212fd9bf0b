"""The questionnaire's flow: steps, their prompts, and the next step of each answer (specification 3 and 4).

A step's prompt is a `Choice` of options, `Inputs` to fill in, or `Rates` to look at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

_MAX_PART_LENGTH = 200
"""Characters of each part of a fault's line; keys and ids of a flow have no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault: its step, the field of that step, and a description. Both places are empty for the whole flow."""

    step: str = ""
    field: str = ""
    words: str

    def __str__(self) -> str:
        """Return the fault as one line, truncated: `q4 input_options 01 range_from: is missing`."""
        place = " ".join(part[:_MAX_PART_LENGTH] for part in (self.step, self.field) if part)
        return f"{place or 'the flow'}: {self.words[:_MAX_PART_LENGTH]}"


class FlowError(ValueError):
    """A text that is no flow, or a flow with faults; `faults` are in the order of its steps."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


SUBMIT = "submit"
"""The next id that ends a flow (specification 4)."""

START = "q1"
"""The first step of a flow (specification 4)."""

RATE_KINDS = {
    "buy-to-let-remortgage": "buy-to-let-remortgage",
    "remortgage": "remortgaging",
    "buy-to-let-purchase": "buy-to-let-purchase",
    "first-time-buyer": "first-time-buyer",
}
"""The kinds of rate step (specification 4), each with its customer type."""


class UnitType(StrEnum):
    """The format of a range's figure: with thousands commas, or as a year."""

    NUMBER = "number"
    YEAR = "year"


class SecondValue(StrEnum):
    """The meaning of a loan-to-value calculator's second value: the loan or the deposit."""

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
    """A whole number from `low` to `high`, inclusive; `unit` is the step of the slider, not of the box.

    `before` and `after` surround the figure ("£", "a month"). The slider starts at `start`.
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
        """Return the initial value of the slider: the default, or else the low end."""
        return self.low if self.default is None else self.default


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator:
    """The loan to value, computed from two ranges of the same step, given by key (decision 32)."""

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
    """A radio group among the inputs of a step; `option_id` names it."""

    key: str
    question: str
    label: str
    option_id: str
    options: tuple[RadioOption, ...]


Input: TypeAlias = Range | Calculator | Radio


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A prompt answered by choosing a card; each card has its own next step."""

    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A prompt answered by filling in its inputs; `text` is next to the Continue button."""

    inputs: tuple[Input, ...]
    next_id: str
    text: str = ""
    button: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """A prompt that shows deals for the answers so far, done once seen.

    `customer` overrides the customer type of `kind`.
    """

    kind: str
    next_id: str
    customer: str = ""

    @property
    def searched(self) -> str:
        """Return the customer type to search for; empty, the general search, for an unknown kind."""
        return self.customer or RATE_KINDS.get(self.kind, "")


Prompt: TypeAlias = Choice | Inputs | Rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One page of the questionnaire: its question, its prompt in `asks`, and `why` we ask, which may be empty.

    `label` names the question in a list of answers.
    """

    id: str
    question: str
    label: str
    asks: Prompt
    why: str = ""

    @property
    def next_ids(self) -> tuple[str, ...]:
        """Return every possible next id, each once, in the order of the answers."""
        if isinstance(self.asks, Choice):
            return tuple(dict.fromkeys(option.next_id for option in self.asks.options))
        return (self.asks.next_id,)

    @property
    def is_question(self) -> bool:
        """Return whether the step asks for input; a rate step does not."""
        return not isinstance(self.asks, Rates)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flow:
    """Every step by its id, in the order of the file, and the possible first steps.

    `name` is 12 hexadecimal digits that change with the text that the flow was read from; empty for one of no text.
    Flows compare by identity, so that functions of a flow can be cached.
    """

    steps: Mapping[str, Step]
    start: str = START
    entries: tuple[str, ...] = (START,)
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsLeft:
    """The number of questions left, on the shortest and on the longest path to the end."""

    least: int
    most: int


@lru_cache(maxsize=64)
def questions_left(flow: Flow) -> Mapping[str, QuestionsLeft]:
    """Return the questions left from each step, itself included, cached by flow.

    Rate steps are not counted. A step that cannot reach the end is left out.
    """
    least, most = _spread(flow, min), _spread(flow, max)
    return MappingProxyType({id_: QuestionsLeft(least=least[id_], most=most[id_]) for id_ in least})


def reachable(flow: Flow) -> set[str]:
    """Return the steps that are reachable from the entries."""
    found: set[str] = set()
    ahead = [id_ for id_ in flow.entries if id_ in flow.steps]
    while ahead:
        if (id_ := ahead.pop()) not in found:
            found.add(id_)
            ahead.extend(next_id for next_id in flow.steps[id_].next_ids if next_id in flow.steps)
    return found


def cycles(flow: Flow) -> Iterator[tuple[str, ...]]:
    """Yield the steps of each cycle in order; of cycles that share steps, at least one."""
    left = _leading_to_cycles(flow)
    while left:
        way = [next(id_ for id_ in flow.steps if id_ in left)]
        while (onwards := _onwards(flow.steps[way[-1]], left)) not in way:
            way.append(onwards)
        cycle = tuple(way[way.index(onwards) :])
        yield cycle
        left = _leading_to_cycles(flow, without=(*(set(flow.steps) - left), *cycle))


def _onwards(step: Step, among: set[str]) -> str:
    return next(id_ for id_ in step.next_ids if id_ in among)


def _leading_to_cycles(flow: Flow, without: Iterable[str] = ()) -> set[str]:
    """Return the steps from which a cycle is reached, without some steps."""
    left = set(flow.steps) - set(without)
    while ends := {id_ for id_ in left if not left.intersection(flow.steps[id_].next_ids)}:
        left -= ends
    return left


def _spread(flow: Flow, pick: Callable[[Iterable[int]], int]) -> dict[str, int]:
    """Return the questions from each step to the end; `pick`, min or max, chooses among next steps."""
    found = {SUBMIT: 0}
    steps = list(flow.steps.values())[::-1]
    for _ in steps:  # no path is longer than the flow; this also ends the loop for a flow with a cycle
        before = dict(found)
        for step in steps:
            if ahead := [found[id_] for id_ in step.next_ids if id_ in found]:
                found[step.id] = int(step.is_question) + pick(ahead)
        if found == before:
            break
    return found
