"""The slider field of calculators and of the questionnaire: a number box and a slider that move together."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from broker.components import chakra
from broker.components.forms.field import field, live_error
from broker.components.forms.fields import Box, number_box
from broker.components.inline_style import inline_style


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderField:
    """A slider field: `number` is the slider's value, `start` that of the exported page.

    `at_work` is true once the page's scripts run, `spoken` is the value for screen readers, `ends` are the labels of
    both ends.
    """

    label: str
    box: Box
    number: Any
    start: float
    on_slide: Any
    low: float
    high: float
    step: float
    at_work: Any
    spoken: Any
    ends: tuple[str, str]
    hint: str = ""


def slider_field(each: SliderField) -> rx.Component:
    """Draw a number box and its slider, with label, hint and error."""
    identity = each.box.identity
    hint = (rx.el.span(each.hint, class_name="hint"),) if each.hint else ()
    return field(
        (each.label, *hint),
        number_box(each.box),
        _slider(each),
        rx.el.div(*(rx.el.span(end) for end in each.ends), class_name="ends", aria_hidden="true"),
        identity=identity,
        error=live_error(each.box.problem, identity=identity),
        class_name="pair",
    )


def _slider(each: SliderField) -> rx.Component:
    """Draw the slider once scripts run, and until then a picture of it, which takes a twentieth of the HTML."""
    share = 100 * (each.start - each.low) / (each.high - each.low)
    return rx.cond(
        each.at_work,
        chakra.slider(
            each.number,
            each.on_slide,
            low=each.low,
            high=each.high,
            step=each.step,
            label=f"{each.label}, slider",
            spoken=each.spoken,
            identity=f"{each.box.identity}-slider",
        ),
        rx.el.div(class_name="slider at-rest needs-script", custom_attrs=inline_style({"--at": f"{share:.4g}%"})),
    )
