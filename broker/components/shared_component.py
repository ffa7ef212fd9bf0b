"""Components that many pages share, compiled and loaded once."""

from collections.abc import Callable, Hashable
from functools import cache
from itertools import count
from typing import Any

import reflex as rx

_numbers = count(1)


def shared_component(draw: Callable[..., rx.Component], *arguments: Hashable, script: str = "") -> rx.Component:
    """Return what `draw(*arguments)` draws as one component; the same call returns the same component.

    Components with the same `script` name are bundled together; use one for those that share their pages.
    """
    return _react_component(draw, arguments, script)()


@cache
def _react_component(draw: Callable[..., rx.Component], arguments: tuple[Hashable, ...], script: str) -> Any:
    """Return the React component, which Reflex compiles once."""

    def drawn() -> rx.Component:
        return draw(*arguments)

    drawn.__name__ = drawn.__qualname__ = f"{draw.__name__.strip('_')}_{next(_numbers)}"
    drawn.__module__ = f"{__package__}.parts.{script or drawn.__name__}"
    return rx.memo(drawn)
