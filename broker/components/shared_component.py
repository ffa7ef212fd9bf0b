"""Components that many pages share, compiled and loaded once, and those that are loaded when they are shown."""

from collections.abc import Callable, Hashable
from functools import cache
from itertools import count
from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportDict

_numbers = count(1)


class _Lazy(rx.NoSSRComponent):
    """A component whose script is loaded when it is drawn, or before that when the page rests.

    Drawn again, it asks again for a script that did not come.
    """

    def add_imports(self) -> ImportDict:
        return {"react": "useEffect"}

    def add_hooks(self) -> list[str | rx.Var]:
        load = f"import('{self.library}').catch(() => {{}})"
        return [f"useEffect(() => void (self.requestIdleCallback ?? setTimeout)(() => {load}), [])"]


def lazy_component(draw: Callable[..., rx.Component], *arguments: Hashable, shown: rx.Var[bool]) -> rx.Component:
    """Return what `draw(*arguments)` draws while `shown` is true, in a script of its own that no page waits for."""
    component = _react_component(draw, arguments, "")()
    return rx.cond(shown, _Lazy.create(library=component.library, tag=component.tag))


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
