"""Fields of forms that post plainly, with their labels, hints and problems; the browser keeps what is in them.

A field of an unfilled page holds marks in place of values (`presenters.marks`), any other is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import reflex as rx
from reflex_components_core.el.elements.base import BaseHTML

from broker.components.elements.icons import icon
from broker.components.elements.text import jump_link, telephone_link
from broker.components.unfilled import whether
from broker.presenters.enquiry_form import choice, identity, wrong
from broker.presenters.marks import flag, mark

Kind: TypeAlias = Literal["radio", "checkbox"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """A field to type into: `hint` stands under its label, `attributes` are those of the element.

    `needed` is said to screen readers; what need not be filled in says so in its label.
    """

    name: str
    label: Any
    hint: Any = ""
    needed: bool = False
    rows: int = 0
    attributes: dict[str, Any] = field(default_factory=dict)


def text_field(one: TextField, *, unfilled: bool) -> rx.Component:
    """Draw a field with its label, or a box of `rows` lines."""
    id_ = identity(one.name)
    told = {
        "aria-describedby": f"{id_}-hint {id_}-error" if one.hint else f"{id_}-error",
        **({"aria-required": "true"} if one.needed else {}),
        **(flag("aria-invalid", wrong(one.name)) if unfilled else {}),
    }
    held = {"default_value": mark(one.name)} if unfilled else {}
    every = {"id": id_, "name": one.name, "class_name": "input", "custom_attrs": told, **held, **one.attributes}
    box = rx.el.textarea(rows=one.rows, **every) if one.rows else rx.el.input(**every)
    return rx.el.div(
        rx.el.label(one.label, html_for=id_),
        *([rx.el.p(one.hint, class_name="hint", id=f"{id_}-hint")] if one.hint else []),
        box,
        problem_of(one.name, unfilled=unfilled),
        class_name="stack tight-6",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """A field to choose in: each value with its words; the first is chosen before anybody chose, where `first`."""

    name: str
    legend: str
    options: Sequence[tuple[str, str]]
    first: bool = True


def one_of(choices: Choices, *, unfilled: bool) -> rx.Component:
    """Draw a row of values of which one is chosen."""
    labels = (
        rx.el.label(_ticked(choices, place, value=value, kind="radio", unfilled=unfilled), words)
        for place, (value, words) in enumerate(choices.options)
    )
    return _group(choices, rx.el.div(*labels, class_name="seg small"), unfilled=unfilled)


def any_of(choices: Choices, *, unfilled: bool) -> rx.Component:
    """Draw statements of which any may be ticked."""
    labels = (
        rx.el.label(_ticked(choices, place, value=value, kind="checkbox", unfilled=unfilled), words, class_name="tick")
        for place, (value, words) in enumerate(choices.options)
    )
    return _group(choices, rx.el.div(*labels, class_name="row"), unfilled=unfilled)


def statement(name: str, words: Any, *, value: str, unfilled: bool) -> rx.Component:
    """Draw one statement that must be ticked."""
    id_ = identity(name)
    chosen = flag("checked", choice(name, value)) | flag("aria-invalid", wrong(name)) if unfilled else {}
    box = rx.el.input(
        type="checkbox",
        id=identity(name, value),
        name=name,
        value=value,
        custom_attrs={"aria-describedby": f"{id_}-error", "aria-required": "true", **chosen},
    )
    return rx.el.div(rx.el.label(box, words, class_name="tick"), problem_of(name, unfilled=unfilled))


def _ticked(choices: Choices, place: int, *, value: str, kind: Kind, unfilled: bool) -> rx.Component:
    chosen: dict[str, Any] = {"default_checked": True} if choices.first and place == 0 else {}
    if unfilled:
        chosen = {"custom_attrs": flag("checked", choice(choices.name, value))}
    return rx.el.input(type=kind, id=identity(choices.name, value), name=choices.name, value=value, **chosen)


def _group(choices: Choices, drawn: rx.Component, *, unfilled: bool) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(choices.legend),
        drawn,
        problem_of(choices.name, unfilled=unfilled),
        custom_attrs={"aria-describedby": f"{identity(choices.name)}-error"},
    )


class PostedForm(BaseHTML):
    """A form that the browser sends by itself. Reflex's own keeps a browser from that."""

    tag = "form"
    action: rx.Var[str]
    method: rx.Var[str]
    no_validate: rx.Var[bool]
    on_submit: rx.EventHandler[rx.event.no_args_event_spec]
    on_change: rx.EventHandler[rx.event.no_args_event_spec]


def posted_form(*content: rx.Component, action: str, class_name: str = "", **events: Any) -> rx.Component:
    """Draw a form that goes to an address of the edge; what is wrong with it is told by the server, in our words."""
    return PostedForm.create(
        *content, action=action, method="post", no_validate=True, class_name=f"posted {class_name}", **events
    )


def problem_of(name: str, *, unfilled: bool) -> rx.Component:
    """Draw where a field says what is wrong with it."""
    told = [whether(wrong(name), rx.el.p(icon("alert"), mark("reason"), class_name="err"))] if unfilled else []
    return rx.el.div(*told, id=f"{identity(name)}-error", class_name="err-slot")


def hidden(name: str, value: str) -> rx.Component:
    """Draw a field that goes with the form unseen."""
    return rx.el.input(type="hidden", name=name, default_value=value)


def trap(name: str) -> rx.Component:
    """Draw a field that no person sees, for programs that fill in whatever there is."""
    return rx.el.div(
        rx.el.label("Leave this empty", html_for=identity(name)),
        rx.el.input(id=identity(name), name=name, auto_complete="off", tab_index=-1),
        class_name="vh",
        aria_hidden="true",
    )


def problem_summary(phone: str, tel: str) -> rx.Component:
    """Draw the list of all that is wrong in an unfilled page: it takes the focus, and leads to each field."""
    entry = rx.el.li(
        whether("linked", jump_link(mark("reason"), mark("place"))),
        whether("plain", rx.el.span(mark("reason"))),
    )
    call = telephone_link(phone, number=tel)
    listed = rx.el.div(
        icon("alert"),
        rx.el.div(
            rx.el.strong("There is a problem"),
            rx.el.ul(whether("problem", entry)),
            rx.el.p("What you entered is still here. If you would rather talk, call ", call, "."),
            class_name="stack tight-6",
        ),
        id="problems",
        role="alert",
        tab_index=-1,
        class_name="note bad",
        custom_attrs={"autoFocus": True},
    )
    return whether("problems", listed)
