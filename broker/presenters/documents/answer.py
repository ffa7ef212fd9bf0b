"""The parts of a calculator's or a plan's answer in a document: the display strings of the page, as they are there."""

from collections.abc import Iterable, Sequence

from broker.calculators.calculator import Note
from broker.calculators.view import CHART_BOTTOM, CHART_TOP, CHART_WIDTH, AnswerView, BarView, ChartView, LineView
from broker.domain.days import day_number, day_text
from broker.domain.documents import Bar, BarChart, Line, LineChart, Links, Result, Section, Steps, Table, Text
from broker.lending.lending_rules import Source

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
