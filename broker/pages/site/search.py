"""The site search page."""

from collections.abc import Iterable
from functools import partial

import reflex as rx

from broker import routes
from broker.domain.site_search import SearchIndex, build_index
from broker.pages.layout import banner, columns, layout
from broker.pages.registry import BuildInputs, Page
from broker.presenters.site_search import page_entries
from broker.sections.site.contact import contact_aside
from broker.sections.site_search import site_search

ASK = "Tell an adviser what you are looking for. It costs nothing to ask."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        Page(
            route=routes.SEARCH,
            title="Search this site",
            description="Search our guides, questions, calculators, rates, lenders and local brokers by word.",
            render=partial(_render, inputs),
            indexed=False,
        ),
    )


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
