"""The HTML sitemap: the links of the sitemap menu, then every other page by section."""

from collections.abc import Iterable
from functools import partial

import reflex as rx

from broker import routes
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section
from broker.presenters.menus import menu_links

MAIN = "Main pages"


def site_map(inputs: BuildInputs, pages: Iterable[Page]) -> Page:
    return Page(
        route=routes.SITE_MAP,
        title="Sitemap: every page of this site",
        description="Every page of this site in one list: services, calculators, rates, guides, towns, lenders "
        "and information about us.",
        render=partial(_render, inputs, tuple(pages)),
        label="Sitemap",
    )


def _render(inputs: BuildInputs, pages: tuple[Page, ...]) -> rx.Component:
    main = [(link.label, link.href) for link in menu_links(inputs.store.menus().sitemap.items)]
    in_menu = {href for _, href in main}
    listed = [page for page in pages if page.route not in in_menu]
    groups = [(MAIN, main)] + [
        (section.value, [(page.name, page.route) for page in listed if page.section is section]) for section in Section
    ]
    return layout(
        inputs,
        routes.SITE_MAP,
        banner("Sitemap", "Every page of this site, by subject."),
        rx.el.div(*(_group(title, links) for title, links in groups if links), class_name="wrap band-s stack loose"),
    )


def _group(title: str, links: Iterable[tuple[str, str]]) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title),
        rx.el.ul(*(rx.el.li(rx.el.a(label, href=href)) for label, href in links), class_name="columns"),
        class_name="stack",
    )
