"""Charts of a calculator: bars, and lines over the years with the same figures as a table."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import reflex as rx

from broker.components.elements.messages import disclosure
from broker.components.elements.tables import figures_table
from broker.components.inline_style import inline_style
from broker.domain.arithmetic import Amount, choose, maximum, minimum, sequence
from broker.domain.calculators.calculator import Bar, Line, LineChart
from broker.domain.money import decimals, pounds
from broker.domain.mortgage import MONTHS

WIDTH, TOP, BOTTOM = 460, 8, 140
CLOSED_TABLE_YEARS = 5  # from row to row of a table that has not been opened


def bar_chart(bars: Sequence[Bar]) -> rx.Component:
    longest = reduce(maximum, (bar.size for bar in bars), 1)
    return rx.el.ul(*(_bar(bar, longest) for bar in bars), class_name="bars")


def _bar(bar: Bar, longest: Amount) -> rx.Component:
    width = decimals(bar.size / longest * 100, 1) + "%"
    line = rx.el.i(custom_attrs=inline_style({"width": width}), class_name="bar-2" if bar.accent else "bar-1")
    return rx.el.li(rx.el.span(bar.label), rx.el.b(bar.figure), line)


def line_chart(chart: LineChart) -> rx.Component:
    """Draw a line chart from today to the end of its years, a point a year."""
    legend = [rx.el.li(rx.el.i(class_name=f"key-{index}"), line.label) for index, line in enumerate(chart.lines)]
    return rx.el.figure(
        rx.el.svg(
            rx.el.path(d=f"M0 {BOTTOM}h{WIDTH}M0 74h{WIDTH}M0 {TOP}h{WIDTH}", class_name="grid"),
            *(_line(chart, line, index) for index, line in enumerate(chart.lines)),
            view_box=f"0 0 {WIDTH} 142",
            custom_attrs={"preserveAspectRatio": "none"},
            role="img",
            aria_label=f"Line chart of the {chart.subject} over the years. The same figures are in the table below.",
        ),
        rx.el.figcaption(
            rx.el.div(
                rx.el.span("Today: ", pounds(chart.start)),
                rx.el.span(decimals(chart.years, 0), " years: " + pounds(chart.end)),
                class_name="ends",
            ),
            rx.el.ul(*legend, class_name="keys"),
        ),
        class_name="chart",
    )


def chart_table(chart: LineChart, *, every_year: Any, on_open: rx.Var) -> rx.Component:
    """Draw the figures of `line_chart` as a table in a disclosure: of `every_year`, or each fifth one.

    `on_open` handles its opening. Few visitors open it, and all its years are a tenth of what a page has to draw.
    """
    step = choose(every_year, lambda: 1, lambda: CLOSED_TABLE_YEARS)

    def row(index: Amount) -> list[Any]:
        year = minimum(index * step, chart.years)
        return [decimals(year, 0), *(pounds(line.value_at(year * MONTHS)) for line in chart.lines)]

    rows = sequence((chart.years + step - 1) / step + 1, row)
    heads = ["Year", *(line.label for line in chart.lines)]
    body = rx.foreach(rx.Var.create(rows).to(list[list[str]]), lambda row: _row(row, len(heads)))
    return disclosure(
        "Show the chart as a table",
        figures_table(f"{chart.subject.capitalize()} over the years", heads, body=body),
        icon_name="chart",
        on_toggle=on_open,
    )


def _row(row: Any, columns: int) -> rx.Component:
    return rx.el.tr(
        rx.el.th(row[0], scope="row"), *(rx.el.td(row[column], class_name="n") for column in range(1, columns))
    )


def _line(chart: LineChart, line: Line, index: int) -> rx.Component:
    highest = choose(chart.highest == 0, lambda: 1, lambda: chart.highest)

    def point(year: Amount) -> Any:
        height = BOTTOM - (BOTTOM - TOP) * line.value_at(year * MONTHS) / highest
        return decimals(year / chart.years * WIDTH, 1) + "," + decimals(height, 1)

    points = rx.Var.create(sequence(chart.years + 1, point)).to(list[str]).join(" ")
    return rx.el.path(d="M" + points, class_name=f"line-{index}", custom_attrs={"vectorEffect": "non-scaling-stroke"})
