"""Guide pages, the list of all guides, and a list per service (specification 2)."""

from functools import partial
from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements.lists import contents_entry, contents_list
from broker.components.elements.messages import disclosure
from broker.components.elements.picture import drawing
from broker.components.elements.text import markup, more_link, page_markup
from broker.components.foreach import foreach
from broker.components.jinja import when_any, when_text
from broker.content.models.guides import Guide
from broker.content.models.pages import ContentPage, PageKind, Service
from broker.content.models.site import Site
from broker.pages.head import MODIFIED, PUBLISHED
from broker.pages.layout import banner, columns, content_banner, layout, service_crumbs
from broker.pages.registry import BuildInputs, DataPage, Page, Section, content_page
from broker.presenters.guide_page import GuidePage
from broker.presenters.guides import guide_cards, main_guide, service_first, subject_of
from broker.presenters.site_search import guide_words, service_guides_words
from broker.presenters.social_images import GUIDES, guide_path, path
from broker.presenters.structured_data import article
from broker.sections.guide_index import guide_index, starters
from broker.sections.guide_list import Listing, guides_listing, next_tile
from broker.sections.site.contact import contact_aside
from broker.sections.site.pictures import guide_banner_picture

LISTS = "guide_lists"

GUIDE = "guide"
"""The template of all guides."""

ADVICE = "Questions about your own case? One adviser answers them, free of charge."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the list of all guides, the list of each service, and the page of each guide."""
    by_title = sorted(inputs.store.guides(), key=lambda guide: guide.title)
    guides = tuple(page_of_guide(inputs, guide) for guide in by_title)
    lists = tuple(_service_page(inputs, service) for service in inputs.store.services())
    return (*_home_pages(inputs), *lists, *guides)


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    """Return the kind of all guides' pages."""
    return (
        DataPage(
            name=GUIDE,
            view=GuidePage,
            draw=partial(_draw, inputs.store.site()),
            colours=lambda guide: {"--theme": guide.colour, "--theme-bg": guide.ground},
            dates=(PUBLISHED, MODIFIED),
        ),
    )


def page_of_guide(inputs: BuildInputs, guide: Guide) -> Page:
    return Page(
        route=routes.guide(guide.url),
        template=GUIDE,
        title=guide.meta_title,
        label=guide.title,
        parents=(("Mortgage guides", routes.GUIDES),),
        section=Section.GUIDES,
        search=guide_words(guide),
        description=guide.description,
        published=guide.created.isoformat(),
        lastmod=guide.updated.isoformat(),
        picture=guide_path(subject_of(guide)),
        json_ld=(article(guide, site=inputs.store.site(), site_url=inputs.site_url),),
    )


def _draw(site: Site, guide: GuidePage | Any) -> rx.Component:
    """Draw a guide, which may be of the browser or of a template."""
    entries = foreach(guide.headings, lambda heading: contents_entry(heading.text, heading.anchor))
    disclaimer = when_text(guide.disclaimer, markup(guide.disclaimer, "small mute"))
    return rx.fragment(
        _banner(guide),
        rx.el.div(
            columns(
                when_any(guide.headings, contents_list(entries), otherwise=rx.el.div()),
                rx.el.article(page_markup(guide.html), disclaimer, class_name="stack loose"),
                contact_aside(site, "Talk it through", ADVICE),
                look="side guide",
            ),
            class_name="white",
        ),
        _read_next(guide),
    )


def _banner(guide: GuidePage | Any) -> rx.Component:
    """Draw the banner of a guide with its own picture, or over the street of its category."""
    art = guide.banner.src
    street = drawing(f"street-{guide.theme}", width=1440, height=250, class_name="skyline", lazy=False)
    return rx.el.div(
        rx.el.div(
            rx.el.div(
                rx.el.p(rx.el.a(guide.tag, href=guide.listed, class_name="tag theme")),
                rx.el.h1(guide.title, tab_index=-1),
                rx.el.p(guide.summary, class_name="lead"),
                rx.el.p(guide.by, class_name="by"),
                class_name="txt stack",
            ),
            when_text(art, guide_banner_picture(guide.banner)),
            class_name="wrap",
        ),
        when_text(art, rx.fragment(), otherwise=street),
        class_name="banner with wide",
    )


def _read_next(guide: GuidePage | Any) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2("Read next", id="next"), more_link("See more guides", routes.GUIDES), class_name="head"),
            rx.el.div(foreach(guide.related, next_tile), class_name="g3"),
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
