"""Charts drawn in the page: bars, and debts over the years with the same figures as a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import reflex as rx

from broker.components.elements.messages import disclosure
from broker.components.elements.tables import figures_table
from broker.components.inline_style import inline_style
from broker.domain.arithmetic import Amount, choose, maximum, minimum, sequence
from broker.domain.calculators.calculator import Bar, DebtChart, DebtLine
from broker.domain.money import decimals, pounds
from broker.domain.mortgage import MONTHS

WIDTH, TOP, BOTTOM = 460, 8, 140

FEW_YEARS = 5
"""Years from row to row of a table of debts that nobody has opened."""


def bars(rows: Sequence[Bar]) -> rx.Component:
    """Draw a small comparison, each bar with its words and figure."""
    longest = reduce(maximum, (row.size for row in rows), 1)
    return rx.el.ul(*(_bar(row, longest) for row in rows), class_name="bars")


def _bar(row: Bar, longest: Amount) -> rx.Component:
    width = decimals(row.size / longest * 100, 1) + "%"
    line = rx.el.i(custom_attrs=inline_style({"width": width}), class_name="bar-2" if row.accent else "bar-1")
    return rx.el.li(rx.el.span(row.label), rx.el.b(row.figure), line)


def debt_chart(chart: DebtChart) -> rx.Component:
    """Draw debts from the start of the term to its end, a point a year."""
    legend = [rx.el.li(rx.el.i(class_name=f"key-{place}"), line.label) for place, line in enumerate(chart.lines)]
    return rx.el.figure(
        rx.el.svg(
            rx.el.path(d=f"M0 {BOTTOM}h{WIDTH}M0 74h{WIDTH}M0 {TOP}h{WIDTH}", class_name="grid"),
            *(_line(chart, line, place) for place, line in enumerate(chart.lines)),
            view_box=f"0 0 {WIDTH} 142",
            custom_attrs={"preserveAspectRatio": "none"},
            role="img",
            aria_label="Line chart of the debt over the years. The same figures are in the table below.",
        ),
        rx.el.figcaption(
            rx.el.div(
                rx.el.span("Today: ", pounds(chart.loan)),
                rx.el.span(decimals(chart.years, 0), " years: £0"),
                class_name="ends",
            ),
            rx.el.ul(*legend, class_name="keys"),
        ),
        class_name="chart",
    )


def debt_table(chart: DebtChart, *, every_year: Any, on_open: rx.Var) -> rx.Component:
    """Draw the figures of `debt_chart` as a table in a disclosure: what is owed after `every_year`, or each fifth one.

    `on_open` handles its opening. Few people open it, and all its years are a tenth of what a page has to draw.
    """
    step = choose(every_year, lambda: 1, lambda: FEW_YEARS)

    def row(place: Amount) -> list[Any]:
        year = minimum(place * step, chart.years)
        return [decimals(year, 0), *_owed(chart, year * MONTHS)]

    rows = sequence((chart.years + step - 1) / step + 1, row)
    heads = ["Year", *(line.label for line in chart.lines)]
    body = rx.foreach(rx.Var.create(rows).to(list[list[str]]), lambda row: _row(row, len(heads)))
    return disclosure(
        "Show the chart as a table",
        figures_table("Debt over the years", heads, body=body),
        icon_name="chart",
        on_toggle=on_open,
    )


def _row(row: Any, columns: int) -> rx.Component:
    return rx.el.tr(
        rx.el.th(row[0], scope="row"), *(rx.el.td(row[place], class_name="n") for place in range(1, columns))
    )


def _owed(chart: DebtChart, month: Amount) -> list[Any]:
    return [pounds(line.owed(month)) for line in chart.lines]


def _line(chart: DebtChart, line: DebtLine, place: int) -> rx.Component:
    loan = choose(chart.loan == 0, lambda: 1, lambda: chart.loan)

    def point(year: Amount) -> Any:
        height = BOTTOM - (BOTTOM - TOP) * line.owed(year * MONTHS) / loan
        return decimals(year / chart.years * WIDTH, 1) + "," + decimals(height, 1)

    points = rx.Var.create(sequence(chart.years + 1, point)).to(list[str]).join(" ")
    return rx.el.path(d="M" + points, class_name=f"line-{place}", custom_attrs={"vectorEffect": "non-scaling-stroke"})
