import json
import logging
import os
from datetime import timedelta
from pathlib import Path

import pytest

from broker.questionnaire.flows import RETENTION, FlowRefusedError
from broker.questionnaire.forms import question_digest
from broker.rates.feed.client import QUESTIONNAIRE
from broker.rates.feed.errors import FeedError
from broker.rates.feed.site_content import fetch_questionnaire
from broker.rates.product import RatesError
from tests.unit.enquiries.enquiring import BEGINNING, Calendar
from tests.unit.questionnaire.edited_flow import Editor, ask_new_question, edited, edited_flows, reword
from tests.unit.questionnaire.flows import FLOW
from tests.unit.rates.feed.changing_feed import Feed
from tests.unit.rates.feed.recorded import FOLDER

EVERY = timedelta(minutes=10)
"""The period of a refresh, which no test waits for."""


async def test_flow_of_the_content_service_is_used_once_it_has_no_faults() -> None:
    editor = Editor()
    flows = edited_flows(editor)
    await flows.refreshing.now()
    assert flows.current is flows.built is FLOW
    editor.text = edited(ask_new_question)
    await flows.refreshing.now()
    taken = flows.current
    assert taken.steps["q200"].question == "When does your present deal end?"
    assert not flows.is_compiled(taken.steps["q200"])
    assert not flows.is_compiled(taken.steps["q2"])
    assert flows.is_compiled(taken.steps["q18"])
    editor.text = edited(lambda tree: tree["q2"].pop("query"))
    with pytest.raises(FlowRefusedError, match="the questionnaire has a fault, so the one before stays"):
        await flows.refreshing.now()
    assert (flows.current, [str(fault) for fault in flows.faults]) == (taken, ["q2 query: is missing"])
    assert flows.refreshing.source_status.last.is_failing
    editor.text = ""
    with pytest.raises(RatesError):
        await flows.refreshing.now()
    editor.text = edited()
    await flows.refreshing.now()
    assert (flows.current, flows.faults) == (FLOW, ())


async def test_restart_with_the_service_away_has_the_last_good_flow(tmp_path: Path) -> None:
    editor = Editor(edited(ask_new_question))
    before = edited_flows(editor, tmp_path)
    async with before.running(every=EVERY):
        await before.refreshing.now()
    editor.text = ""
    after = edited_flows(editor, tmp_path)
    async with after.running(every=EVERY):
        assert after.current.steps == before.current.steps
        assert after.current is not after.built
        assert after.named(FLOW.name) is FLOW
    (tmp_path / "questionnaire" / f"{before.current.name}.json").write_text("{")
    damaged = edited_flows(editor, tmp_path)
    async with damaged.running(every=EVERY):
        assert damaged.current is FLOW


async def test_another_worker_knows_the_flow_of_a_journey_and_of_a_form(tmp_path: Path) -> None:
    first, second = edited_flows(Editor(edited(reword("q1", "What now?"))), tmp_path), edited_flows(Editor(), tmp_path)
    await first.refreshing.now()
    new = first.current
    assert second.named(new.name).steps == new.steps
    digest = question_digest(new.steps["q1"])
    assert second.with_question("q1", digest).name == new.name
    assert second.with_question("q1", "") is second.with_question("q1", "0" * 12) is second.current is FLOW


@pytest.mark.parametrize("name", ["0" * 12, "../../etc/passwd", "current"])
async def test_journey_of_an_unknown_flow_has_the_current_one(tmp_path: Path, name: str) -> None:
    flows = edited_flows(Editor(edited(ask_new_question)), tmp_path)
    await flows.refreshing.now()
    assert flows.named(name) is flows.current
    assert flows.named("") is FLOW


async def test_flow_is_deleted_once_no_journey_can_have_it(tmp_path: Path) -> None:
    calendar, editor = Calendar(), Editor(edited(reword("q1", "Old?")))
    flows = edited_flows(editor, tmp_path, calendar)
    await flows.refreshing.now()
    old, folder = flows.current, tmp_path / "questionnaire"
    for file in folder.glob("*.json"):
        os.utime(file, (BEGINNING.timestamp(), BEGINNING.timestamp()))
    editor.text = edited(reword("q1", "New?"))
    await flows.refreshing.now()
    calendar.now += RETENTION
    await flows.refreshing.now()
    assert (folder / f"{old.name}.json").exists()
    calendar.now += timedelta(days=2)
    await flows.refreshing.now()
    assert not (folder / f"{old.name}.json").exists()
    assert (folder / f"{flows.current.name}.json").exists()


async def test_state_folder_that_cannot_be_written_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "questionnaire").write_text("no folder")
    flows = edited_flows(Editor(edited(ask_new_question)), tmp_path)
    with caplog.at_level(logging.CRITICAL):
        async with flows.running(every=EVERY):
            await flows.refreshing.now()
    assert "q200" in flows.current.steps


async def test_recorded_answer_is_a_flow_and_an_empty_one_is_none() -> None:
    feed = Feed({QUESTIONNAIRE: json.loads(json.loads((FOLDER / "query_ok.json").read_text(encoding="utf-8"))["body"])})
    flows = edited_flows(Editor(await fetch_questionnaire(feed.client)))
    await flows.refreshing.now()
    assert flows.current.steps["q8"].question == "What’s your annual income?"
    for tree in ([], {}, {"code": "http_request_failed", "data": {"status": 502}}, None):
        feed.trees[QUESTIONNAIRE] = tree
        with pytest.raises(FeedError):
            await fetch_questionnaire(feed.client)
    feed.trees[QUESTIONNAIRE] = {"queries": []}
    flows = edited_flows(Editor(await fetch_questionnaire(feed.client)))
    with pytest.raises(FlowRefusedError):
        await flows.refreshing.now()
