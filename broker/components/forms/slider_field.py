"""The slider field of calculators and of the questionnaire: a number box and a slider that move together."""

from dataclasses import dataclass

import reflex as rx

from broker.components import chakra
from broker.components.elements import inline_style
from broker.components.forms.fields import Box, field, live_error, number_box
from broker.components.jinja import Text, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider:
    """A slider that works in the browser: `number` is its value and `spoken` that in words; `is_ready` makes it."""

    number: Value
    spoken: Text
    on_slide: rx.Var
    is_ready: rx.Var


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderField:
    """A slider field from `low` to `high`; `ends` are the labels of both.

    `place` is where the drawing of the slider has its thumb, as a percentage. A template has nothing but that drawing.
    """

    label: str
    box: Box
    low: float
    high: float
    step: float
    place: Text
    ends: tuple[str, str]
    slider: Slider | None = None
    hint: str = ""


def place_between(value: float, *, low: float, high: float) -> str:
    """Return where a value lies between the ends of a slider, as a percentage."""
    return f"{100 * (value - low) / (high - low):.4g}%"


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
    at_rest = rx.el.div(class_name="slider at-rest needs-script", custom_attrs=inline_style({"--at": each.place}))
    if each.slider is None:
        return at_rest
    works = chakra.slider(
        each.slider.number,
        each.slider.on_slide,
        low=each.low,
        high=each.high,
        step=each.step,
        label=f"{each.label}, slider",
        spoken=each.slider.spoken,
        identity=f"{each.box.identity}-slider",
    )
    return rx.cond(each.slider.is_ready, works, at_rest)
