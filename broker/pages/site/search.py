"""The site search page."""

from collections.abc import Iterable
from functools import partial

import reflex as rx

from broker import routes
from broker.domain.site_search import SearchIndex, build_index
from broker.pages.layout import banner, columns, layout
from broker.pages.registry import BuildInputs, Page, edge_template_page
from broker.presenters.jinja import places_of
from broker.presenters.site_search import SearchPage, page_entries
from broker.sections.site.contact import contact_aside
from broker.sections.site_search import everything, site_search

ASK = "Tell an adviser what you are looking for. It costs nothing to ask."


TITLE = "Search this site"
DESCRIPTION = "Search our guides, questions, calculators, rates, lenders and local brokers by word."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(route=routes.SEARCH, title=TITLE, description=DESCRIPTION, render=partial(_render, inputs), indexed=False),
    )


def template_pages(_: BuildInputs) -> tuple[Page, ...]:
    """Return the list of everything as a template, which the export puts into the page."""
    listed = places_of(SearchPage, "page").groups
    return (edge_template_page("search", title=TITLE, description=DESCRIPTION, render=lambda: everything(listed)),)


def site_index(pages: Iterable[Page]) -> SearchIndex:
    """Return the index of every page that declares search words."""
    return build_index(
        entry
        for page in pages
        if page.search
        for entry in page_entries(page.search, route=page.route, name=page.name, description=page.description)
    )


def _render(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return layout(
        inputs,
        routes.SEARCH,
        banner("Search", "Guides, questions, calculators, rates, lenders and towns."),
        rx.el.div(columns(site_search(site), contact_aside(site, "Prefer to talk?", ASK)), class_name="white"),
        call=False,
    )
