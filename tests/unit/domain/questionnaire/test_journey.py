"""A journey replayed: what is done, what comes next, what is set aside, and what the answers are in words."""

from __future__ import annotations

from typing import Any

import pytest

from broker.domain.questionnaire.answers import Invalid, Line
from broker.domain.questionnaire.graph import Left
from broker.domain.questionnaire.journey import OFF_PATH, Refused, Taken, replay, take
from tests.unit.domain.questionnaire.flows import FLOW, reply
from tests.unit.domain.questionnaire.journeys import JOURNEYS, Told


def answers_of(told: Told, *, until: str = "") -> dict[str, Any]:
    """Return the answers of a journey, up to a step and without it."""
    steps = told.replies[: told.steps.index(until)] if until else told.replies
    return {step: reply(FLOW.steps[step], words) for step, words in steps}


LET = JOURNEYS["buy-to-let remortgage, dependants and a loan"]
HOME = JOURNEYS["residential remortgage, dependants and a loan"]
FOUND = JOURNEYS["buy-to-let purchase, property found"]


def test_journey_begins_at_its_entry() -> None:
    journey = replay(FLOW, "q96", {})
    assert (journey.entry, journey.path, journey.is_complete, journey.lines) == ("q96", ("q96",), False, ())
    assert (journey.left, journey.step_before("q96")) == (Left(least=9, most=13), "")


@pytest.mark.parametrize("entry", ["q17", "submit", "", "q1 ", "Q1", None, ["q1"], {"q1": 1}, 7])
def test_entry_that_is_none_is_the_start(entry: Any) -> None:
    assert replay(FLOW, entry, {"q17": {"01": 2}}).path == ("q1",)


def test_answers_are_told_in_the_visitors_words() -> None:
    journey = replay(FLOW, "q1", answers_of(LET))
    assert [(line.label, line.words) for line in journey.lines] == [
        ("Mortgage for", "Remortgage"),
        ("Use of the property", "Buy to Let"),
        ("Reason", "To save money"),
        ("Property value", "£250,000"),
        ("Mortgage left", "£150,000"),
        ("Loan to value", "60%"),
        ("People applying", "2"),
        ("Credit trouble", "No"),
        ("Employment", "Employed"),
        ("Annual income", "£35,000 a year"),
        ("Additional income", "Child benefit"),
        ("Dependants", "Yes"),
        ("Number of dependants", "2"),
        ("Age next birthday", "41"),
        ("Credit cards or loans", "Yes"),
        ("Owed on cards and loans", "£5,000"),
        ("Mortgage type", "Interest-only"),
        ("Add fees to the loan", "Yes"),
        ("Property type", "Flat"),
        ("New build", "No"),
        ("Year built", "1985"),
        ("Tenure", "Leasehold"),
        ("Bedrooms", "2"),
    ]


def test_rent_and_credit_are_told_in_words() -> None:
    journey = replay(FLOW, "q1", answers_of(FOUND))
    assert {line.label: line.words for line in journey.lines if line.label in ("Rental income", "Credit trouble")} == {
        "Credit trouble": "No",
        "Rental income": "£1,100 a month",
    }


def test_dependants_are_left_out_without_losing_them() -> None:
    """Change "yes" to "no" and the count is off the path, but there again for the next "yes"."""
    answers = {**answers_of(LET), "q100": "no"}
    without = replay(FLOW, "q1", answers)
    assert ("q101" in without.path, without.set_aside, without.is_complete) == (False, {"q101": {"01": 2}}, True)
    again = take(FLOW, "q1", answers=without.answers, step="q100", answer="yes")
    assert isinstance(again, Taken)
    assert (again.journey.is_complete, again.journey.path, dict(again.journey.set_aside)) == (True, LET.steps, {})


def test_other_answer_to_the_first_question_keeps_every_answer() -> None:
    changed = take(FLOW, "q1", answers=answers_of(LET), step="q1", answer="purchase")
    assert isinstance(changed, Taken)
    assert changed.journey.path == ("q1", "q32")
    back = take(FLOW, "q1", answers=changed.answers, step="q1", answer="remortgage")
    assert isinstance(back, Taken)
    assert back.journey == replay(FLOW, "q1", answers_of(LET))


def test_answer_off_the_path_is_refused() -> None:
    answers = answers_of(LET, until="q5")
    for step in ("q6", "q18", "q17", "submit", "q999", "", None, ["q5"], {"q5": 1}, 5, "q5 "):
        refused = take(FLOW, "q1", answers=answers, step=step, answer={"01": 2})
        assert isinstance(refused, Refused)
        named = step if isinstance(step, str) and step in FLOW.steps else ""
        assert (refused.off_path, refused.invalid) == (True, (Invalid(step=named, reason=OFF_PATH),))
        assert refused.journey == replay(FLOW, "q1", answers)


def test_answer_that_is_none_is_refused_with_a_sentence_for_each_input() -> None:
    answers = answers_of(HOME, until="q19")
    refused = take(FLOW, "q1", answers=answers, step="q19", answer={"01": 49_999, "02": "a lot", "03": 12})
    assert isinstance(refused, Refused)
    assert (refused.off_path, refused.invalid) == (
        False,
        (
            Invalid(step="q19", input="01", reason="Enter an amount in whole pounds, from £50,000 to £1,000,000"),
            Invalid(step="q19", input="02", reason="Enter an amount in whole pounds, from £21,000 to £1,000,000"),
        ),
    )


def test_bad_answer_ends_the_path_at_its_step() -> None:
    journey = replay(FLOW, "q1", {**answers_of(LET), "q7": "astronaut"})
    assert journey.path == LET.steps[: LET.steps.index("q7") + 1]
    assert journey.invalid == (Invalid(step="q7", reason="Choose one of the answers"),)
    assert ("q7" in journey.answers, journey.set_aside["q8"]) == (False, {"01": 35_000})


def test_rate_step_is_passed_only_when_it_was_seen() -> None:
    answers = answers_of(LET, until="q107")
    refused = take(FLOW, "q1", answers=answers, step="q107", answer=True)
    assert isinstance(refused, Refused)
    assert refused.invalid == (Invalid(step="q107", reason="Look at these deals, then go on"),)
    taken = take(FLOW, "q1", answers=answers, step="q107", answer="seen")
    assert isinstance(taken, Taken)
    assert taken.journey.path[-1] == "q5"


def test_loan_to_value_is_computed_whatever_is_sent_for_it() -> None:
    taken = take(
        FLOW,
        "q97",
        answers={"q97": "purchase", "q33": "yes"},
        step="q34",
        answer={"01": 300_000, "02": 100_000, "03": 5, "04": "forged", "": {}},
    )
    assert isinstance(taken, Taken)
    answered = taken.journey.answered("q34")
    assert answered
    assert (answered.value, dict(answered.computed)) == ({"01": 300_000, "02": 100_000}, {"03": 66.7})
    assert answered.lines[-1] == Line(label="Loan to value", words="66.7%")


def test_answers_may_come_as_they_are_typed() -> None:
    taken = take(FLOW, "q3", answers={"q3": "raise-money"}, step="q4", answer={"01": " £325,000 ", "02": "195000.00"})
    assert isinstance(taken, Taken)
    assert taken.answers["q4"] == {"01": 325_000, "02": 195_000}


def test_step_before_is_the_one_that_back_leads_to() -> None:
    journey = replay(FLOW, "q1", answers_of(LET, until="q102"))
    assert [journey.step_before(step) for step in ("q102", "q101", "q2", "q1", "q55", "")] == [
        "q101",
        "q100",
        "q1",
        "",
        "",
        "",
    ]


def test_questions_left_fall_as_the_branches_are_settled() -> None:
    left = {step: replay(FLOW, "q1", answers_of(LET, until=step)).left for step in ("q1", "q2", "q107", "q5", "q17")}
    assert left == {
        "q1": Left(least=10, most=21),
        "q2": Left(least=17, most=20),
        "q107": Left(least=15, most=17),
        "q5": Left(least=15, most=17),
        "q17": Left(least=1, most=1),
    }


def test_what_is_given_is_never_changed() -> None:
    answers = answers_of(HOME)
    before = {step: dict(value) if isinstance(value, dict) else value for step, value in answers.items()}
    first, second = replay(FLOW, "q1", answers), replay(FLOW, "q1", answers)
    take(FLOW, "q1", answers=answers, step="q104", answer="no")
    assert (first, answers) == (second, before)
