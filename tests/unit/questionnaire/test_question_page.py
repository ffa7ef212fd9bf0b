from typing import cast

from broker.enquiries.contact_details import Problem
from broker.enquiries.form_view import ListedProblem
from broker.questionnaire.flow import Choice, Inputs, Radio, Range, Step
from broker.questionnaire.forms import ANSWER, answer_in
from broker.questionnaire.question_page import NO_FIELD, FieldView, question_values
from tests.unit.questionnaire.flows import FLOW


def fields_of(step: Step, entered: dict[str, str], *problems: Problem) -> dict[str, FieldView]:
    values = question_values(step, entered, problems=problems, changing=False)
    return {field.name: field for field in cast("tuple[FieldView, ...]", values["fields"])}


def problems_of(step: Step, *problems: Problem) -> tuple[ListedProblem, ...]:
    return cast("tuple[ListedProblem, ...]", question_values(step, {}, problems=problems, changing=False)["problems"])


def names_of(step: Step) -> set[str]:
    if isinstance(step.asks, Inputs):
        return {each.key for each in step.asks.inputs if isinstance(each, Range | Radio)}
    return {ANSWER}


def test_every_question_is_shown_with_its_fields_and_the_chosen_card() -> None:
    for step in FLOW.steps.values():
        fields = fields_of(step, {})
        assert set(fields) == names_of(step), step.id
        answer = cast("dict[str, object]", answer_in(dict.fromkeys(fields, "")))
        assert set(answer) == names_of(step) - {ANSWER}, step.id
        for option in step.asks.options if isinstance(step.asks, Choice) else ():
            cards = fields_of(step, {ANSWER: option.key})[ANSWER].options
            assert [card.value for card in cards if card.checked] == [option.key], step.id


def test_error_links_to_the_first_radio_button_or_to_no_field() -> None:
    inputs = (
        (step, each) for step in FLOW.steps.values() if isinstance(step.asks, Inputs) for each in step.asks.inputs
    )
    step, radio = next((step, each) for step, each in inputs if isinstance(each, Radio))
    problem = Problem(field=radio.key, reason="Choose one of the answers")
    options = fields_of(step, {}, problem)[radio.key].options
    reason = f"{radio.question} {problem.reason}"
    assert problems_of(step, problem) == (ListedProblem(reason=reason, anchor=options[0].id),)
    assert len({option.id for option in options}) == len(radio.options)
    assert problems_of(FLOW.steps["q1"], Problem(field=NO_FIELD, reason="No")) == (ListedProblem(reason="No"),)


def test_error_summary_names_the_field_when_there_are_several() -> None:
    for step, words in (("q19", "How much is left on the mortgage? Enter more"), ("q8", "Enter more")):
        key = max(names_of(FLOW.steps[step]))
        problem = Problem(field=key, reason="Enter more")
        assert problems_of(FLOW.steps[step], problem)[0].reason == words
        assert fields_of(FLOW.steps[step], {}, problem)[key].error == "Enter more"
