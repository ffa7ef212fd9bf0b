"""The search of this site."""

from __future__ import annotations

from functools import partial

import reflex as rx

from broker import routes
from broker.content.store import HOME_FAQS
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.site_search import Entry, Kind, SearchIndex, index_of
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page
from broker.presenters import site_search as found
from broker.sections.site.contact_aside import contact_aside
from broker.sections.site_search import site_search

ASK = "Tell an adviser what you are looking for. It costs nothing to ask."


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the search; search engines do not list it, but may know that it is there."""
    return (
        Page(
            route=routes.SEARCH,
            title="Search this site",
            description="Search our guides, questions, calculators, rates, lenders and local brokers by word.",
            render=partial(_render, inputs),
            indexed=False,
        ),
    )


def site_index(inputs: BuildInputs) -> SearchIndex:
    """Return the index of everything that the search finds."""
    store = inputs.store
    return index_of(
        (
            _home(inputs),
            *found.service_entries(store.services()),
            *found.guide_entries(store.guides()),
            *found.calculator_entries(CALCULATORS),
            *found.deal_entries(store.deal_pages()),
            *found.page_entries(store.pages()),
            *found.town_entries(store.towns()),
            *found.lender_entries(inputs.lenders),
            *found.question_entries(store.faqs(HOME_FAQS), routes.HOME),
        )
    )


def _home(inputs: BuildInputs) -> Entry:
    site = inputs.store.site()
    return Entry(
        kind=Kind.PAGE,
        title=site.name,
        href=routes.HOME,
        description=site.company_description,
        keywords=("home page", "contact address telephone email", *site.slogans),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return layout(
        inputs,
        routes.SEARCH,
        banner("Search", "Guides, questions, calculators, rates, lenders and towns."),
        rx.el.div(
            rx.el.div(
                rx.el.div(site_search(site), contact_aside(site, "Rather ask?", ASK), class_name="side"),
                class_name="wrap band-s",
            ),
            class_name="white",
        ),
    )
