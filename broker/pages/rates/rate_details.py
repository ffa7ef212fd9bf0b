"""The details modal of a product, opened by the `product` parameter of the URL."""

from collections.abc import Iterable

import reflex as rx

from broker import routes
from broker.components import chakra
from broker.components.client_scripts import lazy_component
from broker.components.elements import (
    button_link,
    disclosure,
    fact,
    icon,
    inline_style,
    markup,
    telephone_link,
    terms_line,
)
from broker.components.jinja import foreach, when, when_text
from broker.components.rates.product_card import example, lender_logo, rate_and_aprc, split_bar, warnings
from broker.components.share import share_link
from broker.components.url_params import drop, parameter
from broker.content.models.site import Site
from broker.jinja_places import template_of
from broker.pages.site.contact import opening_hours
from broker.rates import search_params
from broker.rates.rate_details import DealEnd, RateDetails
from broker.rates.search_page import DETAIL
from broker.state.rates.search import RatesState

_TITLE = "details-title"


def rate_details_modal(site: Site) -> rx.Component:
    """Draw the modal while the URL names a product; its script is loaded then, or when the page rests."""
    return lazy_component(_modal, site, shown=parameter(search_params.PRODUCT) != "")


def _modal(site: Site) -> rx.Component:
    """Draw the modal; it is open while the URL names the product whose details the state has."""
    detail, close = RatesState.detail, drop(search_params.PRODUCT)
    return chakra.scope(
        chakra.modal(
            _head(detail, close),
            details_body(detail, site),
            is_open=(detail.product_id != "") & (detail.product_id == parameter(search_params.PRODUCT)),
            on_close=close,
            title=detail.title + ", " + detail.headline.lender,
            title_id=_TITLE,
        )
    )


def details_template(site: Site) -> rx.Component:
    """Draw the details of the product in the address as a template of the edge, for visitors without scripts."""
    detail = template_of(RateDetails, DETAIL)
    section = rx.el.section(
        rx.el.h2(detail.title, id=_TITLE, class_name="as-h3"),
        details_body(detail, site),
        class_name="panel stack",
        aria_labelledby=_TITLE,
    )
    return rx.el.noscript(when_text(detail.product_id, section))


def details_body(detail: RateDetails, site: Site) -> rx.Component:
    return rx.el.div(
        rx.el.p(rx.el.b(detail.headline.lender), ", ", detail.kind),
        rx.el.div(rate_and_aprc(detail.headline), rx.el.p(site.risk_warning, class_name="risk"), class_name="stack"),
        _when(detail),
        _costs(detail),
        _terms(detail),
        _end(detail.end),
        terms_line("aprc", "erc", "follow-on-rate", "ltv", "product-fee"),
        example(detail.example, detail.example_aprc),
        warnings(site, detail.unregulated),
        rx.el.p(
            when(detail.sample, rx.fragment("Sample figures, based on published averages. Not an offer. ")),
            site.indicative_sentence,
            class_name="small mute",
        ),
        rx.el.div(
            button_link("Request a callback", routes.CONTACT, icon_name="call"),
            telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn line"),
            class_name="row",
        ),
        opening_hours(site),
        share_link("this deal"),
        class_name="modal-body",
    )


def _head(detail: RateDetails, close: rx.Var) -> rx.Component:
    return rx.el.header(
        lender_logo(detail.headline),
        rx.el.h2(detail.title, id=_TITLE, tab_index=-1),
        rx.el.button(icon("close"), type="button", on_click=close, class_name="x", aria_label="Close details"),
    )


def _when(detail: RateDetails) -> rx.Component:
    later = rx.el.div(
        rx.el.b(detail.later_payment, class_name="fig"), rx.el.span(detail.later_when, class_name="small")
    )
    return rx.el.section(
        rx.el.h3("What you pay, and when", class_name="as-h4"),
        rx.el.div(
            rx.el.div(rx.el.b(detail.payment, class_name="fig"), rx.el.span(detail.payment_when, class_name="small")),
            when_text(detail.later_payment, later),
            class_name="time",
            custom_attrs=inline_style({"--a": detail.initial_share}),
        ),
        class_name="stack",
    )


def _costs(detail: RateDetails) -> rx.Component:
    return rx.el.section(
        rx.el.h3(detail.costs_title, class_name="as-h4"),
        split_bar(detail.split),
        _figures(detail.costs, "costs"),
        rx.el.p(
            "True cost is the interest and the fees, less cashback. Money that pays off the loan is left out, because "
            "it is still yours as a smaller debt.",
            class_name="small mute",
        ),
        disclosure("How true cost is worked out", rx.el.ol(foreach(detail.steps, rx.el.li))),
        class_name="stack",
    )


def _terms(detail: RateDetails) -> rx.Component:
    """Draw what the lender says of the product, then its incentives and limits by name."""
    return rx.el.section(
        rx.el.h3("What comes with it", class_name="as-h4"),
        when_text(detail.description, markup(detail.description, "prose small")),
        when_text(detail.notes, markup(detail.notes, "prose small")),
        _figures(detail.incentives, "small"),
        rx.el.ul(foreach(detail.small_print, rx.el.li), class_name="stack small tight-6"),
        class_name="stack",
    )


def _end(end: DealEnd) -> rx.Component:
    return rx.el.section(
        rx.el.h3("What happens when the deal ends", class_name="as-h4"),
        _figures(end.figures, "end"),
        rx.el.ul(foreach(end.sentences, rx.el.li), class_name="stack small tight-6"),
        class_name="stack",
    )


def _figures(lines: Iterable[tuple[str, str]], name: str) -> rx.Component:
    return rx.el.dl(foreach(lines, lambda line: fact(line[0], line[1])), class_name=f"kv {name}")
