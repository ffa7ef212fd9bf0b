"""The details modal of a product, opened by the `product` parameter of the URL."""

from collections.abc import Iterable

import reflex as rx

from broker import routes
from broker.components import chakra
from broker.components.client_scripts import lazy_component
from broker.components.elements import button_link, disclosure, fact, icon, markup, note, telephone_link, terms_line
from broker.components.jinja import foreach, when, when_text
from broker.components.rates.product_card import example, figure_of, lender_logo, rate_and_aprc, split_bar, warnings
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
            rx.el.header(
                *_head(detail),
                rx.el.button(icon("close"), type="button", on_click=close, class_name="x", aria_label="Close details"),
            ),
            details_body(detail, site),
            is_open=(detail.product_id != "") & (detail.product_id == parameter(search_params.PRODUCT)),
            on_close=close,
            title=rx.cond(detail.title != "", detail.title + ", ", "").to(str) + detail.headline.lender,
            title_id=_TITLE,
        )
    )


def details_template(site: Site) -> rx.Component:
    """Draw the details of the product in the address as a template of the edge, for visitors without scripts."""
    detail = template_of(RateDetails, DETAIL)
    section = rx.el.section(
        rx.el.div(*_head(detail), class_name="deal-who"),
        details_body(detail, site),
        class_name="panel whole-deal",
        aria_labelledby=_TITLE,
    )
    return rx.el.noscript(when_text(detail.product_id, section))


def _head(detail: RateDetails) -> tuple[rx.Component, rx.Component]:
    title = rx.el.h2(detail.headline.lender, id=_TITLE, tab_index=-1)
    words = when_text(detail.title, rx.el.p(detail.title, ", ", detail.kind))
    return when_text(detail.title, lender_logo(detail.headline)), rx.el.div(title, words)


def details_body(detail: RateDetails, site: Site) -> rx.Component:
    """Draw a deal's three figures, its five sections, and what to do about it; or why it cannot be shown."""
    call = rx.el.p("Choose another from the list, or call us on ", telephone_link(site.phone, number=site.tel), ".")
    problem = rx.el.div(rx.el.div(note(detail.problem, call, tone="warn"), class_name="all"), class_name="modal-body")
    return when_text(detail.problem, problem, otherwise=_details(detail, site))


def _details(detail: RateDetails, site: Site) -> rx.Component:
    return rx.fragment(
        rx.el.div(
            rx.el.dl(
                figure_of("Monthly payment", detail.payment, detail.payment_caption),
                figure_of(detail.true_label, detail.true_cost, detail.true_year),
            ),
            rate_and_aprc(detail.headline),
            class_name="deal-figures",
        ),
        rx.el.div(
            _when(detail),
            _costs(detail),
            _terms(detail),
            _end(detail.end),
            _small_print(detail, site),
            class_name="modal-body",
        ),
        rx.el.div(
            rx.el.p("We advise on this deal at no charge to you.", opening_hours(site)),
            button_link("Request a callback", routes.CONTACT),
            telephone_link(
                icon("phone"),
                "Call",
                rx.el.span(f" {site.phone}", class_name="long"),
                number=site.tel,
                class_name="btn line",
            ),
            class_name="deal-ways",
        ),
    )


def _when(detail: RateDetails) -> rx.Component:
    later = rx.el.div(rx.el.b(detail.later_payment), detail.later_when)
    return rx.el.section(
        rx.el.h3("What you pay, and when", class_name="as-h4"),
        rx.el.div(
            rx.el.div(rx.el.b(detail.payment), detail.payment_when),
            when_text(detail.later_payment, later),
            class_name="time",
        ),
        class_name="all",
    )


def _costs(detail: RateDetails) -> rx.Component:
    return rx.el.section(
        rx.el.h3(detail.costs_title, class_name="as-h4"),
        split_bar(detail.split),
        _figures(detail.costs, "sums"),
        disclosure(
            "How true cost is worked out",
            rx.el.p(
                "True cost is the interest and the fees, less cashback. Money that pays off the loan is left out, "
                "because it is still yours as a smaller debt."
            ),
            rx.el.ol(foreach(detail.steps, rx.el.li)),
        ),
    )


def _terms(detail: RateDetails) -> rx.Component:
    """Draw what the lender says of the product, then its incentives and limits by name."""
    return rx.el.section(
        rx.el.h3("What comes with it", class_name="as-h4"),
        when_text(detail.description, markup(detail.description, "prose small")),
        when_text(detail.notes, markup(detail.notes, "prose small")),
        _figures(detail.terms, "pairs"),
    )


def _end(end: DealEnd) -> rx.Component:
    return rx.el.section(
        rx.el.h3(end.title, class_name="as-h4"),
        _figures(end.figures, "pairs"),
        rx.el.ul(foreach(end.sentences, rx.el.li), class_name="stack small tight-6"),
        class_name="all",
    )


def _small_print(detail: RateDetails, site: Site) -> rx.Component:
    sample = rx.fragment("Sample figures, based on published averages. Not an offer. ")
    return rx.el.section(
        rx.el.h3("Representative example and warning", class_name="vh"),
        example(detail.example, detail.example_aprc),
        warnings(site, detail.unregulated),
        terms_line("aprc", "erc", "follow-on-rate", "ltv", "product-fee"),
        rx.el.p(when(detail.sample, sample), site.indicative_sentence, class_name="xs mute"),
        share_link("this deal"),
        class_name="all stack tight-10",
    )


def _figures(lines: Iterable[tuple[str, str]], name: str) -> rx.Component:
    return rx.el.dl(foreach(lines, lambda line: fact(line[0], line[1])), class_name=name)
