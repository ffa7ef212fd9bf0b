"""Flows with one fault each, and what is reported of it."""

from collections.abc import Callable
from typing import Any

Tree = dict[str, Any]


def put(*place: str, value: object) -> Callable[[Tree], None]:

    def spoil(spoilt: Tree) -> None:
        inner = spoilt
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = value

    return spoil


def without(*place: str) -> Callable[[Tree], None]:

    def spoil(spoilt: Tree) -> None:
        inner = spoilt
        for name in place[:-1]:
            inner = inner[name]
        del inner[place[-1]]

    return spoil


FIGURE = ("q5", "input_options", "01")
SUM = ("q5", "input_options", "03")
RADIO = ("q5", "input_options", "04")
LATER = {"input_query": "Later", "input_type": "range", "range_from": 1, "range_to": 2}

NOWHERE = [f"{step}: is reached from nowhere" for step in ("q5", "q6", "q4")]

SPOILT: dict[str, tuple[Callable[[Tree], object], list[str]]] = {
    "unknown next id of an option": (
        put("q1", "options", "stay", "next_id", value="q9"),
        ["q1 options stay next_id: leads to 'q9', which is no step"],
    ),
    "unknown next id of inputs": (
        put("q5", "next_option", "next_id", value="q9"),
        [
            "q5 next_option next_id: leads to 'q9', which is no step",
            "q5: never leads to submit",
            "q6: is reached from nowhere",
        ],
    ),
    "unknown next id of rates": (
        put("q6", "rates", "next_id", value="Submit"),
        [
            "q6 rates next_id: leads to 'Submit', which is no step",
            "q5: never leads to submit",
            "q6: never leads to submit",
        ],
    ),
    "missing next id": (
        without("q6", "rates", "next_id"),
        ["q6 rates next_id: is missing", "q5: never leads to submit", "q6: never leads to submit"],
    ),
    "step that nothing leads to": (
        lambda spoilt: spoilt.update(q8={**spoilt["q6"], "query_id": "q8"}),
        ["q8: is reached from nowhere"],
    ),
    "cycle with a way out": (
        put("q4", "next_option", "next_id", value="q1"),
        [
            *[f"{step}: never leads to submit" for step in ("q1", "q5", "q6", "q4")],
            "q1: leads back to itself: q1, q5, q6, q4, q1",
        ],
    ),
    "step that leads to itself": (
        put("q1", "options", "stay", "next_id", value="q1"),
        ["q1: leads back to itself: q1, q1"],
    ),
    "two cycles": (
        lambda spoilt: (
            spoilt["q1"]["options"].update(again={"text": "Again", "next_id": "q1"}),
            spoilt["q6"]["rates"].update(next_id="q6"),
        ),
        [
            "q5: never leads to submit",
            "q6: never leads to submit",
            "q6: leads back to itself: q6, q6",
            "q1: leads back to itself: q1, q1",
        ],
    ),
    "no start": (without("q1"), ["the flow: begins with 'q1', which is no step", *NOWHERE]),
    "bounds the wrong way round": (
        put(*FIGURE, "range_from", value=2_000_000),
        ["q5 input_options 01 range_from: is 2000000, above range_to, 1000000"],
    ),
    "bound below nothing": (
        put("q4", "input_options", "01", "range_from", value=-5),
        ["q4 input_options 01 range_from: is -5, below 0"],
    ),
    "default outside": (
        put(*FIGURE, "range_default", value=49_999),
        ["q5 input_options 01 range_default: is 49999, outside 50000 to 1000000"],
    ),
    "step of nothing": (put(*FIGURE, "range_unit", value=0), ["q5 input_options 01 range_unit: is 0, below 1"]),
    "bound missing": (without(*FIGURE, "range_to"), ["q5 input_options 01 range_to: is missing"]),
    "bound in words": (
        put(*FIGURE, "range_to", value="a million"),
        ["q5 input_options 01 range_to: must be a whole number, not 'a million'"],
    ),
    "bound that is no number": (
        put(*FIGURE, "range_to", value=float("nan")),
        ["q5 input_options 01 range_to: must be a whole number, not nan"],
    ),
    "unknown unit type": (
        put(*FIGURE, "unit_type", value="month"),
        ["q5 input_options 01 unit_type: is 'month', not number or year"],
    ),
    "no options": (
        put("q1", "options", value={}),
        ["q1 options: has no options", "q1: never leads to submit", *NOWHERE],
    ),
    "empty text of an option": (put("q1", "options", "buy", "text", value=""), ["q1 options buy text: is missing"]),
    "thirteenth column": (
        put("q1", "options", "buy", "col_width", value=13),
        ["q1 options buy col_width: is 13, not 1 to 12"],
    ),
    "calculator that refers to nothing": (
        put(*SUM, "value_02", value="09"),
        ["q5 input_options 03 value_02: refers to '09', which is no input of this step"],
    ),
    "calculator that refers to itself": (
        put(*SUM, "value_01", value="03"),
        ["q5 input_options 03 value_01: refers to the calculator itself"],
    ),
    "calculator that refers to words": (
        put(*SUM, "value_01", value="04"),
        ["q5 input_options 03 value_01: refers to '04', which is not a range before it"],
    ),
    "calculator that refers forward": (
        lambda spoilt: (
            put("q5", "input_options", "05", value=LATER)(spoilt),
            put(*SUM, "value_02", value="05")(spoilt),
        ),
        ["q5 input_options 03 value_02: refers to '05', which is not a range before it"],
    ),
    "calculator of one value": (
        put(*SUM, "value_02", value="01"),
        ["q5 input_options 03 value_02: refers to the same input as value_01"],
    ),
    "calculator without a value": (without(*SUM, "value_01"), ["q5 input_options 03 value_01: is missing"]),
    "calculator of an unknown kind": (
        put(*SUM, "value_02_kind", value="debt"),
        ["q5 input_options 03 value_02_kind: is 'debt', not loan or deposit"],
    ),
    "radio without options": (put(*RADIO, "options", value=[]), ["q5 input_options 04 options: has no options"]),
    "radio without words": (
        put(*RADIO, "options", "free", "text", value=""),
        ["q5 input_options 04 options free text: is missing"],
    ),
    "unknown input": (
        put(*RADIO, "input_type", value="slider"),
        ["q5 input_options 04 input_type: is 'slider', not range, calculator or radio"],
    ),
    "inputs that ask nothing": (put("q4", "input_options", value={}), ["q4 input_options: asks for nothing"]),
    "input without a question": (without(*FIGURE, "input_query"), ["q5 input_options 01 input_query: is missing"]),
    "rates of an unknown kind": (
        put("q6", "rates", "input_type", value="home-mover"),
        [
            "q6 rates input_type: is 'home-mover', not buy-to-let-remortgage, remortgage, buy-to-let-purchase, "
            "first-time-buyer"
        ],
    ),
    "rates of no kind": (without("q6", "rates", "input_type"), ["q6 rates input_type: is missing"]),
    "rates for an unknown customer": (
        put("q6", "rates", "customer", value="tenant"),
        ["q6 rates customer: is 'tenant', which is no customer type"],
    ),
    "more than one kind": (
        put("q1", "rates", value={"input_type": "remortgage", "next_id": "q5"}),
        ["q1: has options, rates, of which it may have one"],
    ),
    "none of the kinds": (without("q1", "options"), ["q1: has none of options, input_options, rates", *NOWHERE]),
    "missing question": (without("q6", "query"), ["q6 query: is missing"]),
    "question of spaces": (put("q6", "query", value=" \n"), ["q6 query: is missing"]),
    "question that is no text": (put("q6", "query", value=["a"]), ["q6 query: must be a text, not a list"]),
    "id under another key": (put("q6", "query_id", value="q60"), ["q6 query_id: is 'q60' under the key 'q6'"]),
    "missing id": (without("q6", "query_id"), ["q6 query_id: is missing"]),
    "step that is a text": (
        put("q6", value="q4"),
        ["q6: must be an object with named values, not 'q4'", "q5: never leads to submit"],
    ),
    "half a character": (put("q6", "query", value="a\ud800"), ["q6 query: must be a text, not 'a\\ud800'"]),
}
