"""A calculator as display strings, which are texts on the server and browser expressions in a page."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any

from broker.calculators.calculator import (
    Bar,
    Calculator,
    Field,
    Form,
    Line,
    LineChart,
    Note,
    Table,
    Working,
    box_text,
    input_problem,
    needed_problem,
    number_of,
)
from broker.lending.arithmetic import Amount, Text, choose, joined, maximum, minimum, rounded_up, sequence
from broker.lending.money import MAX_TEXT_LENGTH, decimals, halves, pounds, years, years_and_months
from broker.lending.mortgage import MONTHS

CHART_WIDTH, CHART_TOP, CHART_BOTTOM = 460, 8, 140
"""The width of a line chart in units of its SVG, and the heights of its highest amount and of 0."""

CLOSED_TABLE_YEARS = 5
"""The years from row to row of a chart's table that has not been opened."""

FIXED_FIELDS = frozenset({"per", "tone", "subject", "heads"})
"""Fields of these views that no input changes: a template has their values (`jinja_places.as_template`)."""

TICKED = "yes"
"""The value of a ticked checkbox in a query string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """A field with its text and error; `place` is the slider's, as a share of its length (`40.0%`)."""

    text: Text
    problem: Text
    is_wrong: Any
    place: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class BarView:
    """A bar; `width` is its share of the longest (`40.0%`), `colour` its tone."""

    label: Text
    figure: Text
    width: Text
    colour: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """A line of a chart; `path` is that of an SVG."""

    label: Text
    path: Text
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartView:
    """A line chart: `start` and `end` are captions, `heads` and `rows` those of the table with the same figures.

    `amounts` label the lines of its grid from the top, `times` the start, the middle and the end of its width.
    """

    subject: str
    title: Text
    amounts: tuple[Text, ...]
    times: tuple[Text, ...]
    lines: tuple[LineView, ...]
    start: Text
    end: Text
    heads: tuple[Text, ...]
    rows: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """An answer; no input changes which parts it has."""

    label: Text
    figure: Text
    per: str
    caption: Text
    tiles: tuple[tuple[Text, Text], ...]
    steps: tuple[Text, ...]
    note: Note | None
    warnings: tuple[Note, ...]
    bars: tuple[BarView, ...]
    chart: ChartView | None
    table: Table | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculatorView:
    """A calculator's fields, whether each option of each choice and each checkbox is chosen, and the answer.

    The answer is valid unless the view `is_wrong`.
    """

    fields: tuple[FieldView, ...]
    choices: tuple[tuple[Any, ...], ...]
    checkboxes: tuple[Any, ...]
    is_wrong: Any
    answer: AnswerView


def field_view(field: Field, *, text: Text, problem: Text, values: Mapping[str, Any]) -> FieldView:
    """Return a field with its slider's place; `values` are all values of the calculator."""
    number, needed = values[field.name], needed_problem(field, problem, values=values)
    span = field.high - field.low or 1  # a field without a slider has none
    share = maximum(minimum((number - field.low) / span * 100, 100), 0)
    return FieldView(text=text, problem=needed, is_wrong=needed != "", place=decimals(share, 1) + "%")


def answer_view(working: Working, *, table_step: Amount = CLOSED_TABLE_YEARS) -> AnswerView:
    """Return an answer; a chart's table has a row every `table_step` years, or months where it names them."""
    return AnswerView(
        label=working.label,
        figure=working.figure,
        per=working.per,
        caption=working.caption,
        tiles=working.tiles,
        steps=tuple(working.steps),
        note=working.note,
        warnings=working.warnings,
        bars=_bars(working.bars),
        chart=_chart(working.chart, table_step) if working.chart else None,
        table=working.table,
    )


def _bars(bars: tuple[Bar, ...]) -> tuple[BarView, ...]:
    longest = reduce(maximum, (bar.size for bar in bars), 1)

    def view(bar: Bar) -> BarView:
        width = decimals(bar.size / longest * 100, 1) + "%"
        return BarView(label=bar.label, figure=bar.figure, width=width, colour=bar.tone)

    return tuple(view(bar) for bar in bars)


def _chart(chart: LineChart, step: Amount) -> ChartView:
    named = chart.month_name
    length = chart.years * MONTHS if named else chart.years

    def row(index: Amount) -> list[Text]:
        place = minimum(index * step, length)
        month = place if named else place * MONTHS
        figures = (
            choose(line.is_drawn, lambda line=line: pounds(line.value_at(month)), lambda: "–") for line in chart.lines
        )
        return [named(month) if named else halves(place), *figures]

    return ChartView(
        subject=chart.subject,
        title=chart.title,
        amounts=tuple(pounds(chart.highest * share) for share in (1, 0.5, 0)),
        times=_times(chart),
        lines=tuple(LineView(label=line.label, path=_path(chart, line), tone=line.tone.value) for line in chart.lines),
        start="Today: " + pounds(chart.start),
        end=years(chart.years) + ": " + pounds(chart.end),
        heads=("Month" if named else "Year", *(line.label for line in chart.lines)),
        rows=sequence(rounded_up(length / step) + 1, row),
    )


def _times(chart: LineChart) -> tuple[Text, Text, Text]:
    """Return the start, the middle and the end of a chart; a chart of named months has no room for the middle."""
    months = chart.years * MONTHS
    if chart.month_name:
        return chart.month_name(0), "", chart.month_name(months)
    return "Today", years_and_months(months / 2), years(chart.years)


def _path(chart: LineChart, line: Line) -> Text:
    """Return the path of a line: `chart.points` a year, and one at the end."""
    highest = choose(chart.highest == 0, lambda: 1, lambda: chart.highest)

    def point(index: Amount) -> Text:
        year = minimum(index / chart.points, chart.years)
        height = CHART_BOTTOM - (CHART_BOTTOM - CHART_TOP) * line.value_at(year * MONTHS) / highest
        return decimals(year / chart.years * CHART_WIDTH, 1) + "," + decimals(height, 1)

    points = joined(sequence(rounded_up(chart.years * chart.points) + 1, point), " ")
    return choose(line.is_drawn, lambda: "M" + points, lambda: "")


def calculator_view(
    calculator: Calculator, parameters: Mapping[str, str], *, more: Mapping[str, Amount] = MappingProxyType({})
) -> CalculatorView:
    """Return a calculator with the inputs of a query string, and defaults for those that are missing.

    `more` has values for the calculation that no field has.
    """
    values = {**read_values(calculator, parameters), **more}
    fields = typed_fields(calculator, parameters, values=values)
    return view_of(calculator, values, fields=fields, answer=answer_view(calculator.calculate(values)))


def read_values(form: Form, parameters: Mapping[str, str]) -> dict[str, Amount]:
    """Return the values of a query string; the default replaces a missing or invalid one."""
    values = form.defaults()
    for choice in form.choices:
        given = parameters.get(choice.name, "")
        values[choice.name] = given if given in dict(choice.options) else choice.default
    for box in form.checkboxes:
        values[box.name] = parameters.get(box.name) == TICKED
    for field in form.fields:
        text = _text(field, parameters)
        if not input_problem(field, text):
            values[field.name] = number_of(field, text)
    return values


def form_parameters(form: Form, values: Mapping[str, Amount]) -> dict[str, str]:
    """Return the inputs that differ from the defaults, as parameters of the form's page."""
    fields = {
        field.name: str(box_text(field, values[field.name])).replace(",", "")
        for field in form.fields
        if values[field.name] != field.default
    }
    choices = {
        choice.name: str(values[choice.name]) for choice in form.choices if values[choice.name] != choice.default
    }
    return fields | choices | {box.name: TICKED for box in form.checkboxes if values[box.name]}


def typed_fields(form: Form, parameters: Mapping[str, str], *, values: Mapping[str, Amount]) -> tuple[FieldView, ...]:
    """Return the fields with the text of their parameters, formatted where it is valid."""
    return tuple(_typed(field, parameters, values) for field in form.fields)


def _text(field: Field, parameters: Mapping[str, str]) -> str:
    return parameters.get(field.name, box_text(field, field.default))[:MAX_TEXT_LENGTH]


def _typed(field: Field, parameters: Mapping[str, str], values: Mapping[str, Amount]) -> FieldView:
    text = _text(field, parameters)
    problem = input_problem(field, text)
    shown = text if problem else box_text(field, values[field.name])
    return field_view(field, text=shown, problem=problem, values=values)


def view_of(
    form: Form, values: Mapping[str, Any], *, fields: tuple[FieldView, ...], answer: AnswerView
) -> CalculatorView:
    return CalculatorView(
        fields=fields,
        choices=tuple(tuple(values[choice.name] == option for option, _ in choice.options) for choice in form.choices),
        checkboxes=tuple(values[box.name] for box in form.checkboxes),
        is_wrong=reduce(or_, (field.is_wrong for field in fields)),
        answer=answer,
    )
