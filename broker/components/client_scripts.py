"""Functions of the files in `components/js`, as expressions of a page that imports them.

`docs/javascript.md` has why each of them is not Python.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import reflex as rx
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


def scroll_row(identity: str, *, forward: bool) -> rx.Var:
    """Return the expression that scrolls a row of slides by its visible width."""
    return script_function("scrolling", "scrollRow").call(identity, forward)


def when_near(identity: str, then: rx.Var) -> rx.Var:
    """Return the expression that evaluates `then` once an element is within one screen height of the viewport."""
    return script_function("scrolling", "whenNear").call(identity, callback(then))
