"""What the stand-in says outside rates, as samples in WordPress's shapes: questions and the questionnaire."""

import json
from functools import cache
from typing import Any

from broker.rates.customers import RULES
from broker.settings import ROOT

_DAY = "2025-03-08 14:27:26"
_QUESTIONS = (
    ("How much can I borrow?", "It depends on income and outgoings; lenders often lend about 4.5 times income."),
    ("What does it cost?", "We charge no fee.\n\nLenders may charge one: it is shown with every deal."),
)


@cache
def faqs() -> dict[str, list[dict[str, Any]]]:
    return {
        str(customer): [_post(f"{rules.title}: {question}", answer) for question, answer in _QUESTIONS]
        for customer, rules in RULES.items()
        if customer
    }


@cache
def questionnaire() -> dict[str, Any]:
    """Return the embedded questionnaire as the flow's call has it; an empty one where there is no file."""
    file = ROOT / "data" / "questionnaire.json"
    return {"queries": json.loads(file.read_text(encoding="utf-8")) if file.exists() else []}


def _post(title: str, content: str) -> dict[str, Any]:
    post = {"ID": 267, "post_author": "2", "post_status": "publish", "post_type": "faqs", "filter": "raw"}
    days = {"post_date": _DAY, "post_modified": _DAY}
    return post | days | {"post_title": title, "post_content": content, "post_password": ""}
