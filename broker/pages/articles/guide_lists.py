"""The list of all guides, and the list of each service (specification 2): data, like the guides themselves."""

from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.analytics.counted import Counted
from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler, memoized_section
from broker.components.elements import disclosure, markup, page_markup
from broker.components.forms.fields import field
from broker.components.forms.post_form import PostForm
from broker.components.jinja import Shown, foreach, when_text
from broker.content.guide_pages import (
    AllGuidesPage,
    GuideCard,
    ServiceGuidesPage,
    Tiles,
    all_guides_page,
    service_guides_page,
)
from broker.content.guides import filter_guides
from broker.content.models.pages import ContentPage, PageKind, Service
from broker.content.models.site import Site
from broker.content.page_head import GUIDES, HeadView, image_path
from broker.content.page_parts import LinkView, banner_view
from broker.pages.articles.guide_cards import (
    GuideFilter,
    count_line,
    filter_buttons,
    filter_marks,
    guide_filter,
    guide_grid,
    listing_heading,
    more_guides,
    tiles,
)
from broker.pages.articles.guides import ADVICE
from broker.pages.layout import banner, call_band, columns, links_bar, service_crumbs
from broker.pages.registry import MODIFIED, BuildInputs, DataPage, Page, Section, content_page
from broker.pages.site.contact import contact_aside
from broker.site_search.view import service_guides_words

_FORM, _LIST = "guide-search", "guide-list"

_ALL_GUIDES, _SERVICE_GUIDES = "guides", "service-guides"
"""The templates: of the list of all guides, and of a service's."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    lists = (_service_page(inputs, service) for service in inputs.store.services())
    return (*(_all_page(inputs, page) for page in inputs.store.pages() if page.kind is PageKind.GUIDES), *lists)


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    site = inputs.store.site()
    return (
        DataPage(name=_ALL_GUIDES, view=AllGuidesPage, draw=partial(_draw_all, site), dates=(MODIFIED,), is_list=True),
        DataPage(
            name=_SERVICE_GUIDES,
            view=ServiceGuidesPage,
            draw=partial(_draw_service, site),
            bar=lambda page: links_bar(page.crumbs, label=f"{page.service} section"),
            colours=lambda page: {"--theme": page.colour, "--theme-bg": page.ground},
            dates=(MODIFIED,),
            is_list=True,
        ),
    )


def _starters(shown: Tiles) -> rx.Component:
    """Draw the guide to start from in each situation; nothing where none of them is there."""
    return when_text(
        shown.first.href,
        rx.el.section(
            rx.el.div(
                rx.el.h2("Start where you are", id="starters"),
                rx.el.div(*tiles(shown), class_name="g3 starters"),
                class_name="wrap band-s stack loose",
            ),
            aria_labelledby="starters",
            class_name="white",
        ),
    )


def _guide_index(page: AllGuidesPage) -> rx.Component:
    """Draw every guide as a title, its category and one line; category buttons and search work in the browser."""
    picked = guide_filter()
    block = memoized_section(
        picked.values.state,
        listing_heading(),
        _search(page, picked),
        filter_buttons(picked, after=script_function("list_filter", "filterSoon").call(_FORM, _LIST)),
        rx.el.ul(
            foreach(page.guides, _entry),
            id=_LIST,
            class_name="g3 guides guide-index",
            custom_attrs={"data-chosen": picked.chosen},
        ),
        class_name="stack",
        aria_label="Guides",
    )
    return rx.el.div(block, class_name="wrap band-s")


def _search(page: AllGuidesPage, picked: GuideFilter) -> rx.Component:
    box = rx.el.input(id="guide-words", name="q", type="search", auto_complete="off")
    return PostForm.create(
        field("Search the guides", rx.el.div(box, class_name="num"), identity="guide-words"),
        count_line(page, picked),
        method="get",
        action=routes.GUIDES,
        on_change=client_handler(script_function("list_filter", "filterEntries").call(_FORM, _LIST)),
        on_submit=client_handler(rx.Var("typed.preventDefault()")),
        id=_FORM,
        class_name="text-width stack needs-script",
        role="search",
        aria_label="Search the guides",
    )


def _entry(card: GuideCard) -> rx.Component:
    return rx.el.li(
        rx.el.a(card.title, href=card.href),
        rx.el.p(rx.el.b(card.tag), rx.el.span(" ", card.description), class_name="small mute"),
        custom_attrs={**filter_marks(card), "data-words": card.tag},
    )


def _all_page(inputs: BuildInputs, page: ContentPage) -> Page:
    return replace(
        content_page(page, picture=image_path(GUIDES)), template=_ALL_GUIDES, view=partial(_all_view, inputs, page)
    )


def _all_view(inputs: BuildInputs, page: ContentPage, head: HeadView) -> AllGuidesPage:
    art = banner_view(inputs.store.banner(page.path))
    return all_guides_page(inputs.store.guides(), page, head=head, banner=art)


def _draw_all(site: Site, page: Shown[AllGuidesPage]) -> rx.Component:
    return rx.fragment(
        banner(page.title, page.summary, rx.el.p(page.by, class_name="by"), picture=page.banner),
        _starters(page.starters),
        _guide_index(page),
        rx.el.div(
            columns(disclosure(page.opening, page_markup(page.html)), contact_aside(site, "Talk it through", ADVICE)),
            class_name="white",
        ),
        call_band(site),
    )


def _service_page(inputs: BuildInputs, service: Service) -> Page:
    shown = filter_guides(inputs.store.guides(), service.slug)
    return Page(
        route=routes.guides(service.slug),
        counted_as=Counted.GUIDE,
        template=_SERVICE_GUIDES,
        view=partial(_service_view, inputs, service),
        title=f"{service.title} guides",
        parents=((service.title, routes.service(service.slug)),),
        section=Section.GUIDES,
        search=service_guides_words(service),
        description=f"{service.title} guides: what to know, what it costs with the working shown, and what to do next. "
        "Dated, and free to read.",
        lastmod=max((guide.updated.isoformat() for guide in shown), default=""),
        picture=image_path(GUIDES),
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


def _draw_service(site: Site, page: Shown[ServiceGuidesPage]) -> rx.Component:
    words = "Plain, dated and free to read, each with a worked example. Start with the first one."
    listing = rx.el.div(listing_heading(), guide_grid(page.grid), more_guides(), class_name="stack loose")
    disclaimer = when_text(page.disclaimer, markup(page.disclaimer, "small mute"))
    return rx.fragment(
        banner(f"{page.service} Guides", words),
        rx.el.div(listing, disclaimer, class_name="wrap band-s stack loose"),
        call_band(site),
    )
