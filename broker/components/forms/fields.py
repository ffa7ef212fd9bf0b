"""Form fields: number boxes, segmented choices, selects and ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from broker.components.elements.messages import field_error


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A number box: its id and name, what it holds, what is wrong with it, and what happens as it changes."""

    identity: str
    value: Any
    problem: Any
    on_change: Any
    on_blur: Any = None
    prefix: str = ""
    suffix: str = ""
    name: str = ""
    whole: bool = False


def number_box(box: Box) -> rx.Component:
    """Draw a number box with its unit cells; it takes any text, and says what is wrong with it."""
    blur = {"on_blur": box.on_blur} if box.on_blur is not None else {}
    field = rx.el.input(
        id=box.identity,
        name=box.name or None,
        value=box.value,
        on_change=box.on_change,
        input_mode="numeric" if box.whole else "decimal",
        auto_complete="off",
        custom_attrs={
            "aria-invalid": rx.cond(box.problem != "", "true", rx.Var("undefined")),
            "aria-describedby": f"{box.identity}-error",
        },
        **blur,
    )
    before = (rx.el.span(box.prefix, aria_hidden="true"),) if box.prefix else ()
    after = (rx.el.span(box.suffix, aria_hidden="true"),) if box.suffix else ()
    return rx.el.div(*before, field, *after, class_name=rx.cond(box.problem != "", "num wrong", "num"))


def labelled_box(label: Any, box: Box, *, hint: str = "") -> rx.Component:
    """Draw a label over a number box, and what is wrong under it."""
    spoken = rx.el.span(f" in {box.suffix}", class_name="vh") if box.suffix and not hint else ""
    under = rx.el.span(hint, class_name="hint") if hint else spoken
    return rx.el.div(
        rx.el.label(label, under, html_for=box.identity),
        number_box(box),
        field_error(box.problem, identity=f"{box.identity}-error"),
        class_name="stack tight-6",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One choice of a segmented control."""

    value: str
    label: str
    disabled: bool = False


def segmented(legend: str, segments: Sequence[Segment], *, name: str, chosen: Any, on_choose: Any) -> rx.Component:
    """Draw a row of exclusive choices; `on_choose` is a function from a value to its event handler."""
    labels = (
        rx.el.label(
            rx.el.input(
                type="radio",
                name=name,
                value=segment.value,
                checked=chosen == segment.value,
                on_change=on_choose(segment.value),
                disabled=segment.disabled,
            ),
            segment.label,
        )
        for segment in segments
    )
    return rx.el.fieldset(rx.el.legend(legend), rx.el.div(*labels, class_name="seg small"))


def select(
    label: str,
    options: Sequence[tuple[str, str]],
    *,
    identity: str,
    chosen: Any,
    on_change: Any,
    when: Any = None,
) -> rx.Component:
    """Draw a list to pick from; `options` pairs each value with its words, all but the first offered `when` so."""
    choices = [rx.el.option(words, value=value) for value, words in options]
    offered = choices if when is None else [choices[0], rx.cond(when, rx.fragment(*choices[1:]))]
    return rx.el.div(
        rx.el.label(label, html_for=identity),
        rx.el.select(*offered, id=identity, value=chosen, on_change=on_change, class_name="select"),
        class_name="stack tight-6",
    )


def tick(label: Any, *, checked: Any, on_change: Any, identity: str, name: str = "") -> rx.Component:
    """Draw a statement to tick."""
    box = rx.el.input(type="checkbox", id=identity, name=name or None, checked=checked, on_change=on_change)
    return rx.el.label(box, label, class_name="tick", html_for=identity)
