"""The comparison of up to four products, the checkboxes that select them, and the bar that counts them."""

from typing import Any

import reflex as rx

from broker.components.client_values import BrowserValues, client_handler, memoized_section
from broker.components.elements.buttons import button
from broker.components.elements.tables import scrolling
from broker.components.elements.text import visually_hidden
from broker.components.rates.product_card import lender_logo
from broker.components.rates.rate_notices import example, warnings
from broker.components.url_params import put
from broker.content.models.site import Site
from broker.presenters.rates import search_params
from broker.presenters.rates.comparison import MAX_COMPARED
from broker.state.rates.compare import CompareState


def _picked() -> BrowserValues:
    """Return the ids of the selected products, which the browser keeps from page to page."""
    return BrowserValues("picked", {"ids": []})


def pick_tick(card: Any) -> rx.Component:
    """Draw the checkbox on a card that selects it for the comparison; a fifth one cannot be selected."""
    values = _picked()
    picked = values["ids"].to(list[str])
    others = picked.filter(lambda each: each != card.product_id)
    more = rx.cond(picked.length() < MAX_COMPARED, picked + rx.Var.create([card.product_id]).to(list[str]), picked)
    box = rx.el.input(
        type="checkbox",
        checked=picked.contains(card.product_id),
        on_change=client_handler(values.put({"ids": rx.cond(picked.contains(card.product_id), others, more)})),
    )
    name = visually_hidden(f" {card.headline.lender} {card.headline.rate}")
    return rx.el.label(box, "Compare", name, class_name="tick small needs-script")


def compare_bar(customer: str) -> rx.Component:
    """Draw the bar below the list while products are selected."""
    values = _picked()
    picked = values["ids"].to(list[str])
    count = picked.length()
    bar = rx.el.div(
        rx.el.span(rx.el.b(count, f" of {MAX_COMPARED} deals"), " picked to compare", role="status"),
        rx.el.span(
            button("Clear", look="line s", on_click=client_handler(values.put({"ids": []}))),
            button(
                "Compare side by side",
                look="lamp s",
                on_click=CompareState.compare(customer, picked),
                disabled=count < 2,
            ),
            class_name="row",
        ),
        class_name="comparebar dark",
    )
    return memoized_section(values.state, rx.cond(count > 0, bar), aria_label="Deals to compare")


def side_by_side(site: Site) -> rx.Component:
    """Draw the comparison in the URL, with differences marked; nothing without one."""
    shown = CompareState.shown
    section = rx.el.section(
        rx.el.div(
            rx.el.h2("Side by side", id="side-by-side", class_name="as-h3", tab_index=-1),
            rx.el.a("Close the comparison", href=CompareState.alone),
            class_name="bar",
        ),
        scrolling(_table(), "Deals side by side", class_name="panel scroll-x"),
        rx.el.ul(rx.foreach(shown.notes, rx.el.li), class_name="prose"),
        rx.foreach(shown.examples, lambda entry: example(entry[0], entry[1])),
        warnings(site.risk_warning, False, buy_to_let=site.buy_to_let_sentence),
        class_name="stack compared",
        aria_labelledby="side-by-side",
    )
    return rx.cond(rx.Var.create(shown.rows).to(list).length() > 0, section)


def _table() -> rx.Component:
    shown = CompareState.shown
    heads = rx.foreach(
        shown.heads, lambda head: rx.el.th(lender_logo(head), rx.el.span(head.lender), scope="col", class_name="n")
    )
    return rx.el.table(
        rx.el.caption("What differs is marked with a dot, the lowest of each figure in bold."),
        rx.el.thead(rx.el.tr(rx.el.th("Figure", scope="col"), heads)),
        rx.el.tbody(rx.foreach(shown.rows, _row)),
        rx.el.tfoot(rx.el.tr(rx.el.th("In full", scope="row"), rx.foreach(shown.named, _opener))),
        class_name="tbl",
    )


def _row(row: Any) -> rx.Component:
    mark = rx.el.span("• ", visually_hidden("differs: "), class_name="differs")
    return rx.el.tr(rx.el.th(rx.cond(row.differs, mark), row.label, scope="row"), rx.foreach(row.figures, _figure))


def _opener(product: Any) -> rx.Component:
    opener = rx.el.button(
        "View details",
        visually_hidden(rx.fragment(": ", product[1])),
        type="button",
        on_click=put(search_params.PRODUCT, product[0]),
        class_name="btn line s",
    )
    return rx.el.td(opener, class_name="n")


def _figure(figure: Any) -> rx.Component:
    return rx.el.td(
        rx.cond(figure.lowest, rx.el.b(figure.text, visually_hidden(", the lowest")), figure.text), class_name="n"
    )
