"""Tables of rates, each rate beside its APRC at one size, with the example and the warning below (decision 17)."""

import reflex as rx

from broker.components.elements import card_row, card_table, fact, prominent, scrolling, visually_hidden
from broker.components.jinja import class_if, foreach, when, when_text
from broker.components.rates.product_card import example
from broker.content.models.site import Site
from broker.lending.money import capitalised
from broker.rates.deal_types import DEAL_TYPES
from broker.rates.lender_tables import LenderCell, LenderRow, LenderTable, RatesRow, RatesTable, RatesTables

_TITLE = "Lowest rates by loan to value"
_POINTS = "Points are how far a rate is above the lowest of all lenders."
_LENDER_HEADS = ("Loan to value", *(capitalised(kind.words) for kind in DEAL_TYPES))

_HEADS = ("Initial rate", "APRC", "Monthly", "Lender fees", "True cost")


def rates_beside_market(table: LenderTable) -> rx.Component:
    """Draw the table; on a narrow screen each loan to value is a card."""
    caption = rx.el.caption(rx.el.b(_TITLE), ". ", table.basis, ". ", _POINTS)
    drawn = card_table(caption, _LENDER_HEADS, body=foreach(table.rows, _lender_row), words=_LENDER_HEADS)
    return scrolling(drawn, _TITLE, class_name="panel scroll-x beside")


def lender_facts(table: LenderTable) -> rx.Component:
    entries = foreach(table.facts, lambda line: fact(line[0], line[1]))
    return rx.el.dl(entries, class_name="kv small lender-facts")


def _lender_row(row: LenderRow) -> rx.Component:
    loan = rx.el.span(row.loan, class_name="xs mute")
    return rx.el.tr(rx.el.th(row.ltv, " ", loan, scope="row", role="rowheader"), foreach(row.cells, _cell), role="row")


def _cell(cell: LenderCell) -> rx.Component:
    """Draw a rate, its APRC at the same size (decision 17), and how the rate compares with the market."""
    pair = rx.el.span(
        rx.el.span(
            rx.el.a(prominent(cell.rate), visually_hidden(", see these deals"), href=cell.href),
            rx.el.span("Rate", class_name="xs mute"),
        ),
        rx.el.span(prominent(cell.aprc), rx.el.span("APRC", class_name="xs mute")),
        class_name="pair",
    )
    look = class_if(cell.is_lowest, "xs best", otherwise="xs mute")
    found = rx.fragment(pair, rx.el.span(cell.standing, class_name=look))
    none = rx.el.span("No deal", class_name="xs mute")
    return rx.el.td(
        when_text(cell.rate, found, otherwise=none), role="cell", class_name="h", custom_attrs={"data-l": cell.kind}
    )


def rate_table(table: RatesTable, *, first_head: str) -> rx.Component:
    caption = rx.el.caption(rx.el.b(table.title), ". ", table.basis, ".")
    drawn = card_table(caption, (first_head, *_HEADS), body=foreach(table.rows, _row))
    return scrolling(drawn, table.title, class_name="panel scroll-x")


def _table_example(tables: RatesTables) -> rx.Component:
    return when_text(tables.example, example(tables.example, tables.example_aprc))


def table_example_and_date(tables: RatesTables) -> rx.Component:
    return rx.el.div(_table_example(tables), rx.el.p(tables.read, class_name="small mute"), class_name="stack tight-8")


def table_words(tables: RatesTables, site: Site) -> rx.Component:
    """Draw the text below a page's tables: the example, the warning, and the date of the rates."""
    return rx.el.div(
        _table_example(tables),
        rx.el.p(site.risk_warning, class_name="risk"),
        when(tables.unregulated, rx.el.p(site.buy_to_let_sentence, class_name="small")),
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
