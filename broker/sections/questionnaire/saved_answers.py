"""The part of every question's page that saves a link to the answers, or deletes them."""

from typing import Any

import reflex as rx

from broker.components.client_values import BrowserValues
from broker.components.elements.buttons import button
from broker.components.elements.messages import note
from broker.components.form_scripts import copy_field, forget_forms
from broker.sections.questionnaire.question_form_state import STATE
from broker.state.saved_answers import SavedAnswersState

SAVED: Any = SavedAnswersState
"""The state of a saved link, as browser expressions."""

COPIED = "Link copied. Paste it somewhere safe."
NOT_COPIED = "Your browser won't let us copy the link. It is selected above, so you can copy it yourself."

_BOX = "saved-link"
"""The id of the field that holds the link."""


def save_for_later() -> rx.Component:
    is_made = SAVED.made_on == STATE.path
    save = button("Save and come back", look="line s", on_click=SavedAnswersState.save)
    return rx.el.section(
        rx.el.h2("No time now?", class_name="as-h4"),
        rx.el.p("This browser keeps your answers for 30 days. To use another one, save a link.", class_name="small"),
        rx.cond(is_made & (SAVED.link != ""), _link(), save),
        rx.cond(is_made & (SAVED.not_done != ""), note(SAVED.not_done, tone="bad")),
        _delete(),
        class_name="panel stack needs-script",
    )


def _link() -> rx.Component:
    copying = BrowserValues("saved_link", {"link": "", "words": ""})
    done, refused = (copying.put({"link": SAVED.link, "words": words}) for words in (COPIED, NOT_COPIED))
    return rx.el.div(
        copying.state,
        rx.el.label("Your link (works for 30 days)", html_for=_BOX),
        rx.el.input(id=_BOX, value=SAVED.link, read_only=True, class_name="input"),
        button("Copy the link", look="line s", on_click=copy_field(_BOX, done, refused=refused)),
        rx.cond(copying["link"] == SAVED.link, rx.el.p(copying["words"], class_name="small")),
        rx.el.p("Do not share it: anyone with this link can read and change your answers.", class_name="small"),
        class_name="stack tight-8",
        role="status",
    )


def _delete() -> rx.Component:
    """Draw the deletion of the answers, which needs two presses because it cannot be undone."""
    return rx.el.details(
        rx.el.summary("Delete my answers", class_name="as-link"),
        rx.el.div(
            rx.el.p("We can't bring them back, and any link you saved will stop working."),
            button("Delete them", look="line s", on_click=[forget_forms(), SavedAnswersState.forget]),
            class_name="stack tight-8",
        ),
        class_name="small",
    )
