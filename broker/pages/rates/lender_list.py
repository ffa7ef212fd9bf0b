"""The list of all lenders, from A to Z by their kind."""

from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements.picture import picture
from broker.content.models.lenders import LenderText
from broker.content.store import lender_text
from broker.domain.rates.customers import default_query
from broker.domain.rates.lenders import KnownLender
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page, Section
from broker.presenters.rates.best_deals import search_address
from broker.presenters.site_search import SearchWords
from broker.presenters.social_images import LENDERS, path

KINDS = {
    "bank": "Banks",
    "building-society": "Building societies",
    "specialist": "Specialist lenders",
    "": "Other lenders",
}
"""The heading of each kind of lender; the last are lenders of the feed or the content alone."""


def lender_list(inputs: BuildInputs) -> Page:
    return Page(
        route=routes.LENDERS,
        title="Mortgage lenders, A to Z",
        label="All lenders",
        section=Section.LENDERS,
        search=SearchWords(
            title="Mortgage lenders, A to Z",
            description="Every lender whose rates we show: banks, building societies and specialists.",
        ),
        description="Every lender whose rates we show: banks, building societies and specialists, each with its deals, "
        "APRC, fees and true cost.",
        render=partial(_render_list, inputs),
        lastmod=max(
            (text_of(inputs, lender).updated.isoformat() for lender in inputs.lenders if lender.slug), default=""
        ),
        picture=path(LENDERS),
    )


def _render_list(inputs: BuildInputs) -> rx.Component:
    count = sum(lender.lender_id > 0 for lender in inputs.lenders)
    return layout(
        inputs,
        routes.LENDERS,
        banner("Mortgage lenders, A to Z", f"The {count} lenders whose rates we show. None of them owns us."),
        rx.el.div(
            *(
                _kind_list(heading, listed)
                for kind, heading in KINDS.items()
                if (listed := [lender for lender in inputs.lenders if lender.kind == kind])
            ),
            class_name="wrap band-s stack loose",
        ),
    )


def text_of(inputs: BuildInputs, lender: KnownLender) -> LenderText:
    return lender_text(
        inputs.store, slug=lender.slug, name=lender.name, kind=lender.kind, residential=lender.residential
    )


def _kind_list(heading: str, lenders: list[KnownLender]) -> rx.Component:
    return rx.el.section(
        rx.el.h2(heading),
        rx.el.ul(*(rx.el.li(_entry(lender)) for lender in lenders), class_name="lenders"),
        class_name="stack",
    )


def _entry(lender: KnownLender) -> rx.Component:
    """Draw a link to a lender's page, or to the search for its deals where it has no page."""
    if not lender.slug:
        return rx.el.a(lender.name, href=search_address(replace(default_query(""), lender_id=lender.lender_id)))
    mark = picture(f"/art/lender-{lender.slug}.svg", width=118, height=48)
    return rx.el.a(rx.el.span(mark, class_name="logo"), lender.name, href=routes.lender(lender.slug))
