"""Every kind of fault, found in a flow that has it, and several at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from broker.domain.questionnaire.check import check, checked, faults_in, main
from broker.domain.questionnaire.errors import FlowError
from broker.domain.questionnaire.flow_reader import parse, read
from tests.unit.domain.questionnaire.flows import FILE, FLOW, tree
from tools.project import Project

Tree = dict[str, Any]


def faults(spoil: Callable[[Tree], object]) -> list[str]:
    """Return the faults of the small flow, once it is spoilt, a line each."""
    spoilt = tree()
    spoil(spoilt)
    return [str(fault) for fault in faults_in(spoilt)]


def put(*place: str, value: object) -> Callable[[Tree], None]:
    """Return what puts a value into a tree at a place."""

    def spoil(spoilt: Tree) -> None:
        inner = spoilt
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = value

    return spoil


def without(*place: str) -> Callable[[Tree], None]:
    """Return what takes a value out of a tree."""

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


def test_spoilt_flow_reports_its_faults() -> None:
    found = {name: faults(spoil) for name, (spoil, _) in SPOILT.items()}
    assert found == {name: reported for name, (_, reported) in SPOILT.items()}


def test_flow_without_a_fault_has_none() -> None:
    assert (check(FLOW), check(read(tree())), faults_in(tree())) == ((), (), ())


def test_every_fault_is_told_at_once() -> None:
    def spoil(spoilt: Tree) -> None:
        for each in ("missing question", "default outside", "calculator of one value", "unknown input"):
            SPOILT[each][0](spoilt)

    assert faults(spoil) == [
        "q5 input_options 04 input_type: is 'slider', not range, calculator or radio",
        "q5 input_options 01 range_default: is 49999, outside 50000 to 1000000",
        "q5 input_options 03 value_02: refers to the same input as value_01",
        "q6 query: is missing",
    ]


def test_command_prints_each_fault_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoilt = tree()
    for name in ("missing question", "default outside"):
        SPOILT[name][0](spoilt)
    path = tmp_path / "flow.json"
    path.write_text(json.dumps(spoilt))
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "q5 input_options 01 range_default: is 49999, outside 50000 to 1000000",
        "q6 query: is missing",
    ]
    path.write_text("{")
    assert (main([str(path)]), main([str(tmp_path / "none.json")])) == (1, 1)
    assert [line[:9] for line in capsys.readouterr().out.splitlines()] == ["the flow:", "[Errno 2]"]


def test_command_accepts_the_shipped_flow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(Project().root)
    assert main([]) == 0
    assert capsys.readouterr().out == f"data/questionnaire.json: {len(FLOW.steps)} steps, no faults\n"


def test_keys_that_stand_twice_are_told() -> None:
    text = json.dumps(tree()).replace('"stay":', '"buy":').replace('"q4": {"query_id": "q4"', '"q6": {"query_id": "q6"')
    with pytest.raises(FlowError) as error:
        checked(text)
    assert [str(fault) for fault in error.value.faults][:2] == [
        "q6: stands twice",
        "q1 options buy: stands twice",
    ]


def test_file_keeps_the_steps_of_the_flow_in_one_object() -> None:
    assert list(parse(FILE.read_text(encoding="utf-8"))) == list(FLOW.steps)
