from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from broker import routes, services
from broker.questionnaire.flows import QuestionnaireFlows
from broker.questionnaire.forms import DIGEST, QUESTION_CHANGED, question_digest
from tests.unit.questionnaire.edited_flow import Editor, ask_new_question, edited, edited_flows
from tests.unit.state.asking import Asker, Led, asking

Q1, Q2, Q18, NEW = (routes.question(step) for step in ("q1", "q2", "q18", "q200"))


@pytest.fixture
def editor() -> Editor:
    return Editor(edited(ask_new_question))


@pytest.fixture
async def flows(editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[QuestionnaireFlows]:
    monkeypatch.setattr(services, "_installed", [])
    flows = edited_flows(editor)
    async with asking(tmp_path, flows):
        yield flows


async def test_changed_and_new_questions_are_loaded_from_the_server(flows: QuestionnaireFlows) -> None:
    await flows.refreshing.now()
    tab = Asker()
    assert await tab.open(Q1) is None
    assert await tab.answer("q1", "remortgage") is None
    assert (tab.state.elsewhere, tab.state.elsewhere_replaces) == (Q2, False)
    await tab.open(Q18)
    assert (tab.state.elsewhere, tab.state.elsewhere_replaces) == (Q2, True)
    for step, words in (("q2", "residential"), ("q200", "soon")):
        taken = await services.current().journeys.answer(tab.browser.cookie, step, answer=words)
        assert taken
    assert await tab.open(Q18) is None
    assert (tab.state.elsewhere, tab.state.back, tab.shown["Deal ends"]) == ("", NEW, "Within six months")
    assert await tab.answer("q18", "save-money") == Led(path=routes.question("q19"))


async def test_page_of_another_version_is_loaded_again_once(flows: QuestionnaireFlows) -> None:
    await flows.refreshing.now()
    tab = Asker()
    await tab.open(Q1)
    await tab.answer("q1", "remortgage")
    await tab.open(Q2)
    again = f"{Q2}?version={question_digest(flows.current.steps['q2'])}"
    assert (tab.state.elsewhere, tab.state.elsewhere_replaces) == (again, True)
    await tab.open(again)
    assert (tab.state.elsewhere, tab.state.notice) == ("", QUESTION_CHANGED)


async def test_answer_to_another_version_of_the_question_is_not_taken(flows: QuestionnaireFlows) -> None:
    await flows.refreshing.now()
    tab = Asker()
    await tab.open(Q1)
    await tab.send({**tab.form("q1", "remortgage"), DIGEST: "0" * 12})
    assert (tab.state.problem, tab.shown) == (QUESTION_CHANGED, {})
