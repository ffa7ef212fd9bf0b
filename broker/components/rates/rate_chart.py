"""The chart of the lowest rate by loan to value, and the same figures as a table."""

from collections.abc import Mapping

import reflex as rx

from broker.components.elements import card_row, card_table, disclosure, inline_style, prominent, scrolling
from broker.components.jinja import Content, Text
from broker.rates.ltv_bands import LTVS
from broker.rates.rates_by_ltv import HEIGHT, WIDTH, ByLtvView, LtvRow, share_along

_LINES = ("Lowest initial rate", "APRC of the same deal")
_HEADS = ("Loan to value", "Initial rate", "APRC", "Monthly payment", "Lender fees", "Lender")


def rate_chart(view: ByLtvView) -> rx.Component:
    """Draw the two lines of a ByLtvView, and a mark at the visitor's own loan to value."""
    keys = (rx.el.li(rx.el.i(class_name=f"key-{place}"), line) for place, line in enumerate(_LINES))
    return rx.el.figure(
        rx.el.figcaption(rx.el.ul(*keys, class_name="keys")),
        rx.el.div(
            _lines(view),
            rx.foreach(view.rates, lambda mark: _mark(mark.text, "up", {"top": mark.place})),
            *(_mark(f"{ltv}", "along", {"left": share_along(ltv)}) for ltv in LTVS),
            _mark(view.own.text, rx.cond(view.own_late, "own late", "own"), {"left": view.own.place}),
            role="img",
            aria_label=view.words,
            class_name="plot",
        ),
        rx.el.p("Loan to value, % of the property price", class_name="xs mute centre", aria_hidden="true"),
        class_name="chart by-ltv",
    )


def rate_chart_table(view: ByLtvView) -> rx.Component:
    """Draw the figures of the chart as a table in a disclosure; rate and APRC at one size (decision 17)."""
    body = rx.foreach(view.rows, _row)
    table = card_table(rx.el.caption(view.basis), _HEADS, body=body, words=_HEADS[-1:])
    frame = scrolling(table, "Lowest rate by loan to value")
    return disclosure("Show the chart as a table", frame, icon_name="chart")


def _lines(view: ByLtvView) -> rx.Component:
    """Draw the lines; lines without length are dots, which keep their shape at any width of the drawing."""
    paths = (
        (view.grid, "grid"),
        (view.aprc_line, "line-1"),
        (view.aprc_dots, "dots-1"),
        (view.rate_line, "line-0"),
        (view.rate_dots, "dots-0"),
    )
    return rx.el.svg(
        *(rx.el.path(d=drawn, class_name=name) for drawn, name in paths),
        view_box=f"0 0 {WIDTH} {HEIGHT}",
        custom_attrs={"preserveAspectRatio": "none"},
    )


def _mark(text: Content, name: Text, style: Mapping[str, Text]) -> rx.Component:
    return rx.el.span(text, class_name=name, custom_attrs=inline_style(style))


def _row(row: LtvRow) -> rx.Component:
    name = (
        rx.el.b(row.ltv, class_name="rt"),
        rx.cond(row.yours, rx.el.span("Nearest yours", class_name="tag")),
        rx.el.span(row.loan, " loan", class_name="xs mute"),
    )
    figures = (prominent(row.rate), prominent(row.aprc), row.payment, row.fees, row.lender)
    return card_row(name, figures, heads=_HEADS[1:], looks=("n h", "n h", "n h", "n h", "whole"))
