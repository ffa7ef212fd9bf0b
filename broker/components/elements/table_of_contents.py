"""The list of contents at the side of a long text."""

from __future__ import annotations

from collections.abc import Iterable

import reflex as rx

from broker.components.elements.text import jump_link


def contents(headings: Iterable[tuple[str, str]]) -> rx.Component:
    """Draw the list; each heading is its words and the id it carries. On small screens the text is list enough."""
    return rx.el.nav(
        rx.el.h2("On this page", class_name="as-h4"),
        rx.el.ol(*(rx.el.li(jump_link(words, anchor)) for words, anchor in headings), class_name="plain"),
        class_name="toc stick",
        aria_label="On this page",
    )
