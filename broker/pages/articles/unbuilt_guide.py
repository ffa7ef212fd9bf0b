"""Guides published after the build (specification 4, "Guide page"): some for the edge to fill, one for browsers.

Whoever asks the server for such a guide gets a whole page of plain HTML: an unfilled page, filled. Whoever follows a
link inside the site gets the page that reads it over the socket.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.domain.guides import GuideCategory
from broker.pages.articles.guides import ADVICE, guide_page
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page
from broker.presenters.unbuilt_guide import PROBLEM, unfilled
from broker.sections import unbuilt_guide as section
from broker.sections.unbuilt_guide import AGAIN, FAILED, guide_not_read

ROUTE = "/mortgage-guides/[guide_slug]"
"""Every guide that has no page of its own."""

NEXT = 3
"""Guides to read next on an unfilled page: the newest of its category."""


def unfilled_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the pages that the edge fills: one a category of guides, and one for a guide that could not be read."""
    return (
        *(_unfilled(inputs, category) for category in GuideCategory),
        Page(
            route=routes.guide(routes.unfilled("away")),
            title=FAILED,
            description="The content of this guide could not be read just now.",
            render=partial(_away, inputs),
            indexed=False,
        ),
    )


def _unfilled(inputs: BuildInputs, category: GuideCategory) -> Page:
    related = [guide.url for guide in inputs.store.guides() if category in guide.categories][:NEXT]
    return replace(guide_page(inputs, unfilled(category, related=related)), family="")


def _away(inputs: BuildInputs) -> rx.Component:
    path = routes.guide(routes.unfilled("away"))
    site = inputs.store.site()
    return layout(
        inputs,
        path,
        banner(FAILED, "It may well exist: the place where it is kept does not answer."),
        guide_not_read(site, PROBLEM, again=rx.el.span(AGAIN, class_name="needs-script"), path=path),
    )


def new_guide(inputs: BuildInputs) -> rx.Component:
    """Draw the page of every guide that has none of its own; which one it is only the browser knows."""
    return layout(inputs, "", section.new_guide(inputs.store.site(), advice=ADVICE))
