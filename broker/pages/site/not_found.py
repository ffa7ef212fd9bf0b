"""The 404 page: useful links and a search form that work without scripts (decision 7)."""

from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements import button, button_link, drawing, telephone_link
from broker.pages.layout import layout
from broker.pages.registry import BuildInputs, Page
from broker.pages.site.search import search_form
from broker.rates.query import AMOUNT, PRICE

WAYS = (
    ("Mortgage calculators", routes.CALCULATORS),
    ("Mortgage guides", routes.GUIDES),
    ("Mortgage FAQs", routes.FAQS),
    ("Contact us", routes.CONTACT),
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the error page, which the edge serves with status 404 for every unknown path."""
    return (
        Page(
            route=routes.NOT_FOUND,
            title="Page not found",
            description="There is no page at this address. Use the menu, search for deals or call us.",
            render=partial(_render, inputs),
            indexed=False,
        ),
    )


def unknown_path(inputs: BuildInputs) -> rx.Component:
    """Draw the error page for unknown paths reached by client-side navigation."""
    return _render(inputs)


def _render(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return layout(
        inputs,
        routes.NOT_FOUND,
        rx.el.section(
            rx.el.div(
                rx.el.div(
                    rx.el.p(rx.el.b("404", class_name="big"), class_name="plate no404", aria_hidden="true"),
                    rx.el.h1("We can't find that page", tab_index=-1),
                    rx.el.p(
                        "It may have moved, or there may be a mistake in the address. Your figures are safe.",
                        class_name="lead",
                    ),
                    rx.el.div(
                        button_link("Go to the home page", routes.HOME, look="lamp"),
                        button_link("See mortgage rates", routes.RATES, look="line"),
                        class_name="row",
                    ),
                    rx.el.ul(*(rx.el.li(rx.el.a(label, href=href)) for label, href in WAYS), class_name="row"),
                    rx.el.p("Or call ", telephone_link(site.phone, number=site.tel), ", and we will help you find it."),
                    class_name="stack lost-text",
                ),
                rx.el.div(search_form("lost-search"), _search(), class_name="stack"),
                class_name="wrap",
            ),
            drawing("street-lost-dusk", width=1440, height=250, class_name="skyline", lazy=False),
            class_name="hero dark lost",
        ),
        call=False,
    )


def _search() -> rx.Component:
    return rx.el.form(
        rx.el.h2("Looking for a deal?", class_name="as-h3"),
        _box(PRICE, "Property price", "200000"),
        _box(AMOUNT, "Mortgage amount", "100000"),
        button("Search mortgage rates", look="full", icon_name="search", kind="submit"),
        action=routes.RATES,
        method="get",
        role="search",
        aria_label="Mortgage rates",
        class_name="panel stack",
    )


def _box(name: str, label: str, value: str) -> rx.Component:
    return rx.el.div(
        rx.el.label(label, html_for=f"lost-{name}"),
        rx.el.div(
            rx.el.span("£", aria_hidden="true"),
            rx.el.input(id=f"lost-{name}", name=name, default_value=value, input_mode="numeric", auto_complete="off"),
            class_name="num",
        ),
        class_name="stack tight-6",
    )
