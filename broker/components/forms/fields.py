"""Form fields: number boxes, segmented choices, selects and ticks.

A field without a handler of changes is uncontrolled: its value is the one at the start.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import reflex as rx

from broker.components import chakra
from broker.components.elements import icon, inline_style
from broker.components.jinja import Attributes, Content, Handler, Text, Value, block_if, set_attribute, when_text
from broker.jinja_places import Placeholder, attribute_if, variable


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
    *options: rx.Component,
    error: rx.Component | None = None,
    described_by: str = "",
    is_legend_hidden: bool = False,
) -> rx.Component:
    """Draw a group of radio buttons or tick boxes under a legend, which may be for screen readers alone."""
    described: Attributes = {"custom_attrs": {"aria-describedby": described_by}} if described_by else {}
    look: Attributes = {"class_name": "vh"} if is_legend_hidden else {}
    return rx.el.fieldset(rx.el.legend(legend, **look), *options, *([error] if error else []), **described)


def descriptions(identity: str, *, hint: bool = False) -> str:
    """Return the value of `aria-describedby`: the ids of a field's hint and error."""
    return f"{identity}-hint {identity}-error" if hint else f"{identity}-error"


def live_error(problem: Text, *, identity: str) -> rx.Component:
    """Draw the error of a field that the browser checks: announced politely, nothing while it is an empty text."""
    return rx.el.div(
        when_text(problem, _error_text(problem)), id=f"{identity}-error", aria_live="polite", class_name="err-slot"
    )


def template_error(name: str, *, identity: str) -> rx.Component:
    return error_slot(block_if(name, _error_text(variable(name))), identity=identity)


def error_slot(*error: rx.Component, identity: str) -> rx.Component:
    return rx.el.div(*error, id=f"{identity}-error", class_name="err-slot")


def _error_text(problem: Text) -> rx.Component:
    return rx.el.p(icon("alert"), problem, class_name="err")


def invalid_if(name: str) -> dict[str, str]:
    """Return the attribute that marks a template's control as invalid while its error has a text."""
    return attribute_if("aria-invalid", name)


def _invalid_attribute(problem: Text) -> Attributes:
    return set_attribute(
        "aria-invalid", problem, otherwise={"aria-invalid": rx.cond(problem != "", "true", rx.Var("undefined"))}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A number box: its id and name, its text, its error message, and the handlers of changes."""

    identity: str
    value: Value
    problem: Text
    on_change: Handler | None = None
    on_blur: Handler | None = None
    prefix: str = ""
    suffix: str = ""
    name: str = ""
    whole: bool = False


def _number_box(box: Box) -> rx.Component:
    """Draw a number box with its units; it accepts any text, and is marked as invalid while there is an error."""
    blur: Attributes = {"on_blur": box.on_blur} if box.on_blur is not None else {}
    control = rx.el.input(
        id=box.identity,
        name=box.name or None,
        input_mode="numeric" if box.whole else "decimal",
        auto_complete="off",
        custom_attrs={"aria-describedby": descriptions(box.identity), **_invalid_attribute(box.problem)},
        **_controlled(box.value, box.on_change),
        **blur,
    )
    before = (rx.el.span(box.prefix, aria_hidden="true"),) if box.prefix else ()
    after = (rx.el.span(box.suffix, aria_hidden="true"),) if box.suffix else ()
    return rx.el.div(*before, control, *after, class_name="num")


def day_field(label: str, box: Box, *, hint: str = "") -> rx.Component:
    """Draw a field for a day, with the browser's own calendar; its text is `2027-03-25`."""
    blur: Attributes = {"on_blur": box.on_blur} if box.on_blur is not None else {}
    control = rx.el.input(
        id=box.identity,
        name=box.name,
        type="date",
        custom_attrs={
            "aria-describedby": descriptions(box.identity, hint=bool(hint)),
            **_invalid_attribute(box.problem),
        },
        **_controlled(box.value, box.on_change),
        **blur,
    )
    error = live_error(box.problem, identity=box.identity)
    return field(label, rx.el.div(control, class_name="num"), identity=box.identity, hint=hint, error=error)


def labelled_box(label: rx.Component | Text, box: Box, *, hint: str = "") -> rx.Component:
    spoken = rx.el.span(f" in {box.suffix}", class_name="vh") if box.suffix and not hint else ""
    under = rx.el.span(hint, class_name="hint") if hint else spoken
    error = live_error(box.problem, identity=box.identity)
    return field((label, under), _number_box(box), identity=box.identity, error=error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    value: str
    label: str
    disabled: bool = False


def segmented(
    legend: str,
    segments: Sequence[Segment],
    *,
    name: str,
    chosen: Value | tuple[Value, ...],
    on_choose: Callable[[str], Handler] | None = None,
    form: str = "",
) -> rx.Component:
    """Draw a row of radio buttons; `on_choose` returns the event handler of a value.

    `chosen` is the value chosen, or in a template the places of whether each is. `form` is the id of the form that
    they belong to, where they are outside it.
    """
    is_template = isinstance(chosen, tuple)
    places = chosen if is_template else (False,) * len(segments)
    of_form = {"form": form} if form else {}
    labels = (
        rx.el.label(
            rx.el.input(
                type="radio",
                name=name,
                value=segment.value,
                disabled=segment.disabled,
                custom_attrs=of_form | set_attribute("checked", place, otherwise={}),
                **({} if is_template else _controlled_choice(chosen == segment.value, segment.value, on_choose)),
            ),
            segment.label,
        )
        for segment, place in zip(segments, places, strict=True)
    )
    return choice_field(legend, rx.el.div(*labels, class_name="seg small"))


def select(
    label: str,
    options: Sequence[tuple[str, str]],
    *,
    identity: str,
    chosen: Value | tuple[Value, ...],
    on_change: Handler | None = None,
    name: str = "",
    hint: str = "",
) -> rx.Component:
    """Draw a select; `options` pairs each value with its words.

    `chosen` is the value chosen, or in a template the place of whether each option is.
    """
    is_template = isinstance(chosen, tuple)
    places = chosen if is_template else (False,) * len(options)
    choices = [
        rx.el.option(words, value=value, custom_attrs=set_attribute("selected", place, otherwise={}))
        for (value, words), place in zip(options, places, strict=True)
    ]
    held = {} if is_template else _controlled(chosen, on_change)
    control = rx.el.select(
        *choices,
        id=identity,
        name=name or None,
        class_name="select",
        custom_attrs={"aria-describedby": f"{identity}-hint"} if hint else {},
        **held,
    )
    return field(label, control, identity=identity, hint=hint)


def tick(
    label: Content, *, checked: Value, identity: str, on_change: Handler | None = None, name: str = "", value: str = ""
) -> rx.Component:
    """Draw a checkbox; `checked` is whether it is ticked, or in a template the place of that."""
    held = {} if isinstance(checked, Placeholder) else {"checked": checked, "on_change": on_change}
    box = rx.el.input(
        type="checkbox",
        id=identity,
        name=name or None,
        custom_attrs=set_attribute("checked", checked, otherwise={}),
        **({"value": value} if value else {}),
        **held,
    )
    return rx.el.label(box, label, class_name="tick", html_for=identity)


def _controlled_choice(is_chosen: Value, value: str, on_choose: Callable[[str], Handler] | None) -> Attributes:
    return {"checked": is_chosen, "on_change": on_choose(value)} if on_choose else {"default_checked": is_chosen}


def _controlled(value: Value, on_change: Handler | None) -> Attributes:
    """Return the attributes of a controlled field, or without `on_change` of an uncontrolled one."""
    return {"default_value": value} if on_change is None else {"value": value, "on_change": on_change}


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
    identity = each.box.identity
    hint = (rx.el.span(each.hint, class_name="hint"),) if each.hint else ()
    return field(
        (each.label, *hint),
        _number_box(each.box),
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
