"""One lender's lowest rates by loan to value and deal type, each beside its APRC, and facts about the lender."""

import reflex as rx

from broker.components.elements.lists import fact
from broker.components.elements.tables import card_table, prominent, scrolling
from broker.components.elements.text import visually_hidden
from broker.components.foreach import foreach
from broker.components.jinja import class_if, when_text
from broker.domain.rates.deal_types import DEAL_TYPES
from broker.presenters.rates.lender_table import LenderCell, LenderRow, LenderTable, capital

_TITLE = "Lowest rates by loan to value"
_POINTS = "Points are how far a rate is above the lowest of all lenders."
_HEADS = ("Loan to value", *(capital(kind.words) for kind in DEAL_TYPES))


def rates_beside_market(table: LenderTable) -> rx.Component:
    """Draw the table; on a narrow screen each loan to value is a card."""
    caption = rx.el.caption(rx.el.b(_TITLE), ". ", table.basis, ". ", _POINTS)
    drawn = card_table(caption, _HEADS, body=foreach(table.rows, _row), words=_HEADS)
    return scrolling(drawn, _TITLE, class_name="panel scroll-x beside")


def lender_facts(table: LenderTable) -> rx.Component:
    entries = foreach(table.facts, lambda line: fact(line[0], line[1]))
    return rx.el.dl(entries, class_name="kv small lender-facts")


def _row(row: LenderRow) -> rx.Component:
    loan = rx.el.span(row.loan, class_name="xs mute")
    return rx.el.tr(rx.el.th(row.ltv, " ", loan, scope="row", role="rowheader"), foreach(row.cells, _cell), role="row")


def _cell(cell: LenderCell) -> rx.Component:
    """Draw a rate, its APRC at the same size (decision 17), and how the rate stands in the market."""
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
