"""One component for each item of a list, known at build or only in the browser."""

from collections.abc import Callable, Iterable
from typing import Any

import reflex as rx


def foreach(items: Iterable[Any] | rx.Var, draw: Callable[[Any], rx.Component]) -> rx.Component:
    if isinstance(items, rx.Var):
        return rx.foreach(items, draw)
    return rx.fragment(*(draw(item) for item in items))
