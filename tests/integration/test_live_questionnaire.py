"""The questionnaire of the content service, over the stand-in: changes are live without a build, faults are not."""

import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from lxml import html

from broker import routes
from broker.questionnaire.answers import Value
from broker.questionnaire.check import load_flow
from broker.questionnaire.flow import Flow
from broker.questionnaire.forms import ANSWER, DIGEST, STEP, question_digest
from broker.questionnaire.journey import replay
from tests.integration.enquiry_site import FORM, EnquirySite, enquiry_site
from tests.standin import Standin, running
from tests.unit.questionnaire.edited_flow import ask_new_question, edited, reword
from tests.unit.questionnaire.flows import FILE, SHIPPED
from tests.unit.questionnaire.walks import good_answer
from tools.project import Project

PATIENCE = 90.0
"""Seconds for the first answer, two after the start, and for a second try five after a fault, on a busy machine."""

NEW = routes.question("q200")
EDITS = (
    *(ask_new_question, reword("q1", "What brings you here?"), reword("q18", "Why now?")),
    reword("q108", "Deals for you"),
)


@pytest.fixture
def standin() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture
def served(
    standin: Standin,
    site: Path,  # noqa: ARG001 - the server serves this build
    project: Project,
    tmp_path: Path,
) -> Iterator[EnquirySite]:
    with enquiry_site(project, tmp_path, api_url=standin.url) as served:
        yield served


def change(standin: Standin, *edits: Callable[[dict[str, Any]], object]) -> None:
    """Edit the questionnaire of the content service."""

    def edit(call: str, tree: Any) -> Any:
        if call != "query":
            return tree
        changed = deepcopy(tree)
        for each in edits:
            each(changed["queries"])
        return changed

    standin.edit(edit)


def until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.1)


def log(served: EnquirySite) -> str:
    return (served.folder / "server.log").read_text(encoding="utf-8")


def fields(step: str, value: Value, flow: Flow) -> dict[str, str]:
    given = {ANSWER: value} if isinstance(value, str) else value
    return {STEP: step, DIGEST: question_digest(flow.steps[step]), **{key: str(each) for key, each in given.items()}}


def answer_all(client: httpx.Client, flow: Flow, answers: dict[str, Value], *, seed: int) -> tuple[str, ...]:
    """Answer the questions that are left, each on its page as its form has it, and return the labels of the answers."""
    draw = Random(seed)
    while step := replay(flow, "q1", answers).current:
        page = client.get(routes.question(step.id))
        assert page.status_code == 200, (step.id, page.headers.get("location"))
        form = html.fromstring(page.text).xpath(f"//form[@action='{routes.GIVE_ANSWER}']")[0]
        assert (form.fields[STEP], form.fields[DIGEST]) == (step.id, question_digest(step))
        answers[step.id] = good_answer(step, draw)
        sent = client.post(routes.GIVE_ANSWER, data=fields(step.id, answers[step.id], flow))
        assert sent.status_code == 303, (step.id, sent.text)
    return tuple(line.label for line in replay(flow, "q1", answers).lines)


def test_changed_questionnaire_is_live_and_journeys_under_way_keep_theirs(
    standin: Standin, served: EnquirySite
) -> None:
    until(lambda: standin.asked().get("query"))
    with served.client() as old, served.client() as new:
        begun: dict[str, Value] = {"q1": "remortgage"}
        assert old.post(routes.GIVE_ANSWER, data=fields("q1", "remortgage", SHIPPED)).status_code == 303
        change(standin, *EDITS)
        served.restart()
        until(lambda: "What brings you here?" in new.get(routes.QUESTIONNAIRE).text)
        changed = load_flow(edited(*EDITS, text=FILE.read_text(encoding="utf-8")))
        labels = answer_all(old, SHIPPED, begun, seed=1)
        assert "Why now?" not in labels
        assert old.post(routes.SEND_ANSWERS, data={**FORM, "name": "Ada Old"}).status_code == 303
        chosen: dict[str, Value] = {}
        for step, value in (("q1", "remortgage"), ("q2", "residential")):
            assert new.post(routes.GIVE_ANSWER, data=fields(step, value, changed)).status_code == 303
            chosen[step] = value
        page = new.get(NEW).text
        assert "When does your present deal end?" in page
        assert "Question 3." in page
        refused = new.post(routes.GIVE_ANSWER, data={STEP: "q200", ANSWER: "never"})
        assert (refused.status_code, "Choose one of the answers" in refused.text) == (422, True)
        deals = new.get(routes.question("q108"))
        assert deals.headers["location"] == NEW
        new_labels = answer_all(new, changed, chosen, seed=2)
        assert {"Deal ends", "Why now?", "What brings you here?"} <= set(new_labels)
        assert new.post(routes.SEND_ANSWERS, data={**FORM, "name": "Ada New"}).status_code == 303
    assert tuple(line.label for line in served.stored("Ada Old").enquiry.lines) == labels
    assert tuple(line.label for line in served.stored("Ada New").enquiry.lines) == new_labels


def test_broken_questionnaire_changes_nothing_and_a_mended_one_is_live(standin: Standin, served: EnquirySite) -> None:
    with served.client() as client:
        until(lambda: standin.asked().get("query"))
        usual = client.get(routes.QUESTIONNAIRE).text
        change(standin, reword("q1", "Never shown"), lambda tree: tree["q2"].pop("query"))
        served.restart()
        until(lambda: "the questionnaire has a fault, so the one before stays" in log(served))
        page = client.get(routes.QUESTIONNAIRE)
        assert (page.status_code, "Never shown" in page.text, page.text == usual) == (200, False, True)
        change(standin, reword("q1", "What brings you here?"))
        until(lambda: "What brings you here?" in client.get(routes.QUESTIONNAIRE).text)
        standin.switch("html-502", only="query")
        served.restart()
        until(lambda: "query: answered 502" in log(served))
        assert "What brings you here?" in client.get(routes.QUESTIONNAIRE).text
