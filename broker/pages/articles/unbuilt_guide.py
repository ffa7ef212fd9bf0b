"""Guides published since the build (specification 4, "Guide page").

A request for such a guide is answered from a template; a link inside the site leads to the page that reads the guide
over the socket.
"""

from dataclasses import replace
from functools import partial

import reflex as rx

from broker import routes
from broker.components.elements.lists import contents_entry, contents_list
from broker.components.elements.text import markup
from broker.components.jinja import block_for, block_if
from broker.domain.guides import GuideCategory, guides_shown
from broker.pages.articles.guides import ADVICE, GuideParts, guide_layout, guide_street, page_of_guide
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page
from broker.presenters.guide_page import GuidePage, template_guide
from broker.presenters.jinja import variable
from broker.sections import unbuilt_guide as section
from broker.sections.site.pictures import guide_banner_picture
from broker.sections.unbuilt_guide import AGAIN, FAILED, guide_not_read

ROUTE = "/mortgage-guides/[guide_slug]"
"""Every guide without a page of its own."""

NEXT_GUIDES = 3
"""Guides to read next on a template: the first of its category."""


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the templates: one a category of guides, and one for a guide that could not be read."""
    return (
        *(_guide_template(inputs, category) for category in GuideCategory),
        Page(
            route=routes.guide(routes.edge_template("away")),
            title=FAILED,
            description="We could not load the text of this guide just now.",
            render=partial(_away, inputs),
            indexed=False,
        ),
    )


def _guide_template(inputs: BuildInputs, category: GuideCategory) -> Page:
    guide = template_guide(category)
    return replace(page_of_guide(inputs, guide, render=partial(_draw_template, inputs, guide, category)), family="")


def _draw_template(inputs: BuildInputs, guide: GuidePage, category: GuideCategory) -> rx.Component:
    first = guides_shown(inputs.store.guides(), category.value)[:NEXT_GUIDES]
    entry = block_for("heading", "guide.headings", contents_entry(variable("heading.text"), variable("heading.anchor")))
    listed = block_if("guide.headings", contents_list(entry), otherwise=(rx.el.div(),))
    disclaimer = block_if("guide.disclaimer", markup(guide.disclaimer, "small mute"))
    art = block_if("guide.banner.src", guide_banner_picture(guide.banner))
    street = block_if("guide.banner.src", otherwise=(guide_street(guide),))
    related = tuple(other.url for other in first)
    parts = GuideParts(art=art, street=street, contents=listed, disclaimer=disclaimer, related=related)
    return guide_layout(inputs, guide, parts=parts)


def _away(inputs: BuildInputs) -> rx.Component:
    path = routes.guide(routes.edge_template("away"))
    site = inputs.store.site()
    return layout(
        inputs,
        path,
        banner(FAILED, "Something went wrong on our side. The guide itself may be fine."),
        guide_not_read(site, variable("problem"), again=rx.el.span(AGAIN, class_name="needs-script"), path=path),
        rx.fragment(variable("retry_script")),
    )


def unbuilt_guide_page(inputs: BuildInputs) -> rx.Component:
    """Draw the page of every guide without one of its own; the browser alone knows which it is."""
    return layout(inputs, "", section.unbuilt_guide_page(inputs.store.site(), advice=ADVICE))
