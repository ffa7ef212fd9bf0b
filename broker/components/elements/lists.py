"""Lists: facts by their labels, numbered steps, and the contents of a long text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import reflex as rx

from broker.components.elements.text import jump_link
from broker.components.unfilled import whether
from broker.presenters.marks import mark


def fact(label: Any, words: Any, *more: rx.Component) -> rx.Component:
    """Draw one fact of a list of class `kv`."""
    return rx.el.div(rx.el.dt(label), rx.el.dd(words), *more)


def facts_to_fill(name: str) -> rx.Component:
    """Draw a list in an unfilled page: each entry of that name has a label and words."""
    return rx.el.dl(whether(name, fact(mark("label"), mark("words"))), class_name="kv wide")


def steps(entries: Sequence[tuple[str, str]]) -> rx.Component:
    """Draw steps; each is a title and a sentence."""
    return rx.el.ol(
        *(rx.el.li(rx.el.div(rx.el.h3(title), rx.el.p(text))) for title, text in entries), class_name="steps"
    )


def contents(headings: Iterable[tuple[str, str]]) -> rx.Component:
    """Draw the list; each heading is its words and the id it carries. On small screens the text is list enough."""
    return rx.el.nav(
        rx.el.h2("On this page", class_name="as-h4"),
        rx.el.ol(*(rx.el.li(jump_link(words, anchor)) for words, anchor in headings), class_name="plain"),
        class_name="toc stick",
        aria_label="On this page",
    )
