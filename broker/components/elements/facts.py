"""Lists of facts: what each is, and what it says."""

from __future__ import annotations

from typing import Any

import reflex as rx

from broker.components.unfilled import whether
from broker.presenters.marks import mark


def fact(label: Any, words: Any, *more: rx.Component) -> rx.Component:
    """Draw one fact of a list of class `kv`."""
    return rx.el.div(rx.el.dt(label), rx.el.dd(words), *more)


def facts_to_fill(name: str) -> rx.Component:
    """Draw a list in an unfilled page: each entry of that name has a label and words."""
    return rx.el.dl(whether(name, fact(mark("label"), mark("words"))), class_name="kv wide")
