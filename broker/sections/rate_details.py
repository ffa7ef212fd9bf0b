"""The details modal of a product: opened by View details, focus inside, closed by Esc or its button."""

from __future__ import annotations

import reflex as rx

from broker import routes
from broker.components import chakra
from broker.components.buttons import button_link
from broker.components.deal_card import lender_logo, split_bar
from broker.components.icons import icon
from broker.components.inline import inline_style
from broker.components.plates import rate_plate
from broker.components.rate_words import example, warnings
from broker.components.text import telephone_link
from broker.content.site import Site
from broker.state.rates import RatesState

TITLE = "details-title"


def rate_details_modal(site: Site) -> rx.Component:
    """Draw the modal for the product that is open in the state."""
    detail = RatesState.detail
    return chakra.scope(
        chakra.modal(
            rx.el.header(
                lender_logo(detail.headline),
                rx.el.h2(detail.title, id=TITLE, tab_index=-1),
                rx.el.button(
                    icon("close"),
                    type="button",
                    on_click=RatesState.close_details,
                    class_name="x",
                    aria_label="Close details",
                ),
            ),
            rx.el.div(
                rate_plate(detail.headline),
                _when(),
                _costs(),
                _small_print(),
                example(detail.example, detail.example_aprc),
                warnings(site.risk_warning, detail.unregulated, buy_to_let=site.buy_to_let_sentence),
                rx.el.p(site.indicative_sentence, class_name="small mute"),
                rx.el.div(
                    button_link("Request a callback", routes.CONTACT, icon_name="call"),
                    telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn line"),
                    class_name="row",
                ),
                class_name="modal-body",
            ),
            is_open=RatesState.detail_open,
            on_close=RatesState.close_details,
            title=detail.title,
            title_id=TITLE,
        )
    )


def _when() -> rx.Component:
    detail = RatesState.detail
    later = rx.el.div(
        rx.el.b(detail.later_payment, class_name="fig"), rx.el.span(detail.later_when, class_name="small")
    )
    return rx.el.section(
        rx.el.h3("What you pay, and when", class_name="as-h4"),
        rx.el.div(
            rx.el.div(rx.el.b(detail.payment, class_name="fig"), rx.el.span(detail.payment_when, class_name="small")),
            rx.cond(detail.later_payment != "", later),
            class_name="time",
            custom_attrs=inline_style({"--a": detail.initial_share}),
        ),
        class_name="stack",
    )


def _costs() -> rx.Component:
    detail = RatesState.detail
    lines = rx.foreach(detail.costs, lambda line: rx.el.div(rx.el.dt(line[0]), rx.el.dd(line[1])))
    return rx.el.section(
        rx.el.h3(detail.costs_title, class_name="as-h4"),
        split_bar(detail.split),
        rx.el.dl(lines, class_name="kv"),
        rx.el.p(
            "True cost is the interest and the fees. Money that pays off the loan is left out, because it is still "
            "yours as a smaller debt.",
            class_name="small mute",
        ),
        class_name="stack",
    )


def _small_print() -> rx.Component:
    return rx.el.section(
        rx.el.h3("Small print", class_name="as-h4"),
        rx.el.ul(rx.foreach(RatesState.detail.small_print, rx.el.li), class_name="stack small tight-6"),
        class_name="stack",
    )
