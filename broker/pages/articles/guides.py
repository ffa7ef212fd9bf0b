"""Guide pages, the list of all guides, and a list per service (specification 2)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements.lists import contents
from broker.components.elements.messages import disclosure
from broker.components.elements.picture import drawing
from broker.components.elements.text import markup, more_link
from broker.content.models.guides import Guide
from broker.content.models.pages import ContentPage, PageKind, Service
from broker.pages.layout import banner, columns, content_banner, layout, service_crumbs
from broker.pages.registry import BuildInputs, Page, Section, content_page
from broker.presenters.guide_page import GuidePage, guide_page_view
from broker.presenters.guides import guide_card, guide_cards, main_guide, service_first
from broker.presenters.site_search import guide_words, service_guides_words
from broker.presenters.social_images import GUIDES, path
from broker.presenters.structured_data import article
from broker.sections.guide_index import guide_index, starters
from broker.sections.guide_list import Listing, guide_tile, guides_listing
from broker.sections.site.contact import contact_aside
from broker.sections.site.pictures import banner_picture

FAMILY, LISTS = "guide_pages", "guide_lists"
ADVICE = "Questions about your own case? One adviser answers them, free of charge."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the list of all guides, the list of each service, and the page of each guide."""
    by_title = sorted(inputs.store.guides(), key=lambda guide: guide.title)
    guides = tuple(guide_page(inputs, guide) for guide in by_title)
    lists = tuple(_service_page(inputs, service) for service in inputs.store.services())
    return (*_home_pages(inputs), *lists, *guides)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideParts:
    """The parts of a guide's page that a template draws differently; `related` are the slugs of what to read next.

    `art` is the guide's own picture, and `street` the drawing over the whole width of a guide without one.
    """

    art: rx.Component
    street: rx.Component
    contents: rx.Component
    disclaimer: rx.Component
    related: tuple[str, ...]


def guide_page(inputs: BuildInputs, guide: Guide) -> Page:
    view = guide_page_view(guide)
    page = page_of_guide(inputs, view, render=partial(_guide, inputs, view, guide.related))
    return replace(page, section=Section.GUIDES, search=guide_words(guide))


def page_of_guide(inputs: BuildInputs, guide: GuidePage, *, render: Callable[[], rx.Component]) -> Page:
    return Page(
        route=routes.guide(guide.slug),
        title=guide.meta_title,
        label=guide.title,
        parents=(("Mortgage guides", routes.GUIDES),),
        description=guide.description,
        render=render,
        published=guide.created,
        lastmod=guide.updated,
        picture=guide.social_image,
        json_ld=(article(guide, site=inputs.store.site(), site_url=inputs.site_url),),
        family=FAMILY,
    )


def _guide(inputs: BuildInputs, guide: GuidePage, related: tuple[str, ...]) -> rx.Component:
    listed = contents((heading.text, heading.anchor) for heading in guide.headings)
    disclaimer = rx.fragment(*_disclaimer(guide.disclaimer))
    own = inputs.store.banner(routes.guide(guide.slug))
    art = banner_picture(own, rx.fragment())
    street = rx.fragment() if own else guide_street(guide)
    parts = GuideParts(art=art, street=street, contents=listed, disclaimer=disclaimer, related=related)
    return guide_layout(inputs, guide, parts=parts)


def guide_layout(inputs: BuildInputs, guide: GuidePage, *, parts: GuideParts) -> rx.Component:
    return layout(
        inputs,
        routes.guide(guide.slug),
        _guide_banner(guide, parts),
        rx.el.div(
            columns(
                parts.contents,
                rx.el.article(markup(guide.html), parts.disclaimer, class_name="stack loose"),
                contact_aside(inputs.store.site(), "Talk it through", ADVICE),
                look="side guide",
            ),
            class_name="white",
        ),
        _read_next(inputs, parts.related),
        theme=guide.theme,
        call=False,
    )


def guide_street(guide: GuidePage) -> rx.Component:
    """Draw the street of a guide's category."""
    return drawing(f"street-{guide.theme}", width=1440, height=250, class_name="skyline", lazy=False)


def _guide_banner(guide: GuidePage, parts: GuideParts) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.p(rx.el.a(guide.tag, href=guide.listed, class_name="tag theme")),
                rx.el.h1(guide.title, tab_index=-1),
                rx.el.p(guide.summary, class_name="lead"),
                rx.el.p(guide.by, class_name="by"),
                class_name="txt stack",
            ),
            parts.art,
            class_name="wrap",
        ),
        parts.street,
        class_name="banner with wide",
    )


def _read_next(inputs: BuildInputs, related: tuple[str, ...]) -> rx.Component:
    by_url = {other.url: other for other in inputs.store.guides()}
    tiles = (guide_tile(guide_card(by_url[url])) for url in related[:3])
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
    shown = {card.href for card in guide_cards(inputs.store.guides(), service.slug)}
    changed = (guide.updated.isoformat() for guide in inputs.store.guides() if routes.guide(guide.url) in shown)
    return Page(
        route=routes.guides(service.slug),
        title=f"{service.title} guides",
        parents=((service.title, routes.service(service.slug)),),
        section=Section.GUIDES,
        search=service_guides_words(service),
        description=f"{service.title} guides: what to know, what it costs with the working shown, and what to do next. "
        "Dated, and free to read.",
        render=partial(_service_guides, inputs, service),
        lastmod=max(changed, default=""),
        theme=service.theme,
        picture=path(GUIDES),
        family=LISTS,
    )


def _service_guides(inputs: BuildInputs, service: Service) -> rx.Component:
    listing = Listing(chosen=service.slug, heading=True, more_link=True)
    return layout(
        inputs,
        routes.guides(service.slug),
        banner(
            f"{service.title} Guides",
            "Plain, dated and free to read, each with a worked example. Start with the first one.",
        ),
        rx.el.div(
            guides_listing(service_first(inputs.store.guides(), service), listing),
            *_disclaimer(_guides_disclaimer(inputs, service)),
            class_name="wrap band-s stack loose",
        ),
        theme=service.theme,
        service=service.slug,
        crumbs=service_crumbs(service.title, service.slug, customer=service.customer),
    )


def _guides_disclaimer(inputs: BuildInputs, service: Service) -> str:
    """Return the footer disclaimer of a service's guide list: its own guide's, else the service's."""
    own = main_guide(inputs.store.guides(), service)
    return (own and own.disclaimer) or service.footer_disclaimer


def _disclaimer(html: str) -> list[rx.Component]:
    return [markup(html, "small mute")] if html else []


def _home_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return tuple(
        content_page(page, partial(_home, inputs, page), picture=path(GUIDES))
        for page in inputs.store.pages()
        if page.kind is PageKind.GUIDES
    )


def _opening(page: ContentPage) -> str:
    """Return the words that open the text of the page of guides: its meta title without the part after the bar."""
    return page.meta_title.partition("|")[0].strip()


def _home(inputs: BuildInputs, page: ContentPage) -> rx.Component:
    guides = inputs.store.guides()
    aside = contact_aside(inputs.store.site(), "Talk it through", ADVICE)
    return layout(
        inputs,
        page.path,
        content_banner(inputs, page),
        starters(guides),
        guide_index(guides),
        rx.el.div(columns(disclosure(_opening(page), markup(page.html)), aside), class_name="white"),
    )
