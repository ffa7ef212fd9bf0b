"""The form of a plan: number boxes side by side and lists, without sliders, so that it is short on a phone."""

from functools import partial

import reflex as rx

from broker.components.calculator import choice_select, field_box, fields_of_choice, get_form
from broker.components.calculator_panel import Panel
from broker.components.forms.fields import labelled_box
from broker.components.inline_style import inline_style

_BESIDE = {"gridTemplateColumns": "repeat(auto-fit, minmax(min(100%, 9rem), 1fr))"}
"""As many columns as have room for a number."""


def plan_form(panel: Panel) -> rx.Component:
    """Draw the form: the first choice with its fields, the fields of every plan, then the other choices."""
    box = partial(_box, panel)
    places = [place for place, field in enumerate(panel.calculator.fields) if not field.only_for]
    first, *others = (
        rx.el.div(choice_select(panel, place), *fields_of_choice(panel, place, draw=box), class_name="stack")
        for place, _ in enumerate(panel.calculator.choices)
    )
    fields = rx.el.div(*map(box, places), class_name="stack", custom_attrs=inline_style(_BESIDE))
    return get_form(panel, rx.el.div(first, fields, *others, class_name="stack"), has_pdf=True)


def _box(panel: Panel, place: int) -> rx.Component:
    field = panel.calculator.fields[place]
    return labelled_box(field.label, field_box(panel, place), hint=field.hint)
