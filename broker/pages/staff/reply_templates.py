"""Templates of replies by mail: one is chosen and changed or deleted, or a new one is written."""

from typing import Any

import reflex as rx

from broker.cases.replies import FIELDS, MAX_NAME, MAX_REPLY, MAX_SUBJECT
from broker.components.chakra import desk_button
from broker.components.forms.fields import live_error
from broker.state.staff.templates import NAME, SUBJECT, TEXT, TemplatesState

_STATE: Any = TemplatesState


def reply_templates() -> rx.Component:
    """Draw the choice of a template and its form, which read the templates as they appear."""
    pick = rx.el.div(
        rx.el.label("Template", html_for="template"),
        rx.el.select(
            rx.el.option("A new one", value=""),
            rx.foreach(_STATE.names, lambda name: rx.el.option(name, value=name, key=name)),
            id="template",
            value=_STATE.chosen,
            on_change=TemplatesState.choose,
            class_name="select",
        ),
    )
    return rx.el.div(rx.el.div(pick, class_name="stack dialog-body"), _form(), on_mount=TemplatesState.open)


def _form() -> rx.Component:
    described = {"aria-describedby": "template-fields template-error"}
    name = rx.el.input(
        id=NAME,
        name=NAME,
        key=_STATE.form_key,
        default_value=_STATE.name,
        max_length=MAX_NAME,
        auto_complete="off",
        class_name="input",
    )
    text = rx.el.textarea(
        id=TEXT,
        name=TEXT,
        key=_STATE.form_key,
        default_value=_STATE.text,
        rows="9",
        max_length=MAX_REPLY,
        class_name="input",
        dir="auto",
        custom_attrs=described,
    )
    subject = rx.el.input(
        id=SUBJECT,
        name=SUBJECT,
        key=_STATE.form_key,
        default_value=_STATE.subject,
        max_length=MAX_SUBJECT,
        auto_complete="off",
        class_name="input",
        custom_attrs={"aria-describedby": "template-subject-hint template-error"},
    )
    fields = rx.el.ul(
        *(rx.el.li(rx.el.code(f"{{{field}}}"), f" {words}") for field, words in FIELDS.items()),
        id="template-fields",
        class_name="hint",
    )
    return rx.el.form(
        rx.el.div(
            rx.el.div(rx.el.label("Name", html_for=NAME), name),
            rx.el.div(
                rx.el.label("Subject, without anything personal", html_for=SUBJECT),
                subject,
                rx.el.p(
                    "The reference follows it. Empty: “About your enquiry”.",
                    id="template-subject-hint",
                    class_name="hint",
                ),
            ),
            rx.el.div(rx.el.label("Text", html_for=TEXT), text),
            rx.el.p("Filled in from the case when a reply is written:", class_name="hint"),
            fields,
            live_error(_STATE.refused, identity="template"),
            rx.el.div(rx.cond(_STATE.theirs_by != "", _theirs()), role="status"),
            rx.el.p(_STATE.said, role="status"),
            rx.cond(_STATE.is_asked, _confirmation()),
            class_name="stack dialog-body",
        ),
        rx.el.div(
            rx.cond(_STATE.chosen != "", desk_button("Delete", on_click=TemplatesState.ask)),
            desk_button("Save", look="solid", kind="submit"),
            class_name="dialog-foot",
        ),
        on_submit=TemplatesState.save,
        method="post",
    )


def _theirs() -> rx.Component:
    """Draw a template as a colleague has changed it, beside what is typed."""
    return rx.el.div(
        rx.el.p(rx.el.strong(_STATE.theirs_by)),
        rx.foreach(_STATE.theirs, lambda line: rx.el.p(line, dir="auto")),
        rx.el.div(desk_button("Take theirs", on_click=TemplatesState.choose(_STATE.chosen)), class_name="row"),
        class_name="note warn stack",
    )


def _confirmation() -> rx.Component:
    """Draw the confirmation; the focus goes to the button that cancels, which is described by the question."""
    keep = desk_button(
        "No, keep it",
        on_click=TemplatesState.keep,
        custom_attrs={"autoFocus": True, "aria-describedby": "template-question"},
    )
    return rx.el.div(
        rx.el.p(rx.el.strong("Delete “", _STATE.chosen, "” for good?"), id="template-question"),
        rx.el.div(keep, desk_button("Yes, delete it", on_click=TemplatesState.delete), class_name="row"),
        role="group",
        aria_label="Confirm",
        class_name="note bad stack",
    )
