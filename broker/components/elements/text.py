"""Text for screen readers, text that does not wrap, and links."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker.components.elements.icons import icon
from broker.components.screen_types import Content, Text
from broker.presenters.jinja import Placeholder, markup_variable


def visually_hidden(text: Content) -> rx.Component:
    return rx.el.span(text, class_name="vh")


def no_break(text: Content) -> rx.Component:
    """Write a text that does not break at its hyphen: `2-year fixed`."""
    return rx.el.span(text, class_name="nb")


def more_link(text: Content, href: str) -> rx.Component:
    return rx.el.a(text, " ", icon("arrow"), href=href, class_name="more")


def jump_link(text: Content, identity: str, *, class_name: str = "") -> rx.Component:
    """Link to an id on the same page by a plain anchor, which works at any address that the page is served at."""
    return A.create(text, href=f"#{identity}", class_name=class_name)


def plain_link(*children: Content, href: Text, class_name: str = "") -> rx.Component:
    """Link to an address as it is written, which may be a variable of a template; the browser loads that page."""
    return A.create(*children, href=href, class_name=class_name)


def search_link(*children: Content, href: Text, **attributes: Any) -> rx.Component:
    """Link to a search by its address, which may be the place of one in a template.

    Search engines do not follow it: there are more searches than pages, and each is a request to the rates service.
    """
    if isinstance(href, Placeholder):
        looks = {name: value for name, value in attributes.items() if name == "class_name"}
        return A.create(*children, href=href, rel="nofollow", **looks)
    return rx.el.a(*children, href=href, rel="nofollow", **attributes)


def telephone_link(*children: Content, number: str, class_name: str = "", label: str = "") -> rx.Component:
    """Link to a telephone number in the form `+44…`; `label` names a link that small screens show as an icon."""
    named = {"aria-label": label} if label else {}
    return rx.el.a(*children, href=f"tel:{number}", class_name=class_name, custom_attrs=named)


def markup(html: Text, class_name: str = "prose") -> rx.Component:
    """Render HTML that was sanitised where it entered, known at build, only in the browser or to the edge."""
    html = markup_variable(html.name) if isinstance(html, Placeholder) else html
    return rx.el.div(custom_attrs={"dangerouslySetInnerHTML": rx.Var.create({"__html": html})}, class_name=class_name)


def page_markup(html: Text) -> rx.Component:
    """Render the `html` of a page of data, which its scripts read from this element."""
    drawn = markup(html)
    drawn.custom_attrs["data-page-html"] = ""
    return drawn


def titled_section(
    title: Content, identity: str, *content: Content, look: str = "", class_name: str = "stack"
) -> rx.Component:
    """Draw a section named by its h2, which may have the `look` of a lower level."""
    heading = rx.el.h2(title, id=identity, class_name=look) if look else rx.el.h2(title, id=identity)
    return rx.el.section(heading, *content, class_name=class_name, aria_labelledby=identity)
