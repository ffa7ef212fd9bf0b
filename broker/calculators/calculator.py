"""The parts of a calculator: its fields, the function that works out its answer, and the answer itself.

`Calculator.calculate` takes numbers on the server and browser expressions when a page is built. So every `Text` and
`Amount` may be either.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from broker.lending import days, money
from broker.lending.arithmetic import SPACES, Amount, Text, choose, matches, number_in
from broker.lending.lending_rules import Source

MAX_RATE = 25

EXAMPLE_RATE = 5.99
"""The rate, in percent, at which calculators start (specification 9); an example, not today's market."""

INDICATIVE = "Illustration only, not an offer. Results are indicative, subject to underwriting and valuation."

MAX_AGE = 100

LEFT_OUT = "0 to leave out"
"""The hint of a field that at 0 counts neither in the answer nor in a document."""

MIN_POUNDS = 1
"""The minimum of an amount that the sum needs: a loan, a value, a rent, a day rate."""


class Unit(StrEnum):
    POUNDS = "pounds"
    PERCENT = "percent"
    YEARS = "years"
    DAY = "day"
    """A day as a number (`lending.days`), 0 for none; the field has no slider."""


class Group(StrEnum):
    """A group of the list of calculators, in the order of the groups."""

    BORROW = "borrow"
    COST = "cost"
    BUYING = "buying"
    CHANGES = "changes"


GROUP_TITLES: Mapping[Group, str] = {
    Group.BORROW: "What could I borrow?",
    Group.COST: "What would it cost?",
    Group.BUYING: "What does buying take?",
    Group.CHANGES: "What would a change do?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A number: a box from `min_value` to `max_value`, and a slider from `low` to `high` in steps of `step`.

    Pounds go to just below ten billion (specification 5).
    """

    name: str
    label: str
    default: float
    unit: Unit = Unit.POUNDS
    low: float = 0
    high: float
    step: float = 1
    min_value: float = 0
    max_value: float = money.MAX_POUNDS
    hint: str = ""
    only_for: str = ""
    """The choice that shows the field, as `name=value`; empty for a field that always shows."""
    unless: str = ""
    """The checkbox that leaves the field out."""
    is_optional: bool = False
    """Whether 0 is an empty box, and left out of documents."""


def rate_field(name: str, label: str, *, default: float) -> Field:
    """Return a field for a yearly rate: the slider goes from 1% to 8% in hundredths (specification 5)."""
    return Field(
        name=name, label=label, default=default, unit=Unit.PERCENT, low=1, high=8, step=0.01, max_value=MAX_RATE
    )


def charge_field(name: str, label: str, *, default: float, hint: str) -> Field:
    """Return a field for an early repayment charge in percent of the loan."""
    return Field(name=name, label=label, default=default, unit=Unit.PERCENT, high=8, step=0.25, max_value=25, hint=hint)


def term_field(high: int) -> Field:
    """Return a field for a term: the slider goes from 5 years to `high`, the box from 1 to 40 (specification 5)."""
    return Field(name="term", label="Term", default=25, unit=Unit.YEARS, low=5, high=high, min_value=1, max_value=40)


def loan_field(label: str, *, default: float = 50_000) -> Field:
    """Return a field for a loan: the slider goes from £50,000 to £1,000,000 (specification 9)."""
    return Field(
        name="loan", label=label, default=default, low=50_000, high=1_000_000, step=1_000, min_value=MIN_POUNDS
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A select list under the heading `group`; `options` pairs each value with its label."""

    name: str
    group: str
    label: str
    default: str
    options: tuple[tuple[str, str], ...]
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkbox:
    name: str
    label: str


class Tone(StrEnum):
    """What a bar or a line shows; each tone has one colour in every calculator."""

    LOAN = "loan"
    COST = "cost"
    OWN = "own"
    """The visitor's own money: income, a deposit."""
    NOW = "now"
    NEW = "new"
    NEXT = "next"
    """The rate that follows a deal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar whose length is in proportion to `size`, 0 or more; `tone` is a `Tone`, which may depend on the inputs."""

    label: Text
    figure: Text
    size: Amount
    tone: Text = Tone.LOAN


def rate_bar(label: str, rate: Amount, payment: Amount, *, tone: Tone) -> Bar:
    """Return the bar of a monthly payment, with its rate in the label."""
    return Bar(label=label + money.exact_percent(rate), figure=money.pounds_and_pence(payment), size=payment, tone=tone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A message under the answer, a warning unless it `is_good`; the title is bold."""

    title: Text
    text: Text
    is_good: Any = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a chart: `value_at(month)` is an amount in pounds, from 0 to the chart's `highest`.

    One that is not drawn has no figures in the chart's table, and no column where its label is empty.
    """

    label: Text
    value_at: Callable[[Amount], Amount]
    tone: Tone = Tone.LOAN
    is_drawn: Amount = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """One or two lines over `years` from today, with the same figures as a table.

    `highest` is the amount at the top, `start` and `end` are the amounts in the captions. "debt" as `subject` gives
    "Debt over the years". With a `month_name` the rows of the table are months. A line has `points` a year.
    """

    subject: str
    years: Amount
    highest: Amount
    start: Amount
    end: Amount
    lines: tuple[Line, ...]
    title: Text = ""
    month_name: Callable[[Amount], Text] | None = None
    points: int = 1


def debt_chart(loan: Amount, years: Amount, *lines: Line) -> LineChart:
    """Return a chart of balances that start at the loan and are repaid in full at the end of the term."""
    return LineChart(subject="debt", years=years, highest=loan, start=loan, end=0, lines=lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Further answers in rows; the first cell of each is its label."""

    caption: Text
    heads: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A worked answer: the figure (`per` month, say), its caption, and the steps with the visitor's own numbers.

    No input changes which parts it has, nor how many: a page is compiled once for all inputs.
    """

    label: Text
    figure: Text
    per: str = ""
    caption: Text
    tiles: tuple[tuple[Text, Text], ...] = ()
    """Two further figures, each with its words."""
    steps: Sequence[Text]
    bars: tuple[Bar, ...] = ()
    note: Note | None = None
    chart: LineChart | None = None
    table: Table | None = None
    warnings: tuple[Note, ...] = ()
    """Notes of a plan; a note without a title is hidden."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Inputs under a title. `slug` begins their ids; their names are the query parameters of the page's address.

    `sources` are those of the rules that the inputs are worked out by.
    """

    slug: str
    title: str
    subtitle: str
    fields: tuple[Field, ...]
    choices: tuple[Choice, ...] = ()
    checkboxes: tuple[Checkbox, ...] = ()
    sources: tuple[Source, ...] = ()

    def defaults(self) -> dict[str, Amount]:
        fields = {field.name: field.default for field in self.fields}
        choices = {choice.name: choice.default for choice in self.choices}
        return {**fields, **choices, **{box.name: False for box in self.checkboxes}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculator(Form):
    """A form whose values alone give an answer. `registry` finds the `CALCULATOR` of every module of this package.

    `slug` also names it in page lists and in the address of its page; `keywords` add words to the site search. A group
    is sorted by `order`, then by slug. The page links to the `guide` of this slug. `page_choices` holds other defaults
    of choices, by page.
    """

    group: Group
    calculate: Callable[[Mapping[str, Amount]], Working]
    order: int = 100
    keywords: tuple[str, ...] = ()
    guide: str = ""
    page_choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)

    def for_page(self, page: str) -> Self:
        """Return the calculator with a page's own defaults of choices."""
        defaults = self.page_choices.get(page)
        if not defaults:
            return self
        choices = (replace(choice, default=defaults.get(choice.name, choice.default)) for choice in self.choices)
        return replace(self, choices=tuple(choices))


def box_text(field: Field, value: Amount) -> Text:
    """Return a value as the field's box shows it, without its unit: `250,000`, `4.50`, `7.5`."""
    if field.unit is Unit.DAY:
        return days.iso_text(value)
    if field.unit is Unit.PERCENT:
        digits = money.rate_digits(value)
        return choose(value == 0, lambda: "", lambda: digits) if field.is_optional else digits
    return money.halves(value) if field.unit is Unit.YEARS else money.exact(value)


def value_text(field: Field, value: Amount) -> Text:
    """Return a value with its unit, for a screen reader: `£250,000`, `4.50%`, `25 years`."""
    if field.unit is Unit.DAY:
        return choose(value == 0, lambda: "no date", lambda: days.day_text(value))
    if field.unit is Unit.PERCENT:
        return money.exact_percent(value)
    return money.years(value) if field.unit is Unit.YEARS else money.exact_pounds(value)


def number_of(field: Field, text: Text) -> Amount:
    """Return the number in a field's text that has no `input_problem`."""
    if field.unit is Unit.POUNDS:
        return money.amount_in(text)
    return number_in(text, f"-%{SPACES}")


def input_problem(field: Field, text: Text) -> Text:
    """Return the error message for a text typed in a field, empty for a good one (specification 5, decision 38).

    An empty text counts as 0.
    """
    if field.unit is Unit.POUNDS:
        return _pounds_problem(field, text)
    if field.unit is Unit.DAY:
        return _day_problem(field, text)
    limits = f"{money.decimals(field.min_value, 0)} to {money.decimals(field.max_value, 0)}"
    is_years = field.unit is Unit.YEARS
    advice = f"Enter {limits} years, in whole or half years" if is_years else f"Enter a rate from {limits}%"
    sentence = advice if is_years else f"{advice}, to three places at most"
    if field.min_value > 0:
        sentence = choose(matches(text, money.BLANK), lambda: f"Empty counts as 0. {advice}", lambda: sentence)
    return choose(
        matches(text, money.HALVES if is_years else money.THREE_PLACES),
        lambda: choose(
            (number_of(field, text) >= field.min_value) & (number_of(field, text) <= field.max_value),
            lambda: "",
            lambda: sentence,
        ),
        lambda: sentence,
    )


def _pounds_problem(field: Field, text: Text) -> Text:
    if not field.min_value:
        return money.amount_problem(text)
    advice = f"Enter {money.pounds(field.min_value)} or more"
    return choose(
        matches(text, money.BLANK),
        lambda: f"Empty counts as 0. {advice}",
        lambda: money.amount_problem(text, least=field.min_value, advice=advice),
    )


def _day_problem(field: Field, text: Text) -> Text:
    advice = f"Enter a date from {days.EARLIEST_YEAR} to {days.LATEST_YEAR}, for example 2027-03-31"
    return choose(
        matches(text, money.BLANK),
        lambda: "",
        lambda: choose(
            matches(text, days.ISO_DAY),
            lambda: choose(days.is_day(number_of(field, text)), lambda: "", lambda: advice),
            lambda: advice,
        ),
    )


def needed_problem(field: Field, problem: Text, *, values: Mapping[str, Amount]) -> Text:
    """Return the error of a field, or an empty text where choices or checkboxes in `values` leave it out."""
    if field.unless:
        return choose(values[field.unless], lambda: "", lambda: problem)
    name, _, option = field.only_for.partition("=")
    return choose(values[name] == option, lambda: problem, lambda: "") if name else problem
