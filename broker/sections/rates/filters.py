"""The filters above a list of deals: plain links, which keep the scroll position where scripts run."""

import reflex as rx

from broker.components.elements.text import search_link, visually_hidden
from broker.components.foreach import foreach
from broker.components.jinja import class_if, when, when_text
from broker.presenters.jinja import Placeholder
from broker.presenters.rates.results import RatesList
from broker.presenters.rates.search.list_filters import ListFilter
from broker.presenters.rates.search.shown_search import ShownSearch


def list_filters(shown: ShownSearch) -> rx.Component:
    """Draw the filters of a list with how many deals each leaves; one that is on says how to take it off.

    Where there is no list, those of another search keep the place, out of sight and reach.
    """
    names = "row filters" if isinstance(shown.is_empty, Placeholder) else _filters_class(shown)
    return rx.el.ul(foreach(shown.found.filters, _filter), class_name=names, aria_label="Filters")


def _filters_class(shown: ShownSearch) -> rx.Var:
    return rx.cond(shown.is_listed | shown.is_empty, "row filters", "row filters kept")


def show_fee_free(found: RatesList) -> rx.Component:
    """Draw how many deals without a lender fee are left out, with a link to the list that has them."""
    link = search_link("Show them too", href=found.fee_free_href, custom_attrs=_IN_PLACE)
    shown = when_text(found.fee_free_href, rx.fragment(" ", link))
    return when_text(found.fee_free, rx.el.p(found.fee_free, shown, class_name="small"))


_IN_PLACE = {"preventScrollReset": True}


def _filter(each: ListFilter) -> rx.Component:
    off, on = visually_hidden(" deals"), rx.fragment(visually_hidden(" deals, on: "), rx.el.b(" Remove"))
    return rx.el.li(
        search_link(
            each.label,
            f" ({each.count})",
            when(each.is_on, on, otherwise=off),
            href=each.href,
            class_name=class_if(each.is_on, "btn s", otherwise="btn line s"),
            custom_attrs=_IN_PLACE,
        )
    )
