"""The two pages of each kind of data pages: the template that the edge fills, and what React draws in its place."""

from functools import partial
from typing import Any

import reflex as rx

from broker import routes
from broker.components.foreach import foreach
from broker.pages.head import linked_data
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, DataPage, Page, edge_template_page
from broker.presenters.jinja import places_of, variable
from broker.sections.data_page import AGAIN, FAILURE, PageInBrowser, page_in_browser, page_not_read

PAGE = "page"
"""The name of the view in a template."""


def template(inputs: BuildInputs, page: DataPage) -> rx.Component:
    """Draw the template of a kind of pages."""
    view: Any = places_of(page.view, PAGE)
    bar = page.bar(view) if page.bar else None
    return _page(inputs, page, page.draw(view), view=view, bar=bar)


def in_browser(inputs: BuildInputs, page: DataPage, *, shown: PageInBrowser) -> rx.Component:
    """Draw the page of a kind at the address of the moment: the same elements, of a view that the browser has."""
    drawn = page_in_browser(inputs.store.site(), shown, drawn=page.draw(shown.view))
    bar = rx.cond(shown.status == "loaded", page.bar(shown.view)) if page.bar else None
    return _page(inputs, page, drawn, view=shown.view, bar=bar)


def _page(
    inputs: BuildInputs, page: DataPage, drawn: rx.Component, *, view: Any, bar: rx.Component | None
) -> rx.Component:
    colours = page.colours(view) if page.colours else None
    site = layout(inputs, "", drawn, bar=bar, colours=colours, call=False)
    return rx.fragment(site, foreach(view.head.data, linked_data))


def template_pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the template for a page that cannot be read at the moment."""
    words = "We could not load this page just now."
    return (edge_template_page(routes.PAGE_AWAY, title=FAILURE, description=words, render=partial(_away, inputs)),)


def _away(inputs: BuildInputs) -> rx.Component:
    again = rx.el.span(AGAIN, class_name="needs-script")
    return layout(
        inputs,
        "",
        banner(FAILURE, "Something went wrong on our side. The page itself may be fine."),
        page_not_read(inputs.store.site(), variable("problem"), again=again, path=variable("path")),
        rx.fragment(variable("retry_script")),
    )
