"""A calculator as a panel: a GET form of its fields, its answer and its working.

The same functions draw it from browser expressions, with the handlers that change them, and as a template of the edge.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import reflex as rx

from broker import routes
from broker.calculators.calculator import Choice, Field, Form, Note, Unit, value_text
from broker.calculators.view import TICKED, CalculatorView, FieldView
from broker.components import chakra
from broker.components.chart import answers_table, bar_chart, chart_table, line_chart
from broker.components.elements import disclosure, inline_style, jump_link, note
from broker.components.forms.fields import Box, Slider, SliderField, day_field, labelled_box, select, slider_field, tick
from broker.components.forms.post_form import PostForm
from broker.components.jinja import Content, Text, Value, when
from broker.components.share import ADVISER_WORDS, PDF_WORDS
from broker.documents.attachment import RESULT
from broker.lending.days import day_number, day_text
from broker.lending.lending_rules import Source

UNIT_SUFFIXES = {Unit.PERCENT: "%", Unit.YEARS: "years"}

_BESIDE = {"gridTemplateColumns": "repeat(auto-fit, minmax(min(100%, 9rem), 1fr))"}
"""As many columns as have room for a number."""


class _Controls(Protocol):
    """Event handlers of a calculator in the browser, one for each thing that a visitor does."""

    def slider(self, field: Field) -> Slider: ...

    def type_in(self, field: Field) -> rx.Var: ...

    def leave(self, field: Field) -> rx.Var: ...

    def fill(self, name: str, number: Value) -> rx.Var: ...

    def pick(self, name: str) -> rx.Var: ...

    def chosen(self, choice: Choice) -> rx.Var: ...

    def submit(self) -> rx.Var: ...

    def open_table(self) -> rx.Var: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A form with its view; `prefix` begins its ids, `path` is a plan's page; a template has no `controls`."""

    form: Form
    view: CalculatorView
    prefix: str
    controls: _Controls | None = None
    path: str = ""

    @property
    def action(self) -> str:
        return self.path or routes.calculator(self.form.slug)


def panel_heading(panel: Panel, title: str, *, heading: Callable[..., rx.Component]) -> rx.Component:
    form, identity = panel.form, f"{panel.prefix}-title"
    if title:
        return heading(title, id=identity, class_name="as-h3")
    return rx.el.div(
        heading(form.title, id=identity, class_name="as-h3"), rx.el.p(form.subtitle, class_name="small mute")
    )


def panel_form(panel: Panel, *, tight: bool = False, has_pdf: bool = False) -> rx.Component:
    """Draw the form; without scripts it leads to the calculator's own page or its PDF."""
    inputs = rx.el.div(*_inputs(panel), class_name="stack tight-10" if tight else "stack")
    form = _get_form(panel, inputs, has_pdf=has_pdf)
    return chakra.scope(form) if panel.controls else form


def _get_form(panel: Panel, inputs: rx.Component, *, has_pdf: bool = False) -> rx.Component:
    return _form(panel, inputs, *_form_end(panel, has_pdf=has_pdf), class_name="stack")


def _form_end(panel: Panel, *, has_pdf: bool) -> list[rx.Component]:
    """Draw what ends a form without scripts: the note of a changed figure, and its buttons."""
    pdf = panel.action + routes.RESULT_PDF
    download = rx.el.button(PDF_WORDS, type="submit", form_action=pdf, class_name="btn line no-script-only")
    adviser = rx.el.button(
        ADVISER_WORDS,
        type="submit",
        name=RESULT,
        value=pdf,
        form_action=routes.CALLBACK,
        class_name="btn line no-script-only",
    )
    return [
        rx.el.p(
            "You’ve changed a figure. Press “Work it out” for the new answer.", class_name="old-answer", role="status"
        ),
        rx.el.button("Work it out", type="submit", class_name="btn no-script-only"),
        *([download, adviser] if has_pdf else []),
    ]


def _form(panel: Panel, *content: rx.Component, class_name: str = "") -> rx.Component:
    handlers = {"on_submit": panel.controls.submit()} if panel.controls else {}
    return PostForm.create(
        *content,
        method="get",
        action=panel.action,
        no_validate=True,
        class_name=class_name,
        custom_attrs={"autoComplete": "off"},
        **handlers,
    )


def error_summary(panel: Panel) -> rx.Component:
    """Draw the error summary for a visitor without scripts: it takes the focus, and links to each field."""
    entries = _wrong_fields(panel, lambda field, view: field.label + ": " + view.problem)
    return when(
        panel.view.is_wrong,
        rx.el.div(
            note("There is a problem", rx.el.ul(*entries), tone="bad"),
            tab_index=-1,
            class_name="no-script-only",
            custom_attrs={"autoFocus": True},
        ),
    )


def answer_line(panel: Panel) -> rx.Component:
    """Draw the answer in a line that a narrow screen has at its edge while the fields are in view.

    It is hidden from screen readers, to which the plate announces changes.
    """
    answer, blank = panel.view.answer, rx.el.span("No answer yet")
    figure = answer.figure + " " + answer.per if answer.per else answer.figure
    result = rx.fragment(rx.el.span(answer.label), rx.el.b(figure))
    return rx.el.p(
        rx.el.span(when(panel.view.is_wrong, blank, otherwise=result)),
        jump_link("See why", answer_id(panel), tab_index=-1),
        class_name="slim",
        aria_hidden="true",
    )


def answer_id(panel: Panel) -> str:
    return f"{panel.prefix}-answer"


def panel_plate(panel: Panel) -> rx.Component:
    """Draw the answer, or the fields to put right before there is one; a change is announced politely."""
    answer = panel.view.answer
    blank = rx.fragment(rx.el.span("No answer yet", class_name="label"), _to_check(panel))
    result = _result_parts(answer.label, answer.figure, caption=answer.caption, per=answer.per)
    return rx.el.div(
        when(panel.view.is_wrong, blank, otherwise=rx.fragment(*result)), class_name="plate", role="status"
    )


def panel_headline(panel: Panel) -> rx.Component:
    """Draw the answer as a heading that is a sentence, or the fields to put right; a change is announced politely."""
    answer = panel.view.answer
    sentence = rx.el.h2(answer.label + " ", rx.el.b(answer.figure), " " + answer.per)
    blank = rx.fragment(rx.el.h2("No answer yet"), _to_check(panel))
    result = rx.fragment(sentence, rx.el.p(answer.caption, class_name="lead"))
    return rx.el.div(when(panel.view.is_wrong, blank, otherwise=result), role="status")


def _to_check(panel: Panel) -> rx.Component:
    entries = _wrong_fields(panel, lambda field, _: f"Check: {field.label}")
    return rx.el.ul(*entries, class_name="small")


def panel_tiles(panel: Panel) -> list[rx.Component]:
    """Draw two further figures of the answer side by side, if it has any."""
    tiles = panel.view.answer.tiles
    drawn = (rx.el.p(rx.el.b(figure + " "), words) for figure, words in tiles)
    return [unless_wrong(panel, rx.el.div(*drawn, class_name="duo"))] if tiles else []


def calculator_result(label: Text, figure: str, *, caption: Content) -> rx.Component:
    return rx.el.div(*_result_parts(label, figure, caption=caption, per=""), class_name="plate", role="status")


def _result_parts(label: Text, figure: str, *, caption: Content, per: str) -> list[rx.Component]:
    tail = (rx.el.small(per),) if per else ()
    return [
        rx.el.span(label, class_name="label"),
        rx.el.b(figure + " " if per else figure, *tail, class_name="big"),
        rx.el.span(caption, class_name="small cap-2"),
    ]


def panel_working(panel: Panel, *, is_brief: bool = False) -> rx.Component:
    """Draw further answers, charts and the working; a brief one folds all but the note."""
    return unless_wrong(panel, *_working(panel, is_brief=is_brief))


def unless_wrong(panel: Panel, *parts: rx.Component) -> rx.Component:
    """Draw parts of an answer, which a calculator or a plan has only while no field is wrong (decision 52)."""
    return when(panel.view.is_wrong, rx.fragment(), otherwise=rx.fragment(*parts))


def _working(panel: Panel, *, is_brief: bool) -> list[rx.Component]:
    answer, controls = panel.view.answer, panel.controls
    steps = rx.el.ol(*(rx.el.li(step) for step in answer.steps))
    on_open = controls.open_table() if controls else None
    table = [answers_table(answer.table)] if answer.table else []
    warning = [_note(answer.note)] if answer.note else []
    drawn = [*([bar_chart(answer.bars)] if answer.bars else []), *([line_chart(answer.chart)] if answer.chart else [])]
    return [
        *(warning if is_brief else [*table, *warning, *drawn]),
        rx.el.div(
            disclosure("How we worked this out", *([*table, *drawn] if is_brief else []), steps, *_sources(panel)),
            *([chart_table(answer.chart, on_open=on_open)] if answer.chart else []),
        ),
    ]


def _note(said: Note) -> rx.Component:
    warning = note(said.title, said.text, tone="warn")
    return when(said.is_good, note(said.title, said.text, tone="good"), otherwise=warning)


def _sources(panel: Panel) -> list[rx.Component]:
    found = panel.form.sources
    return [source_links("Where the rules come from", found)] if found else []


def source_links(heading: str, sources: Sequence[Source]) -> rx.Component:
    links = (
        rx.el.li(rx.el.a(each.title, href=each.address), f", {each.since}. Read on {day_text(day_number(each.read))}.")
        for each in sources
    )
    return rx.el.div(rx.el.p(f"{heading}:"), rx.el.ul(*links), class_name="small")


def _wrong_fields(panel: Panel, words: Callable[[Field, FieldView], Text]) -> list[rx.Component]:
    return [
        when(view.is_wrong, rx.el.li(jump_link(words(field, view), f"{panel.prefix}-{field.name}")))
        for field, view in zip(panel.form.fields, panel.view.fields, strict=True)
    ]


def _inputs(panel: Panel) -> list[rx.Component]:
    form, controls = panel.form, panel.controls
    always = [_field(panel, place) for place, field in enumerate(form.fields) if not field.only_for]
    applicants = [_applicant(panel, place) for place, _ in enumerate(form.choices)]
    ticks = [
        tick(
            box.label,
            checked=checked,
            on_change=controls.pick(box.name) if controls else None,
            identity=f"{panel.prefix}-{box.name}",
            name=box.name,
            value=TICKED,
        )
        for box, checked in zip(form.checkboxes, panel.view.checkboxes, strict=True)
    ]
    return [*always, *([rx.el.div(*applicants, class_name="g2")] if applicants else []), *ticks]


def _applicant(panel: Panel, place: int) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(rx.el.span(panel.form.choices[place].group, class_name="tag")),
        _choice_select(panel, place),
        *_fields_of_choice(panel, place, draw=partial(_field, panel)),
        class_name="stack",
    )


def _field(panel: Panel, place: int) -> rx.Component:
    field, view, controls = panel.form.fields[place], panel.view.fields[place], panel.controls
    if field.unit is Unit.DAY:
        return day_field(field.label, _field_box(panel, place), hint=field.hint)
    return slider_field(
        SliderField(
            label=field.label,
            hint=field.hint,
            box=_field_box(panel, place),
            low=field.low,
            high=field.high,
            step=field.step,
            place=view.place,
            ends=(_end(field, field.low), _end(field, field.high)),
            slider=controls.slider(field) if controls else None,
        )
    )


def _field_box(panel: Panel, place: int) -> Box:
    field, view, controls = panel.form.fields[place], panel.view.fields[place], panel.controls
    return Box(
        identity=f"{panel.prefix}-{field.name}",
        name=field.name,
        value=view.text,
        problem=view.problem,
        prefix="£" if field.unit is Unit.POUNDS else "",
        suffix=UNIT_SUFFIXES.get(field.unit, ""),
        on_change=controls.type_in(field) if controls else None,
        on_blur=controls.leave(field) if controls else None,
    )


def _choice_select(panel: Panel, place: int) -> rx.Component:
    choice, controls = panel.form.choices[place], panel.controls
    return select(
        choice.label,
        choice.options,
        identity=f"{panel.prefix}-{choice.name}",
        chosen=controls.chosen(choice) if controls else panel.view.choices[place],
        on_change=controls.pick(choice.name) if controls else None,
        name=choice.name,
        hint=choice.hint,
    )


def _fields_of_choice(panel: Panel, place: int, *, draw: Callable[[int], rx.Component]) -> list[rx.Component]:
    """Draw the fields that show for one option of a choice; `draw` takes the place of a field."""
    choice, flags = panel.form.choices[place], panel.view.choices[place]
    is_shown = {f"{choice.name}={value}": flag for (value, _), flag in zip(choice.options, flags, strict=True)}
    return [
        when(is_shown[field.only_for], draw(position))
        for position, field in enumerate(panel.form.fields)
        if field.only_for in is_shown
    ]


def _end(field: Field, end: float) -> str:
    """Format an end of a slider; whole percentages have no decimals."""
    return f"{end:g}%" if field.unit is Unit.PERCENT else value_text(field, end)


def plan_form(panel: Panel) -> rx.Component:
    """Draw the form: the first choice with its fields, the fields of every plan, then the other choices."""
    box = partial(_box, panel)
    places = [place for place, field in enumerate(panel.form.fields) if not field.only_for]
    first, *others = (
        rx.el.div(_choice_select(panel, place), *_fields_of_choice(panel, place, draw=box), class_name="stack")
        for place, _ in enumerate(panel.form.choices)
    )
    fields = rx.el.div(*map(box, places), class_name="stack", custom_attrs=inline_style(_BESIDE))
    return _get_form(panel, rx.el.div(first, fields, *others, class_name="stack"), has_pdf=True)


def boxes_form(panel: Panel, band: rx.Component, *parts: rx.Component) -> rx.Component:
    """Draw a form of `input_box` and `choice_box`, with its PDF: a band across the page, and what is below it."""
    below = rx.el.div(*parts, *_form_end(panel, has_pdf=True), class_name="wrap stack loose")
    return _form(panel, band, below)


def input_box(panel: Panel, name: str) -> rx.Component:
    """Draw the box of a field, without a slider."""
    return _box(panel, next(place for place, field in enumerate(panel.form.fields) if field.name == name))


def choice_box(panel: Panel, name: str) -> list[rx.Component]:
    """Draw the select list of a choice, and the box of the fields of its option."""
    place = next(place for place, choice in enumerate(panel.form.choices) if choice.name == name)
    return [_choice_select(panel, place), *_fields_of_choice(panel, place, draw=partial(_box, panel))]


def _box(panel: Panel, place: int) -> rx.Component:
    field = panel.form.fields[place]
    draw = day_field if field.unit is Unit.DAY else labelled_box
    return draw(field.label, _field_box(panel, place), hint=field.hint)
