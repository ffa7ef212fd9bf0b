"""The pages of an error: an unknown address (decision 7), and a page that fails in the browser."""

from functools import partial

import reflex as rx
from reflex_components_core.base.error_boundary import ErrorBoundary

from broker import routes
from broker.components.client_scripts import effect
from broker.components.elements import button, button_link, drawing, icon, plain_link, telephone_link
from broker.content.models.site import Site
from broker.pages.layout import layout
from broker.pages.registry import BuildInputs, Page
from broker.pages.site.search import search_form
from broker.rates.query import AMOUNT, PRICE

_WAYS = (
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
            counted_as=None,
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
                    rx.el.h1("We can’t find that page", tab_index=-1),
                    rx.el.p(
                        "It may have moved, or there may be a mistake in the address. Your figures are safe.",
                        class_name="lead",
                    ),
                    rx.el.div(
                        button_link("Go to the home page", routes.HOME, look="lamp"),
                        button_link("See mortgage rates", routes.RATES, look="line"),
                        class_name="row",
                    ),
                    rx.el.ul(*(rx.el.li(rx.el.a(label, href=href)) for label, href in _WAYS), class_name="row"),
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


def error_boundary(site: Site) -> rx.Component:
    """Return the boundary around every page, in place of Reflex's own, which shows the error and where it was.

    It sets `window.isHydrated` once React has hydrated the page in it.
    """
    hydrated = effect("{ window.isHydrated = true }")
    return ErrorBoundary.create(fallback_render=rx.Var.create(last_resort(site))._replace(merge_var_data=hydrated))


def last_resort(site: Site) -> rx.Component:
    """Draw the header, a sentence, the telephone and ways on: plain links, as each page must be loaded again."""
    name, _, rest = site.name.partition(" ")
    mark = drawing("mark", width=36, height=40, class_name="mark", lazy=False)
    number = telephone_link(icon("phone"), rx.el.span(site.phone), number=site.tel, class_name="tel")
    return rx.el.div(
        rx.el.header(
            rx.el.div(
                plain_link(mark, rx.el.span(name, rx.el.small(rest)), href=routes.HOME, class_name="brand"),
                number,
                class_name="wrap",
            ),
            class_name="top",
        ),
        rx.el.main(
            rx.el.div(
                rx.el.h1("Sorry, this page has stopped working", tab_index=-1),
                rx.el.p(
                    "Please open it again. If it stops again, call us on ",
                    telephone_link(site.phone, number=site.tel),
                    " and we’ll help you by telephone.",
                    class_name="lead",
                ),
                rx.el.div(
                    plain_link("Open this page again", href=rx.Var("window.location.href").to(str), class_name="btn"),
                    plain_link("Go to the home page", href=routes.HOME, class_name="btn line"),
                    class_name="row",
                ),
                class_name="wrap band-s stack",
                role="alert",
            ),
            id="main",
            class_name="page",
        ),
        class_name="site",
        # Back and Forward load their page: React shows this one until the document is loaded again. Reflex would run an
        # on_mount with the boundary, on every page; React calls a ref where this is drawn.
        custom_attrs={"ref": rx.Var("() => addEventListener('popstate', () => location.reload())")},
    )
