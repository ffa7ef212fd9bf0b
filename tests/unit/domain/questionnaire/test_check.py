"""Every kind of fault, found in a flow that has it, and several at once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from broker.domain.questionnaire.check import check, faults_in, load_flow, main
from broker.domain.questionnaire.errors import FlowError
from broker.domain.questionnaire.flow_reader import parse, read
from tests.unit.domain.questionnaire.flows import FILE, SHIPPED, tree
from tests.unit.domain.questionnaire.spoilt_flows import SPOILT, Tree
from tools.project import Project


def faults(spoil: Callable[[Tree], object]) -> list[str]:
    spoilt = tree()
    spoil(spoilt)
    return [str(fault) for fault in faults_in(spoilt)]


def test_spoilt_flow_reports_its_faults() -> None:
    found = {name: faults(spoil) for name, (spoil, _) in SPOILT.items()}
    assert found == {name: reported for name, (_, reported) in SPOILT.items()}


def test_flow_without_a_fault_has_none() -> None:
    assert (check(SHIPPED), check(read(tree())), faults_in(tree())) == ((), (), ())


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
    assert capsys.readouterr().out == f"data/questionnaire.json: {len(SHIPPED.steps)} steps, no faults\n"


def test_keys_that_stand_twice_are_told() -> None:
    text = json.dumps(tree()).replace('"stay":', '"buy":').replace('"q4": {"query_id": "q4"', '"q6": {"query_id": "q6"')
    with pytest.raises(FlowError) as error:
        load_flow(text)
    assert [str(fault) for fault in error.value.faults][:2] == ["q6: stands twice", "q1 options buy: stands twice"]


def test_file_keeps_the_steps_of_the_flow_in_one_object() -> None:
    assert list(parse(FILE.read_text(encoding="utf-8"))) == list(SHIPPED.steps)
