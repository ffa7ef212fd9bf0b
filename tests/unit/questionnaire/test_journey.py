from collections.abc import Mapping
from typing import Any

import pytest

from broker.questionnaire.answers import Invalid, Line
from broker.questionnaire.flow import QuestionsLeft
from broker.questionnaire.journey import OFF_PATH, Accepted, Refused, answer_step, replay
from tests.unit.questionnaire.flows import small_flow

FLOW = small_flow()
ANSWERS: dict[str, Any] = {
    "q1": "remortgage",
    "q2": "let",
    "q4": {"01": 250_000, "02": 150_000},
    "q107": "seen",
    "q100": "yes",
    "q101": {"01": 2},
    "q102": {"01": 1985},
    "q11": "interest-only",
}
"""A journey to the end."""

PATH = tuple(ANSWERS)


def until(step: str) -> dict[str, Any]:
    return {each: ANSWERS[each] for each in PATH[: PATH.index(step)]}


def accept(answers: Mapping[str, Any], *, step: str, answer: object) -> Accepted:
    accepted = answer_step(FLOW, "q1", answers=answers, step=step, answer=answer)
    assert isinstance(accepted, Accepted)
    return accepted


def test_journey_begins_at_its_entry() -> None:
    journey = replay(FLOW, "q32", {})
    assert (journey.entry, journey.path, journey.is_complete, journey.lines) == ("q32", ("q32",), False, ())
    assert (journey.left, journey.step_before("q32")) == (QuestionsLeft(least=3, most=3), "")


@pytest.mark.parametrize("entry", ["q11", "submit", "", "q1 ", "Q1", None, ["q1"], {"q1": 1}, 7])
def test_unknown_entry_is_the_start(entry: Any) -> None:
    assert replay(FLOW, entry, {"q11": "repayment"}).path == ("q1",)


REMORTGAGE_IN_WORDS = """Question q1?: Remortgage; Question q2?: Buy to Let; Property value: £250,000;
    Mortgage left: £150,000; Loan to value: 60%; Question q100?: Yes; Number of dependants: 2; Year built: 1985;
    Question q11?: Later"""


def test_answers_are_given_in_words() -> None:
    found = [f"{line.label}: {line.words}" for line in replay(FLOW, "q1", ANSWERS).lines]
    assert found == [words.strip() for words in REMORTGAGE_IN_WORDS.split(";")]
    other = replay(FLOW, "q1", {"q1": "purchase", "q32": {"01": "no", "02": 1}, "q33": {"01": 1_100}})
    assert [line.words for line in other.lines] == ["Purchase", "No", "1", "£1,100 a month"]


def test_answers_off_the_path_are_set_aside() -> None:
    """Changing "yes" to "no" takes the count off the path, and "yes" brings it back."""
    without = replay(FLOW, "q1", {**ANSWERS, "q100": "no"})
    assert ("q101" in without.path, without.set_aside, without.is_complete) == (False, {"q101": {"01": 2}}, True)
    again = accept(without.answers, step="q100", answer="yes").journey
    assert (again.is_complete, again.path, dict(again.set_aside)) == (True, PATH, {})


def test_other_answer_to_the_first_question_keeps_every_answer() -> None:
    changed = accept(ANSWERS, step="q1", answer="purchase")
    assert changed.journey.path == ("q1", "q32")
    assert accept(changed.answers, step="q1", answer="remortgage").journey == replay(FLOW, "q1", ANSWERS)


def test_answer_off_the_path_is_refused() -> None:
    answers = until("q100")
    for step in ("q101", "q32", "q11", "submit", "q999", "", None, ["q100"], {"q100": 1}, 5, "q100 "):
        refused = answer_step(FLOW, "q1", answers=answers, step=step, answer={"01": 2})
        assert isinstance(refused, Refused)
        named = step if isinstance(step, str) and step in FLOW.steps else ""
        assert (refused.off_path, refused.invalid) == (True, (Invalid(step=named, reason=OFF_PATH),))
        assert refused.journey == replay(FLOW, "q1", answers)


def test_invalid_answer_ends_the_path_at_its_step() -> None:
    journey = replay(FLOW, "q1", {**ANSWERS, "q100": "maybe"})
    assert journey.path == PATH[: PATH.index("q100") + 1]
    assert journey.invalid == (Invalid(step="q100", reason="Choose one of the answers"),)
    assert ("q100" in journey.answers, journey.set_aside["q101"]) == (False, {"01": 2})


def test_rate_step_is_passed_only_once_seen() -> None:
    refused = answer_step(FLOW, "q1", answers=until("q107"), step="q107", answer=True)
    assert isinstance(refused, Refused)
    assert refused.invalid == (Invalid(step="q107", reason="Look at these deals, then press Continue"),)
    assert accept(until("q107"), step="q107", answer="seen").journey.path[-1] == "q100"


def test_answers_are_stored_as_figures_and_loan_to_value_is_computed() -> None:
    """Whatever is sent for the loan to value or for other inputs is ignored."""
    sent = {"01": " £300,000 ", "02": "200000.00", "03": 5, "04": "forged", "": {}}
    accepted = accept(until("q4"), step="q4", answer=sent)
    answered = accepted.journey.answered("q4")
    assert answered
    assert accepted.answers["q4"] == answered.value == {"01": 300_000, "02": 200_000}
    assert dict(answered.computed) == {"03": 66.7}
    assert answered.lines[-1] == Line(label="Loan to value", words="66.7%")


def test_step_before_is_where_back_leads() -> None:
    journey = replay(FLOW, "q1", until("q102"))
    steps = ("q102", "q101", "q2", "q1", "q32", "")
    assert [journey.step_before(step) for step in steps] == ["q101", "q100", "q1", "", "", ""]


def test_questions_left_fall_as_branches_are_settled() -> None:
    left = {"q1": (4, 7), "q2": (5, 6), "q107": (3, 4), "q100": (3, 4), "q11": (1, 1)}
    found = {step: replay(FLOW, "q1", until(step)).left for step in left}
    assert {step: (each.least, each.most) for step, each in found.items()} == left
