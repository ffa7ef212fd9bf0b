"""The questionnaire of a content service that a test edits, and its changes of the flow of the engine's tests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from broker.questionnaire.flows import QuestionnaireFiles, QuestionnaireFlows
from broker.rates.product import RatesError
from broker.settings import Settings
from tests.unit.enquiries.enquiring import Calendar
from tests.unit.questionnaire.flows import FLOW
from tools.project import Project

TEXT = (Project().root / "tests" / "fixtures" / "questionnaire.json").read_text(encoding="utf-8")
"""The text of FLOW."""

NEW_QUESTION: dict[str, Any] = {
    "query_id": "q200",
    "query": "When does your present deal end?",
    "label": "Deal ends",
    "why": "An early repayment charge may apply until then.",
    "options": {
        "soon": {"text": "Within six months", "col_width": 6, "next_id": "q18", "note": "Or it has ended"},
        "later": {"text": "Later", "col_width": 3, "next_id": "q18"},
    },
}


def edited(*edits: Callable[[dict[str, Any]], object], text: str = TEXT) -> str:
    """Return the answer of call 8 once the flow of a text was edited."""
    tree = json.loads(text)
    for edit in edits:
        edit(tree)
    return json.dumps({"queries": tree})


def ask_new_question(tree: dict[str, Any]) -> None:
    """Put a new question, q200, between q2 and q18."""
    tree["q200"] = NEW_QUESTION
    for option in tree["q2"]["options"].values():
        option["next_id"] = "q200" if option["next_id"] == "q18" else option["next_id"]


def reword(step: str, words: str) -> Callable[[dict[str, Any]], None]:
    def edit(tree: dict[str, Any]) -> None:
        tree[step]["query"] = tree[step]["label"] = words

    return edit


class Editor:
    """Answers call 8 with a text, or not at all where there is none."""

    def __init__(self, text: str = TEXT) -> None:
        self.text = text

    async def __call__(self) -> str:
        if not self.text:
            raise RatesError("query: answered 502")
        return self.text


def edited_flows(editor: Editor, folder: Path | None = None, clock: Calendar | None = None) -> QuestionnaireFlows:
    """Return the flows of a worker that asks an editor; its files are in a folder."""
    files = QuestionnaireFiles(Settings(state_dir=folder)) if folder else None
    return QuestionnaireFlows(FLOW, text=TEXT, files=files, fetch=editor, clock=clock or Calendar())
