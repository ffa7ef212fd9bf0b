"""Tables of rates, each rate beside its APRC at one size, with the example and the warning below (decision 17)."""

import reflex as rx

from broker.components.elements.tables import card_row, card_table, prominent, scrolling
from broker.components.elements.text import visually_hidden
from broker.components.foreach import foreach
from broker.components.jinja import when, when_text
from broker.components.rates.rate_notices import example
from broker.presenters.rates.rate_blocks import RatesRow, RatesTable, RatesTables

_HEADS = ("Initial rate", "APRC", "Monthly", "Lender fees", "True cost")


def rate_table(table: RatesTable, *, first_head: str) -> rx.Component:
    """Draw a table; `first_head` heads the column that names each row."""
    caption = rx.el.caption(rx.el.b(table.title), ". ", table.basis, ".")
    drawn = card_table(caption, (first_head, *_HEADS), body=foreach(table.rows, _row))
    return scrolling(drawn, table.title, class_name="panel scroll-x")


def table_example(tables: RatesTables) -> rx.Component:
    """Draw the representative example of a page's tables, or nothing where they have none."""
    return when_text(tables.example, example(tables.example, tables.example_aprc))


def table_example_and_date(tables: RatesTables) -> rx.Component:
    """Draw the example of a page's tables and when their rates were read."""
    return rx.el.div(table_example(tables), rx.el.p(tables.read, class_name="small mute"), class_name="stack tight-8")


def table_words(tables: RatesTables, *, risk: str, buy_to_let: str) -> rx.Component:
    """Draw the text below a page's tables: the example, the warning, and the date of the rates."""
    return rx.el.div(
        table_example(tables),
        rx.el.p(risk, class_name="risk"),
        when(tables.unregulated, rx.el.p(buy_to_let, class_name="small")),
        rx.el.p(tables.dated, class_name="small mute"),
        class_name="stack tight-8",
    )


def _row(row: RatesRow) -> rx.Component:
    figures = (prominent(row.rate), prominent(row.aprc), row.payment, row.fees, row.true_year)
    lender = rx.fragment(rx.el.br(), rx.el.span(row.lender, class_name="xs mute"))
    name = rx.el.a(row.label, visually_hidden(", see these deals"), href=row.href)
    looks = ("n h", "n h", "n", "n", "n")
    labels = rx.fragment(rx.el.br(), rx.el.span(row.labels, class_name="xs"))
    names = (name, when_text(row.lender, lender), when_text(row.labels, labels))
    return card_row(names, figures, heads=_HEADS, looks=looks)
