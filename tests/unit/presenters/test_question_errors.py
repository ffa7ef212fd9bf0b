"""A question that is asked once more: every field of every step, with what was given to it."""

from __future__ import annotations

from typing import cast

import pytest

from broker.domain.enquiries.contact_details import Problem
from broker.domain.questionnaire.flow import Choice, Inputs, Radio, Range, Step
from broker.domain.questionnaire.forms import ANSWER, answer_in
from broker.presenters.marks import Values
from broker.presenters.question_errors import WHOLE, asked_again
from tests.unit.domain.questionnaire.flows import FLOW

KINDS = ("box", "choice", "fixed")
CHOICES = {step.id: step for step in FLOW.steps.values() if isinstance(step.asks, Choice)}


def drawn(step: Step, given: dict[str, str], *problems: Problem) -> dict[str, Values]:
    """Return the fields of a step that is asked again, by their names."""
    fields = cast("list[Values]", asked_again(step, given, problems=problems, changing=False)["fields"])
    entries = [entry for field in fields for kind in KINDS for entry in cast("list[Values]", field.get(kind, []))]
    return {cast("str", entry["name"]): entry for entry in entries}


def asked(step: Step) -> set[str]:
    """Return the names of the fields that a step is answered with."""
    if isinstance(step.asks, Inputs):
        return {each.key for each in step.asks.inputs if isinstance(each, Range | Radio)}
    return {ANSWER}


@pytest.mark.parametrize("step", FLOW.steps.values(), ids=FLOW.steps)
def test_every_question_is_asked_again_with_all_its_fields(step: Step) -> None:
    fields = drawn(step, {})
    assert set(fields) == asked(step)
    assert set(cast("dict[str, object]", answer_in(dict.fromkeys(fields, "")))) == (asked(step) - {ANSWER})


@pytest.mark.parametrize("step", CHOICES.values(), ids=CHOICES)
def test_card_that_was_chosen_still_is(step: Step) -> None:
    for option in cast("Choice", step.asks).options:
        cards = cast("list[Values]", drawn(step, {ANSWER: option.key})[ANSWER]["options"])
        assert [card["value"] for card in cards if card["chosen"]] == [option.key]


def test_radio_of_several_is_the_first_place_of_its_problem() -> None:
    step, radio = next(
        (step, each)
        for step in FLOW.steps.values()
        if isinstance(step.asks, Inputs)
        for each in step.asks.inputs
        if isinstance(each, Radio)
    )
    problem = Problem(field=radio.key, reason="Choose one of the answers")
    filled = asked_again(step, {}, problems=[problem], changing=False)
    options = cast("list[Values]", drawn(step, {}, problem)[radio.key]["options"])
    assert filled["problems"] == [
        {"problem": [{"reason": f"{radio.question} {problem.reason}", "linked": [{"place": options[0]["id"]}]}]},
    ]
    assert len({option["id"] for option in options}) == len(radio.options)


def test_problem_of_the_whole_answer_leads_to_no_field() -> None:
    filled = asked_again(FLOW.steps["q1"], {}, problems=[Problem(field=WHOLE, reason="No")], changing=False)
    assert filled["problems"] == [{"problem": [{"reason": "No", "plain": [{}]}]}]


def test_list_of_problems_names_the_fields_where_there_are_several() -> None:
    for step, words in (("q19", "How much is left on the mortgage? Enter more"), ("q8", "Enter more")):
        key = max(asked(FLOW.steps[step]))
        filled = asked_again(FLOW.steps[step], {}, problems=[Problem(field=key, reason="Enter more")], changing=False)
        assert cast("list[dict[str, list[Values]]]", filled["problems"])[0]["problem"][0]["reason"] == words
        assert drawn(FLOW.steps[step], {}, Problem(field=key, reason="Enter more"))[key]["told"] == [
            {"reason": "Enter more"}
        ]
