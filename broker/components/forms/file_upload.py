"""Files that a page sends: chosen, dropped or pasted, all by the same few lines of script, written here alone.

They are expressions of the page's own script: the content security policy lets nothing else run. An element within
which files may come carries `places`; where a file is meant for, its `data-to` and what else the form is to say.
"""

from typing import Any

import reflex as rx
from reflex.event import EventHandler
from reflex_base.event import EventChain

from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler
from broker.components.screen_types import Attributes, Content, Value


def places(*, begun: EventHandler, done: EventHandler) -> dict[str, rx.Var]:
    """Return the attributes of an element that takes files; `done` gets why there is no answer, and its text."""
    start = rx.Var.create(EventChain.create(begun, args_spec=lambda lender, name: [lender, name]))
    end = rx.Var.create(
        EventChain.create(done, args_spec=lambda lender, name, problem, text: [lender, name, problem, text])
    )
    event = rx.Var("typed")
    give = client_handler(script_function("file_upload", "sendFile").call(event, start, end))
    over = client_handler(script_function("file_upload", "markDropPlace").call(event))
    return {"onChange": give, "onDrop": give, "onPaste": give, "onDragOver": over, "onDragLeave": over}


def place(to: str, *, most: int, lender: Value | None = None, number: Value | None = None) -> Attributes:
    """Return the attributes of a place for files: address, most bytes, lender, and its logo's version as seen."""
    named = {"data-lender": lender, "data-number": number} if lender is not None else {}
    return {"data-to": to, "data-most": str(most), **named}


def file_button(label: Content, *more: Content, accept: str, look: str = "line s", **attributes: Any) -> rx.Component:
    """Draw a button that opens the choice of a file, by keyboard too: a label round the field itself."""
    field = rx.el.input(type="file", accept=accept, class_name="vh", **attributes)
    return rx.el.label(label, *more, field, class_name=f"btn file {look}".strip())
