"""The address of the page as the browser has it: a parameter beside the search comes and goes without a request.

React Router is told of every change, so Back, Forward and a reload bring each address with all that it stands for, and
the page keeps its place: neither of the two handlers scrolls.
"""

from __future__ import annotations

import json
from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler


def _hook(name: str, line: str, *, tag: str) -> rx.Var:
    """Return a value that a React Router hook gives to the component that uses it."""
    return rx.Var(name, _var_data=VarData(hooks={line: None}, imports={"react-router": [ImportVar(tag=tag)]}))


_ASKED = _hook("asked", "const [asked] = useSearchParams()", tag="useSearchParams")
_GO = _hook("goTo", "const goTo = useNavigate()", tag="useNavigate")

VISIT = _hook("visit", "const {key: visit} = useLocation()", tag="useLocation").to(str)
"""Names this coming to the page: Back to it gives the same name again, a link to it another."""


def parameter(name: str) -> rx.Var:
    """Return what the address holds for a parameter; an empty text where it has none."""
    return rx.Var(f"({_ASKED!s}.get({json.dumps(name)}) ?? '')", _var_data=_ASKED._get_all_var_data()).to(str)


def parameter_after_load(name: str) -> rx.Var:
    """Return what the address holds for a parameter, once the page stands; until then, and without it, an empty text.

    What a page shows at first must be what its file shows, which knows of no address.
    """
    state, key = f"given_{name}", json.dumps(name)
    hooks = {
        f'const [{state}, set_{state}] = useState("")': None,
        f"useEffect(() => set_{state}({_ASKED!s}.get({key}) ?? ''), [{_ASKED!s}])": None,
    }
    react = {"react": [ImportVar(tag="useState"), ImportVar(tag="useEffect")]}
    data = VarData.merge(_ASKED._get_all_var_data(), VarData(hooks=hooks, imports=react))
    return rx.Var(state, _var_data=data).to(str)


def put(name: str, value: Any) -> rx.Var:
    """Return the event handler that adds a parameter to the address, which Back then takes away again.

    What is there already is not put there twice: a double click leaves one step to go back.
    """
    return client_handler(script_function("url_params", "putParameter").call(_GO, name, value))


def drop(name: str) -> rx.Var:
    """Return the event handler that takes a parameter out of the address: back to where `put` came from.

    A visitor who came by a link has nowhere to go back to: the address is changed where it stands. Either takes a
    moment, in which a second press must do nothing. Nor must the second of a double click on what opened it, which may
    meet what has come under the pointer since.
    """
    return client_handler(script_function("url_params", "dropParameter").call(_GO, name))
