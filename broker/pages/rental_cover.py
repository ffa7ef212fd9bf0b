"""The landlord's test on its page: computed in the browser, with the deals that the server finds for its figures."""

import json
from typing import Any

import reflex as rx
from reflex.vars import VarData

from broker import routes
from broker.calculators.buying.rental_cover import CALCULATOR
from broker.calculators.view import calculator_view
from broker.components.calculator import Panel
from broker.components.client_scripts import ask_at_rest, script_function
from broker.components.client_values import memoized_section
from broker.components.jinja import when
from broker.components.rates.plan_deals import let_deals_block
from broker.components.url_params import QUERY
from broker.content.models.site import Site
from broker.jinja_places import placeholders, places_of
from broker.lending.arithmetic import shared
from broker.pages.calculator import CalculatorValues, panel_content
from broker.rates.let_deals import ABOVE_VALUE, WAITING, LetDeals, lets_key
from broker.state.rates.plan_deals import LetDealsState

DEALS = f"{CALCULATOR.slug}-deals"
"""The id of the section of the deals."""


def rental_cover_section(site: Site, *, title: str) -> rx.Component:
    """Draw the calculator under a title, and its deals; its address has its figures."""
    values = CalculatorValues(CALCULATOR, "", path=routes.calculator(CALCULATOR.slug))
    key = shared(lets_key(values.numbers))
    deals = _deals_in_browser(key)
    find = LetDealsState.find(key)  # pyright: ignore[reportCallIssue] - Reflex's own way to name an event
    effects = VarData.merge(values.address_effect(), ask_at_rest(key, deals.key, find))
    # A list of one item, so that the script holds the expression of the deals once.
    drawn = rx.foreach(rx.Var.create([deals]).to(list[LetDeals]), lambda each: _block(each, site))
    return memoized_section(
        values.values.state,
        values.seen.state,
        *_parts(values.panel(), drawn, title),
        on_mount=values.mount(),
        class_name="stack",
        id=rx.Var(json.dumps(f"{values.prefix}-tool"), _var_data=effects).to(str),
    )


def rental_cover_template(site: Site, *, title: str) -> rx.Component:
    """Draw both as a template: the edge fills it with a `calculator_view`, `panel`, and `LetDeals`, `deals`."""
    view = placeholders(calculator_view(CALCULATOR, {}), "panel", fixed={"per", "tone", "subject", "heads"})
    panel = Panel(calculator=CALCULATOR, view=view, prefix=CALCULATOR.slug)
    return rx.fragment(*_parts(panel, _block(places_of(LetDeals, "deals"), site), title))


def _parts(panel: Panel, deals: rx.Component, title: str) -> list[rx.Component]:
    return [
        rx.el.section(
            *panel_content(panel, rx.el.h2, title=title),
            id=panel.prefix,
            class_name="panel stack",
            aria_labelledby=f"{panel.prefix}-title",
        ),
        rx.el.section(
            rx.el.h2("Today’s deals that the rent passes", id=f"{DEALS}-title", class_name="as-h3"),
            when(panel.view.is_wrong, rx.el.p("Put your figures right to see deals here."), otherwise=deals),
            id=DEALS,
            class_name="stack",
            aria_labelledby=f"{DEALS}-title",
        ),
    ]


def _block(deals: LetDeals, site: Site) -> rx.Component:
    return let_deals_block(deals, risk=site.risk_warning, buy_to_let=site.buy_to_let_sentence)


def _deals_in_browser(key: rx.Var) -> LetDeals:
    """Return the deals for the figures: the server's, or those of the edge."""
    answered = shared(script_function("edge_answer", "edgeAnswer").call(QUERY).to(dict[str, Any]))
    own = rx.Var.create(LetDealsState.found).to(list[LetDeals])
    edge = rx.Var(f"({answered!s}?.deals)", _var_data=answered._get_all_var_data()).to(LetDeals)
    is_edges = rx.Var(f"({answered!s}?.deals?.key === {key!s})", _var_data=answered._get_all_var_data()).to(bool)
    is_own = rx.Var(f"({own!s}[0]?.key === {key!s})", _var_data=own._get_all_var_data()).to(bool)
    found = rx.cond(is_own, own[0], rx.cond(is_edges, edge, rx.Var.create(WAITING)))
    return shared(rx.cond(key == "", rx.Var.create(ABOVE_VALUE), found).to(LetDeals))
