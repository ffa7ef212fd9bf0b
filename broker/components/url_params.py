"""Read and change the page's query string in the browser, without a request.

Changes go through React Router, so Back, Forward and a reload restore them. `put` and `drop` do not scroll the page.
"""

import json

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.jinja import Text


def _hook(name: str, line: str, *, tag: str) -> rx.Var:
    """Return the value of a React Router hook, for the component that uses it."""
    return rx.Var(name, _var_data=VarData(hooks={line: None}, imports={"react-router": [ImportVar(tag=tag)]}))


_ASKED = _hook("asked", "const [asked] = useSearchParams()", tag="useSearchParams")
NAVIGATE = _hook("goTo", "const goTo = useNavigate()", tag="useNavigate")
QUERY = _hook("queryString", "const {search: queryString} = useLocation()", tag="useLocation").to(str)
PATH = _hook("pathname", "const {pathname} = useLocation()", tag="useLocation").to(str)
VISIT = _hook("visit", "const {key: visit} = useLocation()", tag="useLocation").to(str)
"""The key of the history entry: Back restores it, a link to the same page makes another."""


def parameter(name: str) -> rx.Var:
    """Return the value of a parameter, or an empty text."""
    return rx.Var(f"({_ASKED!s}.get({json.dumps(name)}) ?? '')", _var_data=_ASKED._get_all_var_data()).to(str)


def parameter_after_load(name: str, *, start: rx.Var | None = None) -> rx.Var:
    """Return the value of a parameter after hydration, and before it `start` or an empty text.

    The first render must equal the HTML, which the edge may have written for a query string.
    """
    state, key = f"given_{name}", json.dumps(name)
    first = rx.Var.create("") if start is None else start
    hooks = {
        f"const [{state}, set_{state}] = useState(() => {first!s})": None,
        f"useEffect(() => set_{state}({_ASKED!s}.get({key}) ?? ''), [{_ASKED!s}])": None,
    }
    react = {"react": [ImportVar(tag="useState"), ImportVar(tag="useEffect")]}
    data = VarData.merge(_ASKED._get_all_var_data(), first._get_all_var_data(), VarData(hooks=hooks, imports=react))
    return rx.Var(state, _var_data=data).to(str)


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
