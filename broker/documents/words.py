"""The parts of a calculator's or a plan's answer in a document: the display strings of the page, as they are there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from broker.calculators.calculator import LEFT_OUT, Calculator, Choice, Field, Note, Unit, box_text, value_text
from broker.calculators.view import (
    CHART_BOTTOM,
    CHART_TOP,
    CHART_WIDTH,
    TICKED,
    AnswerView,
    BarView,
    ChartView,
    LineView,
)
from broker.content.models.site import Site
from broker.documents.document import (
    Bar,
    BarChart,
    Letterhead,
    Line,
    LineChart,
    Links,
    Result,
    Section,
    Steps,
    Table,
    Text,
)
from broker.enquiries.working_time import UK
from broker.lending.arithmetic import Amount
from broker.lending.days import day_number, day_text
from broker.lending.lending_rules import Source

_INSTRUCTION = "0 "
"""How a hint begins that says how to fill in a field, which a document does not repeat."""


def form_figures(
    calculator: Calculator, values: Mapping[str, Amount], *, is_grouped: bool = True
) -> Iterator[tuple[str, str]]:
    """Yield the inputs that are used, in the order of the form: the fields of an option follow its choice.

    Names begin with the group of their choice where the form is grouped.
    """
    for field in calculator.fields:
        is_unused = (field.unless and values[field.unless]) or (field.hint == LEFT_OUT and not values[field.name])
        if not field.only_for and not is_unused:
            yield field_figure(field, values)
    for choice in calculator.choices:
        yield from choice_figures(calculator, choice, values=values, is_grouped=is_grouped)
    yield from ((box.label, "Yes" if values[box.name] else "No") for box in calculator.checkboxes)


def field_figure(field: Field, values: Mapping[str, Amount]) -> tuple[str, str]:
    """Return the name of a field and what is counted for it."""
    hint = "" if field.unit is Unit.DAY or field.hint.startswith(_INSTRUCTION) else field.hint
    name = field.label + (f" ({hint[0].lower()}{hint[1:]})" if hint else "")
    return name, str(value_text(field, values[field.name]))


def choice_figures(
    calculator: Calculator, choice: Choice, *, values: Mapping[str, Amount], is_grouped: bool
) -> Iterator[tuple[str, str]]:
    """Yield what is chosen, and the fields of that option."""
    value = str(values[choice.name])
    group = f"{choice.group}: " if is_grouped else ""
    label = f"{choice.label[0].lower()}{choice.label[1:]}" if is_grouped else choice.label
    yield f"{group}{label}", dict(choice.options)[value]
    for field in calculator.fields:
        if field.only_for == f"{choice.name}={value}":
            name, shown = field_figure(field, values)
            yield f"{group}{name}", shown


def form_parameters(calculator: Calculator, values: Mapping[str, Amount]) -> dict[str, str]:
    """Return the inputs that differ from the defaults, as parameters of the form's page."""
    fields = {
        field.name: str(box_text(field, values[field.name])).replace(",", "")
        for field in calculator.fields
        if values[field.name] != field.default
    }
    choices = {
        choice.name: str(values[choice.name]) for choice in calculator.choices if values[choice.name] != choice.default
    }
    return fields | choices | {box.name: TICKED for box in calculator.checkboxes if values[box.name]}


def letterhead(site: Site, *, site_url: str) -> Letterhead:
    """Return the letterhead of a firm on today's date."""
    opening = site.hours[0] if site.hours else None
    sample = (site.sample_sentence,) if site.sample else ()
    return Letterhead(
        firm=site.name,
        site=site_url,
        day=f"{datetime.now(UTC).astimezone(UK):%-d %B %Y}",
        telephone=site.phone,
        email=site.email,
        hours=f"{opening.days}, {opening.hours}" if opening else "",
        risk_warning=site.risk_warning,
        buy_to_let=site.buy_to_let_sentence,
        disclosure=" ".join((site.regulation, site.how_we_are_paid, site.range_sentence, *sample)),
    )


MAX_ROWS = 10
"""About as many rows of a chart's table as stand beside it."""


def result_of(answer: AnswerView) -> Result:
    return Result(label=str(answer.label), figure=str(answer.figure), per=answer.per, caption=str(answer.caption))


def bars_of(bars: Iterable[BarView]) -> BarChart:
    return BarChart(bars=tuple(map(_bar, bars)))


def _bar(bar: BarView) -> Bar:
    return Bar(label=str(bar.label), figure=str(bar.figure), percent=float(bar.width.rstrip("%")), tone=bar.tone)


def framed(note: Note) -> Text:
    """Return a note of a page."""
    return Text(title=str(note.title), text=str(note.text), is_framed=True)


def working_of(answer: AnswerView, *links: Links) -> Section:
    """Return the steps of an answer, and the sources of its rules."""
    steps = Steps(steps=tuple(str(step) for step in answer.steps))
    return Section(title="How we worked this out", parts=(steps, *links))


def source_links(title: str, sources: Iterable[Source]) -> Links:
    """Return links to the sources of rules or figures, each with its dates."""
    links = tuple(
        (one.title, one.address, f"{one.since}. Read on {day_text(day_number(one.read))}.") for one in sources
    )
    return Links(title=title, links=links)


def drawn_chart(chart: ChartView) -> tuple[LineChart, Table]:
    """Return a chart and its table, with so many of its rows as stand beside the chart."""
    drawn = LineChart(
        alternative=f"Line chart of the {chart.subject} over the years. The same figures are in the table below.",
        start=str(chart.start),
        end=str(chart.end),
        lines=tuple(map(_line, chart.lines)),
    )
    rows = [tuple(str(cell) for cell in row) for row in chart.rows]
    return drawn, Table(heads=chart.heads, rows=tuple(_thinned(rows)))


def _thinned(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the first row, the last and every so many between them."""
    step = -(-len(rows) // MAX_ROWS)
    return [*rows[:-1:step], rows[-1]]


def _line(line: LineView) -> Line:
    """Return a line with the points of its path on the page."""
    pairs = (point.split(",") for point in line.path.removeprefix("M").split(" "))
    height = CHART_BOTTOM - CHART_TOP
    points = tuple((float(x) / CHART_WIDTH, (float(y) - CHART_TOP) / height) for x, y in pairs)
    return Line(label=line.label, tone=line.tone, points=points)
