"""Copy link, and the system's own Share where the browser has one."""

from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.elements.buttons import button
from broker.components.elements.text import visually_hidden

_HOOKS = {
    "const [canShare, setCanShare] = useState(false)": None,
    "useEffect(() => setCanShare(!!navigator.share), [])": None,
}
_REACT = {"react": [ImportVar(tag="useState"), ImportVar(tag="useEffect")]}
_CAN_SHARE = rx.Var("canShare", _var_data=VarData(hooks=_HOOKS, imports=_REACT)).to(bool)
"""Whether the browser can share; false at first, as in the exported HTML."""


def share_link(label: Any, address: Any = "") -> rx.Component:
    """Draw the buttons that copy and share a link to `label`; without an `address`, to the page as it is."""
    # Reflex hands a handler of clicks the mouse only; a plain one gets the event, with its button.
    copied = script_function("share", "copyLink").call(rx.Var("typed.currentTarget"), address)
    shared = script_function("share", "shareLink").call(address)
    spoken = visually_hidden(rx.fragment(": ", label))
    share = button("Share", spoken, look="line s", on_click=client_handler(shared))
    return rx.el.div(
        button("Copy link", spoken, look="line s", custom_attrs={"onClick": client_handler(copied)}),
        rx.cond(_CAN_SHARE, share),
        rx.el.span(class_name="small", role="status"),
        class_name="row share needs-script",
    )
