"""A calculator on a page: its fields, its answer and its working, computed in the browser."""

from typing import Any

import reflex as rx

from broker.components import chakra
from broker.components.chart import bar_chart, chart_table, line_chart
from broker.components.client_scripts import when_near
from broker.components.client_values import MOVED, TYPED, BrowserValues, client_handler, memoized_section
from broker.components.elements.messages import disclosure, note
from broker.components.forms.fields import Box, select, tick
from broker.components.forms.slider_field import SliderField, slider_field
from broker.components.rates.rate_and_aprc import calculator_result
from broker.components.shared_component import shared_component
from broker.domain import money
from broker.domain.arithmetic import choose
from broker.domain.calculators.calculator import (
    Calculator,
    Choice,
    Field,
    LineChart,
    Unit,
    Working,
    box_text,
    input_problem,
    value_text,
)

_AT_WORK = "atWork"
"""The browser value that is true once the calculator has its sliders."""

_EVERY_YEAR = "everyYear"
"""The browser value that is true once the table has been opened."""

INDICATIVE = "Illustration only, not an offer. Results are indicative, subject to underwriting and valuation."


class CalculatorValues:
    """The browser values of a calculator: each field's number, and the text in its box."""

    def __init__(self, calculator: Calculator, scope: str) -> None:
        texts = {_text(field): box_text(field, field.default) for field in calculator.fields}
        name = f"{scope}_{calculator.slug}".replace("-", "_").strip("_")
        self.values = BrowserValues(name, {**calculator.defaults(), **texts})
        self.seen = BrowserValues(f"{name}_seen", {_AT_WORK: False, _EVERY_YEAR: False})
        self.calculator = calculator
        self.prefix = name.replace("_", "-")

    @property
    def at_work(self) -> rx.Var:
        """Whether the calculator has its sliders: scripts run, and it has come near the viewport."""
        return self.seen[_AT_WORK]

    def start(self, heading: str) -> rx.Var:
        """Return the mount handler, which makes the sliders once the heading of that id is near the viewport.

        Sliders are slow to make, and most calculators are far below the fold.
        """
        return client_handler(when_near(heading, self.seen.put({_AT_WORK: True})))

    def table(self, chart: LineChart) -> rx.Component:
        """Draw the table of a chart, with every year once it has been opened."""
        return chart_table(
            chart, every_year=self.seen[_EVERY_YEAR], on_open=client_handler(self.seen.put({_EVERY_YEAR: True}))
        )

    def working(self) -> Working:
        return self.calculator.calculate({name: self.values[name] for name in self.calculator.defaults()})

    def text(self, field: Field) -> rx.Var:
        return self.values[_text(field)]

    def type_in(self, field: Field) -> rx.Var:
        """Return the change handler of the box: store the text as typed, and the number if it is valid."""
        number = choose(
            input_problem(field, TYPED) == "", lambda: money.amount_in(TYPED), lambda: self.values[field.name]
        )
        return client_handler(self.values.put({_text(field): TYPED, field.name: number}))

    def leave(self, field: Field) -> rx.Var:
        """Return the blur handler of the box: format a valid number."""
        text = choose(
            input_problem(field, self.text(field)) == "",
            lambda: box_text(field, self.values[field.name]),
            lambda: self.text(field),
        )
        return client_handler(self.values.put({_text(field): text}))

    def slide(self, field: Field) -> rx.Var:
        """Return the change handler of the slider: set number and text."""
        return client_handler(self.values.put({field.name: MOVED, _text(field): box_text(field, MOVED)}))

    def pick(self, name: str) -> rx.Var:
        return client_handler(self.values.put({name: TYPED}))


def _text(field: Field) -> str:
    return field.name + "Text"


def calculator_panel(calculator: Calculator, *, scope: str = "", heading: Any = rx.el.h3) -> rx.Component:
    """Draw a calculator as a panel; `scope` separates its values from those of the same calculator elsewhere."""
    return shared_component(_panel, calculator, scope, heading)


def _panel(calculator: Calculator, scope: str, heading: Any) -> rx.Component:
    values = CalculatorValues(calculator, scope)
    identity = f"{values.prefix}-title"
    return memoized_section(
        values.values.state,
        values.seen.state,
        rx.el.div(
            heading(calculator.title, id=identity, class_name="as-h3"),
            rx.el.p(calculator.subtitle, class_name="small mute"),
        ),
        chakra.scope(rx.el.div(*_inputs(calculator, values), class_name="stack")),
        *_answer(values, values.working()),
        id=values.prefix,
        on_mount=values.start(identity),
        class_name="panel stack",
        aria_labelledby=identity,
    )


def quick_repayment(calculator: Calculator, *, title: str) -> rx.Component:
    """Draw the repayment calculator for a banner: fields and answer, without chart or working."""
    values = CalculatorValues(calculator, "quick")
    working = values.working()
    return memoized_section(
        values.values.state,
        values.seen.state,
        rx.el.div(
            rx.el.h2(title, id="quick-title", class_name="as-h3"),
            rx.el.span("Repayment", class_name="tag plain"),
            class_name="row between",
        ),
        chakra.scope(rx.el.div(*(_pair(values, field) for field in calculator.fields), class_name="stack tight-10")),
        calculator_result(working.label, working.figure, caption=working.caption),
        rx.el.p(INDICATIVE, class_name="xs mute"),
        on_mount=values.start("quick-title"),
        class_name="panel stack",
        aria_labelledby="quick-title",
    )


def _inputs(calculator: Calculator, values: CalculatorValues) -> list[rx.Component]:
    always = [_pair(values, field) for field in calculator.fields if not field.only_for]
    applicants = [_applicant(values, choice) for choice in calculator.choices]
    ticks = [
        tick(
            statement.label,
            checked=values.values[statement.name],
            on_change=values.pick(statement.name),
            identity=f"{values.prefix}-{statement.name}",
        )
        for statement in calculator.checkboxes
    ]
    return [*always, *([rx.el.div(*applicants, class_name="g2")] if applicants else []), *ticks]


def _applicant(values: CalculatorValues, choice: Choice) -> rx.Component:
    chosen = values.values[choice.name]
    fields = [
        rx.cond(chosen == field.only_for.split("=")[1], _pair(values, field))
        for field in values.calculator.fields
        if field.only_for.startswith(choice.name + "=")
    ]
    identity = f"{values.prefix}-{choice.name}"
    return rx.el.fieldset(
        rx.el.legend(rx.el.span(choice.group, class_name="tag")),
        select(choice.label, choice.options, identity=identity, chosen=chosen, on_change=values.pick(choice.name)),
        *fields,
        class_name="stack",
    )


def _pair(values: CalculatorValues, field: Field) -> rx.Component:
    box = Box(
        identity=f"{values.prefix}-{field.name}",
        value=values.text(field),
        problem=input_problem(field, values.text(field)),
        on_change=values.type_in(field),
        on_blur=values.leave(field),
        prefix="£" if field.unit is Unit.POUNDS else "",
        suffix={Unit.PERCENT: "%", Unit.YEARS: "years"}.get(field.unit, ""),
    )
    return slider_field(
        SliderField(
            label=field.label,
            hint=field.hint,
            box=box,
            number=values.values[field.name],
            start=field.default,
            on_slide=values.slide(field),
            low=field.low,
            high=field.high,
            step=field.step,
            at_work=values.at_work,
            spoken=value_text(field, values.values[field.name]),
            ends=(spoken_end(field, field.low), spoken_end(field, field.high)),
        )
    )


def spoken_end(field: Field, end: float) -> str:
    """Format an end of a slider; whole percentages have no decimals."""
    return f"{end:g}%" if field.unit is Unit.PERCENT else value_text(field, end)


def _answer(values: CalculatorValues, working: Working) -> list[rx.Component]:
    steps = rx.el.ol(*(rx.el.li(step) for step in working.steps))
    return [
        calculator_result(working.label, working.figure, caption=working.caption, per=working.per),
        *([note(working.note.title, working.note.text, tone="warn")] if working.note else []),
        *([bar_chart(working.bars)] if working.bars else []),
        *([line_chart(working.chart)] if working.chart else []),
        rx.el.div(
            disclosure("How we worked this out", steps), *([values.table(working.chart)] if working.chart else [])
        ),
        rx.el.p(INDICATIVE, class_name="xs mute"),
    ]
