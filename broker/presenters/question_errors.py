"""A question that the edge shows again: what a form posted, and what is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from broker import routes
from broker.domain.enquiries.contact_details import Problem
from broker.domain.questionnaire.answers import SEEN, range_words
from broker.domain.questionnaire.flow import Calculator, Choice, Inputs, Radio, Range, Step
from broker.domain.questionnaire.forms import ANSWER, DIGEST, STEP, question_digest
from broker.presenters.enquiry_form import listed_problems
from broker.presenters.questionnaire import CHANGE, field_of, figure_id

NO_FIELD = "whole"
"""The field of a problem of the answer as a whole: nothing could be stored."""

LEGEND_OF_CARDS = "Choose one"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """A radio button."""

    id: str
    value: str
    words: str
    checked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """A field of a question: hidden, radio buttons where it has `options`, else a number box with its units."""

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


def question_values(
    step: Step, fields: Mapping[str, str], *, problems: Sequence[Problem], changing: bool
) -> dict[str, object]:
    """Return the values of a question's template; a problem's field is an input's key, or ANSWER."""
    errors = {each.field: each.reason for each in problems}
    anchors = {
        each.field: field_of(step, "" if each.field == ANSWER else each.field)
        for each in problems
        if each.field != NO_FIELD
    }
    return {
        "question": step.question,
        "action": f"{routes.GIVE_ANSWER}?{CHANGE}=yes" if changing else routes.GIVE_ANSWER,
        STEP: step.id,
        DIGEST: question_digest(step),
        "fields": _fields(step, fields, errors),
        "problems": listed_problems(_with_labels(step, problems), anchors),
    }


def _with_labels(step: Step, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems for the error summary: with several fields each begins with its field's label."""
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
        cards = [(each.key, each.key, each.text) for each in step.asks.options]
        return (_radios(ANSWER, LEGEND_OF_CARDS, cards, chosen=fields.get(ANSWER, ""), errors=errors),)
    return (FieldView(name=ANSWER, value=SEEN, is_hidden=True),)


def _field(each: Range | Radio, fields: Mapping[str, str], errors: Mapping[str, str]) -> FieldView:
    identity, value = figure_id(each.key), fields.get(each.key, "")
    if isinstance(each, Radio):
        options = [
            (f"{identity}-{option.key}" if index else identity, option.key, option.text)
            for index, option in enumerate(each.options)
        ]
        return _radios(each.key, each.question, options, chosen=value, errors=errors)
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


def _radios(
    name: str, legend: str, options: Sequence[tuple[str, str, str]], *, chosen: str, errors: Mapping[str, str]
) -> FieldView:
    """Return radio buttons; each option is its id, its value and its words."""
    drawn = tuple(
        OptionView(id=identity, value=value, words=words, checked=value == chosen) for identity, value, words in options
    )
    return FieldView(name=name, label=legend, options=drawn, error=errors.get(name, ""))
