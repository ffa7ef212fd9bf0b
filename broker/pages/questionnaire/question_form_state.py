"""The values of a question's form in the browser until it is sent: options, numbers and the texts of their boxes.

A question that was answered before shows that answer until the visitor changes it. A number that nobody has set is an
empty text: where the slider starts is no answer.
"""

import functools
import operator
from collections.abc import Mapping
from typing import Any

import reflex as rx
from reflex.vars import StringVar, VarData

from broker import routes
from broker.calculators.figures import INCOMES, question_figures
from broker.components.client_values import BrowserValues, client_handler
from broker.components.forms.figures import figure_text, figures_line, keep_figures, once_cleared
from broker.components.jinja import Text, Value
from broker.lending import money
from broker.lending.arithmetic import choose, matches
from broker.questionnaire.answers import range_problem
from broker.questionnaire.flow import Input, Inputs, Radio, Range, Step, UnitType
from broker.questionnaire.forms import ANSWER
from broker.state.questionnaire import QuestionnaireState

STATE: Any = QuestionnaireState
"""The state as browser expressions."""

_AT_WORK, _SENT, _OPENED = "atWork", "sent", "sentOn"
"""Values of every question: whether its scripts run; and `STATE.dealt` and `STATE.opened` when the answer was sent."""

_NOT_SENT = "-"
"""The value of `_SENT` before an answer is sent; those of the server are hexadecimal, or empty at first."""


class QuestionValues:
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
        """Return the handler of an answer that is sent, which keeps its figures; those offered are kept already."""
        sent = self.stored.put({_SENT: STATE.dealt, _OPENED: STATE.opened})
        own = {names[0]: self._own_number(each) for each, names in self._asked_figures() if names != INCOMES}
        kept = keep_figures(own)
        data = VarData.merge(kept._get_all_var_data(), sent._get_all_var_data())
        return client_handler(rx.Var(f"({kept!s}, {sent!s})", _var_data=data)) if own else client_handler(sent)

    def figures(self) -> list[rx.Component]:
        """Draw the line of the visitor's figures, which the server's answer takes the place of."""
        shown = [
            (self.stored[_offer(each.key)] != "")
            & ((STATE.figures.get(each.key, "").to(str) == "") | ~self.is_current_page)
            for each, _ in self._asked_figures()
        ]
        if not shown:
            return []
        is_used = functools.reduce(operator.or_, shown)
        cleared = once_cleared(self.stored.put(self._offers()))
        return [figures_line(is_used._replace(merge_var_data=cleared))]

    def _asked_figures(self) -> list[tuple[Range, tuple[str, ...]]]:
        names = question_figures(self.step)
        return [(each, names[each.key]) for each in _inputs(self.step) if isinstance(each, Range) and each.key in names]

    def _offers(self) -> dict[str, rx.Var]:
        """Return the figures of the moment, as texts."""
        asked = self._asked_figures()
        return {_offer(each.key): figure_text(names, low=each.low, high=each.high) for each, names in asked}

    def _own_number(self, each: Range) -> rx.Var:
        is_own = self.stored[_touched(each.key)] | (self.stored[_offer(each.key)] == "")
        return rx.cond(is_own & self.is_set(each), self.number(each), rx.Var("undefined"))

    def choose(self, name: str, key: str) -> rx.Var:
        return self._put({name: key, _touched(name): True})

    def chosen(self, name: str, saved: rx.Var) -> rx.Var:
        """Return the chosen option of a field: here, else of the stored answer."""
        shows_own = self.stored[_touched(name)] | ~self.is_current_page
        return rx.cond(shows_own, self.stored[name], saved).to(str)

    def text(self, each: Range) -> StringVar:
        """Return the text of a number box: as typed, of the stored answer, the visitor's figure, or an empty one."""
        saved, own = STATE.figures.get(each.key, "").to(str), self.stored[_text(each.key)]
        begin = self._begin(each)
        stored = rx.cond(saved != "", formatted(each, money.amount_in(saved)), begin)
        before = rx.cond(self.is_current_page, stored, rx.cond(own != "", own, begin))
        return rx.cond(self.stored[_touched(each.key)], own, before).to(str)

    def _begin(self, each: Range) -> Text:
        """Return the text that a number box begins with: the visitor's figure, or an empty one."""
        if each.key not in question_figures(self.step):
            return ""
        offer = self.stored[_offer(each.key)]
        return rx.cond(offer != "", formatted(each, money.amount_in(offer)), "")

    def number(self, each: Range) -> rx.Var:
        """Return the number in a box; where the slider starts for an empty text, and the lowest for an invalid one."""
        text = self.text(each)
        other = rx.cond(text == "", each.start, each.low).to(int)
        return choose(self.is_set(each), lambda: money.amount_in(text), lambda: other)

    def is_set(self, each: Range) -> rx.Var:
        """Return whether a box has a number within its bounds."""
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
        tidy = choose(self.is_set(each), lambda: formatted(each, money.amount_in(text)), lambda: text)
        touched = self.stored[_touched(each.key)]
        return client_handler(self.stored.put({_text(each.key): tidy, _touched(each.key): touched}))

    def _put(self, changes: Mapping[str, Value]) -> rx.Var:
        """Return the handler of a change; a refused answer that was changed is not sent again by itself."""
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


def formatted(each: Range, value: int | rx.Var) -> Text:
    """Return a number as its box shows it: a year without a comma."""
    if each.unit_type is not UnitType.YEAR:
        return money.decimals(value, 0)
    return str(value) if isinstance(value, int) else rx.Var(f"String({value!s})", _var_data=value._get_all_var_data())
