"""The list of a rates page: what the address asks for, or the page's own list, which stands in its html."""

from __future__ import annotations

from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button
from broker.components.elements.messages import note, skeleton
from broker.components.elements.text import telephone_link, visually_hidden
from broker.components.forms.fields import Segment, segmented, tick
from broker.components.rates.deal_card import deal_card
from broker.components.rates.rate_notices import example, read_notice, warnings
from broker.components.url_params import put
from broker.content.models.site import Site
from broker.domain.rates.query import SortOrder
from broker.domain.rates.ranking import PAGE_SIZE
from broker.presenters.rates import search_params
from broker.presenters.rates.results import NONE_FOUND, RateCard, RatesList
from broker.sections.rates.comparison import compare_bar, pick_tick, side_by_side
from broker.sections.rates.rates_by_ltv import download_link
from broker.state.rates.search import EMPTY, FAILED, IDLE, LOADED, LOADING, RatesState

_ORDERS = (
    Segment(value=SortOrder.RATE.value, label="Rate"),
    Segment(value=SortOrder.FEES.value, label="Fees"),
    Segment(value=SortOrder.TRUE_COST.value, label="True cost"),
)


def rates_results(customer: str, *, built: RatesList, site: Site) -> rx.Component:
    """Draw the list of a customer type's page; `built` is what stands there until something else is asked."""
    here = (RatesState.customer == customer) | (RatesState.customer == "")
    listed = rx.match(
        rx.cond(here, RatesState.status, IDLE),
        (LOADING, loading_list()),
        (LOADED, _live(site)),
        (EMPTY, empty_list(customer, site)),
        (FAILED, failed_list(site)),
        built_list(built, site),
    )
    return rx.el.section(
        side_by_side(site),
        listed,
        rx.cond((RatesState.status == IDLE) | (RatesState.status == LOADED), download_link(customer)),
        compare_bar(customer),
        class_name="stack",
        aria_label="Deals",
    )


def _live(site: Site) -> rx.Component:
    found = RatesState.found
    cards = rx.foreach(found.cards, _card)
    return _list(found, cards, site)


def built_list(built: RatesList, site: Site) -> rx.Component:
    """Draw the list that stands in the page itself, known when the site was built."""
    return _list(built, rx.fragment(*(_card(card) for card in built.cards)), site)


def _card(card: RateCard | Any) -> rx.Component:
    return deal_card(card, put(search_params.PRODUCT, card.product_id), pick=pick_tick(card))


def _list(found: RatesList | Any, cards: rx.Component, site: Site) -> rx.Component:
    return rx.el.div(
        read_notice(found),
        rx.el.div(
            rx.el.div(
                rx.el.h2(found.heading, class_name="as-h3", tab_index=-1),
                rx.el.p(found.showing, class_name="small mute", role="status"),
            ),
            _sorter(),
            class_name="bar",
        ),
        example(found.example, found.example_aprc),
        warnings(site.risk_warning, found.unregulated, buy_to_let=site.buy_to_let_sentence),
        rx.cond(found.winners != "", note("Two deals, two winners", found.winners)),
        rx.el.div(cards, class_name="deals"),
        rx.cond(found.has_more, _see_more()),
        _left_out(found, site),
        class_name="stack",
    )


def _sorter() -> rx.Component:
    chosen = rx.cond(RatesState.status == IDLE, SortOrder.RATE.value, RatesState.form[search_params.SORT])
    control = segmented("Sort by", _ORDERS, name="sort", chosen=chosen, on_choose=RatesState.sort)
    return rx.el.div(control, class_name="sorter needs-script")


def _see_more() -> rx.Component:
    return rx.el.p(
        button("See more", visually_hidden(" deals"), look="line", on_click=RatesState.see_more),
        class_name="centre needs-script",
    )


def _left_out(found: RatesList | Any, site: Site) -> rx.Component:
    switch = tick(
        "Show deals with no lender fee",
        checked=found.with_fee_free,
        on_change=RatesState.show_fee_free,
        identity="show-fee-free",
    )
    return rx.fragment(
        rx.cond(
            found.fee_free != "",
            rx.el.div(rx.el.p(found.fee_free, class_name="small"), rx.el.div(switch, class_name="needs-script")),
        ),
        rx.el.p(
            "True cost is the interest and fees of the deal; money that pays off the loan is left out. ",
            site.indicative_sentence,
            class_name="small mute",
        ),
    )


def loading_list() -> rx.Component:
    """Draw five rows that are on their way (specification 4)."""
    return rx.el.div(
        rx.el.p("Finding deals.", class_name="small mute", role="status"), skeleton(PAGE_SIZE), class_name="stack"
    )


def empty_list(customer: str, site: Site) -> rx.Component:
    """Say that nothing fits, in the specification's words, and what to do."""
    return rx.el.div(
        note(
            NONE_FOUND,
            "Try a longer term, a lower mortgage amount or another deal length, or ",
            telephone_link(f"call us on {site.phone}", number=site.tel),
            ": some deals are not listed online.",
            tone="warn",
        ),
        rx.cond(RatesState.filters != "", _narrowed()),
        rx.el.p(RatesState.found.fee_free, class_name="small"),
        rx.el.p(rx.el.a("Go back to the usual search", href=routes.deals(customer))),
        class_name="stack",
        role="status",
    )


def _narrowed() -> rx.Component:
    """Say which filters are on, and link to the search without them."""
    return rx.el.p(
        "You asked for deals ",
        rx.el.b(RatesState.filters),
        ". ",
        rx.el.a("Take the filters away", href=RatesState.unfiltered),
        " to see the others.",
    )


def failed_list(site: Site) -> rx.Component:
    """Say that the list could not be loaded, and what to do."""
    return note(
        "We could not load rates",
        rx.el.p(RatesState.problem),
        rx.el.p(
            button("Try again", look="s line", on_click=RatesState.try_again),
            " or call ",
            telephone_link(site.phone, number=site.tel),
            ".",
        ),
        tone="bad",
    )
