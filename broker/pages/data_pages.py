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
    return _page(inputs, page.draw(view), bar=page.bar(view) if page.bar else None, data=view.head.data)


def in_browser(inputs: BuildInputs, page: DataPage, *, shown: PageInBrowser) -> rx.Component:
    """Draw the page of a kind at the address of the moment: the same elements, of a view that the browser has."""
    drawn = page_in_browser(inputs.store.site(), shown, drawn=page.draw(shown.view))
    bar = rx.cond(shown.status == "loaded", page.bar(shown.view)) if page.bar else None
    return _page(inputs, drawn, bar=bar, data=shown.view.head.data)


def _page(inputs: BuildInputs, drawn: rx.Component, *, bar: rx.Component | None, data: Any) -> rx.Component:
    return rx.fragment(layout(inputs, "", drawn, bar=bar, call=False), foreach(data, linked_data))
