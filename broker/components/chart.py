"""Charts of a calculator, and the fanlight that shows a loan to value."""

from collections.abc import Sequence

import reflex as rx

from broker.calculators.calculator import Table
from broker.calculators.view import CHART_BOTTOM, CHART_TOP, CHART_WIDTH, BarView, ChartView, LineView
from broker.components.drawings.shapes import BARS, FRAME, RING, RING_LENGTH, VIEW_BOX
from broker.components.elements import disclosure, figures_table, inline_style
from broker.components.jinja import Content, Text, Value, block_for, when_text
from broker.jinja_places import Placeholder, variable
from broker.lending.loan_to_value import GaugeView, gauge_view

_MIDDLE = (CHART_TOP + CHART_BOTTOM) // 2
_GRID = "".join(f"M0 {height}h{CHART_WIDTH}" for height in (CHART_BOTTOM, _MIDDLE, CHART_TOP))


def bar_chart(bars: tuple[BarView, ...]) -> rx.Component:
    return rx.el.ul(*(_bar(bar) for bar in bars), class_name="bars")


def _bar(bar: BarView) -> rx.Component:
    line = rx.el.i(custom_attrs=inline_style({"width": bar.width}), class_name=f"tone-{bar.colour}")
    return rx.el.li(rx.el.span(bar.label), rx.el.b(bar.figure), line)


def line_chart(chart: ChartView) -> rx.Component:
    legend = [
        when_text(line.label, rx.el.li(rx.el.i(class_name=f"key-{place} tone-{line.tone}"), line.label))
        for place, line in enumerate(chart.lines)
    ]
    return rx.el.figure(
        rx.el.figcaption(rx.el.b(f"{chart.subject.capitalize()} over the years"), rx.el.ul(*legend, class_name="keys")),
        rx.el.div(*map(rx.el.span, chart.amounts), class_name="up", aria_hidden="true"),
        rx.el.svg(
            rx.el.path(d=_GRID, class_name="grid"),
            *(_line(line, place) for place, line in enumerate(chart.lines)),
            view_box=f"0 0 {CHART_WIDTH} {CHART_BOTTOM + 2}",
            custom_attrs={"preserveAspectRatio": "none"},
            role="img",
            aria_label=f"Line chart of the {chart.subject} over the years. The same figures are in the table below.",
        ),
        rx.el.div(*map(rx.el.span, chart.times), class_name="ends", aria_hidden="true"),
        class_name="chart axes",
    )


def _line(line: LineView, place: int) -> rx.Component:
    return rx.el.path(
        d=line.path, class_name=f"line-{place} tone-{line.tone}", custom_attrs={"vectorEffect": "non-scaling-stroke"}
    )


def chart_table(chart: ChartView, *, on_open: rx.Var | None) -> rx.Component:
    if isinstance(chart.rows, Placeholder):
        cells = [variable(f"row.{place}") for place, _ in enumerate(chart.heads)]
        body = block_for("row", chart.rows.name, _chart_row(chart, cells))
    else:
        rows = rx.Var.create(chart.rows).to(list[list[str]])
        body = rx.foreach(rows, lambda row: _chart_row(chart, [row[place] for place, _ in enumerate(chart.heads)]))
    return disclosure(
        "Show the chart as a table",
        figures_table(f"{chart.subject.capitalize()} over the years", chart.heads, body=body),
        icon_name="chart",
        on_toggle=on_open,
    )


def _chart_row(chart: ChartView, cells: Sequence[Text]) -> rx.Component:
    figures = zip(chart.heads[1:], cells[1:], strict=True)
    shown = (when_text(head, rx.el.td(cell, class_name="n")) for head, cell in figures)
    return rx.el.tr(rx.el.th(cells[0], scope="row"), *shown)


def answers_table(table: Table) -> rx.Component:
    return figures_table(table.caption, table.heads, body=rx.fragment(*(_row(*row) for row in table.rows)))


def _row(name: Content, *figures: Content) -> rx.Component:
    return rx.el.tr(rx.el.th(name, scope="row"), *(rx.el.td(figure, class_name="n") for figure in figures))


def ltv_gauge(ltv: Value) -> rx.Component:
    """Draw a loan to value in percent, as it is shown, as a figure and a fanlight; it announces changes politely."""
    return ltv_gauge_of(gauge_view(ltv))


def ltv_gauge_of(gauge: GaugeView) -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.b(gauge.figure, class_name="dial-figure"), rx.el.span(" loan to value", class_name="xs")),
        rx.el.svg(
            rx.el.path(d=FRAME, class_name="dial-ground"),
            rx.el.path(d=RING, class_name="dial-unlit"),
            rx.el.path(
                d=RING,
                class_name="dial-lit",
                custom_attrs={"pathLength": str(RING_LENGTH), "strokeDasharray": gauge.lit + f" {RING_LENGTH}"},
            ),
            rx.el.path(d=BARS, class_name="dial-bars"),
            view_box=VIEW_BOX,
            class_name="fanlight",
            aria_hidden="true",
        ),
        class_name="ltv dark",
        role="status",
    )
