"""The form of a question: cards, radio buttons, or number boxes with sliders.

It also posts without scripts.
"""

import reflex as rx
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker import routes
from broker.components import chakra
from broker.components.client_scripts import shared_component
from broker.components.client_values import MOVED, TYPED, client_handler, memoized_section
from broker.components.elements import button, card_drawing, icon, note
from broker.components.form_scripts import error_title, post_if_reached
from broker.components.forms.fields import Box, choice_field, descriptions, live_error
from broker.components.forms.slider_field import Slider, SliderField, place_between, slider_field
from broker.components.ltv_gauge import ltv_gauge
from broker.pages.questionnaire.question_form_state import STATE, QuestionValues, formatted
from broker.questionnaire.answers import SEEN, loan_to_value, range_words
from broker.questionnaire.flow import Calculator, Choice, Inputs, Option, Radio, Range, Step
from broker.questionnaire.forms import ANSWER, DEALT, DIGEST, STEP, VERSION, question_digest
from broker.questionnaire.step_view import figure_id
from broker.state.questionnaire import QuestionnaireState

SCRIPT = "questionnaire"
"""Name of the script chunk of all questions."""

FORM = "asked"
"""The id of a question's form."""

_SUBMIT = client_handler(rx.Var(f"document.getElementById('{FORM}').requestSubmit()"))

_POST_WITHOUT_SOCKET = post_if_reached(rx.Var(f"document.getElementById('{FORM}')"))


def question_form(step: Step) -> rx.Component:
    values = QuestionValues(step)
    return memoized_section(
        values.stored.state,
        rx.el.form(
            _fields(step, values),
            _submit_row(step, values),
            on_submit=[values.mark_sent(), QuestionnaireState.answer],
            id=FORM,
            action=routes.GIVE_ANSWER,
            method="post",
            no_validate=STATE.opened != "",
            class_name="stack loose",
        ),
        on_mount=values.reset(),
    )


def _fields(step: Step, values: QuestionValues) -> rx.Component:
    asks = step.asks
    hidden = (
        rx.el.input(type="hidden", name=STEP, value=step.id),
        rx.el.input(type="hidden", name=VERSION, value=STATE.version.to(str)),
        rx.el.input(type="hidden", name=DEALT, value=STATE.dealt),
        rx.el.input(type="hidden", name=DIGEST, value=question_digest(step)),
    )
    if isinstance(asks, Choice):
        return rx.fragment(*hidden, _cards(step, asks, values))
    if isinstance(asks, Inputs):
        return rx.fragment(*hidden, _input_fields(asks, values))
    return rx.fragment(*hidden, rx.el.input(type="hidden", name=ANSWER, value=SEEN))


def _cards(step: Step, asks: Choice, values: QuestionValues) -> rx.Component:
    chosen = values.chosen(ANSWER, STATE.chosen)
    return choice_field(
        step.question,
        rx.el.div(*(_card(option, values, chosen) for option in asks.options), class_name="choices"),
        error=live_error(_server_problem("", chosen, values=values), identity=ANSWER),
        described_by=descriptions(ANSWER),
        is_legend_hidden=True,
    )


def _card(option: Option, values: QuestionValues, chosen: rx.Var) -> rx.Component:
    more = (rx.el.span(option.note),) if option.note else ()
    return rx.el.label(
        card_drawing(option.img),
        rx.el.span(rx.el.b(option.text), *more),
        rx.el.input(
            type="radio",
            name=ANSWER,
            value=option.key,
            id=option.key,
            checked=chosen == option.key,
            on_change=values.choose(ANSWER, option.key),
            required=True,
        ),
        class_name=f"choice w{option.width}",
        html_for=option.key,
    )


def _input_fields(asks: Inputs, values: QuestionValues) -> rx.Component:
    drawn = [
        _range(each, values) if isinstance(each, Range) else _radios(each, values)
        for each in asks.inputs
        if isinstance(each, Range | Radio)
    ]
    worked = [_ltv(each, asks, values=values) for each in asks.inputs if isinstance(each, Calculator)]
    text = (rx.el.p(asks.text, class_name="mute"),) if asks.text else ()
    panel = rx.el.div(*values.figures(), *drawn, class_name="panel stack loose")
    return rx.el.div(*text, chakra.scope(panel), *worked, class_name="stack")


def _range(each: Range, values: QuestionValues) -> rx.Component:
    text = values.text(each)
    box = Box(
        identity=figure_id(each.key),
        name=each.key,
        value=text,
        problem=values.problem(each),
        on_change=values.set_text(each, TYPED),
        on_blur=values.format_text(each),
        prefix=each.before,
        suffix=each.after,
        whole=True,
    )
    return slider_field(
        SliderField(
            label=each.question,
            box=box,
            low=each.low,
            high=each.high,
            step=each.unit,
            place=place_between(each.start, low=each.low, high=each.high),
            slider=Slider(
                number=values.number(each),
                spoken=rx.cond(text == "", "not set", each.before + text + (f" {each.after}" if each.after else "")),
                on_slide=values.set_text(each, formatted(each, MOVED)),
                is_ready=values.at_work,
            ),
            ends=(range_words(each, each.low), range_words(each, each.high)),
        )
    )


def _radios(each: Radio, values: QuestionValues) -> rx.Component:
    chosen = values.chosen(each.key, STATE.figures.get(each.key, "").to(str))
    options = (
        rx.el.label(
            rx.el.input(
                type="radio",
                name=each.key,
                value=option.key,
                checked=chosen == option.key,
                on_change=values.choose(each.key, option.key),
                required=True,
                id=f"{figure_id(each.key)}-{option.key}" if place else figure_id(each.key),
            ),
            option.text,
        )
        for place, option in enumerate(each.options)
    )
    error = live_error(_server_problem(each.key, chosen, values=values), identity=each.option_id)
    return choice_field(each.question, rx.el.div(*options, class_name="seg"), error=error)


def _server_problem(key: str, chosen: rx.Var, *, values: QuestionValues) -> rx.Var:
    """Return the server's error about options without a choice, until one is chosen."""
    return rx.cond(values.is_current_page & (chosen == ""), STATE.problems.get(key, ""), "").to(str)


def _ltv(each: Calculator, asks: Inputs, *, values: QuestionValues) -> rx.Component:
    """Draw the loan to value of two numbers of the step, computed in the browser once both are set (decision 32)."""
    ranges = {one.key: one for one in asks.inputs if isinstance(one, Range)}
    of = [ranges[key] for key in (each.value_01, each.value_02)]
    gauge = ltv_gauge(loan_to_value(*map(values.number, of), kind=each.second))
    is_set = values.is_set(of[0]) & values.is_set(of[1])
    waiting = rx.el.p("Set both figures to see your loan to value.", class_name="small mute")
    look = "needs-script stack ltv-slot"
    return rx.el.div(gauge, waiting, class_name=rx.cond(is_set, look, f"{look} unset"))


def _submit_row(step: Step, values: QuestionValues) -> rx.Component:
    label = (step.asks.button if isinstance(step.asks, Inputs) else "") or "Continue"
    is_wrong = values.is_current_page & ((STATE.problem != "") | (STATE.problems.to(dict[str, str]).length() > 0))
    return rx.el.div(
        rx.cond(values.is_current_page & (STATE.problem != ""), note(STATE.problem, tone="bad")),
        rx.el.div(
            rx.el.button(label, icon("arrow"), type="submit", class_name="btn wide"),
            rx.el.div(rx.cond(values.is_waiting, _pending_notice()), role="status", class_name="on-its-way"),
            class_name="row",
        ),
        rx.cond(values.is_waiting & has_too_many_connection_errors, _plain_post_offer()),
        rx.cond(values.is_lost, shared_component(_resend, script=SCRIPT)),
        class_name="stack",
        custom_attrs={"data-wrong": error_title(is_wrong)},
    )


def _pending_notice() -> rx.Component:
    return rx.el.p(
        "Saving your answer. ",
        rx.el.span(
            "No signal. Keep this page open, and we'll send your answer when you're back online.", class_name="late"
        ),
        class_name="small",
    )


def _plain_post_offer() -> rx.Component:
    """Offer to post the form, for networks that block WebSockets."""
    return rx.el.div(
        rx.el.p("Still waiting? Some networks block the connection this page uses. Try this instead:"),
        button("Send it another way", look="line", on_click=_POST_WITHOUT_SOCKET),
        class_name="stack tight-8 small",
    )


def _resend() -> rx.Component:
    """Submit the answer again on mount: it was lost with the connection."""
    return rx.el.span(on_mount=_SUBMIT, hidden=True)
