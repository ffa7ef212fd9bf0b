from typing import Any

import pytest

from broker import routes
from broker.questionnaire.journey import OFF_PATH
from broker.questionnaire.step_view import NEWER
from tests.unit.state.asking import Asker, Led, led

Q1, Q2, Q18, Q32 = (routes.question(step) for step in ("q1", "q2", "q18", "q32"))


async def test_second_press_of_the_button_leads_on_once(tab: Asker) -> None:
    await tab.open(Q1)
    twice = tab.form("q1", "remortgage")
    assert (led(await tab.send(twice)), led(await tab.send(twice))) == (Led(path=Q2), None)
    assert await tab.answer("q1", "remortgage") == Led(path=Q2)
    await tab.open(Q2)
    await tab.open(Q1)
    assert (await tab.answer("q1", "remortgage"), tab.state.version) == (Led(path=Q2), 2)


async def test_last_of_two_answers_that_waited_in_one_tab_is_stored(tab: Asker) -> None:
    await tab.open(Q1)
    first, second = tab.form("q1", "remortgage"), tab.form("q1", "purchase")
    await tab.send(first)
    assert led(await tab.send(second)) == Led(path=Q32)
    await tab.open(Q32)
    assert tab.shown == {"Mortgage for": "Purchase"}


async def test_answer_sent_again_after_the_page_opened_anew_leads_on_once(tab: Asker) -> None:
    await tab.open(Q1)
    waited = tab.form("q1", "remortgage")
    await tab.open(Q1)
    again = tab.form("q1", "remortgage")
    assert (led(await tab.send(waited)), led(await tab.send(again))) == (Led(path=Q2), None)
    assert tab.state.version == 2


async def test_answer_of_another_tab_stands_until_the_visitor_says_otherwise(tab: Asker) -> None:
    other = tab.second_tab()
    await tab.reply("q1 remortgage")
    await other.open(Q2)
    await tab.reply("q2 residential")
    assert await other.answer("q2", "buy-to-let") is None
    assert (other.state.problem, other.state.chosen) == (NEWER, "residential")
    assert await other.answer("q2", "buy-to-let") == Led(path=routes.question("q3"))
    await tab.open(Q2)
    assert tab.state.chosen == "buy-to-let"


async def test_answer_to_a_step_another_tab_took_off_the_path_leads_back(tab: Asker) -> None:
    other = tab.second_tab()
    await tab.reply("q1 remortgage, q2 residential")
    await other.open(Q18)
    await tab.reply("q1 purchase")
    assert await other.answer("q18", "save-money") == Led(path=Q32, replace=True)
    assert (await other.settle(Q32), other.state.notice) == (Q32, OFF_PATH)


HIGHER = "Enter an amount in whole pounds, from £50,000 to £1,000,000"
LOWER = "Enter an amount in whole pounds, from £21,000 to £1,000,000"
REFUSED: dict[str, tuple[str, dict[str, Any], dict[str, str], str]] = {
    "nothing chosen": ("q1", {}, {"": "Choose one of the answers"}, "remortgage"),
    "no option": ("q1", {"answer": "sell"}, {"": "Choose one of the answers"}, "remortgage"),
    "a figure too high": ("q19", {"01": "1e9", "02": "150000"}, {"01": HIGHER}, "figure-01"),
    "two figures missing": ("q19", {}, {"01": HIGHER, "02": LOWER}, "figure-01"),
    "the second figure wrong": ("q19", {"01": "£250,000.00", "02": "-5"}, {"02": LOWER}, "figure-02"),
}


@pytest.mark.parametrize(("step", "fields", "problems", "focus"), REFUSED.values(), ids=REFUSED)
async def test_refused_answer_is_shown_with_its_reasons_and_takes_the_focus(
    tab: Asker, step: str, fields: dict[str, Any], problems: dict[str, str], focus: str
) -> None:
    await tab.reply("q1 remortgage, q2 residential, q18 save-money")
    await tab.open(routes.question(step))
    before = tab.state.dealt
    event = await tab.send({"step": step, **fields})
    assert event.handler.fn.__qualname__ == "_set_focus"
    assert event.args[0][1]._var_value.removeprefix("ref_").replace("_", "-") == focus
    assert (tab.state.problems, tab.state.dealt != before) == (problems, True)
