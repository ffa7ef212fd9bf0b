from random import Random
from typing import Any

import pytest

from broker import routes
from tests.unit.questionnaire.flows import FLOW
from tests.unit.questionnaire.walks import forged_answer, forged_step
from tests.unit.state.asking import Asked, Asker, form
from tests.unit.state.rates.test_forged_events import HOSTILE

ADDRESSES = ("", "/", "//evil.example/", "/questionnaire", "/questionnaire/q18", "/é?=&#", "?change")
ADDRESSES += (
    "/questionnaire/../../etc/",
    "/questionnaire/" + "q" * 5_000,
    "/questionnaire/saved/#" + "x" * 5_000,
    "/questionnaire/\x00/",
    "?change",
)
WALKS = 300


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
async def test_forged_form_writes_nothing(tab: Asker, asked: Asked, value: Any) -> None:
    await tab.reply("q1 remortgage, q2 residential")
    before = await asked.services.journeys.find(tab.browser.cookie)
    for fields in (value, {"step": value}, {"step": "q18", "answer": value}, {"step": "q18", "version": value}):
        await tab.send(fields)
    assert before == await asked.services.journeys.find(tab.browser.cookie)


@pytest.mark.parametrize("address", ADDRESSES)
async def test_forged_address_leads_to_the_visitors_own_page(tab: Asker, address: str) -> None:
    await tab.reply("q1 remortgage, q2 residential")
    tab.go(address)
    for call in (tab.saved.save, tab.saved.resume, tab.saved.resume_anyway):
        await call()
    assert await tab.settle(address) in {routes.QUESTIONNAIRE, routes.question("q18")}


async def test_random_forged_answers_never_reach_a_step_off_the_path(tab: Asker, asked: Asked) -> None:
    draw = Random(5)
    await tab.open(routes.QUESTIONNAIRE)
    for _ in range(WALKS):
        held = await asked.services.journeys.find(tab.browser.cookie)
        assert held
        step = forged_step(FLOW, draw, held.journey.path[-1])
        answer = forged_answer(draw)
        await tab.send({**(answer if isinstance(answer, dict) else {"answer": answer}), "step": step})
        after = await asked.services.journeys.find(tab.browser.cookie)
        assert after
        begun = isinstance(step, str) and step in FLOW.entries
        assert begun or set(after.journey.path[:-1]) <= {*held.journey.path}, (step, answer)


async def test_forged_cookie_is_nobodys_token(tab: Asker) -> None:
    await tab.open(routes.QUESTIONNAIRE)
    for value in HOSTILE.values():
        tab.browser.cookie = str(value)
        tab.load(routes.QUESTIONNAIRE)
        await tab.send(form("q18", "save-money"))
        await tab.saved.save()
        await tab.saved.forget()
    assert tab.saved.link == ""
