"""Tables of rates, each rate beside its APRC at one size, with the example and the warning below (decision 17)."""

from typing import Any

import reflex as rx

from broker.components.elements.tables import scrolling
from broker.components.elements.text import visually_hidden
from broker.components.foreach import foreach
from broker.components.rates.rate_notices import example
from broker.presenters.rates.rate_blocks import RatesTable, RatesTables

_HEADS = ("Initial rate", "APRC", "Monthly", "Lender fees", "True cost")


def rate_table(table: RatesTable | Any, *, first_head: str) -> rx.Component:
    """Draw a table; `first_head` heads the column that names each row."""
    heads = [rx.el.th(first_head, scope="col", role="columnheader")]
    heads += [rx.el.th(head, scope="col", role="columnheader", class_name="n") for head in _HEADS]
    drawn = rx.el.table(
        rx.el.caption(rx.el.b(table.title), ". ", table.basis, "."),
        rx.el.thead(rx.el.tr(*heads, role="row"), role="rowgroup"),
        rx.el.tbody(foreach(table.rows, _row), role="rowgroup"),
        role="table",
        class_name="tbl cards",
    )
    return scrolling(drawn, table.title, class_name="panel scroll-x")


def table_words(tables: RatesTables | Any, *, risk: str, buy_to_let: str) -> rx.Component:
    """Draw the text below a page's tables: the example, the warning, and the date of the rates."""
    return rx.el.div(
        rx.cond(tables.example != "", example(tables.example, tables.example_aprc)),
        rx.el.p(risk, class_name="risk"),
        rx.cond(tables.unregulated, rx.el.p(buy_to_let, class_name="small")),
        rx.el.p(tables.dated, class_name="small mute"),
        class_name="stack tight-8",
    )


def _row(row: Any) -> rx.Component:
    large = (row.rate, row.aprc)
    figures = (*(rx.el.span(figure, class_name="rt") for figure in large), row.payment, row.fees, row.true_year)
    lender = rx.fragment(rx.el.br(), rx.el.span(row.lender, class_name="xs mute"))
    name = rx.el.a(row.label, visually_hidden(", see these deals"), href=row.href)
    return rx.el.tr(
        rx.el.th(name, rx.cond(row.lender != "", lender), scope="row", role="rowheader"),
        *(
            rx.el.td(
                figure, role="cell", class_name="n h" if place < len(large) else "n", custom_attrs={"data-l": head}
            )
            for place, (figure, head) in enumerate(zip(figures, _HEADS, strict=True))
        ),
        role="row",
    )
