"""Answers as a tab gives them: twice, late, from two tabs at once, and such as cannot be taken."""

from typing import Any

import pytest

from broker import routes
from broker.domain.questionnaire.forms import DIGEST, QUESTION_CHANGED
from broker.domain.questionnaire.journey import OFF_PATH
from broker.presenters.questionnaire import NEWER
from tests.unit.state.asking import Asked, Asker, Led, Tell, focused, led

Q1, Q2, Q4, Q18, Q19, Q32 = (routes.question(step) for step in ("q1", "q2", "q4", "q18", "q19", "q32"))
TO_Q19 = "q1 remortgage, q2 residential, q18 save-money"


def test_second_press_of_the_button_leads_on_once(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.open(Q1)
        twice = tab.form("q1", "remortgage")
        first, second = led(await tab.send(twice)), led(await tab.send(twice))
        pressed_again = await tab.answer("q1", "remortgage")
        await tab.open(Q2)
        await tab.open(Q1)
        return first, second, pressed_again, await tab.answer("q1", "remortgage"), tab.state.version

    assert tell(story) == (Led(path=Q2), None, Led(path=Q2), Led(path=Q2), 2)


def test_last_of_two_answers_that_waited_in_one_tab_is_kept(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.open(Q1)
        first, second = tab.form("q1", "remortgage"), tab.form("q1", "purchase")
        await tab.send(first)
        onwards = led(await tab.send(second))
        await tab.open(Q32)
        return onwards, dict(tab.shown)

    assert tell(story) == (Led(path=Q32), {"Mortgage for": "Purchase"})


def test_answer_sent_again_after_the_page_opened_anew_leads_on_once(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.open(Q1)
        waited = tab.form("q1", "remortgage")
        await tab.open(Q1)
        again = tab.form("q1", "remortgage")
        return led(await tab.send(waited)), led(await tab.send(again)), tab.state.version

    assert tell(story) == (Led(path=Q2), None, 2)


def test_answer_of_another_tab_stands_until_the_visitor_says_otherwise(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        other = tab.browser.tab()
        await tab.reply("q1 remortgage")
        await other.open(Q2)
        await tab.reply("q2 residential")
        stayed = await other.answer("q2", "buy-to-let")
        told = (stayed, other.state.problem, other.state.chosen)
        again = await other.answer("q2", "buy-to-let")
        await tab.open(Q2)
        return told, again, tab.state.chosen

    assert tell(story) == ((None, NEWER, "residential"), Led(path=routes.question("q3")), "buy-to-let")


def test_answer_to_a_step_another_tab_took_off_the_path_leads_back(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        other = tab.browser.tab()
        await tab.reply("q1 remortgage, q2 residential")
        await other.open(Q18)
        await tab.reply("q1 purchase")
        onwards = await other.answer("q18", "save-money")
        assert onwards
        return onwards, await other.settle(onwards.path), other.state.notice

    assert tell(story) == (Led(path=Q32, replace=True), Q32, OFF_PATH)


REFUSED: dict[str, tuple[str, dict[str, Any], dict[str, str], str]] = {
    "nothing chosen": ("q1", {}, {"": "Choose one of the answers"}, "remortgage"),
    "no option": ("q1", {"answer": "sell"}, {"": "Choose one of the answers"}, "remortgage"),
    "a figure too high": (
        "q19",
        {"01": "1e9", "02": "150000"},
        {"01": "Enter an amount in whole pounds, from £50,000 to £1,000,000"},
        "figure-01",
    ),
    "two figures missing": (
        "q19",
        {},
        {
            "01": "Enter an amount in whole pounds, from £50,000 to £1,000,000",
            "02": "Enter an amount in whole pounds, from £21,000 to £1,000,000",
        },
        "figure-01",
    ),
    "the second figure wrong": (
        "q19",
        {"01": "£250,000.00", "02": "-5"},
        {"02": "Enter an amount in whole pounds, from £21,000 to £1,000,000"},
        "figure-02",
    ),
}


@pytest.mark.parametrize(("step", "fields", "problems", "focus"), REFUSED.values(), ids=REFUSED)
def test_refused_answer_is_told_with_its_reasons_and_takes_the_focus_there(
    tell: Tell, step: str, fields: dict[str, Any], problems: dict[str, str], focus: str
) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.reply(TO_Q19)
        await tab.open(routes.question(step))
        before = tab.state.dealt
        event = await tab.send({"step": step, **fields})
        return tab.state.problems, focused(event), led(event), tab.state.dealt != before

    assert tell(story) == (problems, focus, None, True)


def test_answer_to_an_older_version_of_the_question_is_not_taken(tell: Tell) -> None:
    async def story(tab: Asker, _: Asked) -> object:
        await tab.open(Q1)
        onwards = led(await tab.send({**tab.form("q1", "remortgage"), DIGEST: "0" * 12}))
        problem = tab.state.problem
        await tab.open(Q1)
        return onwards, problem, dict(tab.shown)

    assert tell(story) == (None, QUESTION_CHANGED, {})
