"""Lists: facts by their labels, numbered steps, and the contents of a long text."""

from collections.abc import Iterable, Sequence

import reflex as rx

from broker.components.elements.text import jump_link
from broker.components.jinja import block_for
from broker.components.screen_types import Content
from broker.presenters.jinja import variable


def fact(label: Content, words: Content, *more: rx.Component) -> rx.Component:
    """Draw one entry of a description list of class `kv`."""
    return rx.el.div(rx.el.dt(label), rx.el.dd(words), *more)


def facts_of_template(name: str) -> rx.Component:
    """Draw a list in a template: the value of a name, whose items have a label and words."""
    listed = block_for("fact", name, fact(variable("fact.label"), variable("fact.words")))
    return rx.el.dl(listed, class_name="kv wide")


def steps(entries: Sequence[tuple[str, str]]) -> rx.Component:
    """Draw numbered steps, each a title and a sentence."""
    return rx.el.ol(
        *(rx.el.li(rx.el.div(rx.el.h3(title), rx.el.p(text))) for title, text in entries), class_name="steps"
    )


def contents(headings: Iterable[tuple[str, str]]) -> rx.Component:
    """Draw the table of contents; each heading is its text and its id."""
    return contents_list(*(contents_entry(text, anchor) for text, anchor in headings))


def contents_list(*entries: rx.Component) -> rx.Component:
    return rx.el.nav(
        rx.el.h2("On this page", class_name="as-h4"),
        rx.el.ol(*entries, class_name="plain"),
        class_name="toc stick",
        aria_label="On this page",
    )


def contents_entry(text: str, anchor: str) -> rx.Component:
    return rx.el.li(jump_link(text, anchor))
