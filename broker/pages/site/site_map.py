"""The HTML sitemap: the links of the sitemap menu, then every other page by section. It is data, like many of those."""

from collections.abc import Collection, Iterator
from functools import partial

import reflex as rx

from broker import routes
from broker.components.jinja import Shown, foreach
from broker.content.menus import menu_links
from broker.content.models.site import Site
from broker.pages.layout import banner, call_band
from broker.pages.registry import BuildInputs, DataPage, Page, Section
from broker.site_search.view import EntryLink, PageGroup, SiteMapPage

_SITE_MAP = "site-map"
"""The template of the page."""

_MAIN = "Main pages"


def data_pages(inputs: BuildInputs) -> tuple[DataPage, ...]:
    return (DataPage(name=_SITE_MAP, view=SiteMapPage, draw=partial(_draw, inputs.store.site()), is_list=True),)


def site_map(inputs: BuildInputs, pages: Collection[Page]) -> Page:
    groups = tuple(group for group in _groups(inputs, pages) if group.links)
    return Page(
        route=routes.SITE_MAP,
        template=_SITE_MAP,
        view=lambda head: SiteMapPage(head=head, groups=groups),
        title="Sitemap: every page of this site",
        description="Every page of this site in one list: services, calculators, rates, guides, towns, lenders "
        "and information about us.",
        label="Sitemap",
    )


def _groups(inputs: BuildInputs, pages: Collection[Page]) -> Iterator[PageGroup]:
    main = [EntryLink(title=link.label, href=link.href) for link in menu_links(inputs.store.menus().sitemap.items)]
    in_menu = {link.href for link in main}
    yield PageGroup(heading=_MAIN, links=tuple(main))
    for section in Section:
        listed = (page for page in pages if page.section is section and page.route not in in_menu)
        links = tuple(EntryLink(title=page.name, href=page.route) for page in listed)
        yield PageGroup(heading=section.value, links=links)


def _draw(site: Site, page: Shown[SiteMapPage]) -> rx.Component:
    return rx.fragment(
        banner("Sitemap", "Every page of this site, by subject."),
        rx.el.div(foreach(page.groups, _group), class_name="wrap band-s stack loose"),
        call_band(site),
    )


def _group(group: Shown[PageGroup]) -> rx.Component:
    links = foreach(group.links, lambda link: rx.el.li(rx.el.a(link.title, href=link.href)))
    return rx.el.section(rx.el.h2(group.heading), rx.el.ul(links, class_name="columns"), class_name="stack")
