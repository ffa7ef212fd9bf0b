"""Random walks over the shipped flow end in submit; forged events never leave the path and never raise."""

from random import Random
from typing import Any

import pytest

from broker.questionnaire.answers import Answered, read_answer
from broker.questionnaire.flow import SUBMIT
from broker.questionnaire.journey import Accepted, Journey, Refused, answer_step, replay
from broker.questionnaire.rate_query import rate_search
from tests.unit.questionnaire.flows import SHIPPED
from tests.unit.questionnaire.walks import forged_answer, forged_step, good_answer

COUNTS = [pytest.param(300, id="300"), pytest.param(100_000, id="100000", marks=pytest.mark.soak)]


@pytest.mark.parametrize("count", COUNTS)
def test_random_walks_all_end_in_submit(count: int) -> None:
    draw, walked = Random(20_261_121), set[str]()
    for turn in range(count):
        entry = draw.choice(SHIPPED.entries)
        answers: dict[str, Any] = {}
        journey = replay(SHIPPED, entry, answers)
        while journey.current:
            assert len(answers) < len(SHIPPED.steps), turn
            answers[journey.current.id] = good_answer(journey.current, draw)
            after = replay(SHIPPED, entry, answers)
            check_next_step(journey, after, turn)
            journey = after
        assert SUBMIT in SHIPPED.steps[journey.path[-1]].next_ids, turn
        walked.update(journey.path)
    assert walked == set(SHIPPED.steps)


def check_next_step(before: Journey, after: Journey, turn: int) -> None:
    """Check that an answer only adds to the path, along an edge, and stays within the questions left."""
    assert before.current
    asked = int(before.current.is_question)
    assert after.path[: len(before.path)] == before.path, turn
    onwards = after.current.id if after.current else SUBMIT
    assert onwards in before.current.next_ids, turn
    assert after.left.least >= before.left.least - asked, turn
    assert after.left.most <= before.left.most - asked, turn
    if not before.current.is_question:
        search = rate_search(before)
        assert search, turn
        assert 0 < search.query.amount <= search.query.price, turn


@pytest.mark.parametrize("count", COUNTS)
def test_forged_events_never_reach_a_step_off_the_path(count: int) -> None:
    draw = Random(20_261_122)
    entry: Any = "q1"
    answers, accepted = dict[str, Any](), 0
    for turn in range(count):
        if turn % 40 == 0:
            entry = draw.choice((*SHIPPED.entries, "q17", None, ["q1"]))
            answers = answers_so_far(entry, draw)
        before = replay(SHIPPED, entry, answers)
        here = before.current.id if before.current else "q1"
        step = forged_step(SHIPPED, draw, here)
        real = isinstance(step, str) and step in SHIPPED.steps and draw.random() < 0.6
        answer = good_answer(SHIPPED.steps[step], draw) if real else forged_answer(draw)
        found = answer_step(SHIPPED, entry, answers=answers, step=step, answer=answer)
        if isinstance(found, Refused):
            assert found.journey == before, turn
            assert all(each.reason for each in found.invalid), turn
            assert found.off_path == (not isinstance(step, str) or step not in before.path), turn
            continue
        accepted += 1
        assert step in before.path, turn
        check_path(found, turn)
        answers = found.answers
    assert count / 20 < accepted < count


def answers_so_far(entry: Any, draw: Random) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for _ in range(draw.randrange(22)):
        if current := replay(SHIPPED, entry, answers).current:
            answers[current.id] = good_answer(current, draw)
    return answers


def check_path(found: Accepted, turn: int) -> None:
    """Check that a journey begins at an entry, follows the edges, and has only good answers."""
    path = found.journey.path
    assert path[0] in SHIPPED.entries, turn
    for each in found.journey.done:
        assert isinstance(read_answer(each.step, each.value), Answered), turn
    onwards = (*path[1:], *((SUBMIT,) if found.journey.is_complete else ()))
    assert all(after in SHIPPED.steps[step].next_ids for step, after in zip(path, onwards, strict=False)), turn
    assert replay(SHIPPED, found.journey.entry, found.answers) == found.journey, turn


@pytest.mark.parametrize("count", COUNTS)
def test_random_answers_replay_alike_and_are_not_changed(count: int) -> None:
    """Any answers make the same journey each time, and the journey's own answers make it again."""
    draw = Random(20_261_123)
    steps = tuple(SHIPPED.steps)
    for turn in range(count):
        named = draw.sample(steps, draw.randrange(20))
        answers: dict[Any, Any] = {
            step: good_answer(SHIPPED.steps[step], draw) if draw.random() < 0.7 else forged_answer(draw)
            for step in named
        }
        answers |= {None: 1, "q0": {}, 7: []}
        entry = draw.choice(SHIPPED.entries)
        keys, first = list(answers), replay(SHIPPED, entry, answers)
        assert (replay(SHIPPED, entry, answers), list(answers)) == (first, keys), turn
        again = replay(SHIPPED, entry, first.answers)
        assert (again.path, again.answers) == (first.path, first.answers), turn
        off = [step for step in steps if step not in first.path]
        unchanged = replay(SHIPPED, entry, {**answers, draw.choice(off): forged_answer(draw)})
        assert unchanged.path == first.path, turn


@pytest.mark.parametrize("answers", [None, [], "q1", 7, [("q1", "purchase")], object(), {"q1"}, {}])
def test_answers_that_are_no_mapping_are_none(answers: object) -> None:
    assert replay(SHIPPED, "q1", answers).path == ("q1",)
