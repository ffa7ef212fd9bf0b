from dataclasses import replace
from typing import Any

import pytest

from broker.questionnaire.flow import Choice
from broker.questionnaire.forms import (
    ANSWER,
    MAX_FIELDS,
    STEP,
    VERSION,
    answer_in,
    is_outdated,
    question_digest,
    version_in,
)
from tests.services import project_flow

FIELDS: dict[str, tuple[dict[str, Any], Any]] = {
    "a choice": ({STEP: "q1", VERSION: "2", ANSWER: "remortgage"}, "remortgage"),
    "a choice beside its cards": ({ANSWER: "yes", "yes": "yes", "no": "no"}, "yes"),
    "figures": ({STEP: "q4", VERSION: "", "01": "250,000", "02": "1"}, {"01": "250,000", "02": "1"}),
    "nothing": ({}, {}),
    "only the fields of the form itself": ({STEP: "q1", VERSION: "1"}, {}),
    "an answer of another type": ({ANSWER: ["yes"]}, ["yes"]),
}


@pytest.mark.parametrize(("form", "answer"), FIELDS.values(), ids=FIELDS)
def test_answer_is_what_the_fields_say(form: dict[str, Any], answer: Any) -> None:
    assert answer_in(form) == answer


def test_fields_beyond_the_most_of_any_step_are_ignored() -> None:
    found = answer_in({str(number): "x" for number in range(1_000)})
    assert isinstance(found, dict)
    assert len(found) == MAX_FIELDS


def test_version_of_a_question_is_one_to_nine_digits_or_none() -> None:
    refused: list[Any] = ["0", "", "-1", "1.5", "١", "9" * 10, "9" * 100_000, 3, None, [1]]
    assert [version_in({VERSION: value}) for value in ("1", "999999999")] == [1, 999_999_999]
    assert [value for value in refused if version_in({VERSION: value}) is not None] == []
    assert version_in({ANSWER: "yes"}) is None


def test_digest_changes_with_what_a_step_asks_and_where_it_leads() -> None:
    step = project_flow().steps["q1"]
    assert isinstance(step.asks, Choice)
    first, *others = step.asks.options
    moved = replace(step, asks=replace(step.asks, options=(replace(first, next_id="q9"), *others)))
    assert len({question_digest(each) for each in (step, moved, replace(step, question="Why?"))}) == 3
    assert question_digest(replace(step)) == question_digest(step)


def test_form_of_another_version_of_its_question_is_outdated() -> None:
    step = project_flow().steps["q1"]
    assert is_outdated(question_digest(replace(step, why="Because.")), step)
    assert not is_outdated(question_digest(step), step)
    assert not is_outdated("", step)
    assert not is_outdated(None, step)
    assert not is_outdated("x", None)
