"""The list of a rates page: the search in the URL, or the list that the page was built with."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.elements import (
    button,
    icon,
    note,
    search_link,
    skeleton,
    telephone_link,
    terms_line,
    visually_hidden,
)
from broker.components.forms.fields import Segment, segmented
from broker.components.jinja import Content, Text, class_if, foreach, when, when_text
from broker.components.rates.product_card import away_notice, example, let_sentences, product_card, to_take_away
from broker.components.url_params import put
from broker.content.models.site import Site
from broker.jinja_places import Placeholder, template_of, variable
from broker.pages.rates.browser_search import (
    FORM,
    answered_address,
    focus_new_deal,
    is_busy,
    is_waiting,
    keep_title,
    search_in_browser,
    search_with,
    searched_parameter,
)
from broker.pages.rates.comparison import compare_bar, pick_tick, side_by_side
from broker.pages.rates.rate_details import details_template
from broker.rates import search_params
from broker.rates.customers import default_query
from broker.rates.query import SortOrder
from broker.rates.ranking import PAGE_SIZE
from broker.rates.results import NONE_FOUND, ListFilter, RateCard, RatesList
from broker.rates.search_page import CHOSEN, EMPTY, FAILED, LOADING, OPENER, REFUSED, ShownSearch, option_name
from broker.rates.search_params import details_opener
from broker.state.rates.search import RatesState

_IN_PLACE: dict[str, Any] = {"preventScrollReset": True}

_ORDERS = (
    Segment(value=SortOrder.RATE.value, label="Rate"),
    Segment(value=SortOrder.FEES.value, label="Fees"),
    Segment(value=SortOrder.TRUE_COST.value, label="True cost"),
)

_REGION = "deals"
"""The id of the region of the list, in which the edge writes it; `js/search_form.js` has it too."""


def _list_filters(shown: ShownSearch) -> rx.Component:
    """Draw the filters of a list with how many deals each leaves; an active one says how to remove it.

    Without a list, the filters of another search keep the space, hidden.
    """
    without_list = class_if(shown.is_empty, "filters", otherwise="filters kept")
    names = class_if(shown.is_listed, "filters", otherwise=without_list)
    return rx.el.ul(foreach(shown.found.filters, _filter), class_name=names, aria_label="Show only deals with")


def _filter(each: ListFilter) -> rx.Component:
    kept = client_handler(script_function("rates_list", "keepFocus").call(rx.Var("typed.currentTarget")))
    off, on = visually_hidden(" deals"), rx.fragment(visually_hidden(" deals, on: "), rx.el.b("Remove"))
    return rx.el.li(
        search_link(
            each.label,
            " ",
            rx.el.span(each.count, class_name="n"),
            when(each.is_on, on, otherwise=off),
            href=each.href,
            class_name=class_if(each.is_on, "chip on", otherwise="chip"),
            custom_attrs=_IN_PLACE | {"onClick": kept},
        )
    )


def rates_results(customer: str, *, built: RatesList, site: Site) -> rx.Component:
    """Draw the list of a customer type's page; `built` answers the page's default search."""
    shown = search_in_browser(customer, built=built)
    # A list of one item, so that the script holds the list's expression once and not once a figure.
    found = rx.Var.create([shown.found]).to(list[RatesList])
    listed = rx.foreach(found, lambda each: _list(customer, each, site))
    body = rx.match(
        shown.status,
        (LOADING, loading_list()),
        (EMPTY, empty_list(customer, site, shown=shown)),
        (FAILED, failed_list(site, problem=shown.problem)),
        (REFUSED, _refused_list(customer, problem=shown.problem)),
        listed,
    )
    return _region(
        customer,
        shown,
        site,
        body=body,
        order=_order_in_browser(),
        detail=rx.el.noscript(),
        answered=keep_title(answered_address(customer)),
        busy=rx.cond(is_busy(customer), "true", "false"),
        signal=rx.cond(is_waiting(customer), _no_signal(site)),
    )


def rates_template(customer: str, *, site: Site) -> rx.Component:
    shown = template_of(ShownSearch, "search")
    body = when(
        shown.is_listed,
        _list(customer, shown.found, site),
        otherwise=when(
            shown.is_empty,
            empty_list(customer, site, shown=shown),
            otherwise=when(
                shown.is_refused,
                _refused_list(customer, problem=shown.problem),
                otherwise=failed_list(site, problem=shown.problem),
            ),
        ),
    )
    order = tuple(Placeholder(f"{CHOSEN}.{option_name(search_params.SORT, each.value)}") for each in _ORDERS)
    return _region(customer, shown, site, body=body, order=order, detail=details_template(site), answered="")


def built_list(built: RatesList, site: Site) -> rx.Component:
    """Draw the list that the page was built with, which is in the exported HTML."""
    return _list("", built, site)


def _region(
    customer: str,
    shown: ShownSearch,
    site: Site,
    *,
    body: Content,
    order: Text | tuple[Text, ...],
    detail: rx.Component,
    answered: Text,
    busy: Text = "false",
    signal: rx.Component | None = None,
) -> rx.Component:
    """Draw the region of the list: its heading does not move while a search is under way."""
    said = rx.el.p(
        shown.source,
        visually_hidden(rx.fragment(" ", shown.heading, ". ", shown.showing)),
        class_name="say",
        role="status",
    )
    return rx.el.section(
        rx.el.div(
            side_by_side(site, customer),
            detail,
            rx.el.div(
                rx.el.div(rx.el.h2(shown.heading, tab_index=-1), said),
                _sorter(order),
                _list_filters(shown),
                class_name="list-bar",
            ),
            body,
            to_take_away(customer, shown),
            class_name="wrap stack",
        ),
        compare_bar(),
        rx.el.div(*([] if signal is None else [signal]), class_name="no-signal", role="status"),
        id=_REGION,
        class_name="listing",
        aria_label="Deals",
        custom_attrs={"data-answered": answered, "aria-busy": busy},
    )


def _no_signal(site: Site) -> rx.Component:
    """Draw that there is no signal; the stylesheet shows it after three seconds without an answer."""
    words = rx.el.p(
        rx.el.b("No signal."),
        " We’ll carry on as soon as you’re back online. Or call us on ",
        telephone_link(site.phone, number=site.tel),
        ".",
    )
    return rx.el.div(icon("wifi"), words, class_name="toast dark")


def _card(card: RateCard, customer: str) -> rx.Component:
    is_template = isinstance(card.product_id, Placeholder)
    opener = variable(OPENER) if is_template else details_opener(default_query(customer))
    # A link of React Router would write the place of a template in another way.
    named = visually_hidden(f": {card.headline.lender} {card.headline.rate}")
    plain = A.create("View details", named, href=opener + card.product_id, rel="nofollow", class_name="btn line s")
    return product_card(card, put(search_params.PRODUCT, card.product_id), pick=pick_tick(card), plain=plain)


def _list(customer: str, found: RatesList, site: Site) -> rx.Component:
    return rx.el.div(
        away_notice(found),
        when_text(found.earlier, rx.el.p(search_link("Show earlier deals", href=found.earlier), class_name="centre")),
        rx.el.div(foreach(found.cards, lambda card: _listed(card, found, customer, site)), class_name="deals"),
        when_text(found.more, _see_more(found)),
        _left_out(found, site),
        class_name="stack",
    )


def _listed(card: RateCard, found: RatesList, customer: str, site: Site) -> rx.Component:
    """Draw a card, with what follows it: the example and the warnings of the list, or its notes."""
    notes = rx.fragment(
        when_text(found.band, _band(found)),
        when_text(found.winners, note("Cheapest in cash, or cheapest overall?", found.winners)),
    )
    words = (rx.el.p(site.risk_warning, class_name="risk"), when(found.unregulated, let_sentences(site)))
    return rx.fragment(
        _card(card, customer),
        when(card.is_before_example, example(found.example, found.example_aprc, *words)),
        when(card.is_before_notes, notes),
    )


def _band(found: RatesList) -> rx.Component:
    """Draw what reaches the next lower band of loan to value, with the link that searches for it."""
    return note(
        "You are close to a lower rate band",
        rx.el.p(found.band),
        rx.el.p(search_link(found.band_button, href=found.band_address, class_name="btn line s")),
    )


def _order_in_browser() -> Any:
    others = (SortOrder.FEES.value, SortOrder.TRUE_COST.value)
    order = searched_parameter(search_params.SORT)
    return rx.match(order, *((other, other) for other in others), SortOrder.RATE.value)


def _sorter(chosen: Text | tuple[Text, ...]) -> rx.Component:
    """Draw the order of the list; without scripts its options are sent with the form of the search."""
    control = segmented(
        "Sort by",
        _ORDERS,
        name=search_params.SORT,
        chosen=chosen,
        on_choose=lambda order: search_with(search_params.SORT, order),
        form=FORM,
    )
    sort = rx.el.button("Sort", type="submit", form=FORM, class_name="btn line s no-script-only")
    return rx.el.div(control, sort, class_name="sorter")


def _see_more(found: RatesList) -> rx.Component:
    """Draw the link to five more deals, which replaces the history entry."""
    link = search_link(
        "See more",
        visually_hidden(" deals"),
        href=found.more,
        class_name="btn line",
        on_click=focus_new_deal(),
        custom_attrs={"replace": True, "preventScrollReset": True},
    )
    return rx.el.p(link, class_name="centre")


def _left_out(found: RatesList, site: Site) -> rx.Component:
    """Draw how much of the list is shown, what is left out of it with a link to the list that has it, and the terms."""
    link = search_link("Show them too", href=found.fee_free_href, custom_attrs=_IN_PLACE)
    fee_free = rx.fragment(" ", found.fee_free, when_text(found.fee_free_href, rx.fragment(" ", link)))
    return rx.el.div(
        rx.el.p(found.showing, ".", when_text(found.fee_free, fee_free)),
        rx.el.p(
            "True cost is the interest and fees of the deal, less cashback; money that pays off the loan is left out. ",
            rx.el.a("How we calculate", href=routes.HOW_WE_CALCULATE),
            ". ",
            site.indicative_sentence,
        ),
        terms_line("aprc", "erc", "follow-on-rate", "ltv", "product-fee"),
        class_name="small mute stack tight-8",
    )


def loading_list() -> rx.Component:
    """Draw five placeholder rows while a search is under way (specification 4)."""
    return skeleton(PAGE_SIZE)


def empty_list(customer: str, site: Site, *, shown: ShownSearch) -> rx.Component:
    """Draw the message for a search without results, in the specification's words, with what to do."""
    return rx.el.div(
        note(
            NONE_FOUND,
            "Try a longer term, a lower mortgage amount or another deal length, or ",
            telephone_link(f"call us on {site.phone}", number=site.tel),
            ": some deals are not listed online.",
            tone="warn",
        ),
        when_text(shown.filter_words, _narrowed(shown)),
        rx.el.p(shown.found.fee_free, class_name="small"),
        rx.el.p(rx.el.a("Reset the search", href=routes.deals(customer))),
        class_name="stack",
    )


def _refused_list(customer: str, *, problem: Text) -> rx.Component:
    """Draw what is wrong with the figures of a search, which has no list (decision 52)."""
    again = rx.el.p("Put it right in your search, or ", rx.el.a("start a new search", href=routes.deals(customer)), ".")
    return note("We cannot search with these figures", rx.el.p(problem), again, tone="warn")


def _narrowed(shown: ShownSearch) -> rx.Component:
    return rx.el.p(
        "You asked for deals ",
        rx.el.b(shown.filter_words),
        ". ",
        search_link("Remove the filters", href=shown.unfiltered),
        " to see the others.",
    )


def failed_list(site: Site, *, problem: Text) -> rx.Component:
    """Draw the message for a search that failed, with what to do; the heading of the list says that it failed."""
    return note(
        problem,
        rx.el.p(
            button("Try again", look="s line needs-script", on_click=RatesState.try_again),
            " or call ",
            telephone_link(site.phone, number=site.tel),
            ".",
        ),
        tone="bad",
    )
