"""A question as the edge asks it once more: what was given to a plain form, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from broker import routes
from broker.domain.enquiries.contact_details import Problem
from broker.domain.questionnaire.answers import SEEN, range_words
from broker.domain.questionnaire.flow import Calculator, Choice, Inputs, Radio, Range, Step
from broker.domain.questionnaire.forms import ANSWER, STEP
from broker.presenters.enquiry_form import problem_list
from broker.presenters.marks import Value, Values
from broker.presenters.questionnaire import CHANGE, field_of, figure_id

WHOLE = "whole"
"""The field of a problem that belongs to no field of a question: nothing could be kept."""

CHOOSE_ONE = "Choose one"


def asked_again(
    step: Step, given: Mapping[str, str], *, problems: Sequence[Problem], changing: bool
) -> dict[str, Value]:
    """Return what fills the page of a question with what was given; a problem's field is an input's key, or ANSWER."""
    reasons = {each.field: each.reason for each in problems}
    places = {each.field: _place(step, each.field) for each in problems if each.field != WHOLE}
    action = f"{routes.GIVE_ANSWER}?{CHANGE}=yes" if changing else routes.GIVE_ANSWER
    return {
        "question": step.question,
        "action": action,
        STEP: step.id,
        "fields": _fields(step, given, reasons),
        **problem_list(_named(step, problems), places),
    }


def _named(step: Step, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems as a list tells them, away from their fields: of several fields, which one each is of."""
    asked = step.asks.inputs if isinstance(step.asks, Inputs) else ()
    labels = {each.key: each.question for each in asked if not isinstance(each, Calculator)}
    if len(labels) < 2:
        return list(problems)
    return [
        replace(each, reason=f"{labels[each.field]} {each.reason}") if each.field in labels else each
        for each in problems
    ]


def _place(step: Step, key: str) -> str:
    return field_of(step, "" if key == ANSWER else key)


def _fields(step: Step, given: Mapping[str, str], reasons: Mapping[str, str]) -> list[Values]:
    if isinstance(step.asks, Inputs):
        return [_field(each, given, reasons) for each in step.asks.inputs if not isinstance(each, Calculator)]
    if isinstance(step.asks, Choice):
        cards = [(each.key, each.key, each.text) for each in step.asks.options]
        return [_choices(ANSWER, CHOOSE_ONE, cards, chosen=given.get(ANSWER, ""), reasons=reasons)]
    return [{"fixed": [{"name": ANSWER, "value": SEEN}]}]


def _field(each: Range | Radio, given: Mapping[str, str], reasons: Mapping[str, str]) -> Values:
    place, held = figure_id(each.key), given.get(each.key, "")
    if isinstance(each, Radio):
        options = [
            (f"{place}-{option.key}" if later else place, option.key, option.text)
            for later, option in enumerate(each.options)
        ]
        return _choices(each.key, each.question, options, chosen=held, reasons=reasons)
    box: Values = {
        "id": place,
        "name": each.key,
        "label": each.question,
        "hint": f"From {range_words(each, each.low)} to {range_words(each, each.high)}",
        "value": held,
        "before": _sign(each.before),
        "after": _sign(each.after),
        **_told(each.key, reasons),
    }
    return {"box": [box]}


def _choices(
    name: str, legend: str, options: Sequence[tuple[str, str, str]], *, chosen: str, reasons: Mapping[str, str]
) -> Values:
    """Return a field to choose in: each option has its id, its value and its words."""
    drawn: list[Values] = [
        {"id": identity, "value": value, "words": words, "chosen": value == chosen}
        for identity, value, words in options
    ]
    return {"choice": [{"name": name, "legend": legend, "options": drawn, **_told(name, reasons)}]}


def _sign(sign: str) -> Sequence[Values]:
    return [{"sign": sign}] if sign else []


def _told(name: str, reasons: Mapping[str, str]) -> dict[str, Value]:
    return {"wrong": name in reasons, "told": [{"reason": reasons[name]}] if name in reasons else []}
