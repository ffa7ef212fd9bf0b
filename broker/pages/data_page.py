"""The two pages of each kind of data pages: the template that the edge fills, and what React draws in its place."""

from typing import Any

import reflex as rx

from broker.components.foreach import foreach
from broker.pages.head import linked_data
from broker.pages.layout import layout
from broker.pages.registry import BuildInputs, DataPage
from broker.presenters.jinja import places_of
from broker.sections.data_page import PageInBrowser, page_in_browser

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
    site = layout(inputs, page.path, drawn, bar=bar, colours=colours, call=False)
    return rx.fragment(site, foreach(view.head.data, linked_data))
