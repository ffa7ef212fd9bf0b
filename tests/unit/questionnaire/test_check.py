import json
from pathlib import Path
from typing import Any

import pytest

from broker.questionnaire.check import check, faults_in, load_flow, main
from broker.questionnaire.flow import FlowError
from broker.questionnaire.flow_reader import parse_json, read_flow
from tests.unit.questionnaire.flows import FILE, SHIPPED, tree
from tools.project import Project

MISSING = object()
FIGURE, SUM, RADIO = "q5 input_options 01", "q5 input_options 03", "q5 input_options 04"
LATER = {"input_query": "Later", "input_type": "range", "range_from": 1, "range_to": 2}
RATES_KINDS = "buy-to-let-remortgage, remortgage, buy-to-let-purchase, first-time-buyer"
NO_END_5, NO_END_6 = "q5: never leads to submit", "q6: never leads to submit"
NOWHERE = [f"{step}: is reached from nowhere" for step in ("q5", "q6", "q4")]


SPOILT_PLACES: list[tuple[str, object, str, list[str]]] = [
    ("q1 options stay next_id", "q9", "leads to 'q9', which is no step", []),
    ("q5 next_option next_id", "q9", "leads to 'q9', which is no step", [NO_END_5, NOWHERE[1]]),
    ("q6 rates next_id", "Submit", "leads to 'Submit', which is no step", [NO_END_5, NO_END_6]),
    ("q6 rates next_id", MISSING, "is missing", [NO_END_5, NO_END_6]),
    (f"{FIGURE} range_from", 2_000_000, "is 2000000, above range_to, 1000000", []),
    ("q4 input_options 01 range_from", -5, "is -5, below 0", []),
    (f"{FIGURE} range_default", 49_999, "is 49999, outside 50000 to 1000000", []),
    (f"{FIGURE} range_unit", 0, "is 0, below 1", []),
    (f"{FIGURE} range_to", MISSING, "is missing", []),
    (f"{FIGURE} range_to", "a million", "must be a whole number, not 'a million'", []),
    (f"{FIGURE} range_to", float("nan"), "must be a whole number, not nan", []),
    (f"{FIGURE} unit_type", "month", "is 'month', not number or year", []),
    ("q1 options", {}, "has no options", ["q1: never leads to submit", *NOWHERE]),
    ("q1 options buy text", "", "is missing", []),
    ("q1 options buy col_width", 13, "is 13, not 1 to 12", []),
    (f"{SUM} value_02", "09", "refers to '09', which is no input of this step", []),
    (f"{SUM} value_01", "03", "refers to the calculator itself", []),
    (f"{SUM} value_01", "04", "refers to '04', which is not a range before it", []),
    (f"{SUM} value_02", "01", "refers to the same input as value_01", []),
    (f"{SUM} value_01", MISSING, "is missing", []),
    (f"{SUM} value_02_kind", "debt", "is 'debt', not loan or deposit", []),
    (f"{RADIO} options", [], "has no options", []),
    (f"{RADIO} options free text", "", "is missing", []),
    (f"{RADIO} input_type", "slider", "is 'slider', not range, calculator or radio", []),
    ("q4 input_options", {}, "asks for nothing", []),
    (f"{FIGURE} input_query", MISSING, "is missing", []),
    ("q6 rates input_type", "home-mover", f"is 'home-mover', not {RATES_KINDS}", []),
    ("q6 rates input_type", MISSING, "is missing", []),
    ("q6 rates customer", "tenant", "is 'tenant', which is no customer type", []),
    ("q6 query", MISSING, "is missing", []),
    ("q6 query", " \n", "is missing", []),
    ("q6 query", ["a"], "must be a text, not a list", []),
    ("q6 query", "a\ud800", "must be a text, not 'a\\ud800'", []),
    ("q6 query_id", "q60", "is 'q60' under the key 'q6'", []),
    ("q6 query_id", MISSING, "is missing", []),
    ("q6", "q4", "must be an object with named values, not 'q4'", [NO_END_5]),
]
"""A value put at one place, the fault that is reported there, and the faults of the flow that follow from it."""


SPOILT_FLOWS: dict[str, tuple[dict[str, object], list[str]]] = {
    "step that nothing leads to": ({"q8": {**tree()["q6"], "query_id": "q8"}}, ["q8: is reached from nowhere"]),
    "cycle with a way out": (
        {"q4 next_option next_id": "q1"},
        [
            *[f"{step}: never leads to submit" for step in ("q1", "q5", "q6", "q4")],
            "q1: leads back to itself: q1, q5, q6, q4, q1",
        ],
    ),
    "step that leads to itself": ({"q1 options stay next_id": "q1"}, ["q1: leads back to itself: q1, q1"]),
    "two cycles": (
        {"q1 options again": {"text": "Again", "next_id": "q1"}, "q6 rates next_id": "q6"},
        [NO_END_5, NO_END_6, "q6: leads back to itself: q6, q6", "q1: leads back to itself: q1, q1"],
    ),
    "no start": ({"q1": MISSING}, ["the flow: begins with 'q1', which is no step", *NOWHERE]),
    "calculator that refers forward": (
        {"q5 input_options 05": LATER, f"{SUM} value_02": "05"},
        [f"{SUM} value_02: refers to '05', which is not a range before it"],
    ),
    "more than one kind": (
        {"q1 rates": {"input_type": "remortgage", "next_id": "q5"}},
        ["q1: has options, rates; it may have one of them"],
    ),
    "none of the kinds": ({"q1 options": MISSING}, ["q1: has none of options, input_options, rates", *NOWHERE]),
    "name of a field of every form": (
        {"q4 input_options step": LATER},
        ["q4 input_options step: has a name that the form uses itself"],
    ),
    "id that is no part of an address": (
        {"q1 options buy next_id": "Q9", "Q9": {**tree()["q5"], "query_id": "Q9"}, "q5": MISSING},
        ["Q9 query_id: must be a q with a number, for example q12"],
    ),
    "too many inputs": (
        {f"q4 input_options {number}": LATER for number in range(10, 26)},
        ["q4 input_options: has 17 inputs, more than 15"],
    ),
    "several at once": (
        {
            f"{RADIO} input_type": "slider",
            f"{FIGURE} range_default": 49_999,
            f"{SUM} value_02": "01",
            "q6 query": MISSING,
        },
        [
            f"{RADIO} input_type: is 'slider', not range, calculator or radio",
            f"{FIGURE} range_default: is 49999, outside 50000 to 1000000",
            f"{SUM} value_02: refers to the same input as value_01",
            "q6 query: is missing",
        ],
    ),
}
"""Values put at places, and every fault that is reported."""


def spoilt_tree(changes: dict[str, object]) -> dict[str, Any]:
    """Return the tree with a value at each place, written as faults name it; MISSING deletes what is there."""
    spoilt = tree()
    for place, value in changes.items():
        *before, last = place.split()
        inner = spoilt
        for name in before:
            inner = inner[name]
        inner[last] = value
        if value is MISSING:
            del inner[last]
    return spoilt


def test_spoilt_flow_reports_its_faults() -> None:
    for place, value, fault, others in SPOILT_PLACES:
        found = [str(each) for each in faults_in(spoilt_tree({place: value}))]
        assert found == [f"{place}: {fault}", *others], (place, value)
    for name, (changes, reported) in SPOILT_FLOWS.items():
        assert [str(each) for each in faults_in(spoilt_tree(changes))] == reported, name


def test_wrapped_flow_begins_with_q1_and_has_a_most_of_steps() -> None:
    wrapped = {"queries": tree(), "start": "q5"}
    assert str(faults_in(wrapped)[0]) == "the flow: begins with 'q5', not with q1"
    many = {f"q{number}": tree()["q4"] for number in range(501)}
    assert [str(fault) for fault in faults_in(many)] == ["the flow: has 501 steps, more than 500"]


def test_flow_without_a_fault_has_none() -> None:
    assert (check(SHIPPED), check(read_flow(tree())), faults_in(tree())) == ((), (), ())


def test_command_prints_each_fault_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flow.json"
    path.write_text(json.dumps(spoilt_tree({"q6 query": MISSING, f"{FIGURE} range_default": 49_999})))
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
    assert capsys.readouterr().out == f"data/questionnaire.json: {len(SHIPPED.steps)} steps, no faults\n"


def test_duplicate_keys_are_faults() -> None:
    text = json.dumps(tree()).replace('"stay":', '"buy":').replace('"q4": {"query_id": "q4"', '"q6": {"query_id": "q6"')
    with pytest.raises(FlowError) as error:
        load_flow(text)
    assert [str(fault) for fault in error.value.faults][:2] == ["q6: is there twice", "q1 options buy: is there twice"]


def test_file_keeps_the_steps_of_the_flow_in_one_object() -> None:
    assert list(parse_json(FILE.read_text(encoding="utf-8"))) == list(SHIPPED.steps)
