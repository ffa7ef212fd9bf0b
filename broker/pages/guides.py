"""Guides: each on a page of its own, all of them in one list, and a list for each service (specification 2)."""

from __future__ import annotations

from functools import partial

import reflex as rx

from broker import routes
from broker.components.picture import drawing
from broker.components.text import jump_link, markup, more_link
from broker.content.guides import Guide
from broker.content.model import PageKind, Service
from broker.pages.layout import banner, layout, service_crumbs
from broker.pages.registry import BuildInputs, Page
from broker.presenters.guides import guide_card, guide_cards, main_category
from broker.presenters.structured_data import Data, article, trail
from broker.sections.call_aside import call_aside
from broker.sections.guide_list import CATEGORY, guide_tile, guides_grid, not_ready_yet

FAMILY, LISTS = "guide_pages", "guide_lists"
CONTENTS = 2
"""The level of the headings that the list of contents names."""

ADVICE = "Questions about your own case? One adviser answers them, free of charge."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return a page a guide, the list of all, and a list a service."""
    guides = tuple(_guide_page(inputs, guide) for guide in inputs.store.guides())
    lists = tuple(_service_page(inputs, service) for service in inputs.store.services())
    return (*guides, *lists, *_home_pages(inputs))


def _guide_page(inputs: BuildInputs, guide: Guide) -> Page:
    return Page(
        route=routes.guide(guide.url),
        title=guide.meta_title,
        description=guide.description,
        render=partial(_guide, inputs, guide),
        lastmod=guide.updated.isoformat(),
        json_ld=_guide_data(inputs, guide),
        family=FAMILY,
    )


def _guide_data(inputs: BuildInputs, guide: Guide) -> tuple[Data, ...]:
    base = inputs.site_url
    steps = (("Mortgage guides", routes.GUIDES), (guide.title, routes.guide(guide.url)))
    return (article(guide, site=inputs.store.site(), site_url=base), trail(steps, site_url=base))


def _guide(inputs: BuildInputs, guide: Guide) -> rx.Component:
    card = guide_card(guide)
    return layout(
        inputs,
        routes.guide(guide.url),
        _guide_banner(guide),
        rx.el.div(
            rx.el.div(
                rx.el.div(
                    _contents(guide),
                    rx.el.article(markup(guide.html)),
                    call_aside(inputs.store.site(), "Talk it through", ADVICE),
                    class_name="side guide",
                ),
                class_name="wrap band-s",
            ),
            class_name="white",
        ),
        _read_next(inputs, guide),
        theme=card.theme,
    )


def _guide_banner(guide: Guide) -> rx.Component:
    card = guide_card(guide)
    listed = f"{routes.GUIDES}?{CATEGORY}={main_category(guide).value}"
    by = f"By {guide.author}. Updated on {guide.updated:%-d %B, %Y}. {guide.minutes}-minute read"
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.p(rx.el.a(f"{card.tag} guides", href=listed, class_name="tag theme")),
                rx.el.h1(guide.title, tab_index=-1),
                rx.el.p(guide.summary, class_name="lead"),
                rx.el.p(by, class_name="by"),
                class_name="txt stack",
            ),
            drawing(card.picture, width=420, height=150, class_name="banner-art", lazy=False),
            class_name="wrap",
        ),
        class_name="banner with wide",
    )


def _contents(guide: Guide) -> rx.Component:
    """Draw the list of contents; on small screens the text follows its own headings."""
    links = [
        rx.el.li(jump_link(heading.text, heading.anchor)) for heading in guide.headings if heading.level == CONTENTS
    ]
    return rx.el.nav(
        rx.el.h2("On this page", class_name="as-h4"),
        rx.el.ol(*links, class_name="plain"),
        class_name="toc stick",
        aria_label="On this page",
    )


def _read_next(inputs: BuildInputs, guide: Guide) -> rx.Component:
    by_url = {other.url: other for other in inputs.store.guides()}
    tiles = (guide_tile(guide_card(by_url[url])) for url in guide.related[:3])
    return rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2("Read next", id="next"), more_link("See more guides", routes.GUIDES), class_name="head"),
            rx.el.div(*tiles, class_name="g3"),
            class_name="wrap",
        ),
        class_name="band",
        aria_labelledby="next",
    )


def _service_page(inputs: BuildInputs, service: Service) -> Page:
    return Page(
        route=routes.guides(service.slug),
        title=f"{service.title} guides",
        description=f"{service.title} guides: what to know, what it costs with the working shown, and what to do next. "
        "Dated, and free to read.",
        render=partial(_service_guides, inputs, service),
        theme=service.theme,
        family=LISTS,
    )


def _service_guides(inputs: BuildInputs, service: Service) -> rx.Component:
    cards = guide_cards(inputs.store.guides(), service.slug)
    return layout(
        inputs,
        routes.guides(service.slug),
        banner(
            f"{service.title} Guides", "Dated, plain and free to read. Every sum in them is worked out by our own code."
        ),
        rx.el.div(
            not_ready_yet(),
            guides_grid(cards, more=True),
            markup(service.footer_disclaimer, "small mute"),
            class_name="wrap band-s stack loose",
        ),
        theme=service.theme,
        crumbs=service_crumbs(service.title, service.slug, customer=service.customer),
    )


def _home_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the list of all guides, round the text that the content has for it."""
    return tuple(
        Page(
            route=page.path,
            title=page.meta_title,
            description=page.description,
            render=partial(_home, inputs, page.path),
            lastmod=page.updated.isoformat(),
        )
        for page in inputs.store.pages()
        if page.kind is PageKind.GUIDES
    )


def _home(inputs: BuildInputs, path: str) -> rx.Component:
    page = next(page for page in inputs.store.pages() if page.path == path)
    return layout(
        inputs,
        path,
        banner(page.title, page.summary, rx.el.p(f"Updated on {page.updated:%-d %B, %Y}", class_name="by")),
        rx.el.section(
            rx.el.div(
                not_ready_yet(),
                guides_grid(guide_cards(inputs.store.guides()), filters=True),
                class_name="wrap band-s stack",
            ),
            aria_labelledby="guides",
        ),
        rx.el.div(rx.el.div(markup(page.html), class_name="wrap band-s"), class_name="white"),
    )
