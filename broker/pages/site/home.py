"""The home page: promise, ways into both plans, customer types, lowest rates, calculators, guides and FAQs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.calculators import registry, repayment
from broker.components.elements import (
    drawing,
    faq_band,
    icon,
    inline_style,
    more_link,
    questions,
    steps,
    telephone_link,
)
from broker.content.models.pages import FrontPage, Guide, Service, ServiceLook
from broker.content.models.site import Site
from broker.content.page_head import HOME, image_path
from broker.content.page_parts import theme_style
from broker.content.store import HOME_FAQS, ContentStore
from broker.content.structured_data import faq_data, firm_data, website_data
from broker.pages.articles.guide_cards import guide_slider
from broker.pages.calculator import quick_repayment
from broker.pages.layout import front_text, layout
from broker.pages.rates.live_rates import BASIS, best_rates_table
from broker.pages.registry import BuildInputs, Page
from broker.pages.site.contact import opening_hours
from broker.pages.site.reviews import footer_reviews
from broker.pages.ways_in import TO_BUY, TO_REMORTGAGE, way_in
from broker.site_search.view import SearchWords
from broker.state.rates.live_rates import LiveRatesState

Looks: TypeAlias = Callable[[str], ServiceLook | None]
"""Function that returns the look of a service by its slug."""

_HOME_SERVICES = ("first-time-buyer", "home-mover", "remortgaging", "buy-to-let", "protection-needs")

_LINKED_SERVICES = ("contractor-mortgage", "self-employed")
"""Services that stand under the doors, as links."""

_SECOND = "The home page at its second address, which search engines leave out."

_HEADINGS = {
    "customers": "Where are you now?",
    "rates": "The lowest rates",
    "calculators": "Mortgage calculators",
    "questions": "Questions people ask",
}
"""Headings of the sections that have no words of their own, as with a content service."""

_NEWEST = 6
"""Number of guides shown when none is marked for the home page."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    home = partial(_render, inputs)
    site, words, faqs = inputs.store.site(), inputs.store.front_page(routes.HOME), inputs.store.faqs(HOME_FAQS)
    first = Page(
        route=routes.HOME,
        counted_as=Counted.HOME,
        title=words.meta_title,
        description=words.description,
        render=home,
        on_load=LiveRatesState.open_customer(""),
        json_ld=(
            firm_data(site, site_url=inputs.site_url),
            website_data(site, site_url=inputs.site_url),
            *([faq_data(faqs)] if faqs else []),
        ),
        picture=image_path(HOME),
        search=SearchWords(
            title=site.name,
            description=site.company_description,
            keywords=("home page", "contact address telephone email", *site.slogans),
            html=words.html,
            faqs=faqs,
        ),
    )
    return (
        first,
        replace(first, route=routes.HOME2, title="Home", description=_SECOND, indexed=False, json_ld=(), search=None),
    )


def customer_types(services: Sequence[Service], look: Looks) -> rx.Component:
    """Draw the doors of the five services of the main menu, each in its own colour or that of the content."""
    named = {service.slug: service for service in services}
    return rx.el.div(*(_door(named[slug], look(slug)) for slug in _HOME_SERVICES if slug in named), class_name="doors")


def _door(service: Service, look: ServiceLook | None) -> rx.Component:
    return rx.el.a(
        drawing(f"door-{service.slug}", width=150, height=200, class_name="door"),
        rx.el.div(rx.el.h3(service.short_title), rx.el.p(service.summary)),
        href=routes.service(service.slug),
        custom_attrs=inline_style(theme_style(service.theme, look)),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    store = inputs.store
    site, words = store.site(), store.front_page(routes.HOME)
    customers, rates = (words.section(name, heading=_HEADINGS[name]) for name in ("customers", "rates"))
    return layout(
        inputs,
        routes.HOME,
        _hero(site, words, store),
        _band(
            "doors",
            customers.heading,
            _where(site, words, store),
            lead=customers.lead,
            aside=more_link("Find my mortgage in a few questions", routes.QUESTIONNAIRE),
            white=True,
        ),
        _band(
            "rates",
            rates.heading,
            best_rates_table(inputs.deals("").best, site),
            lead=f"{BASIS}: £100,000 over 25 years, repayment, 2-year fixed.",
            aside=more_link("Compare all deals", routes.RATES),
        ),
        *_steps(words),
        _calculators(inputs, words),
        *front_text(words),
        *_questions(inputs, words),
        guide_slider(_chosen_guides(store)),
        footer_reviews(store.reviews(), site.reviews),
    )


def _chosen_guides(store: ContentStore) -> tuple[Guide, ...]:
    """Return the guides marked for the home page, or the most recently updated ones when none is marked."""
    guides = store.guides()
    return tuple(guide for guide in guides if guide.show_on_homepage) or guides[:_NEWEST]


def _where(site: Site, words: FrontPage, store: ContentStore) -> rx.Component:
    """Draw the doors, and under them further services, the telephone and the firm's promises."""
    named = {service.slug: service for service in store.services()}
    links = (
        rx.el.a(
            rx.el.span(rx.el.strong(named[slug].short_title), rx.el.span(named[slug].summary)),
            icon("right"),
            href=routes.service(slug),
        )
        for slug in _LINKED_SERVICES
        if slug in named
    )
    call = telephone_link(
        rx.el.span(rx.el.strong("Not sure? Call"), rx.el.span(site.phone)),
        icon("phone"),
        number=site.tel,
        class_name="call",
    )
    doors = customer_types(store.services(), store.look)
    points = rx.el.ul(
        *(rx.el.li(icon("check"), text) for text in (*words.points, f"FRN {site.frn_shown}")), class_name="points"
    )
    return rx.el.div(doors, rx.el.div(*links, call, class_name="also"), points, class_name="where")


def _hero(site: Site, words: FrontPage, store: ContentStore) -> rx.Component:
    first, _, second = words.title.partition(". ")
    title = (f"{first}.", " ", rx.el.em(second)) if second else (words.title,)
    call = telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn lamp")
    lead = [rx.el.p(words.summary, class_name="lead")] if words.summary else []
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h1(*title, tab_index=-1),
                rx.el.div(
                    *lead, rx.el.div(call, opening_hours(site), class_name="stack tight-6"), class_name="row between"
                ),
                class_name="stack",
            ),
            rx.el.div(way_in(TO_BUY, store), way_in(TO_REMORTGAGE, store), class_name="ways-in"),
            class_name="wrap",
        ),
        drawing("street-home-dusk", width=1440, height=250, class_name="skyline", lazy=False),
        class_name="hero dark",
    )


def _band(
    name: str,
    title: str,
    content: rx.Component,
    *,
    lead: str = "",
    aside: rx.Component | None = None,
    white: bool = False,
) -> rx.Component:
    head = rx.el.div(rx.el.h2(title, id=f"{name}-title"), *([rx.el.p(lead)] if lead else []))
    return rx.el.section(
        rx.el.div(rx.el.div(head, *([aside] if aside else []), class_name="head"), content, class_name="wrap"),
        id=name,
        class_name="band white" if white else "band",
        aria_labelledby=f"{name}-title",
    )


def _steps(words: FrontPage) -> list[rx.Component]:
    section = words.sections.get("steps")
    if not section:
        return []
    return [_band("how", section.heading, steps([(step.title, step.text) for step in section.steps]), white=True)]


def _calculators(inputs: BuildInputs, words: FrontPage) -> rx.Component:
    """Draw links to the calculators that the home page lists, by default those of the page of calculators."""
    listed = words.calculators or inputs.store.front_page(routes.CALCULATORS).calculators
    section = words.section("calculators", heading=_HEADINGS["calculators"])
    rows = (
        rx.el.a(
            rx.el.strong(calculator.title),
            rx.el.span(calculator.subtitle),
            icon("arrow"),
            href=routes.calculator(calculator.slug),
        )
        for calculator in registry.active_calculators(listed)
    )
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2(section.heading, id="calculators-title"),
                *([rx.el.p(section.lead, class_name="lead")] if section.lead else []),
                rx.el.div(*rows, class_name="index"),
                more_link("All calculators", routes.CALCULATORS),
                class_name="stack",
            ),
            quick_repayment(repayment.CALCULATOR, title="What would it cost?"),
            class_name="wrap side",
        ),
        class_name="band",
        aria_labelledby="calculators-title",
    )


def _questions(inputs: BuildInputs, words: FrontPage) -> list[rx.Component]:
    entries = [(faq.question, faq.answer) for faq in inputs.store.faqs(HOME_FAQS)]
    lead = rx.el.p("Not here? ", rx.el.a("See all mortgage FAQs", href=routes.FAQS), ".", class_name="lead")
    section = words.section("questions", heading=_HEADINGS["questions"])
    return [faq_band(section.heading, questions(entries), lead)] if entries else []
