"""The site's own flow, small flows to spoil, and answers written as a line of text."""

from __future__ import annotations

import json
from typing import Any

from broker.domain.questionnaire.answers import SEEN, Value
from broker.domain.questionnaire.check import checked
from broker.domain.questionnaire.flow import Choice, Flow, Inputs, Radio, Range, Rates, Step
from tools.project import Project

FILE = Project().root / "data" / "questionnaire.json"
FLOW = checked(FILE.read_text(encoding="utf-8"))


def reply(step: Step, words: str) -> Value:
    """Return the answer that words stand for: an option's key, or a word for each input in its order."""
    if isinstance(step.asks, Choice | Rates):
        return words
    asked = [each for each in step.asks.inputs if isinstance(each, Range | Radio)]
    return {
        each.key: int(word) if isinstance(each, Range) else word
        for each, word in zip(asked, words.split(), strict=True)
    }


def tree() -> dict[str, Any]:
    """Return a flow of four steps without a fault, one of each kind, as JSON has it."""
    return json.loads(
        """{
        "q1": {"query_id": "q1", "query": "Buy or stay?", "options": {
            "buy": {"text": "Buy", "img": "key", "col_width": 6, "next_id": "q5"},
            "stay": {"text": "Stay", "img": "", "col_width": "6", "next_id": "q4"}}},
        "q5": {"query_id": "q5", "query": "How much?", "input_options": {
            "01": {"input_query": "Price", "range_from": 50000, "range_to": 1000000, "range_unit": 5000,
                "unit_type": "number", "range_text_before": "£", "range_text_after": "", "input_type": "range",
                "range_default": 60000},
            "02": {"input_query": "Deposit", "range_from": "25000", "range_to": "500000", "range_unit": "1000",
                "unit_type": "number", "range_text_before": "£", "range_text_after": "", "input_type": "input_range"},
            "03": {"input_query": "Loan to value", "input_type": "calculator", "value_01": "01", "value_02": "02",
                "range_text_after": "%"},
            "04": {"input_query": "Tenure", "input_type": "radio", "option_id": "tenure",
                "options": {"free": {"text": "Freehold"}, "lease": {"text": "Leasehold"}}}},
            "next_option": {"text": "", "next_id": "q6", "button_text": "Next"}},
        "q6": {"query_id": "q6", "query": "Deals", "rates": {"input_type": "first-time-buyer", "next_id": "q4"}},
        "q4": {"query_id": "q4", "query": "When was it built?", "input_options": {
            "01": {"input_query": "Year", "range_from": 1900, "range_to": 2020, "unit_type": "year",
                "input_type": "range"}},
            "next_option": {"text": "", "next_id": "submit", "button_text": "Send"}}
        }"""
    )


def first_answer(flow: Flow, step: str) -> Value:
    """Return a good answer to a step: the first option, the low end of each range."""
    asks = flow.steps[step].asks
    if isinstance(asks, Choice):
        return asks.options[0].key
    if isinstance(asks, Inputs):
        ranges = {each.key: each.low for each in asks.inputs if isinstance(each, Range)}
        return ranges | {each.key: each.options[0].key for each in asks.inputs if isinstance(each, Radio)}
    return SEEN
