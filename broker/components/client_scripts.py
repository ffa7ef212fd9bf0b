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

_SCRIPTS = Path(__file__).with_name("js")
TARGET = "utils/broker"
"""The folder of the scripts among the sources that Reflex has bundled."""

_numbers = count(1)


class ScriptFiles(Plugin):
    """Copies the files of `components/js` while Reflex compiles."""

    def get_static_assets(self, **_: object) -> Sequence[tuple[Path, str | bytes]]:
        return [(Path(TARGET, file.name), file.read_text(encoding="utf-8")) for file in sorted(_SCRIPTS.glob("*.js"))]


def script_function(script: str, name: str) -> FunctionVar:
    """Return a function that `js/{script}.js` exports."""
    imports = {f"$/{TARGET}/{script}.js": [ImportVar(tag=name)]}
    return rx.Var(name, _var_type=FunctionVar, _var_data=VarData(imports=imports)).to(FunctionVar)


def var_data(*used: object, hooks: Sequence[str] = (), react: Sequence[str] = ()) -> VarData | None:
    """Return the hooks and imports of Vars, then `hooks` in their order, with the names that they import from React."""
    data = (each if isinstance(each, VarData | None) else rx.Var.create(each)._get_all_var_data() for each in used)
    imports = {"react": [ImportVar(tag=tag) for tag in react]} if react else {}
    return VarData.merge(*data, VarData(hooks=dict.fromkeys(hooks), imports=imports))


def expression(text: str, *used: object, hooks: Sequence[str] = (), react: Sequence[str] = ()) -> rx.Var:
    """Return JavaScript as a Var, with the `var_data` of the Vars in its text."""
    return rx.Var(text, _var_data=var_data(*used, hooks=hooks, react=react))


def effect(run: rx.Var | str, *used: object, after: Sequence[object] = ()) -> VarData | None:
    """Return the React effect that evaluates `run` at the first render and after each change of `after`."""
    hook = f"useEffect(() => {run!s}, [{', '.join(map(str, after))}])"
    return var_data(*used, hooks=(hook,), react=("useEffect",))


def refs() -> rx.Var:
    """Return the object in which Reflex keeps browser variables from page to page."""
    return rx.Var("refs", _var_data=VarData(imports={"$/utils/state": [ImportVar(tag="refs")]}))


def callback(evaluated: rx.Var) -> rx.Var:
    """Return the browser function without parameters that evaluates an expression."""
    return expression(f"(() => {evaluated!s})", evaluated)


def when_near(identity: str, then: rx.Var) -> rx.Var:
    """Return the expression that evaluates `then` once an element is within one screen height of the viewport."""
    return script_function("scrolling", "whenNear").call(identity, callback(then))


def ask_at_rest(wanted: rx.Var, answered: rx.Var | str, event: Any) -> VarData | None:
    """Return the effect that sends an event once the figures of a plan rest, unless their answer is on the page.

    `wanted` and `answered` are the keys of the figures and of the answer; an empty `wanted` sends nothing.
    """
    ask = rx.Var.create(EventChain.create(value=event, args_spec=no_args_event_spec))
    asked = script_function("plan", "askAtRest").call(wanted, answered, callback(rx.Var(f"({ask!s})()")))
    return effect(asked, wanted, answered, ask, asked, after=(wanted, answered))


class _Lazy(rx.NoSSRComponent):
    """A component that loads its script when it is drawn."""


def lazy_component(draw: Callable[..., rx.Component], *arguments: Hashable, shown: rx.Var[bool]) -> rx.Component:
    """Return what `draw(*arguments)` draws while `shown` is true, in a script of its own that no page waits for.

    The browser loads it when idle. Where it did not load, the page is loaded again once `shown` is true, so its address
    must say so.
    """
    component = _react_component(draw, arguments, "")()
    load = rx.Var(f"() => import('{component.library}')")
    early = script_function("lazy_scripts", "loadWhenIdle").call(load)
    late = script_function("lazy_scripts", "reloadUnlessLoaded").call(load, shown)
    data = var_data(early, late, effect(early), effect(late, after=(shown,)))
    return rx.cond(shown._replace(merge_var_data=data), _Lazy.create(library=component.library, tag=component.tag))


def component_on_demand(draw: Callable[..., rx.Component], *arguments: Hashable) -> rx.Component:
    """Return what `draw(*arguments)` draws, in a script of its own that is loaded once it is drawn.

    The HTML has nothing of it: draw a replacement without scripts beside it.
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
    def drawn() -> rx.Component:
        return draw(*arguments)

    drawn.__name__ = drawn.__qualname__ = f"{draw.__name__.strip('_')}_{next(_numbers)}"
    drawn.__module__ = f"{__package__}.parts.{script or drawn.__name__}"
    return rx.memo(drawn)
