"""The list of all guides, and the list of each service (specification 2): data, like the guides themselves."""

from dataclasses import replace
from functools import partial
from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements.messages import disclosure
from broker.components.elements.text import markup, page_markup
from broker.components.jinja import when_text
from broker.content.models.pages import ContentPage, PageKind, Service
from broker.content.models.site import Site
from broker.domain.guides import guides_shown
from broker.pages.articles.guides import ADVICE
from broker.pages.head import MODIFIED
from broker.pages.layout import banner, call_band, columns, links_bar, service_crumbs
from broker.pages.registry import BuildInputs, DataPage, Page, Section, content_page
from broker.presenters.guide_lists import AllGuidesPage, ServiceGuidesPage, all_guides_page, service_guides_page
from broker.presenters.page_head import HeadView
from broker.presenters.page_parts import LinkView, banner_view
from broker.presenters.site_search import service_guides_words
from broker.presenters.social_images import GUIDES, path
from broker.sections.guide_index import guide_index, starters
from broker.sections.guide_list import guide_grid, listing_heading, more_guides
from broker.sections.site.contact import contact_aside

ALL_GUIDES, SERVICE_GUIDES = "guides", "service-guides"
"""The templates: of the list of all guides, and of a service's."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the list of all guides, and that of each service."""
    lists = (_service_page(inputs, service) for service in inputs.store.services())
    return (*(_all_page(inputs, page) for page in inputs.store.pages() if page.kind is PageKind.GUIDES), *lists)


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    """Return the kind of the list of all guides, and that of the lists of services."""
    site = inputs.store.site()
    return (
        DataPage(name=ALL_GUIDES, view=AllGuidesPage, draw=partial(_draw_all, site), dates=(MODIFIED,), is_list=True),
        DataPage(
            name=SERVICE_GUIDES,
            view=ServiceGuidesPage,
            draw=partial(_draw_service, site),
            bar=lambda page: links_bar(page.crumbs, label=f"{page.service} section"),
            colours=lambda page: {"--theme": page.colour, "--theme-bg": page.ground},
            dates=(MODIFIED,),
            is_list=True,
        ),
    )


def _all_page(inputs: BuildInputs, page: ContentPage) -> Page:
    return replace(content_page(page, picture=path(GUIDES)), template=ALL_GUIDES, view=partial(_all_view, inputs, page))


def _all_view(inputs: BuildInputs, page: ContentPage, head: HeadView) -> AllGuidesPage:
    art = banner_view(inputs.store.banner(page.path))
    return all_guides_page(inputs.store.guides(), page, head=head, banner=art)


def _draw_all(site: Site, page: AllGuidesPage | Any) -> rx.Component:
    return rx.fragment(
        banner(page.title, page.summary, rx.el.p(page.by, class_name="by"), picture=page.banner),
        starters(page.starters),
        guide_index(page),
        rx.el.div(
            columns(disclosure(page.opening, page_markup(page.html)), contact_aside(site, "Talk it through", ADVICE)),
            class_name="white",
        ),
        call_band(site),
    )


def _service_page(inputs: BuildInputs, service: Service) -> Page:
    shown = guides_shown(inputs.store.guides(), service.slug)
    return Page(
        route=routes.guides(service.slug),
        template=SERVICE_GUIDES,
        view=partial(_service_view, inputs, service),
        title=f"{service.title} guides",
        parents=((service.title, routes.service(service.slug)),),
        section=Section.GUIDES,
        search=service_guides_words(service),
        description=f"{service.title} guides: what to know, what it costs with the working shown, and what to do next. "
        "Dated, and free to read.",
        lastmod=max((guide.updated.isoformat() for guide in shown), default=""),
        picture=path(GUIDES),
    )


def _service_view(inputs: BuildInputs, service: Service, head: HeadView) -> ServiceGuidesPage:
    here, crumbs = routes.guides(service.slug), service_crumbs(service.title, service.slug, customer=service.customer)
    return service_guides_page(
        inputs.store.guides(),
        service,
        head=head,
        crumbs=tuple(LinkView(label=crumb.label, href=crumb.href, is_here=crumb.href == here) for crumb in crumbs),
        look=inputs.store.look(service.slug),
    )


def _draw_service(site: Site, page: ServiceGuidesPage | Any) -> rx.Component:
    words = "Plain, dated and free to read, each with a worked example. Start with the first one."
    listing = rx.el.div(listing_heading(), guide_grid(page.grid), more_guides(), class_name="stack loose")
    disclaimer = when_text(page.disclaimer, markup(page.disclaimer, "small mute"))
    return rx.fragment(
        banner(f"{page.service} Guides", words),
        rx.el.div(listing, disclaimer, class_name="wrap band-s stack loose"),
        call_band(site),
    )
