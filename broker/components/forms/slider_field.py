"""A number box and its slider, which move together: the field of calculators and of the questionnaire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import reflex as rx

from broker.components import chakra
from broker.components.forms.field import field, live_error
from broker.components.forms.fields import Box, number_box
from broker.components.inline_style import inline_style


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """What a pair shows and does; `box` holds the text, `number` is where the slider stands, `start` where at build.

    `at_work` tells that the page's scripts have started, `spoken` says the number in words, `ends` those of the slider.
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


def pair(one: Pair) -> rx.Component:
    """Draw a number box and its slider, with what is wrong between them and the ends below."""
    identity = one.box.identity
    hint = (rx.el.span(one.hint, class_name="hint"),) if one.hint else ()
    return field(
        (one.label, *hint),
        number_box(one.box),
        _slider(one),
        rx.el.div(*(rx.el.span(end) for end in one.ends), class_name="ends", aria_hidden="true"),
        identity=identity,
        error=live_error(one.box.problem, identity=identity),
        class_name="pair",
    )


def _slider(one: Pair) -> rx.Component:
    """Draw the slider once it can be moved, and until then a picture of it: a twentieth of the HTML."""
    share = 100 * (one.start - one.low) / (one.high - one.low)
    return rx.cond(
        one.at_work,
        chakra.slider(
            one.number,
            one.on_slide,
            low=one.low,
            high=one.high,
            step=one.step,
            label=f"{one.label}, slider",
            spoken=one.spoken,
            identity=f"{one.box.identity}-slider",
        ),
        rx.el.div(class_name="slider at-rest needs-script", custom_attrs=inline_style({"--at": f"{share:.4g}%"})),
    )
