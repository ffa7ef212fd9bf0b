"""The shipped flow, flows for tests of the engine, and answers written as a line of text."""

import json
from typing import Any

from broker.questionnaire.answers import SEEN, Value
from broker.questionnaire.check import load_flow
from broker.questionnaire.flow import Choice, Flow, Inputs, Radio, Range, Rates, Step
from broker.questionnaire.flow_reader import read_flow
from tools.project import Project

FILE = Project().root / "data" / "questionnaire.json"
SHIPPED = load_flow(FILE.read_text(encoding="utf-8"))
FLOW = load_flow((Project().root / "tests" / "fixtures" / "questionnaire.json").read_text(encoding="utf-8"))
"""A flow of the shipped one's size for tests of the engine, so that a new question breaks none of them."""


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


def small_flow() -> Flow:
    """Return a flow with a branch that is left again, a rate step, every kind of input and three entries."""
    yes_no = {"yes": {"text": "Yes", "next_id": "q101"}, "no": {"text": "No", "next_id": "q102"}}
    money = {"input_type": "range", "range_text_before": "£", "range_to": 1_000_000}
    count = {"input_type": "range", "range_from": 1, "range_to": 5}
    years = {"input_type": "range", "unit_type": "year", "range_from": 1900, "range_to": 2020}
    rent = {**money, "range_from": 400, "range_to": 4_000, "range_text_after": "a month"}
    value, owed = {**money, "range_from": 50_000}, {**money, "range_from": 21_000}
    share = {"input_type": "calculator", "value_01": "01", "value_02": "02", "range_text_after": "%"}
    credit = {"input_type": "radio", "option_id": "credit", "options": {"no": {"text": "No"}, "yes": {"text": "Yes"}}}
    steps: dict[str, dict[str, Any]] = {
        "q1": {"options": {"remortgage": _option("Remortgage", "q2"), "purchase": _option("Purchase", "q32")}},
        "q2": {"options": {"let": _option("Buy to Let", "q4"), "home": _option("Residential", "q4")}},
        "q4": _inputs("q107", ("Property value", value), ("Mortgage left", owed), ("Loan to value", share)),
        "q107": {"rates": {"input_type": "remortgage", "next_id": "q100"}},
        "q100": {"options": yes_no},
        "q101": _inputs("q102", ("Number of dependants", count)),
        "q102": _inputs("q11", ("Year built", years)),
        "q11": {"options": {"repayment": _option("Repayment", "submit"), "interest-only": _option("Later", "submit")}},
        "q32": _inputs("q33", ("Credit trouble", credit), ("People applying", {**count, "range_to": 2})),
        "q33": _inputs("q11", ("Rental income", rent)),
    }
    return read_flow({id_: {"query_id": id_, "query": f"Question {id_}?", **step} for id_, step in steps.items()})


def _option(text: str, next_id: str) -> dict[str, str]:
    return {"text": text, "next_id": next_id}


def _inputs(next_id: str, *inputs: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    numbered = {f"{number:02}": {"input_query": name, **each} for number, (name, each) in enumerate(inputs, 1)}
    return {"input_options": numbered, "next_option": {"next_id": next_id}}


def first_answer(flow: Flow, step: str) -> Value:
    asks = flow.steps[step].asks
    if isinstance(asks, Choice):
        return asks.options[0].key
    if isinstance(asks, Inputs):
        ranges = {each.key: each.low for each in asks.inputs if isinstance(each, Range)}
        return ranges | {each.key: each.options[0].key for each in asks.inputs if isinstance(each, Radio)}
    return SEEN
