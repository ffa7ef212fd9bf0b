"""Forms that post without scripts, and their fields, which the browser fills and keeps.

A field of a template (`is_template`) has variables in place of its value and error; any other is empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from itertools import starmap
from typing import Any, Literal

import reflex as rx
from markupsafe import Markup
from reflex.event import EventHandler
from reflex_base.event import EventChain
from reflex_components_core.el.elements.base import BaseHTML

from broker.components.client_scripts import script_function
from broker.components.client_values import TYPED, BrowserValues, client_handler
from broker.components.elements import button, icon, jump_link, telephone_link
from broker.components.forms.fields import choice_field, descriptions, error_slot, field, invalid_if, template_error
from broker.components.jinja import Attributes, Content, Value, block_for, block_if
from broker.enquiries.form_view import checked_name, error_name, field_id
from broker.jinja_places import attribute_if, variable

_VERSION = "version"
"""The version of the list at the time of a change: a newer list drops the changes."""


def drop_events(*, begun: EventHandler, done: EventHandler) -> dict[str, rx.Var]:
    """Return the attributes of an element that takes files; `done` receives why there is no answer, and its text."""
    start, end = _upload_events(begun, done)
    event = rx.Var("typed")
    give = client_handler(script_function("file_upload", "sendFiles").call(event, start, end))
    over = client_handler(script_function("file_upload", "markDropPlace").call(event))
    return {"onChange": give, "onDrop": give, "onPaste": give, "onDragOver": over, "onDragLeave": over}


def watch_paste(*, begun: EventHandler, done: EventHandler) -> rx.Var:
    """Return the handler that has pictures pasted anywhere on the page sent for its chosen lender (`data-paste`)."""
    start, end = _upload_events(begun, done)
    return client_handler(script_function("file_upload", "watchPaste").call(start, end))


def _upload_events(begun: EventHandler, done: EventHandler) -> tuple[rx.Var, rx.Var]:
    start = rx.Var.create(EventChain.create(begun, args_spec=lambda lender, name: [lender, name]))
    end = rx.Var.create(
        EventChain.create(done, args_spec=lambda lender, name, problem, text: [lender, name, problem, text])
    )
    return start, end


def drop_target(to: str, *, most: int, lender: Value | None = None, number: Value | None = None) -> Attributes:
    """Return the attributes of a place for files: address, most bytes, lender, and its logo's version as seen."""
    named = {"data-lender": lender, "data-number": number} if lender is not None else {}
    return {"data-to": to, "data-most": str(most), **named}


def file_button(label: Content, *more: Content, accept: str, look: str = "line s", **attributes: Any) -> rx.Component:
    """Draw a button that opens the choice of a file, by keyboard too: a label round the field itself."""
    field = rx.el.input(type="file", accept=accept, class_name="vh", **attributes)
    return rx.el.label(label, *more, field, class_name=f"btn file {look}".strip())


class ListForm:
    """The fields of a filter form, held in the page and not in the browser's storage."""

    def __init__(self, name: str, fields: Sequence[str], *, version: rx.Var, shown: rx.Var) -> None:
        """`name` is unique in the site; `shown` holds the filters of the list of a version."""
        self.changes = BrowserValues(name, {_VERSION: "", **dict.fromkeys(fields, "")})
        self.version = version
        is_changed = self.changes[_VERSION] == version
        self.values = rx.cond(is_changed, self.changes.state.value, shown).to(dict[str, str])

    def __getitem__(self, name: str) -> rx.Var:
        return self.values[name].to(str)

    def change(self, name: str) -> rx.Var:
        return client_handler(self.changes.replace(self.values, {_VERSION: self.version, name: TYPED}))


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """A text input, or a box of `rows` lines; `attributes` are those of the element.

    `required` is said to screen readers alone: the server checks. An optional field says so in its label.
    """

    name: str
    label: Content
    hint: Content = ""
    required: bool = False
    rows: int = 0
    attributes: Attributes = dataclass_field(default_factory=dict)


def text_field(each: TextField, *, is_template: bool) -> rx.Component:
    identity = field_id(each.name)
    aria = {
        "aria-describedby": descriptions(identity, hint=bool(each.hint)),
        **({"aria-required": "true"} if each.required else {}),
        **(invalid_if(error_name(each.name)) if is_template else {}),
    }
    attributes = {"id": identity, "name": each.name, "class_name": "input", "custom_attrs": aria}
    attributes |= ({"default_value": variable(each.name)} if is_template else {}) | each.attributes
    control = rx.el.textarea(rows=each.rows, **attributes) if each.rows else rx.el.input(**attributes)
    error = _error(each.name, is_template=is_template)
    return field(each.label, control, identity=identity, hint=each.hint, error=error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """Radio buttons, of which the first is chosen at the start, or tick boxes; each option is a value and its words."""

    name: str
    legend: Content
    options: Sequence[tuple[str, str]]
    kind: Literal["radio", "checkbox"] = "radio"


_RADIO = Markup('<label><input id="{}" type="radio" name="{}" value="{}"{}>{}</label>')


def joined_field(choices: Choices, more: rx.Component) -> rx.Component:
    """Draw radio buttons that are one group with those of `more`, which React does not draw, so neither does it these.

    React fails where some radio buttons of a name are its own and some are not.
    """
    listed = (
        _RADIO.format(field_id(choices.name, value), choices.name, value, "" if index else Markup(" checked"), words)
        for index, (value, words) in enumerate(choices.options)
    )
    html = rx.Var.create({"__html": str(Markup("").join(listed))})
    return choice_field(
        choices.legend,
        rx.el.div(class_name="seg small", custom_attrs={"dangerouslySetInnerHTML": html}),
        more,
        error=_error(choices.name, is_template=False),
        described_by=descriptions(field_id(choices.name)),
    )


def choices_field(choices: Choices, *more: rx.Component, is_template: bool) -> rx.Component:
    """Draw the choices, and `more` under them in the same group."""
    is_radio = choices.kind == "radio"
    label: Attributes = {} if is_radio else {"class_name": "tick"}
    labels = (
        rx.el.label(_option(choices, index, value=value, is_template=is_template), words, **label)
        for index, (value, words) in enumerate(choices.options)
    )
    return choice_field(
        choices.legend,
        rx.el.div(*labels, class_name="seg small" if is_radio else "row"),
        *more,
        error=_error(choices.name, is_template=is_template),
        described_by=descriptions(field_id(choices.name)),
    )


def _option(choices: Choices, index: int, *, value: str, is_template: bool) -> rx.Component:
    name, kind = choices.name, choices.kind
    checked: Attributes = {"default_checked": True} if kind == "radio" and index == 0 else {}
    if is_template:
        checked = {"custom_attrs": attribute_if("checked", checked_name(name, value))}
    return rx.el.input(type=kind, id=field_id(name, value), name=name, value=value, **checked)


def consent_field(name: str, words: Content, *, value: str, is_template: bool, required: bool = True) -> rx.Component:
    state = attribute_if("checked", checked_name(name, value)) | invalid_if(error_name(name)) if is_template else {}
    box = rx.el.input(
        type="checkbox",
        id=field_id(name, value),
        name=name,
        value=value,
        custom_attrs={
            "aria-describedby": descriptions(field_id(name)),
            **({"aria-required": "true"} if required else {}),
            **state,
        },
    )
    return rx.el.div(rx.el.label(box, words, class_name="tick"), _error(name, is_template=is_template))


def _error(name: str, *, is_template: bool) -> rx.Component:
    identity = field_id(name)
    return template_error(error_name(name), identity=identity) if is_template else error_slot(identity=identity)


class PostForm(BaseHTML):
    """A form that the browser sends itself, which Reflex's own form prevents."""

    tag = "form"
    action: rx.Var[str]
    method: rx.Var[str]
    no_validate: rx.Var[bool]
    on_submit: rx.EventHandler[rx.event.no_args_event_spec]
    on_change: rx.EventHandler[rx.event.no_args_event_spec]


def post_form(*content: rx.Component, action: str, class_name: str = "", **events: Any) -> rx.Component:
    """Draw a form that posts to the edge; the server validates it, in our words."""
    return PostForm.create(
        *content, action=action, method="post", no_validate=True, class_name=f"posted {class_name}", **events
    )


def hidden(name: str, value: str) -> rx.Component:
    return rx.el.input(type="hidden", name=name, default_value=value)


def step_form(label: str, fields: Mapping[str, str], *, action: str, look: str = "") -> rx.Component:
    """Draw a button that posts hidden fields: a step of a page without anything to fill in."""
    return post_form(*starmap(hidden, fields.items()), button(label, kind="submit", look=look), action=action)


def honeypot(name: str) -> rx.Component:
    """Draw a field that no person sees, and that programs fill."""
    return rx.el.div(
        rx.el.label("Leave this empty", html_for=field_id(name)),
        rx.el.input(id=field_id(name), name=name, auto_complete="off", tab_index=-1),
        class_name="vh",
        aria_hidden="true",
    )


def error_summary(phone: str, tel: str) -> rx.Component:
    reason = variable("problem.reason")
    entry = rx.el.li(
        block_if("problem.anchor", jump_link(reason, variable("problem.anchor")), otherwise=(rx.el.span(reason),))
    )
    listed = rx.el.div(
        icon("alert"),
        rx.el.div(
            rx.el.strong("There is a problem"),
            rx.el.ul(block_for("problem", "problems", entry)),
            rx.el.p(
                "What you entered is still here. If you would rather talk, call ",
                telephone_link(phone, number=tel),
                ".",
            ),
            class_name="stack tight-6",
        ),
        id="problems",
        role="alert",
        tab_index=-1,
        class_name="note bad",
        custom_attrs={"autoFocus": True},
    )
    return block_if("problems", listed)
