"""The deal of a plan, with what any rate needs beside it."""

import reflex as rx

from broker.components.elements.messages import note
from broker.components.elements.text import search_link
from broker.components.foreach import foreach
from broker.components.inline_style import inline_style
from broker.components.jinja import when, when_text
from broker.components.rates.product_card import lender_logo
from broker.components.rates.rate_and_aprc import rate_and_aprc
from broker.components.rates.rate_notices import example
from broker.presenters.rates.plan_deal import PlanDeal

_WAITING_HEIGHT = "28rem"
"""About the height of a deal, so that the page does not move when one comes."""


def plan_deal(deal: PlanDeal, *, risk: str) -> rx.Component:
    """Draw a deal, or what stands in its place; `risk` is the warning's sentence."""
    waiting = rx.el.div(
        rx.el.p("Finding the deal with the lowest true cost for these figures", class_name="small mute"),
        rx.el.span(class_name="sk", custom_attrs=inline_style({"minHeight": _WAITING_HEIGHT}), aria_hidden="true"),
        class_name="stack needs-script",
        aria_busy="true",
    )
    problem = note(deal.problem, when_text(deal.search, rx.el.p(search_link("Search for deals", href=deal.search))))
    return when(deal.is_found, _deal(deal, risk), otherwise=when_text(deal.problem, problem, otherwise=waiting))


def _deal(deal: PlanDeal, risk: str) -> rx.Component:
    lender = rx.el.div(rx.el.b(deal.headline.lender), rx.el.br(), rx.el.span(deal.name, class_name="small mute"))
    return rx.el.div(
        rx.el.div(
            rx.el.div(lender_logo(deal.headline), lender, class_name="row"),
            rate_and_aprc(deal.headline),
            rx.el.dl(foreach(deal.lines, _line), class_name="kv"),
            class_name="stack",
        ),
        rx.el.div(
            when_text(deal.band, note("The next band of loan to value", rx.el.p(deal.band))),
            example(deal.example, deal.example_aprc),
            rx.el.p(risk, class_name="risk"),
            rx.el.p(deal.dated, class_name="small mute"),
            search_link("See this deal in full", href=deal.href, class_name="btn line"),
            search_link("Compare all deals for these figures", href=deal.search, class_name="btn line"),
            class_name="stack",
        ),
        class_name="g2",
    )


def _line(line: tuple[str, str, str]) -> rx.Component:
    return rx.el.div(rx.el.dt(line[0], rx.el.br(), rx.el.span(line[2], class_name="xs mute")), rx.el.dd(line[1]))
