"""The list of a rates page: the search in the URL, or the list that the page was built with."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button
from broker.components.elements.messages import note, skeleton
from broker.components.elements.text import telephone_link, visually_hidden
from broker.components.forms.fields import Segment, segmented
from broker.components.rates.product_card import product_card
from broker.components.rates.rate_notices import example, read_notice, warnings
from broker.components.rates.search_url import search_with
from broker.components.url_params import parameter, parameter_after_load, put
from broker.content.models.site import Site
from broker.domain.rates.query import SortOrder
from broker.domain.rates.ranking import PAGE_SIZE
from broker.presenters.rates import search_params
from broker.presenters.rates.results import NONE_FOUND, RateCard, RatesList
from broker.sections.rates.comparison import compare_bar, pick_tick, side_by_side
from broker.sections.rates.filters import list_filters, show_fee_free
from broker.sections.rates.rates_by_ltv import download_link
from broker.state.rates.search import EMPTY, FAILED, IDLE, LOADED, LOADING, RatesState

_ORDERS = (
    Segment(value=SortOrder.RATE.value, label="Rate"),
    Segment(value=SortOrder.FEES.value, label="Fees"),
    Segment(value=SortOrder.TRUE_COST.value, label="True cost"),
)


def rates_results(customer: str, *, built: RatesList, site: Site) -> rx.Component:
    """Draw the list of a customer type's page; `built` answers the page's default search."""
    found, here = RatesState.found, (RatesState.customer == customer) | (RatesState.customer == "")
    listed = rx.match(
        rx.cond(here, RatesState.status, IDLE),
        (LOADING, loading_list()),
        (LOADED, _list(found, rx.foreach(found.cards, _card), site=site, read=parameter)),
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


def built_list(built: RatesList, site: Site) -> rx.Component:
    """Draw the list that the page was built with, which is in the exported HTML."""
    cards = rx.fragment(*(_card(card) for card in built.cards))
    return _list(built, cards, site=site, read=parameter_after_load)


def _card(card: RateCard | Any) -> rx.Component:
    return product_card(card, put(search_params.PRODUCT, card.product_id), pick=pick_tick(card))


def _list(found: RatesList | Any, cards: rx.Component, *, site: Site, read: Callable[[str], rx.Var]) -> rx.Component:
    """Draw a list under its heading; `read` reads a parameter of the URL, which the controls show."""
    return rx.el.div(
        read_notice(found),
        rx.el.div(
            rx.el.div(
                rx.el.h2(found.heading, class_name="as-h3", tab_index=-1),
                rx.el.p(found.showing, class_name="small mute", role="status"),
            ),
            _sorter(read(search_params.SORT)),
            class_name="bar",
        ),
        list_filters(found),
        example(found.example, found.example_aprc),
        warnings(site.risk_warning, found.unregulated, buy_to_let=site.buy_to_let_sentence),
        rx.cond(found.winners != "", note("Two deals, two winners", found.winners)),
        rx.el.div(cards, class_name="deals"),
        rx.cond(found.has_more, _see_more()),
        _left_out(found, site),
        class_name="stack",
    )


def _sorter(order: rx.Var) -> rx.Component:
    others = (SortOrder.FEES.value, SortOrder.TRUE_COST.value)
    chosen = rx.match(order, *((other, other) for other in others), SortOrder.RATE.value)
    control = segmented(
        "Sort by",
        _ORDERS,
        name=search_params.SORT,
        chosen=chosen,
        on_choose=lambda order: search_with(search_params.SORT, order),
    )
    return rx.el.div(control, class_name="sorter needs-script")


def _see_more() -> rx.Component:
    return rx.el.p(
        button("See more", visually_hidden(" deals"), look="line", on_click=RatesState.see_more),
        class_name="centre needs-script",
    )


def _left_out(found: RatesList | Any, site: Site) -> rx.Component:
    return rx.fragment(
        show_fee_free(found),
        rx.el.p(
            "True cost is the interest and fees of the deal, less cashback; money that pays off the loan is left out. ",
            site.indicative_sentence,
            class_name="small mute",
        ),
    )


def loading_list() -> rx.Component:
    """Draw five placeholder rows while a search is under way (specification 4)."""
    return rx.el.div(
        rx.el.p("Finding deals.", class_name="small mute", role="status"), skeleton(PAGE_SIZE), class_name="stack"
    )


def empty_list(customer: str, site: Site) -> rx.Component:
    """Draw the message for a search without results, in the specification's words, with what to do."""
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
    return rx.el.p(
        "You asked for deals ",
        rx.el.b(RatesState.filters),
        ". ",
        rx.el.a("Take the filters away", href=RatesState.unfiltered),
        " to see the others.",
    )


def failed_list(site: Site) -> rx.Component:
    """Draw the message for a search that failed, with what to do."""
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
