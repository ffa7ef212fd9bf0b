"""The deals that a rent passes, or what stands in their place."""

import reflex as rx

from broker.components.elements.messages import note
from broker.components.elements.text import search_link
from broker.components.inline_style import inline_style
from broker.components.jinja import when_text
from broker.components.rates.best_deals import best_table
from broker.presenters.rates.search.let_deals import LetDeals

_WAITING_HEIGHT = "24rem"
"""About the height of three deals, so that the page does not move when they come."""


def let_deals_block(deals: LetDeals, *, risk: str, buy_to_let: str) -> rx.Component:
    """Draw the deals; `risk` and `buy_to_let` are the warnings' sentences."""
    waiting = rx.el.div(
        rx.el.p("Press “Work it out” to see them.", class_name="no-script-only"),
        rx.el.span(class_name="sk needs-script", custom_attrs=inline_style({"minHeight": _WAITING_HEIGHT})),
    )
    found = rx.el.div(
        rx.el.p(deals.basis, role="status"),
        rx.el.p(deals.rule, class_name="small"),
        best_table(
            deals.best, risk=risk, buy_to_let=buy_to_let, caption="The deals with the lowest true cost that pass"
        ),
        rx.el.p(search_link("Compare all deals for this loan", href=deals.search, class_name="btn line")),
        class_name="stack",
    )
    problem = note(deals.problem, rx.el.p(search_link("Search for buy-to-let deals", href=deals.search)), tone="warn")
    return when_text(deals.basis, found, otherwise=when_text(deals.problem, problem, otherwise=waiting))
