"""Functions of the files in `components/js`, as expressions of a page that imports them.

`docs/javascript.md` has why each of them is not Python.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import reflex as rx
from reflex.event import EventChain, no_args_event_spec
from reflex.plugins import Plugin
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.function import FunctionVar

SCRIPTS = Path(__file__).with_name("js")
TARGET = "utils/broker"
"""The folder of the scripts among the sources that Reflex has bundled."""


class ScriptFiles(Plugin):
    """Copies the files of `components/js` while Reflex compiles."""

    def get_static_assets(self, **_: Any) -> Sequence[tuple[Path, str | bytes]]:
        """Return the files by their place in Reflex's own folder."""
        return [(Path(TARGET, file.name), file.read_text(encoding="utf-8")) for file in sorted(SCRIPTS.glob("*.js"))]


def script_function(script: str, name: str) -> FunctionVar:
    """Return a function that `js/{script}.js` exports."""
    imports = {f"$/{TARGET}/{script}.js": [ImportVar(tag=name)]}
    return rx.Var(name, _var_type=FunctionVar, _var_data=VarData(imports=imports)).to(FunctionVar)


def callback(expression: rx.Var) -> rx.Var:
    """Return the browser function without parameters that evaluates an expression."""
    return rx.Var(f"(() => {expression!s})", _var_data=expression._get_all_var_data())


def when_near(identity: str, then: rx.Var) -> rx.Var:
    """Return the expression that evaluates `then` once an element is within one screen height of the viewport."""
    return script_function("scrolling", "whenNear").call(identity, callback(then))


def ask_at_rest(wanted: rx.Var, answered: rx.Var | str, event: Any) -> VarData | None:
    """Return the effect that sends an event once the figures of a plan rest, unless the answer on the page is theirs.

    `wanted` and `answered` are the keys of the figures and of the answer; nothing is asked for an empty `wanted`.
    """
    ask = rx.Var.create(EventChain.create(value=event, args_spec=no_args_event_spec))
    asked = script_function("plan", "askAtRest").call(wanted, answered, callback(rx.Var(f"({ask!s})()")))
    effect = f"useEffect(() => {asked!s}, [{wanted!s}, {answered!s}])"
    hooks = VarData(hooks={effect: None}, imports={"react": [ImportVar(tag="useEffect")]})
    used = (rx.Var.create(each)._get_all_var_data() for each in (wanted, answered, ask, asked))
    return VarData.merge(*used, hooks)


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
