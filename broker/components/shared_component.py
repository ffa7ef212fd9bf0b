"""Parts that many pages share: drawn, compiled and loaded once, on however many pages they stand."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from itertools import count
from typing import Any

import reflex as rx

_numbers = count(1)


def shared_component(draw: Callable[..., rx.Component], *arguments: Hashable, script: str = "") -> rx.Component:
    """Return what `draw(*arguments)` draws as one node of the page; the same call gives the same part.

    Parts of one `script` are loaded together: those that stand on the same pages. By default each has its own.
    """
    return _react_component(draw, arguments, script)()


@cache
def _react_component(draw: Callable[..., rx.Component], arguments: tuple[Hashable, ...], script: str) -> Any:
    """Return a React component that Reflex compiles once: pages only name it, so each of them has less to compile."""

    def drawn() -> rx.Component:
        return draw(*arguments)

    drawn.__name__ = drawn.__qualname__ = f"{draw.__name__.strip('_')}_{next(_numbers)}"
    drawn.__module__ = f"{__package__}.parts.{script or drawn.__name__}"
    return rx.memo(drawn)
