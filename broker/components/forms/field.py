"""The form field: a label or legend, a hint, a control and the place of its error, tied together for screen readers."""

import reflex as rx

from broker.components.elements.icons import icon
from broker.components.jinja import block_if, set_attribute, when_text
from broker.components.screen_types import Attributes, Content, Text
from broker.presenters.jinja import attribute_if, variable


def field(
    label: Content,
    *control: rx.Component,
    identity: str,
    hint: Content | None = None,
    error: rx.Component | None = None,
    class_name: str = "stack tight-6",
) -> rx.Component:
    """Draw a label, which may have several parts, over a control; `error` is the place of its error."""
    parts = label if isinstance(label, tuple) else (label,)
    return rx.el.div(
        rx.el.label(*parts, html_for=identity),
        *([rx.el.p(hint, class_name="hint", id=f"{identity}-hint")] if hint else []),
        *control,
        *([error] if error else []),
        class_name=class_name,
    )


def choice_field(
    legend: Content,
    options: rx.Component,
    *,
    error: rx.Component | None = None,
    described_by: str = "",
    is_legend_hidden: bool = False,
) -> rx.Component:
    """Draw a group of radio buttons or tick boxes under a legend, which may be for screen readers alone."""
    described: Attributes = {"custom_attrs": {"aria-describedby": described_by}} if described_by else {}
    look: Attributes = {"class_name": "vh"} if is_legend_hidden else {}
    return rx.el.fieldset(rx.el.legend(legend, **look), options, *([error] if error else []), **described)


def descriptions(identity: str, *, hint: bool = False) -> str:
    """Return the value of `aria-describedby`: the ids of a field's hint and error."""
    return f"{identity}-hint {identity}-error" if hint else f"{identity}-error"


def live_error(problem: Text, *, identity: str) -> rx.Component:
    """Draw the error of a field that the browser checks: announced politely, nothing while it is an empty text."""
    return rx.el.div(
        when_text(problem, error_text(problem)), id=f"{identity}-error", aria_live="polite", class_name="err-slot"
    )


def template_error(name: str, *, identity: str) -> rx.Component:
    """Draw the error of a template's field: the value of a name, nothing while it is empty."""
    return error_slot(block_if(name, error_text(variable(name))), identity=identity)


def error_slot(*error: rx.Component, identity: str) -> rx.Component:
    return rx.el.div(*error, id=f"{identity}-error", class_name="err-slot")


def error_text(problem: Text) -> rx.Component:
    return rx.el.p(icon("alert"), problem, class_name="err")


def invalid_if(name: str) -> dict[str, str]:
    """Return the attribute that marks a template's control as invalid while its error has a text."""
    return attribute_if("aria-invalid", name)


def invalid_attribute(problem: Text) -> Attributes:
    """Return the attribute that marks a control as invalid while its error is not empty."""
    return set_attribute(
        "aria-invalid", problem, otherwise={"aria-invalid": rx.cond(problem != "", "true", rx.Var("undefined"))}
    )
