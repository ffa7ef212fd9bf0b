"""Every edge of specification 4, and each of its journeys from the first reply to submit."""

from __future__ import annotations

import pytest

from broker.domain.questionnaire.answers import Value
from broker.domain.questionnaire.entries import ENTRIES, ENTRY_STEPS, entry_for
from broker.domain.questionnaire.flow import Choice, Rates, Step
from broker.domain.questionnaire.graph import Left, questions_left
from broker.domain.questionnaire.journey import Taken, replay, take
from tests.unit.domain.questionnaire.flows import FLOW, reply
from tests.unit.domain.questionnaire.journeys import JOURNEYS, Told
from tests.unit.domain.questionnaire.specification_4 import EDGES, RATE_STEPS


def edges(step: Step) -> dict[str, str]:
    """Return where each answer of a step leads."""
    if isinstance(step.asks, Choice):
        return {option.key: option.next_id for option in step.asks.options}
    return {"": step.asks.next_id}


def test_flow_has_every_step_and_no_other() -> None:
    assert sorted(FLOW.steps) == sorted(EDGES) == sorted(f"q{number}" for number in range(1, 112))


@pytest.mark.parametrize("step", EDGES)
def test_step_leads_where_the_specification_says(step: str) -> None:
    assert edges(FLOW.steps[step]) == EDGES[step]


def test_rate_steps_have_their_kinds_and_customers() -> None:
    asks = {id_: step.asks for id_, step in FLOW.steps.items()}
    found = {id_: (each.kind, each.searched) for id_, each in asks.items() if isinstance(each, Rates)}
    assert found == RATE_STEPS


@pytest.mark.parametrize("told", JOURNEYS.values(), ids=JOURNEYS)
def test_journey_takes_exactly_these_steps_to_submit(told: Told) -> None:
    answers: dict[str, Value] = {}
    for number, (step, words) in enumerate(told.replies):
        taken = take(FLOW, told.entry, answers=answers, step=step, answer=reply(FLOW.steps[step], words))
        assert isinstance(taken, Taken), (step, taken)
        answers = taken.answers
        assert taken.journey.path == told.steps[: number + 2]
    journey = replay(FLOW, told.entry, answers)
    assert (journey.is_complete, journey.path, journey.left) == (True, told.steps, Left(least=0, most=0))


@pytest.mark.parametrize("told", JOURNEYS.values(), ids=JOURNEYS)
def test_questions_left_hold_at_every_step_of_a_journey(told: Told) -> None:
    left = questions_left(FLOW)
    ahead = [FLOW.steps[step].is_question for step in told.steps]
    for number, step in enumerate(told.steps):
        assert left[step].least <= sum(ahead[number:]) <= left[step].most


def test_journeys_take_every_edge_but_those_to_the_same_step() -> None:
    pairs = {
        (step, after) for told in JOURNEYS.values() for step, after in zip(told.steps, told.steps[1:], strict=False)
    }
    ends = {(told.steps[-1], "submit") for told in JOURNEYS.values()}
    assert pairs | ends == {(step, after) for step, ways in EDGES.items() for after in ways.values()}


def test_questions_left_are_these() -> None:
    left = questions_left(FLOW)
    assert {step: (left[step].least, left[step].most) for step in FLOW.entries} == {
        "q1": (10, 21),
        "q2": (17, 20),
        "q3": (17, 19),
        "q32": (9, 15),
        "q33": (8, 12),
        "q52": (9, 14),
        "q66": (8, 13),
        "q96": (9, 13),
        "q97": (9, 20),
    }


def test_entries_are_steps_of_the_flow() -> None:
    assert set(FLOW.entries) == set(ENTRY_STEPS) == {"q1", *ENTRIES.values()}


@pytest.mark.parametrize(
    ("slug", "step"),
    [
        ("first-time-buyer", "q96"),
        ("home-mover", "q66"),
        ("buy-to-let", "q97"),
        ("buy-to-let-remortgage", "q3"),
        ("buy-to-let-purchase", "q33"),
        ("remortgaging", "q2"),
        ("purchase", "q32"),
        ("residential-purchase", "q52"),
        ("contractor-mortgage", "q1"),
        ("protection-needs", "q1"),
        ("", "q1"),
    ],
)
def test_page_begins_at_this_step(slug: str, step: str) -> None:
    assert entry_for(slug) == step
