"""The comparison of up to four products, the checkboxes that select them, and the bar that counts them."""

import json

import reflex as rx

from broker import routes
from broker.components.client_scripts import effect, expression, script_function
from broker.components.client_values import BrowserValues, client_handler, memoized_section
from broker.components.elements import button, disclosure, fact, inline_style, scrolling, visually_hidden
from broker.components.jinja import Content, foreach
from broker.components.rates.product_card import example, lender_logo, warnings
from broker.components.share import share_link
from broker.components.url_params import NAVIGATE, drop, parameter, put
from broker.content.models.site import Site
from broker.rates import search_params
from broker.rates.comparison import MAX_COMPARED, ComparedFigure, ComparedRow, Comparison
from broker.rates.product_text import Headline
from broker.rates.results import RateCard
from broker.state.rates.search import CompareState


def _picked() -> BrowserValues:
    """Return the ids of the selected products, which the browser keeps from page to page."""
    return BrowserValues("picked", {"ids": []})


def pick_tick(card: RateCard) -> rx.Component:
    """Draw the checkbox on a card that selects it for the comparison; a fifth card cannot be selected."""
    values = _picked()
    picked = values["ids"].to(list[str])
    is_picked = picked.contains(card.product_id)
    others = picked.filter(lambda each: each != card.product_id)
    more = rx.cond(picked.length() < MAX_COMPARED, picked + rx.Var.create([card.product_id]).to(list[str]), picked)
    box = rx.el.input(
        type="checkbox",
        checked=is_picked,
        on_change=client_handler(values.put({"ids": rx.cond(is_picked, others, more)})),
    )
    name = visually_hidden(f" {card.headline.lender} {card.headline.rate}")
    return rx.el.label(box, "Compare", name, class_name="tick small needs-script")


def compare_bar() -> rx.Component:
    """Draw how many deals are selected, and the buttons, at the bottom edge of the window while any is."""
    values = _picked()
    picked = values["ids"].to(list[str])
    count = picked.length()
    left, cleared = script_function("rates_list", "leaveBar").call(picked), values.put({"ids": []})
    bar = rx.el.div(
        rx.el.span(
            rx.el.b(count, f" of {MAX_COMPARED} deals"),
            rx.el.span(" picked to compare", class_name="long"),
            role="status",
        ),
        button("Clear", look="line s", on_click=client_handler(expression(f"({left!s}, {cleared!s})", left, cleared))),
        button(
            "Compare",
            rx.el.span(" side by side", class_name="long"),
            look="lamp s",
            on_click=client_handler(script_function("rates_list", "compare").call(NAVIGATE, picked)),
            disabled=count < 2,
        ),
        class_name="wrap",
    )
    return memoized_section(
        values.state,
        rx.cond(count > 0, rx.el.div(bar, class_name="comparebar dark")),
        class_name="dock",
        aria_label="Deals to compare",
    )


def side_by_side(site: Site, customer: str) -> rx.Component:
    shown = CompareState.shown
    section = rx.el.section(
        rx.el.div(
            rx.el.h2("Side by side", id=_focused_while_open("side-by-side"), class_name="as-h3", tab_index=-1),
            rx.el.button(
                "Close the comparison", type="button", on_click=drop(search_params.COMPARE), class_name="as-link"
            ),
            class_name="bar",
        ),
        rx.cond(
            rx.Var.create(shown.rows).to(list).length() > 0,
            rx.fragment(
                share_link("this comparison", pdf=routes.deals(customer) + routes.COMPARISON_PDF),
                compared(shown),
                warnings(site, False),
            ),
            rx.el.ul(foreach(shown.notes, rx.el.li), class_name="prose"),
        ),
        class_name="stack compared",
        aria_labelledby="side-by-side",
    )
    is_current = CompareState.compared == parameter(search_params.COMPARE)
    return rx.cond(is_current & (rx.Var.create(shown.notes).to(list).length() > 0), section)


def _focused_while_open(identity: str) -> rx.Var:
    """Return an id of the heading, with the effect that focuses it, and on closing the card that was selected last."""
    opened = script_function("rates_list", "openComparison").call()
    return expression(json.dumps(identity), effect(opened, opened)).to(str)


def compared(shown: Comparison) -> rx.Component:
    """Draw a Comparison: what differs, which costs least and why, then what is the same and the examples, folded."""
    same = rx.el.dl(foreach(shown.same, lambda row: fact(row[0], row[1])), class_name="kv small same")
    examples = foreach(
        shown.examples,
        lambda entry: disclosure(rx.fragment("Representative example: ", entry[0]), example(entry[1], entry[2])),
    )
    return rx.fragment(
        scrolling(_table(shown), "Deals side by side", class_name="panel scroll-x"),
        rx.el.ul(foreach(shown.notes, rx.el.li), class_name="prose"),
        disclosure("What is the same for all of them", same),
        rx.el.div(examples, class_name="examples"),
    )


def _table(shown: Comparison) -> rx.Component:
    heads = foreach(shown.heads, _head)
    columns = rx.Var.create(shown.heads).to(list).length().to(str)
    return rx.el.table(
        rx.el.caption("The lowest of each figure is in bold. Deals of different length compare by the year alone."),
        rx.el.thead(rx.el.tr(rx.el.th("Figure", scope="col", role="columnheader"), heads, role="row"), role="rowgroup"),
        rx.el.tbody(foreach(shown.rows, _row), role="rowgroup"),
        rx.el.tfoot(_row_of("In full", foreach(shown.named, _opener)), role="rowgroup"),
        class_name="tbl",
        role="table",
        custom_attrs=inline_style({"--deals": columns}),
    )


def _head(head: Headline) -> rx.Component:
    return rx.el.th(lender_logo(head), rx.el.span(head.lender), scope="col", role="columnheader", class_name="n")


def _row(row: ComparedRow) -> rx.Component:
    return _row_of(row.label, foreach(row.figures, _figure))


def _row_of(label: Content, cells: rx.Component) -> rx.Component:
    return rx.el.tr(rx.el.th(rx.el.span(label), scope="row", role="rowheader"), cells, role="row")


def _opener(product: tuple[str, str]) -> rx.Component:
    opener = rx.el.button(
        "View details",
        visually_hidden(rx.fragment(": ", product[1])),
        type="button",
        on_click=put(search_params.PRODUCT, product[0]),
        class_name="btn line s",
    )
    return rx.el.td(opener, class_name="n", role="cell")


def _figure(figure: ComparedFigure) -> rx.Component:
    lowest = rx.el.b(figure.text, visually_hidden(", the lowest"))
    return rx.el.td(rx.cond(figure.lowest, lowest, figure.text), class_name="n", role="cell")
