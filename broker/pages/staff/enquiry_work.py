"""Work on an enquiry: status, assignee, notes and deletion, each in a form of its own.

A note that is being typed stays in the tab until it is stored, whatever others change meanwhile, and when the session
ends.
"""

from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker.components.client_scripts import script_function
from broker.components.client_values import TYPED, BrowserValues, client_handler, client_state_key, memoized_section
from broker.components.elements import button, disclosure
from broker.components.forms.fields import live_error
from broker.staff.enquiry_view import DELETE_REASONS, Move
from broker.staff.enquiry_workflow import MAX_NOTE
from broker.state.staff.enquiry import ACCOUNT, NOTE, REASON, STAMP, STATE, EnquiryPageState

_STATE: Any = EnquiryPageState
_FOUND = _STATE.found

_DRAFT_NAME = "staff_note"


def _draft() -> BrowserValues:
    """Return the note that is being written, and its enquiry, which start as the tab kept them."""
    refs = rx.Var("refs", _var_data=VarData(imports={"$/utils/state": [ImportVar(tag="refs")]}))
    started = script_function("staff_session", "startNote").call(refs, client_state_key(_DRAFT_NAME))
    hooks = VarData(hooks={f"useState(() => {started!s})": None}, imports={"react": [ImportVar(tag="useState")]})
    # the imports of the function, and then this hook alone: what comes first runs first
    before = VarData.merge(started._get_all_var_data(), hooks)
    return BrowserValues(_DRAFT_NAME, {"stamp": "", "text": ""}, before=before)


_DRAFT = _draft()

UNCHOSEN = "?"
"""Value of the option without an account, which the server refuses."""

_FOCUS_RESULT = rx.set_focus("enquiry-told")
"""Focuses the result: the button that was pressed disappears when it has worked."""


def writing() -> rx.Var:
    """Return the browser variable of the draft note, to be placed above everything that uses it."""
    return _DRAFT.state


def work_panel() -> rx.Component:
    return rx.el.section(
        rx.el.h2("Status", class_name="as-h4"),
        rx.el.p("This enquiry is ", rx.el.b(_FOUND.state), "."),
        rx.el.div(rx.foreach(_FOUND.moves, _move), class_name="row", role="group", aria_label="Change the state"),
        _refusal(STATE),
        rx.el.h2("Who has it", class_name="as-h4"),
        rx.el.div(
            rx.el.p(
                rx.cond(
                    _FOUND.is_mine,
                    "You have it.",
                    rx.cond(
                        _FOUND.assigned != "", rx.el.span(rx.el.b(_FOUND.assigned), " has it."), "Nobody has it yet."
                    ),
                )
            ),
            rx.cond(
                _FOUND.is_mine,
                rx.fragment(),
                button("Take it", look="s", on_click=[EnquiryPageState.take(_FOUND.stamp), _FOCUS_RESULT]),
            ),
            class_name="row",
        ),
        _accounts(),
        _refusal(ACCOUNT),
        class_name="panel stack",
    )


def _move(move: Move) -> rx.Component:
    return button(
        move.label,
        look=move.look,
        key=move.state,
        on_click=[EnquiryPageState.move(move.state, _FOUND.stamp), _FOCUS_RESULT],
    )


def _accounts() -> rx.Component:
    options = rx.foreach(_STATE.accounts, lambda name: rx.el.option(name, value=name, key=name))
    return rx.el.form(
        _stamp(),
        rx.el.div(
            rx.el.label("Give it to", html_for="give-to"),
            rx.el.select(
                rx.el.option("Choose", value=UNCHOSEN),
                options,
                rx.el.option("Nobody", value=""),
                id="give-to",
                name=ACCOUNT,
                class_name="select",
            ),
            class_name="stack tight-6",
        ),
        button("Give", look="s line", kind="submit"),
        on_submit=EnquiryPageState.assign,
        method="post",
        class_name="row give",
    )


def notes_panel() -> rx.Component:
    """Draw the field for a note, then the notes, newest first."""
    text = _typed()
    box = rx.el.textarea(
        id="note",
        name=NOTE,
        value=text,
        on_change=client_handler(
            _DRAFT.merge(
                _DRAFT.state.value, script_function("staff_session", "keepNote").call(_STATE.note_stamp, TYPED)
            )
        ),
        rows="4",
        max_length=MAX_NOTE,
        class_name="input",
        custom_attrs={"aria-describedby": "note-hint note-error"},
    )
    form = rx.el.form(
        _stamp(),
        rx.el.label("New note", html_for="note"),
        rx.el.p(
            "For staff alone. This tab keeps it until you add it, also where you are signed out.",
            id="note-hint",
            class_name="hint",
        ),
        box,
        _refusal(NOTE),
        button("Add note", look="s", kind="submit"),
        on_submit=EnquiryPageState.add_note,
        method="post",
        class_name="stack tight-8",
    )
    none = rx.el.p("No notes yet.", class_name="mute")
    listed = rx.foreach(
        _FOUND.notes,
        lambda one: rx.el.li(rx.el.b(one.by, class_name="small"), rx.el.p(one.text, class_name="as-typed")),
    )
    return memoized_section(
        rx.el.h2("Notes", class_name="as-h4"),
        form,
        rx.cond(_FOUND.notes.length() > 0, rx.el.ol(listed, class_name="history"), none),
        class_name="panel stack",
        aria_label="Notes",
    )


def unsent_note() -> rx.Component:
    """Draw the draft note of an enquiry that was deleted meanwhile, so that it can be copied."""
    text = _typed()
    shown = rx.el.div(
        rx.el.label("You had typed this note, and it was not kept", html_for="unsent"),
        rx.el.textarea(id="unsent", value=text, read_only=True, rows="4", class_name="input"),
        class_name="panel stack tight-8",
    )
    return memoized_section(rx.cond(text != "", shown), aria_label="Your note")


def delete_panel() -> rx.Component:
    reasons = (
        rx.el.label(rx.el.input(type="radio", name=REASON, value=value), words, class_name="tick")
        for value, words in DELETE_REASONS
    )
    form = rx.el.form(
        rx.el.fieldset(rx.el.legend("Why is it deleted?"), rx.el.div(*reasons, class_name="row")),
        _refusal(REASON),
        button("Delete it", look="s line", kind="submit"),
        on_submit=EnquiryPageState.ask,
        method="post",
        class_name="stack",
    )
    return rx.el.section(
        disclosure(
            "Delete this enquiry", rx.el.div(form, rx.cond(_STATE.asked != "", _confirmation()), class_name="stack")
        ),
        class_name="panel",
    )


def _confirmation() -> rx.Component:
    """Draw the confirmation; the focus goes to the button that cancels, which is described by the question."""
    keep = button(
        "No, keep it",
        look="s",
        on_click=[EnquiryPageState.keep, _FOCUS_RESULT],
        auto_focus=True,
        custom_attrs={"aria-describedby": "delete-question"},
    )
    delete = button("Yes, delete it", look="s line", on_click=[EnquiryPageState.delete(_FOUND.stamp), _FOCUS_RESULT])
    return rx.el.div(
        rx.el.div(
            rx.el.p(
                rx.el.strong("Delete ", _FOUND.reference, " for good?"),
                "The reason: ",
                _STATE.asked_words,
                ". Its contact details, answers, notes and mail are deleted, and cannot be brought back. "
                "The record keeps the reference and the reason.",
                id="delete-question",
            ),
            rx.el.div(keep, delete, class_name="row"),
            class_name="stack",
        ),
        role="group",
        aria_label="Confirm",
        class_name="note bad",
    )


def _typed() -> rx.Var:
    return rx.cond(_DRAFT["stamp"] == _STATE.note_stamp, _DRAFT["text"], "").to(str)


def _stamp() -> rx.Component:
    return rx.el.input(type="hidden", name=STAMP, value=_FOUND.stamp)


def _refusal(part: str) -> rx.Component:
    return live_error(rx.cond(_STATE.refused_at == part, _STATE.refused, ""), identity=part)
