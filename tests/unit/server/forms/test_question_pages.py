from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from broker import routes, services
from broker.questionnaire.flows import QuestionnaireFlows
from broker.questionnaire.forms import JOURNEY_COOKIE
from broker.questionnaire.journeys import VisitorJourney
from broker.server.forms.question_forms import question_handlers
from broker.server.releases import LiveExport
from broker.server.response import Answer
from tests.unit.questionnaire.edited_flow import Editor, ask_new_question, edited, edited_flows, reword
from tests.unit.server.enquiry_pages import live_export, text
from tests.unit.state.asking import Asked, asking, broken


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    asked: Asked
    flows: QuestionnaireFlows
    editor: Editor
    live: LiveExport

    async def get(self, path: str, token: str = "", query: str = "") -> Answer | None:
        handlers = question_handlers(self.asked.services, self.live, flows=self.flows)
        handler = handlers.get(path) or handlers[f"{routes.QUESTIONNAIRE}*"]
        headers = [(b"cookie", f"{JOURNEY_COOKIE}={token}".encode()), (b"accept-encoding", b"identity")]
        return await handler({"type": "http", "path": path, "headers": headers, "query_string": query.encode()})

    async def page(self, path: str, token: str = "", query: str = "") -> str:
        answer = await self.get(path, token, query)
        assert answer
        assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
        return text(answer)

    async def leads(self, path: str, token: str = "") -> str:
        answer = await self.get(path, token)
        assert answer
        assert answer.status == 303
        return answer.headers["location"]

    async def answered(self, *replies: tuple[str, object]) -> str:
        token = ""
        for step, answer in replies:
            taken = await self.asked.services.journeys.answer(token, step, answer=answer)
            assert isinstance(taken, VisitorJourney), taken
            token = taken.token
        return token


@pytest.fixture
async def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Site]:
    monkeypatch.setattr(services, "_installed", [])
    editor = Editor()
    flows = edited_flows(editor)
    async with asking(tmp_path / "state", flows) as asked:
        live = live_export(tmp_path / "export", pages=("questionnaire", "questionnaire/q2", "questionnaire/q18"))
        yield Site(asked=asked, flows=flows, editor=editor, live=live)


async def test_compiled_question_is_left_to_the_export_until_it_changes(site: Site) -> None:
    q1, q2 = routes.QUESTIONNAIRE, routes.question("q2")
    assert (await site.get(q1), await site.get("/questionnaire/q2"), await site.get("/questionnaire/x/")) == (None,) * 3
    old = await site.answered(("q1", "remortgage"))
    site.editor.text = edited(ask_new_question, reword("q1", "What now?"))
    await site.flows.refreshing.now()
    page = await site.page(q1)
    assert "What now?" in page
    compiled = await site.get(q2, old)
    assert compiled
    assert (compiled.status, "exported" in text(compiled)) == (200, True)
    new = await site.answered(("q1", "purchase"))
    assert f"<a>{routes.question('q32')}</a>" in await site.page(q2, new)
    assert "<a></a>" in await site.page(q2)


async def test_new_question_has_a_page_with_progress_and_answers(site: Site) -> None:
    site.editor.text = edited(ask_new_question)
    await site.flows.refreshing.now()
    path = routes.question("q200")
    assert await site.leads(path) == routes.QUESTIONNAIRE
    token = await site.answered(("q1", "remortgage"), ("q2", "residential"))
    page = await site.page(path, token)
    assert "When does your present deal end?" in page
    assert "Question 3." in page
    assert "<u>answer</u>Mortgage for: Remortgage /questionnaire/?change=yes" in page
    assert f"<i>{routes.question('q2')}</i>" in page
    assert "<b>soon</b>" in page
    assert await site.leads(path.rstrip("/"), token) == path
    await site.asked.services.journeys.answer(token, "q200", answer="later")
    page = await site.page(path, token, "change=yes")
    assert f"{routes.GIVE_ANSWER}?change=yes q200" in page
    assert '<b checked="true">later</b>' in page


async def test_rate_step_has_its_deals_or_says_why_not(site: Site) -> None:
    site.editor.text = edited(reword("q108", "Deals for you"))
    await site.flows.refreshing.now()
    figures = {"01": 400_000, "02": 120_000}
    token = await site.answered(("q1", "remortgage"), ("q2", "residential"), ("q18", "save-money"), ("q19", figures))
    page = await site.page(routes.question("q108"), token)
    assert "For £120,000 on a property worth £400,000 (30% LTV)" in page
    assert page.count("<u>deal</u>") == 3
    site.asked.source.away = True
    figures["02"] = 130_000
    token = await site.answered(("q1", "remortgage"), ("q2", "residential"), ("q18", "save-money"), ("q19", figures))
    assert "load the deals just now" in await site.page(routes.question("q108"), token)


async def test_database_that_is_away_is_said_on_a_page_that_is_not_compiled(site: Site) -> None:
    site.editor.text = edited(ask_new_question)
    await site.flows.refreshing.now()
    token = await site.answered(("q1", "remortgage"), ("q2", "residential"))
    async with broken(site.asked.database):
        away = await site.get(routes.question("q200"), token)
        assert await site.get(routes.question("q18"), token) is None
    assert away
    assert (away.status, away.headers["retry-after"]) == (503, "60")
    assert "They are saved" in text(away)
