"""Questions: a page to begin at begins a journey, any other does not, and an answer is never lost for want of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from broker.domain.questionnaire.journey import OFF_PATH, Refused
from broker.services.casework import Casework
from broker.services.journeys import GONE, Gone, Held
from broker.services.questions import Newer
from broker.settings import Settings
from tests.unit.services.enquiring import BUILT, running

Story = Callable[[Casework], Coroutine[Any, Any, object]]


def told(settings: Settings, story: Story) -> object:
    """Return what a story ends with."""

    async def block() -> object:
        async with running(settings) as casework:
            return await story(casework)

    return asyncio.run(block())


def test_page_to_begin_at_begins_a_journey_and_no_other_does(db_settings: Settings) -> None:
    async def story(casework: Casework) -> object:
        questions = casework.questions
        others = [await questions.opened("", step) for step in ("q4", "q999", "")]
        begun = await questions.opened("", "q1")
        assert begun
        again = [await questions.opened(begun.token, step) for step in ("q1", "q4", "")]
        return others, {each.token for each in again if each} == {begun.token}, len(again)

    assert told(db_settings, story) == ([None, None, None], True, 3)


@pytest.mark.parametrize("token", ["", "x" * 43, "nonsense"])
def test_answer_to_a_page_to_begin_at_is_kept_without_a_journey(db_settings: Settings, token: str) -> None:
    async def story(casework: Casework) -> object:
        kept = await casework.questions.answer(token, "q1", answer="stay", seen=7)
        assert isinstance(kept, Held)
        other = await casework.questions.answer(token, "q4", answer=BUILT)
        found = await casework.journeys.find(kept.token)
        return kept.token != token, found == kept, kept.journey.answers, other

    assert told(db_settings, story) == (True, True, {"q1": "stay"}, Gone(words=GONE))


def test_bad_answer_without_a_journey_is_refused(db_settings: Settings) -> None:
    async def story(casework: Casework) -> object:
        refused = await casework.questions.answer("", "q1", answer="sell")
        assert isinstance(refused, Refused)
        return refused.invalid[0].reason, refused.off_path

    assert told(db_settings, story) == ("Choose one of the answers", False)


def test_answer_that_waited_is_told_where_a_newer_one_stands(db_settings: Settings) -> None:
    async def story(casework: Casework) -> object:
        questions = casework.questions
        begun = await questions.answer("", "q1", answer="buy")
        assert isinstance(begun, Held)
        late = await questions.answer(begun.token, "q1", answer="stay", seen=1)
        same = await questions.answer(begun.token, "q1", answer="buy", seen=1)
        fresh = await questions.answer(begun.token, "q1", answer="stay", seen=begun.version)
        assert isinstance(fresh, Held)
        plain = await questions.answer(begun.token, "q1", answer="buy")
        assert isinstance(plain, Held)
        return late == Newer(held=begun), same == begun, fresh.journey.answers, plain.journey.answers

    assert told(db_settings, story) == (True, True, {"q1": "stay"}, {"q1": "buy"})


@pytest.mark.parametrize("step", [None, 7, "", "q999", ["q1"], {"q1": 1}, "q4"])
def test_step_that_is_not_the_visitors_is_refused(db_settings: Settings, step: Any) -> None:
    async def story(casework: Casework) -> object:
        begun = await casework.questions.opened("", "q1")
        assert begun
        refused = await casework.questions.answer(begun.token, step, answer=BUILT, seen=1)
        assert isinstance(refused, Refused)
        return refused.off_path, refused.invalid[0].reason

    assert told(db_settings, story) == (True, OFF_PATH)
