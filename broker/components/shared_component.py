"""Components that many pages share, compiled and loaded once, and those that are loaded when they are shown."""

from collections.abc import Callable, Hashable
from functools import cache
from itertools import count

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker.components.client_scripts import script_function

_numbers = count(1)


class _Lazy(rx.NoSSRComponent):
    """A component that loads its script when it is drawn."""


def lazy_component(draw: Callable[..., rx.Component], *arguments: Hashable, shown: rx.Var[bool]) -> rx.Component:
    """Return what `draw(*arguments)` draws while `shown` is true, in a script of its own that no page waits for.

    It is loaded when the browser is idle. Where it did not come, the page is loaded anew once it is shown, so its
    address must tell that it is.
    """
    component = _react_component(draw, arguments, "")()
    load = rx.Var(f"() => import('{component.library}')")
    early = script_function("lazy_scripts", "loadWhenIdle").call(load)
    late = script_function("lazy_scripts", "reloadUnlessLoaded").call(load, shown)
    hooks = {f"useEffect(() => {early!s}, [])": None, f"useEffect(() => {late!s}, [{shown!s}])": None}
    effects = VarData(hooks=hooks, imports={"react": [ImportVar(tag="useEffect")]})
    data = VarData.merge(early._get_all_var_data(), late._get_all_var_data(), effects)
    return rx.cond(shown._replace(merge_var_data=data), _Lazy.create(library=component.library, tag=component.tag))


def component_on_demand(draw: Callable[..., rx.Component], *arguments: Hashable) -> rx.Component:
    """Return what `draw(*arguments)` draws, in a script of its own that is loaded once it is drawn.

    There is nothing of it in the HTML: what stands in its place without scripts is drawn beside it.
    """
    component = _react_component(draw, arguments, "")()
    return _Lazy.create(library=component.library, tag=component.tag)


def shared_component(draw: Callable[..., rx.Component], *arguments: Hashable, script: str = "") -> rx.Component:
    """Return what `draw(*arguments)` draws as one component; the same call returns the same component.

    Components with the same `script` name are bundled together; use one for those that share their pages.
    """
    return _react_component(draw, arguments, script)()


@cache
def _react_component(
    draw: Callable[..., rx.Component], arguments: tuple[Hashable, ...], script: str
) -> Callable[[], rx.Component]:
    """Return the React component, which Reflex compiles once."""

    def drawn() -> rx.Component:
        return draw(*arguments)

    drawn.__name__ = drawn.__qualname__ = f"{draw.__name__.strip('_')}_{next(_numbers)}"
    drawn.__module__ = f"{__package__}.parts.{script or drawn.__name__}"
    return rx.memo(drawn)
