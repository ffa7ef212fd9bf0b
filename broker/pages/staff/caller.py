"""The form of somebody who telephones, over any page of staff."""

from typing import Any

import reflex as rx

from broker.cases.case import MAX_NOTE
from broker.cases.changes import AMOUNT, SERVICE
from broker.cases.today_view import CALLER, SERVICES, KnownCase
from broker.components.chakra import desk_button, desk_modal
from broker.components.elements import icon
from broker.components.forms.fields import live_error
from broker.enquiries.contact_details import EMAIL, NAME, TELEPHONE
from broker.enquiries.enquiry import PRIVACY
from broker.state.staff.caller import CallerState

_STATE: Any = CallerState

_LOOK_UP_MS = 250
"""Milliseconds without a key before what is typed of a caller is looked up."""


def caller_opener() -> rx.Component:
    """Draw the button of the top bar."""
    return rx.el.button(
        icon("plus"),
        rx.el.span("Caller"),
        type="button",
        on_click=CallerState.show,
        class_name="desk-act",
        custom_attrs={
            "data-key": "+",
            "aria-haspopup": "dialog",
            "aria-label": "Caller: enter somebody who telephones",
        },
    )


def caller_form(use: str) -> rx.Component:
    """Draw the form; who has a case already is said while it is filled in.

    `use` is the sentence on how the details are used, which the caller is told.
    """
    options = (rx.el.option(words, value=value) for value, words in SERVICES)
    form = rx.el.form(
        rx.el.div(
            *_looked_up("Telephone", TELEPHONE, type="tel"),
            _text("Name", NAME, dir="auto"),
            *_looked_up("Email, if they give one", EMAIL, type="email"),
            rx.el.div(
                rx.el.label("What it is about", html_for="caller-service"),
                rx.el.select(*options, id="caller-service", name=SERVICE, class_name="select"),
            ),
            _text("Loan in pounds, if they say", AMOUNT, input_mode="numeric"),
            rx.el.div(
                rx.el.label("What they said", html_for="caller-note"),
                rx.el.textarea(id="caller-note", name="note", rows="5", max_length=MAX_NOTE, class_name="input"),
            ),
            _told(use),
            live_error(_STATE.refused, identity="caller"),
            class_name="stack dialog-body",
        ),
        rx.el.div(
            desk_button("Cancel", on_click=CallerState.close),
            desk_button("Enter the caller", look="solid", kind="submit"),
            class_name="dialog-foot",
        ),
        on_submit=CallerState.add,
        method="post",
    )
    return desk_modal(
        "A caller",
        form,
        identity=CALLER,
        is_open=_STATE.is_open,
        on_close=CallerState.close,
        class_name="desk-drawer",
        focus=f"caller-{TELEPHONE}",
    )


def _looked_up(label: str, name: str, **more: Any) -> tuple[rx.Component, rx.Component]:
    """Return a field, and the place that says which cases there are of what is typed."""
    known = rx.el.p(
        icon("people"),
        rx.el.span("There is a case already: ", rx.foreach(_STATE.known[name], _known), _STATE.known_more[name]),
        class_name="al w",
    )
    return (
        _text(label, name, on_change=CallerState.look_up(name).debounce(_LOOK_UP_MS), **more),
        rx.el.div(rx.cond(_STATE.known[name].length() > 0, known), role="status"),
    )


def _text(label: str, name: str, **more: Any) -> rx.Component:
    box = rx.el.input(**_marked(name), auto_complete="off", class_name="input", **more)
    return rx.el.div(rx.el.label(label, html_for=f"caller-{name}"), box, _error(name))


def _told(use: str) -> rx.Component:
    box = rx.el.input(type="checkbox", **_marked(PRIVACY, **{"aria-required": "true"}))
    return rx.el.div(
        rx.el.p(f"Read out: “{use} The privacy notice on our website says more.”"),
        rx.el.label(box, "I have told them", class_name="tick"),
        _error(PRIVACY),
    )


def _marked(name: str, **more: str) -> dict[str, Any]:
    """Return the attributes of a field, which say whether it is invalid and where its error is."""
    attributes = {
        "aria-invalid": rx.cond(_problem(name) != "", "true", rx.Var("undefined")),
        "aria-describedby": f"caller-{name}-error",
    }
    return {"id": f"caller-{name}", "name": name, "custom_attrs": attributes | more}


def _error(name: str) -> rx.Component:
    return live_error(_problem(name), identity=f"caller-{name}")


def _problem(name: str) -> Any:
    return rx.cond(_STATE.problems.contains(name), _STATE.problems[name], "")


def _known(case: KnownCase) -> rx.Component:
    return rx.el.span(rx.el.a(case.words, href=case.href, on_click=CallerState.leave), case.after, key=case.href)
