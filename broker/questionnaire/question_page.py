"""The template's values of a question that the edge renders: one changed since the build, or with a refused answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from broker import routes
from broker.enquiries.contact_details import Problem
from broker.enquiries.form_view import listed_problems
from broker.lending.money import decimals
from broker.questionnaire.answers import SEEN, Answered, range_words
from broker.questionnaire.flow import Calculator, Choice, Inputs, Option, Radio, Range, Step, UnitType
from broker.questionnaire.forms import ANSWER, DIGEST, STEP, question_digest
from broker.questionnaire.journey import Journey
from broker.questionnaire.step_view import CHANGE, Progress, answer_rows, back_to, field_of, figure_id, progress_at
from broker.rates.best_deals import BestDeals

NO_FIELD = "whole"
"""The field of a problem with the answer as a whole."""

_CARDS_LEGEND = "Choose one"

_THIRD, _HALF = 4, 6
"""Widths of cards in twelfths of the row; `site.css` has these and 12."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """A radio button, or a card: a third or a half of the row, else all of it, with a `note`, which may be empty."""

    id: str
    value: str
    words: str
    checked: bool
    is_third: bool = False
    is_half: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """A field of a question: hidden, radio buttons or cards where it has `options`, else a number box with units."""

    name: str
    id: str = ""
    label: str = ""
    hint: str = ""
    value: str = ""
    prefix: str = ""
    suffix: str = ""
    options: tuple[OptionView, ...] = ()
    error: str = ""
    is_hidden: bool = False
    is_cards: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDeals:
    """The deals of a rate step and what they are for; if `deals` is None, `message` says why."""

    deals: BestDeals | None = None
    basis: str = ""
    remarks: tuple[str, ...] = ()
    message: str = ""


def question_values(
    step: Step,
    fields: Mapping[str, str],
    *,
    changing: bool,
    problems: Sequence[Problem] = (),
    journey: Journey | None = None,
    go_on: str = "",
    found: StepDeals = StepDeals(),
) -> dict[str, object]:
    """Return the values of a question's template; a problem's field is an input's key, or ANSWER.

    Without a `journey` neither progress nor answers are shown. `go_on` is the page where the visitor's answers end.
    """
    asks, progress = step.asks, progress_at(journey.flow, journey, step=step.id) if journey else Progress()
    errors = {each.field: each.reason for each in problems}
    anchors = {
        each.field: field_of(step, "" if each.field == ANSWER else each.field)
        for each in problems
        if each.field != NO_FIELD
    }
    return {
        "title": f"Error: {step.question}" if problems else step.question,
        "question": step.question,
        "text": asks.text if isinstance(asks, Inputs) else "",
        "button": (asks.button if isinstance(asks, Inputs) else "") or "Continue",
        "why": step.why,
        "tiles": progress.tiles,
        "progress": progress.words,
        "back": back_to(journey, step.id) if journey else "",
        "answers": answer_rows(journey, before=step.id) if journey else (),
        "go_on": go_on,
        "found": found,
        "action": f"{routes.GIVE_ANSWER}?{CHANGE}=yes" if changing else routes.GIVE_ANSWER,
        STEP: step.id,
        DIGEST: question_digest(step),
        "fields": _fields(step, fields, errors),
        "problems": listed_problems(_with_labels(step, problems), anchors),
    }


def stored_fields(answered: Answered | None) -> dict[str, str]:
    """Return the form's fields, filled with a stored answer."""
    if answered is None or isinstance(answered.value, str):
        return {ANSWER: str(answered.value)} if answered else {}
    inputs = answered.step.asks.inputs if isinstance(answered.step.asks, Inputs) else ()
    years = {each.key for each in inputs if isinstance(each, Range) and each.unit_type is UnitType.YEAR}
    return {
        key: decimals(value, 0) if isinstance(value, int) and key not in years else str(value)
        for key, value in answered.value.items()
    }


def _with_labels(step: Step, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems for the error summary, each after its field's label if there are several fields."""
    inputs = step.asks.inputs if isinstance(step.asks, Inputs) else ()
    labels = {each.key: each.question for each in inputs if not isinstance(each, Calculator)}
    if len(labels) < 2:
        return list(problems)
    return [
        replace(each, reason=f"{labels[each.field]} {each.reason}") if each.field in labels else each
        for each in problems
    ]


def _fields(step: Step, fields: Mapping[str, str], errors: Mapping[str, str]) -> tuple[FieldView, ...]:
    if isinstance(step.asks, Inputs):
        return tuple(_field(each, fields, errors) for each in step.asks.inputs if not isinstance(each, Calculator))
    if isinstance(step.asks, Choice):
        chosen = fields.get(ANSWER, "")
        cards = tuple(_card(each, is_chosen=each.key == chosen) for each in step.asks.options)
        label, error = _CARDS_LEGEND, errors.get(ANSWER, "")
        return (FieldView(name=ANSWER, label=label, options=cards, error=error, is_cards=True),)
    return (FieldView(name=ANSWER, value=SEEN, is_hidden=True),)


def _field(each: Range | Radio, fields: Mapping[str, str], errors: Mapping[str, str]) -> FieldView:
    identity, value = figure_id(each.key), fields.get(each.key, "")
    if isinstance(each, Radio):
        options = tuple(
            OptionView(
                id=f"{identity}-{option.key}" if index else identity,
                value=option.key,
                words=option.text,
                checked=option.key == value,
            )
            for index, option in enumerate(each.options)
        )
        return FieldView(name=each.key, label=each.question, options=options, error=errors.get(each.key, ""))
    return FieldView(
        id=identity,
        name=each.key,
        label=each.question,
        hint=f"From {range_words(each, each.low)} to {range_words(each, each.high)}",
        value=value,
        prefix=each.before,
        suffix=each.after,
        error=errors.get(each.key, ""),
    )


def _card(option: Option, *, is_chosen: bool) -> OptionView:
    return OptionView(
        id=option.key,
        value=option.key,
        words=option.text,
        checked=is_chosen,
        is_third=option.width <= _THIRD,
        is_half=_THIRD < option.width <= _HALF,
        note=option.note,
    )
