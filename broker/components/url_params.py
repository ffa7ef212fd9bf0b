"""Read and change the page's query string in the browser, without a request.

Changes go through React Router, so Back, Forward and a reload restore them. `put` and `drop` do not scroll the page.
"""

import json
from typing import Any

import reflex as rx
from reflex.vars import ObjectVar, VarData
from reflex_base.utils.imports import ImportVar

from broker.components.client_scripts import expression, script_function
from broker.components.client_values import client_handler
from broker.components.jinja import Text


def _hook(name: str, line: str, *, tag: str) -> rx.Var:
    return rx.Var(name, _var_data=VarData(hooks={line: None}, imports={"react-router": [ImportVar(tag=tag)]}))


_PARAMETERS = _hook("asked", "const [asked] = useSearchParams()", tag="useSearchParams")
NAVIGATE = _hook("goTo", "const goTo = useNavigate()", tag="useNavigate")
QUERY = _hook("queryString", "const {search: queryString} = useLocation()", tag="useLocation").to(str)
PATH = _hook("pathname", "const {pathname} = useLocation()", tag="useLocation").to(str)
VISIT = _hook("visit", "const {key: visit} = useLocation()", tag="useLocation").to(str)
"""The key of the history entry: Back restores it, a link to the same page makes another."""


def parameter(name: str) -> rx.Var:
    """Return the value of a parameter, or an empty text."""
    return expression(f"({_PARAMETERS!s}.get({json.dumps(name)}) ?? '')", _PARAMETERS).to(str)


def parameter_after_load(name: str, *, start: rx.Var | None = None) -> rx.Var:
    """Return the value of a parameter after hydration, and before it `start` or an empty text.

    The first render must equal the HTML, which the edge may have written for a query string.
    """
    state, key = f"given_{name}", json.dumps(name)
    first = rx.Var.create("") if start is None else start
    hooks = (
        f"const [{state}, set_{state}] = useState(() => {first!s})",
        f"useEffect(() => set_{state}({_PARAMETERS!s}.get({key}) ?? ''), [{_PARAMETERS!s}])",
    )
    return expression(state, _PARAMETERS, first, hooks=hooks, react=("useState", "useEffect")).to(str)


def edge_answer() -> ObjectVar[dict[str, Any]]:
    """Return what the edge answered this address with, or null."""
    answer = script_function("edge_answer", "edgeAnswer").call(QUERY)
    return expression("fromEdge", answer, hooks=(f"const fromEdge = {answer!s}",)).to(dict[str, Any])


def put(name: str, value: Text) -> rx.Var:
    """Return the event handler that sets a parameter, as a new history entry.

    Setting the same value again adds no entry, so a double click leaves one step to go back.
    """
    return client_handler(script_function("url_params", "putParameter").call(NAVIGATE, name, value))


def drop(name: str) -> rx.Var:
    """Return the event handler that removes a parameter: one step back if `put` set it, else in place.

    A second press before the navigation is done does nothing, nor does the second click of a double click, which may
    land on an element that has just appeared under the pointer.
    """
    return client_handler(script_function("url_params", "dropParameter").call(NAVIGATE, name))
