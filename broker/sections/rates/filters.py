"""The filters above a list of deals: plain links, which keep the scroll position where scripts run."""

from typing import Any

import reflex as rx

from broker.components.elements.text import visually_hidden
from broker.components.foreach import foreach
from broker.presenters.rates.results import RatesList


def list_filters(found: RatesList | Any) -> rx.Component:
    """Draw the filters of a list with how many deals each leaves; one that is on says how to take it off."""
    return rx.el.ul(foreach(found.filters, _filter), class_name="row filters", aria_label="Filters")


def show_fee_free(found: RatesList | Any) -> rx.Component:
    """Draw how many deals without a lender fee are left out, with a link to the list that has them."""
    link = rx.el.a("Show them too", href=found.fee_free_href, custom_attrs=_IN_PLACE)
    shown = rx.cond(found.fee_free_href != "", rx.fragment(" ", link))
    return rx.cond(found.fee_free != "", rx.el.p(found.fee_free, shown, class_name="small"))


_IN_PLACE = {"preventScrollReset": True}


def _filter(each: Any) -> rx.Component:
    off, on = visually_hidden(" deals"), rx.fragment(visually_hidden(" deals, on: "), rx.el.b(" Remove"))
    return rx.el.li(
        rx.el.a(
            each.label,
            f" ({each.count})",
            rx.cond(each.is_on, on, off),
            href=each.href,
            class_name=rx.cond(each.is_on, "btn s", "btn line s"),
            custom_attrs=_IN_PLACE,
        )
    )
