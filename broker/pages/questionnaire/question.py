"""The form of a question, and its values in the browser until it is sent."""

import functools
import operator
from collections.abc import Mapping
from typing import Any

import reflex as rx
from reflex.vars import StringVar
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker import routes
from broker.calculators.figures import INCOMES, question_figures
from broker.components import chakra
from broker.components.chart import ltv_gauge
from broker.components.client_scripts import expression, shared_component
from broker.components.client_values import MOVED, TYPED, BrowserValues, client_handler, memoized_section
from broker.components.elements import button, card_drawing, icon, note
from broker.components.form_scripts import error_title, post_if_reached
from broker.components.forms.fields import (
    Box,
    Slider,
    SliderField,
    choice_field,
    descriptions,
    live_error,
    place_between,
    slider_field,
)
from broker.components.forms.figures import figure_text, figures_line, keep_figures, once_cleared
from broker.components.jinja import Text, Value
from broker.lending import money
from broker.lending.arithmetic import choose, matches
from broker.questionnaire.answers import SEEN, loan_to_value, range_problem, range_words
from broker.questionnaire.flow import Calculator, Choice, Input, Inputs, Option, Radio, Range, Step, UnitType
from broker.questionnaire.forms import ANSWER, DEALT, DIGEST, STEP, VERSION, question_digest
from broker.questionnaire.step_view import figure_id
from broker.state.questionnaire import QuestionnaireState

STATE: Any = QuestionnaireState
"""The state as browser expressions."""

_AT_WORK, _SENT, _OPENED = "atWork", "sent", "sentOn"
"""Values of every question: whether its scripts run; and `STATE.dealt` and `STATE.opened` when the answer was sent."""

_NOT_SENT = "-"
"""The value of `_SENT` before an answer is sent; those of the server are hexadecimal, or empty at first."""

SCRIPT = "questionnaire"
"""Name of the script chunk of all questions."""

_FORM = "asked"
"""The id of a question's form."""

_SUBMIT = client_handler(rx.Var(f"document.getElementById('{_FORM}').requestSubmit()"))

_POST_WITHOUT_SOCKET = post_if_reached(rx.Var(f"document.getElementById('{_FORM}')"))


class _QuestionValues:
    """The form state of a question: the chosen option, each number and its text, and whether it was sent.

    A visitor who comes back to a question sees what they left there until the server sends the stored answer, which
    another tab may have changed; that is shown until the visitor edits it. Where there is no answer yet, the visitor's
    own figures are offered.
    """

    def __init__(self, step: Step) -> None:
        ranges = [each.key for each in _inputs(step) if isinstance(each, Range)]
        radios = [each.key for each in _inputs(step) if isinstance(each, Radio)]
        self._untouched = {_touched(key): False for key in (*ranges, *radios, ANSWER)}
        texts, chosen = {_text(key): "" for key in ranges}, dict.fromkeys((*radios, ANSWER), "")
        offers = dict.fromkeys(map(_offer, question_figures(step)), "")
        sending = {_AT_WORK: False, _SENT: _NOT_SENT, _OPENED: ""}
        self.stored = BrowserValues(f"asked_{step.id}", {**texts, **offers, **chosen, **self._untouched, **sending})
        self.step = step

    @property
    def at_work(self) -> rx.Var:
        return self.stored[_AT_WORK]

    @property
    def is_current_page(self) -> rx.Var:
        return STATE.path == routes.question(self.step.id)

    @property
    def is_waiting(self) -> rx.Var:
        """Whether an answer was sent that the server has not handled yet."""
        dealt_with = (STATE.dealt != "") & (STATE.dealt != self.stored[_SENT])
        return (self.stored[_SENT] != _NOT_SENT) & ~dealt_with

    @property
    def is_lost(self) -> rx.Var:
        """Whether the page was opened again while an answer waited: the answer may be lost with the connection."""
        return self.is_waiting & (self.stored[_OPENED] != "") & (self.stored[_OPENED] != STATE.opened)

    def reset(self) -> rx.Var:
        started = {**self._untouched, _AT_WORK: True, _SENT: _NOT_SENT, _OPENED: ""}
        return client_handler(self.stored.put({**started, **self._offers()}))

    def mark_sent(self) -> rx.Var:
        """Return the submit handler, which keeps the figures; those that were offered are kept already."""
        sent = self.stored.put({_SENT: STATE.dealt, _OPENED: STATE.opened})
        own = {names[0]: self._own_number(each) for each, names in self._figure_inputs() if names != INCOMES}
        kept = keep_figures(own)
        return client_handler(expression(f"({kept!s}, {sent!s})", kept, sent) if own else sent)

    def figures(self) -> list[rx.Component]:
        """Draw the line of the visitor's figures, until the stored answer replaces them."""
        shown = [
            (self.stored[_offer(each.key)] != "")
            & ((STATE.figures.get(each.key, "").to(str) == "") | ~self.is_current_page)
            for each, _ in self._figure_inputs()
        ]
        if not shown:
            return []
        is_used = functools.reduce(operator.or_, shown)
        cleared = once_cleared(self.stored.put(self._offers()))
        return [figures_line(is_used._replace(merge_var_data=cleared))]

    def _figure_inputs(self) -> list[tuple[Range, tuple[str, ...]]]:
        names = question_figures(self.step)
        return [(each, names[each.key]) for each in _inputs(self.step) if isinstance(each, Range) and each.key in names]

    def _offers(self) -> dict[str, rx.Var]:
        asked = self._figure_inputs()
        return {_offer(each.key): figure_text(names, low=each.low, high=each.high) for each, names in asked}

    def _own_number(self, each: Range) -> rx.Var:
        is_own = self.stored[_touched(each.key)] | (self.stored[_offer(each.key)] == "")
        return rx.cond(is_own & self.is_set(each), self.number(each), rx.Var("undefined"))

    def choose(self, name: str, key: str) -> rx.Var:
        return self._put({name: key, _touched(name): True})

    def chosen(self, name: str, saved: rx.Var) -> rx.Var:
        shows_own = self.stored[_touched(name)] | ~self.is_current_page
        return rx.cond(shows_own, self.stored[name], saved).to(str)

    def text(self, each: Range) -> StringVar:
        saved, own = STATE.figures.get(each.key, "").to(str), self.stored[_text(each.key)]
        begin = self._begin(each)
        stored = rx.cond(saved != "", _formatted(each, money.amount_in(saved)), begin)
        before = rx.cond(self.is_current_page, stored, rx.cond(own != "", own, begin))
        return rx.cond(self.stored[_touched(each.key)], own, before).to(str)

    def _begin(self, each: Range) -> Text:
        """Return the text that a number box begins with: the visitor's figure, or an empty one."""
        if each.key not in question_figures(self.step):
            return ""
        offer = self.stored[_offer(each.key)]
        return rx.cond(offer != "", _formatted(each, money.amount_in(offer)), "")

    def number(self, each: Range) -> rx.Var:
        """Return the number in a box; where the slider starts for an empty text, and the lowest for an invalid one."""
        text = self.text(each)
        other = rx.cond(text == "", each.start, each.low).to(int)
        return choose(self.is_set(each), lambda: money.amount_in(text), lambda: other)

    def is_set(self, each: Range) -> rx.Var:
        text = self.text(each)
        figure = money.amount_in(text)
        is_whole = (text != "") & ~matches(text, money.NO_AMOUNT) & (figure % 1 == 0)
        return (is_whole & (figure >= each.low) & (figure <= each.high)).to(bool)

    def problem(self, each: Range) -> rx.Var:
        """Return the error message of a number box; an untouched, empty one has that of the server."""
        is_untouched = (self.text(each) == "") & ~self.stored[_touched(each.key)]
        missing = rx.cond(self.is_current_page, STATE.problems.get(each.key, ""), "")
        wrong = rx.cond(is_untouched, missing, range_problem(each))
        return rx.cond(self.is_set(each), "", wrong).to(str)

    def set_text(self, each: Range, text: Text) -> rx.Var:
        return self._put({_text(each.key): text, _touched(each.key): True})

    def format_text(self, each: Range) -> rx.Var:
        """Return the handler of a box's blur: a valid number gets its commas."""
        text = self.text(each)
        tidy = choose(self.is_set(each), lambda: _formatted(each, money.amount_in(text)), lambda: text)
        touched = self.stored[_touched(each.key)]
        return client_handler(self.stored.put({_text(each.key): tidy, _touched(each.key): touched}))

    def _put(self, changes: Mapping[str, Value]) -> rx.Var:
        """Return the handler of a change; a refused answer that was changed is not sent again automatically."""
        return client_handler(
            self.stored.put({**changes, _SENT: rx.cond(self.is_waiting, self.stored[_SENT], _NOT_SENT)})
        )


def _inputs(step: Step) -> tuple[Input, ...]:
    return step.asks.inputs if isinstance(step.asks, Inputs) else ()


def _text(key: str) -> str:
    return f"text{key}"


def _offer(key: str) -> str:
    return f"offer{key}"


def _touched(name: str) -> str:
    return f"touched{name}"


def _formatted(each: Range, value: int | rx.Var) -> Text:
    """Return a number as its box shows it: a year without a comma."""
    if each.unit_type is not UnitType.YEAR:
        return money.decimals(value, 0)
    return str(value) if isinstance(value, int) else expression(f"String({value!s})", value)


def question_form(step: Step) -> rx.Component:
    values = _QuestionValues(step)
    return memoized_section(
        values.stored.state,
        rx.el.form(
            _fields(step, values),
            _submit_row(step, values),
            on_submit=[values.mark_sent(), QuestionnaireState.answer],
            id=_FORM,
            action=routes.GIVE_ANSWER,
            method="post",
            no_validate=STATE.opened != "",
            class_name="stack loose",
        ),
        on_mount=values.reset(),
    )


def _fields(step: Step, values: _QuestionValues) -> rx.Component:
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


def _cards(step: Step, asks: Choice, values: _QuestionValues) -> rx.Component:
    chosen = values.chosen(ANSWER, STATE.chosen)
    return choice_field(
        step.question,
        rx.el.div(*(_card(option, values, chosen) for option in asks.options), class_name="choices"),
        error=live_error(_server_problem("", chosen, values=values), identity=ANSWER),
        described_by=descriptions(ANSWER),
        is_legend_hidden=True,
    )


def _card(option: Option, values: _QuestionValues, chosen: rx.Var) -> rx.Component:
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


def _input_fields(asks: Inputs, values: _QuestionValues) -> rx.Component:
    drawn = [
        _range(each, values) if isinstance(each, Range) else _radios(each, values)
        for each in asks.inputs
        if isinstance(each, Range | Radio)
    ]
    worked = [_ltv(each, asks, values=values) for each in asks.inputs if isinstance(each, Calculator)]
    text = (rx.el.p(asks.text, class_name="mute"),) if asks.text else ()
    panel = rx.el.div(*values.figures(), *drawn, class_name="panel stack loose")
    return rx.el.div(*text, chakra.scope(panel), *worked, class_name="stack")


def _range(each: Range, values: _QuestionValues) -> rx.Component:
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
                on_slide=values.set_text(each, _formatted(each, MOVED)),
                is_ready=values.at_work,
            ),
            ends=(range_words(each, each.low), range_words(each, each.high)),
        )
    )


def _radios(each: Radio, values: _QuestionValues) -> rx.Component:
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


def _server_problem(key: str, chosen: rx.Var, *, values: _QuestionValues) -> rx.Var:
    """Return the server's error about options without a choice, until one is chosen."""
    return rx.cond(values.is_current_page & (chosen == ""), STATE.problems.get(key, ""), "").to(str)


def _ltv(each: Calculator, asks: Inputs, *, values: _QuestionValues) -> rx.Component:
    """Draw the loan to value of two numbers of the step, computed in the browser once both are set (decision 32)."""
    ranges = {one.key: one for one in asks.inputs if isinstance(one, Range)}
    of = [ranges[key] for key in (each.value_01, each.value_02)]
    gauge = ltv_gauge(loan_to_value(*map(values.number, of), kind=each.second))
    is_set = values.is_set(of[0]) & values.is_set(of[1])
    waiting = rx.el.p("Set both figures to see your loan to value.", class_name="small mute")
    look = "needs-script stack ltv-slot"
    return rx.el.div(gauge, waiting, class_name=rx.cond(is_set, look, f"{look} unset"))


def _submit_row(step: Step, values: _QuestionValues) -> rx.Component:
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
            "No signal. Keep this page open, and we’ll send your answer when you’re back online.", class_name="late"
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
