"""Three lowest rates in a table, each with its APRC, the example and the warning beside them."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from broker.components.deal_card import lender_logo
from broker.components.rate_words import example
from broker.components.tables import scrolling
from broker.content.site import Site
from broker.presenters.rates import RateCard, RatesList

TOP = 3
BASIS = "Based on value of £200,000 at 50% LTV"
"""Words of specification 2."""

_HEADS = ("Lender", "Initial rate", "APRC", "Monthly", "Lender fees", "True cost")


def top_rates(built: RatesList, site: Site) -> rx.Component:
    """Draw the three lowest rates of a list, known when the site was built."""
    cards = built.cards[:TOP]
    return rx.el.div(
        _table(cards),
        rx.el.div(
            example(built.example, built.example_aprc),
            rx.el.div(
                rx.el.p(site.risk_warning, class_name="risk"),
                rx.el.p(_dated(built), class_name="small mute"),
                class_name="stack tight-8",
            ),
            class_name="g2",
        ),
        class_name="stack",
    )


def _dated(built: RatesList) -> str:
    kind = "Sample rates, not offers, as at" if built.sample else "Rates read on"
    return (
        f"{kind} {built.read_at}. True cost is the interest and fees of the deal; money that pays off the loan is "
        "left out. Deals depend on your circumstances."
    )


def _table(cards: Sequence[RateCard]) -> rx.Component:
    heads = _HEADS
    cells = [rx.el.th(heads[0], scope="col", role="columnheader")]
    cells += [rx.el.th(head, scope="col", role="columnheader", class_name="n") for head in heads[1:]]
    table = rx.el.table(
        rx.el.caption("Three lowest 2-year fixed rates", class_name="vh"),
        rx.el.thead(rx.el.tr(*cells, role="row"), role="rowgroup"),
        rx.el.tbody(*(_row(card, heads) for card in cards), role="rowgroup"),
        role="table",
        class_name="tbl cards",
    )
    return scrolling(table, "Three lowest rates", class_name="panel scroll-x")


def _row(card: RateCard, heads: Sequence[str]) -> rx.Component:
    lender = rx.el.span(
        lender_logo(card.headline),
        rx.el.span(card.headline.lender, rx.el.br(), rx.el.span(card.summary, class_name="xs mute")),
        class_name="row",
    )
    large = [rx.el.span(figure, class_name="rt") for figure in (card.headline.rate, card.headline.aprc)]
    figures = (*large, card.payment, card.fees, card.true_year)
    return rx.el.tr(
        rx.el.th(lender, scope="row", role="rowheader"),
        *(
            rx.el.td(
                figure, role="cell", class_name="n h" if place < len(large) else "n", custom_attrs={"data-l": head}
            )
            for place, (figure, head) in enumerate(zip(figures, heads[1:], strict=True))
        ),
        role="row",
    )
