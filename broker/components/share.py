"""Copy link, the system's own Share where the browser has one, and the page's result as a PDF."""

from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar
from reflex_components_core.el.elements.inline import A

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


PDF_WORDS = "Download as PDF"


def pdf_link(label: Any, address: Any, *, look: str) -> rx.Component:
    """Draw the link to a PDF of `label`: `web/js/head.js` gives it the query string of the page as it is pressed."""
    return A.create(
        PDF_WORDS,
        visually_hidden(rx.fragment(": ", label)),
        href=address,
        rel="nofollow",
        class_name=look,
        custom_attrs={"data-pdf": ""},
    )


def share_link(label: Any, address: Any = "", *, pdf: str = "") -> rx.Component:
    """Draw the buttons that copy and share a link to `label`; without an `address`, to the page as it is.

    `pdf` is the path of its PDF, where it has one.
    """
    # Reflex hands a handler of clicks the mouse only; a plain one gets the event, with its button.
    copied = script_function("share", "copyLink").call(rx.Var("typed.currentTarget"), address)
    shared = script_function("share", "shareLink").call(address)
    spoken = visually_hidden(rx.fragment(": ", label))
    share = button("Share", spoken, look="line s", on_click=client_handler(shared))
    return rx.el.div(
        button("Copy link", spoken, look="line s", custom_attrs={"onClick": client_handler(copied)}),
        rx.cond(_CAN_SHARE, share),
        *([pdf_link(label, pdf, look="btn line s")] if pdf else []),
        rx.el.span(class_name="small", role="status"),
        class_name="row share needs-script",
    )
