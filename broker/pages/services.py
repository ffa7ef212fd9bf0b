"""A page a service: its text, its calculators, its questions, beside the call to action."""

from __future__ import annotations

from functools import partial

import reflex as rx

from broker import routes
from broker.components.buttons import button_link
from broker.components.icons import icon
from broker.components.questions import questions
from broker.components.text import markup, telephone_link
from broker.content.model import Service
from broker.content.site import Site
from broker.domain.calculators.registry import CONTRACTOR_PAGE, active
from broker.pages.layout import banner, layout, service_crumbs
from broker.pages.registry import BuildInputs, Page
from broker.presenters.menus import menu_links
from broker.sections.calculator import calculator_panel

STRIP = 4
"""Most links of the deals strip (specification 2)."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return a page for every service of the store."""
    return tuple(
        Page(
            route=routes.service(service.slug),
            title=service.meta_title,
            description=service.description,
            render=partial(_render, inputs, service),
            lastmod=service.updated.isoformat(),
            theme=service.theme,
        )
        for service in inputs.store.services()
    )


def _render(inputs: BuildInputs, service: Service) -> rx.Component:
    site = inputs.store.site()
    by = rx.el.p(f"By {service.author}. Updated on {service.updated:%-d %B, %Y}", class_name="by")
    return layout(
        inputs,
        routes.service(service.slug),
        banner(service.title, service.summary, by, door=service.slug),
        _deals_strip(inputs, service),
        rx.el.div(
            rx.el.div(
                rx.el.div(
                    markup(service.section_1),
                    _calculators(service),
                    markup(service.section_2),
                    _questions(service),
                    markup(service.footer_disclaimer, "small mute"),
                    class_name="stack loose",
                ),
                _call(site),
                class_name="side",
            ),
            class_name="wrap band-s",
        ),
        theme=service.theme,
        crumbs=service_crumbs(service.title, service.slug, customer=service.customer),
    )


def _deals_strip(inputs: BuildInputs, service: Service) -> rx.Component:
    """Draw the links to the deals of the first four services of the menu, the current one left out."""
    by_path = {routes.service(entry.slug): entry for entry in inputs.store.services()}
    links = [
        rx.el.li(rx.el.a(f"{_without_mortgage(link.label)} Deals", icon("arrow"), href=routes.deals(listed.customer)))
        for link in menu_links(inputs.store.menus().services.items)[:STRIP]
        if (listed := by_path.get(link.href)) is not None and listed.slug != service.slug
    ]
    if not links:
        return rx.fragment()
    return rx.el.nav(rx.el.div(rx.el.ul(*links), class_name="wrap"), class_name="strip dark", aria_label="Deals")


def _without_mortgage(label: str) -> str:
    return " ".join(word for word in label.split() if word.lower() != "mortgage")


def _calculators(service: Service) -> rx.Component:
    scope = "contractor_page" if service.slug == CONTRACTOR_PAGE else ""
    listed = active(service.calculators, page=service.slug)
    if not listed:
        return rx.fragment()
    return rx.el.section(
        rx.el.h2("Work it out", id="calculators"),
        *(calculator_panel(calculator, scope=scope) for calculator in listed),
        class_name="stack",
        aria_labelledby="calculators",
    )


def _questions(service: Service) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Questions people ask", id="questions"),
        questions((faq.question, faq.answer) for faq in service.faqs),
        class_name="stack",
        aria_labelledby="questions",
    )


def _call(site: Site) -> rx.Component:
    return rx.el.aside(
        rx.el.div(
            rx.el.h2("Talk it through"),
            rx.el.p("No broker fee, and no fee to ask. ", site.how_we_are_paid, class_name="small"),
            telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn lamp"),
            button_link("Request a callback", routes.CONTACT, look="line", icon_name="call"),
            class_name="cta dark stack",
        ),
        rx.el.p(site.risk_warning, class_name="risk"),
        class_name="stack stick",
        aria_label="Speak to us",
    )
