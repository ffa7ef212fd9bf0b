"""One component for each item of a list: known at build, only in the browser, or to the edge."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import reflex as rx

from broker.components.jinja import block_for
from broker.presenters.jinja import ListPlaceholder

Item = TypeVar("Item")


def foreach(items: Iterable[Item] | rx.Var, draw: Callable[[Item], rx.Component]) -> rx.Component:
    """Draw each item of a list; of a place in a template by a loop of the template."""
    if isinstance(items, ListPlaceholder):
        return block_for(items.variable, items.name, draw(items.item()))
    if isinstance(items, rx.Var):
        return rx.foreach(items, draw)
    return rx.fragment(*(draw(item) for item in items))
