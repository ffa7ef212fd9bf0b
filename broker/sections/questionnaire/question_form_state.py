"""What a question holds in the browser until it is sent: the option chosen, each figure and the text in its box.

A question that was answered before shows that answer until the visitor changes it.
"""

from __future__ import annotations

from typing import Any

import reflex as rx

from broker import routes
from broker.components.client_values import BrowserValues, client_handler
from broker.domain import money
from broker.domain.arithmetic import choose, matches
from broker.domain.questionnaire.answers import MAX_FIGURE_LENGTH, range_problem
from broker.domain.questionnaire.flow import Input, Inputs, Radio, Range, Step, UnitType
from broker.domain.questionnaire.forms import ANSWER
from broker.state.questionnaire import QuestionnaireState

STATE: Any = QuestionnaireState
"""The state, whose fields are expressions here."""

_AT_WORK, _SENT, _ON = "atWork", "sent", "sentOn"
"""Names of three values of every question: whether its scripts have started, and what the server had dealt with, and
how it had last opened the page, when the answer was sent."""

_NOTHING = "-"
"""Stands for what the server had dealt with before anything was sent; its own are hexadecimal, or empty at first."""


class QuestionValues:
    """What a question holds in the browser: the option chosen, each figure and its text, and whether it was sent.

    A visitor who comes back to a question sees what they left there until the server tells what is kept, which may have
    been changed in another tab; from then on it stands until it is touched.
    """

    def __init__(self, step: Step) -> None:
        """Keep the values under the step's name, which no other page uses."""
        ranges = [each.key for each in _inputs(step) if isinstance(each, Range)]
        radios = [each.key for each in _inputs(step) if isinstance(each, Radio)]
        self._untouched = {_touched(key): False for key in (*ranges, *radios, ANSWER)}
        texts, chosen = {_text(key): "" for key in ranges}, dict.fromkeys((*radios, ANSWER), "")
        sending = {_AT_WORK: False, _SENT: _NOTHING, _ON: ""}
        self.kept = BrowserValues(f"asked_{step.id}", {**texts, **chosen, **self._untouched, **sending})
        self.step = step

    @property
    def at_work(self) -> rx.Var:
        """Whether the scripts of the page have started."""
        return self.kept[_AT_WORK]

    @property
    def is_here(self) -> rx.Var:
        """Whether what the state holds is of this page."""
        return STATE.path == routes.question(self.step.id)

    @property
    def is_waiting(self) -> rx.Var:
        """Whether an answer was sent that the server has not dealt with yet."""
        dealt_with = (STATE.dealt != "") & (STATE.dealt != self.kept[_SENT])
        return (self.kept[_SENT] != _NOTHING) & ~dealt_with

    @property
    def is_lost(self) -> rx.Var:
        """Whether the server opened the page anew while an answer waited: it may have gone down with the connection."""
        return self.is_waiting & (self.kept[_ON] != "") & (self.kept[_ON] != STATE.opened)

    def start(self) -> rx.Var:
        """Return the handler of the question's arrival on the page."""
        return client_handler(self.kept.put({**self._untouched, _AT_WORK: True, _SENT: _NOTHING, _ON: ""}))

    def send(self) -> rx.Var:
        """Return the handler that notes that an answer is on its way."""
        return client_handler(self.kept.put({_SENT: STATE.dealt, _ON: STATE.opened}))

    def pick(self, name: str, key: str) -> rx.Var:
        """Return the handler that chooses an option of a name."""
        return self._put({name: key, _touched(name): True})

    def chosen(self, name: str, saved: rx.Var) -> rx.Var:
        """Return the option chosen of a name: here, or when the question was answered before."""
        shows_own = self.kept[_touched(name)] | ~self.is_here
        return rx.cond(shows_own, self.kept[name], saved).to(str)

    def text(self, each: Range) -> rx.Var:
        """Return what the box of a figure holds: as typed, as it was answered before, or where the slider begins."""
        saved, own, begin = (
            STATE.figures.get(each.key, "").to(str),
            self.kept[_text(each.key)],
            written(each, each.start),
        )
        kept = rx.cond(saved != "", written(each, money.amount_in(saved)), begin)
        before = rx.cond(self.is_here, kept, rx.cond(own != "", own, begin))
        return rx.cond(self.kept[_touched(each.key)], own, before).to(str)

    def figure(self, each: Range) -> rx.Var:
        """Return the figure in a box, its low end where the box holds none."""
        text = self.text(each)
        return choose(self.problem(each) == "", lambda: money.amount_in(text), lambda: rx.Var.create(each.low))

    def problem(self, each: Range) -> rx.Var:
        """Return what is wrong with the text in a box, empty where it is a figure within its bounds."""
        text, wrong = self.text(each), rx.Var.create(range_problem(each))
        figure = money.amount_in(text)
        fits = matches(text, _FIGURE) & (figure >= each.low) & (figure <= each.high)
        return rx.cond(fits, "", wrong).to(str)

    def put(self, each: Range, text: Any) -> rx.Var:
        """Return the handler that sets a box to a text."""
        return self._put({_text(each.key): text, _touched(each.key): True})

    def leave(self, each: Range) -> rx.Var:
        """Return the handler of leaving a box: a figure in order is written out with its commas."""
        text = self.text(each)
        tidy = choose(self.problem(each) == "", lambda: written(each, money.amount_in(text)), lambda: text)
        touched = self.kept[_touched(each.key)]
        return client_handler(self.kept.put({_text(each.key): tidy, _touched(each.key): touched}))

    def _put(self, changes: dict[str, Any]) -> rx.Var:
        """Return the handler of a change: an answer that was refused is not sent again by itself once it is changed."""
        return client_handler(self.kept.put({**changes, _SENT: rx.cond(self.is_waiting, self.kept[_SENT], _NOTHING)}))


_FIGURE = rf"(?=[\s\S]{{1,{MAX_FIGURE_LENGTH}}}$)[{money.IGNORED}]*[0-9][0-9,\s]*(\.0{{0,2}})?\s*"
"""A whole number as people write one, no longer than is read."""


def _inputs(step: Step) -> tuple[Input, ...]:
    return step.asks.inputs if isinstance(step.asks, Inputs) else ()


def _text(key: str) -> str:
    return f"text{key}"


def _touched(name: str) -> str:
    return f"touched{name}"


def written(each: Range, value: Any) -> Any:
    """Write a figure as its box holds it: a year without a comma."""
    if each.unit_type is not UnitType.YEAR:
        return money.decimals(value, 0)
    return str(value) if isinstance(value, int) else rx.Var(f"String({value!s})", _var_data=value._get_all_var_data())
