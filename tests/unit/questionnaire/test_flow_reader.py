import json
from typing import Any

import pytest

from broker.questionnaire.check import check, load_flow
from broker.questionnaire.flow import (
    Calculator,
    Choice,
    Flow,
    FlowError,
    Inputs,
    Option,
    Radio,
    RadioOption,
    Range,
    Rates,
    SecondValue,
    UnitType,
)
from broker.questionnaire.flow_reader import parse_json, read_flow
from tests.unit.questionnaire.flows import FLOW, tree
from tools.project import Project

RECORDED = Project().root / "tests" / "fixtures" / "wordpress"


def recorded(name: str) -> str:
    return json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))["body"]


@pytest.fixture(scope="module")
def wordpress() -> Flow:
    return load_flow(recorded("query_ok"))


def inputs(flow: Flow, step: str) -> Inputs:
    asks = flow.steps[step].asks
    assert isinstance(asks, Inputs)
    return asks


def test_recorded_answer_is_a_flow(wordpress: Flow) -> None:
    kinds = {Choice: "q1 q2 q3 q6 q7 q18 q32 q52", Inputs: "q4 q5 q8 q15 q17", Rates: "q107"}
    found = {id_: type(step.asks) for id_, step in wordpress.steps.items()}
    assert found == {id_: kind for kind, ids in kinds.items() for id_ in ids.split()}
    assert (wordpress.start, wordpress.entries) == ("q1", ("q1", "q3", "q2", "q32", "q52"))
    assert check(wordpress) == ()


def test_entities_lists_of_php_and_figures_in_texts_are_read(wordpress: Flow) -> None:
    assert wordpress.steps["q8"].question == "What’s your annual income?"
    options = [Option(key=key, text=text, next_id="q7", width=6) for key, text in (("0", "No"), ("1", "Yes"))]
    assert wordpress.steps["q6"].asks == Choice(options=tuple(options))
    owed = Range(
        key="02",
        question="Outstanding mortgage",
        label="Outstanding mortgage",
        low=21_000,
        high=1_000_000,
        unit=1_000,
        unit_type=UnitType.NUMBER,
        before="£",
    )
    share = Calculator(key="03", question="Loan to value", label="Loan to value", value_01="01", value_02="02")
    assert inputs(wordpress, "q4").inputs[1:] == (owed, share)


def test_year_and_tenure_are_read_in_one_step(wordpress: Flow) -> None:
    year, tenure = inputs(wordpress, "q15").inputs
    assert isinstance(year, Range)
    assert (year.unit_type, year.start) == (UnitType.YEAR, 1900)
    options = (RadioOption(key="1", text="Freehold"), RadioOption(key="2", text="Leasehold"))
    assert tenure == Radio(key="02", question="Tenure", label="Tenure", option_id="tenure", options=options)


def test_keys_stay_in_the_order_of_the_answer() -> None:
    answer = tree()
    options = answer["q1"]["options"]
    answer["q1"]["options"] = {"10": options["stay"], "9": options["buy"], "x": options["stay"]}
    asks = read_flow(parse_json(json.dumps(answer))).steps["q1"].asks
    assert isinstance(asks, Choice)
    assert [option.key for option in asks.options] == ["10", "9", "x"]


def test_calculator_and_radio_may_be_objects_of_their_own() -> None:
    nested = tree()
    listed = nested["q5"]["input_options"]
    listed["03"]["calculator"] = {"value_01": listed["03"].pop("value_01"), "value_02": listed["03"].pop("value_02")}
    listed["04"]["radio"] = {"option_id": listed["04"].pop("option_id"), "options": listed["04"].pop("options")}
    assert inputs(read_flow(nested), "q5") == inputs(read_flow(tree()), "q5")


def test_second_value_that_asks_for_a_deposit_is_one() -> None:
    kinds: list[SecondValue] = []
    for words in ("Deposit", "How much DEPOSIT?", "Outstanding mortgage"):
        flow_tree = tree()
        flow_tree["q5"]["input_options"]["02"]["input_query"] = words
        sum_ = inputs(read_flow(flow_tree), "q5").inputs[2]
        assert isinstance(sum_, Calculator)
        kinds.append(sum_.second)
    assert kinds == [SecondValue.DEPOSIT, SecondValue.DEPOSIT, SecondValue.LOAN]


def test_own_labels_and_reasons_are_read_from_the_flow() -> None:
    step = FLOW.steps["q4"]
    value = inputs(FLOW, "q4").inputs[0]
    assert isinstance(value, Range)
    worth = ("Property value", 250_000, "What is the property worth today?")
    assert (value.label, value.start, value.question) == worth
    assert (step.label, step.why[:9], inputs(FLOW, "q4").button) == ("Property and mortgage", "The share", "Continue")


NO_OBJECT = "must be an object with named values, not"
NO_FLOWS: dict[str, tuple[str, str]] = {
    "recorded: nothing": (recorded("query_empty"), f"the flow: {NO_OBJECT} a list"),
    "recorded: an error": (recorded("query_wp_error"), f"code: {NO_OBJECT} 'http_request_failed'"),
    "recorded: null": (recorded("query_null"), "the flow: is not JSON: Expecting value: line 1 column 1 (char 0)"),
    "an empty object": ("{}", "the flow: has no steps"),
    "no steps": ('{"queries": []}', f"the flow: {NO_OBJECT} a list"),
    "a number": ("7", f"the flow: {NO_OBJECT} a number"),
    "a text": ('"flow"', f"the flow: {NO_OBJECT} 'flow'"),
    "null": ("null", f"the flow: {NO_OBJECT} nothing"),
}


@pytest.mark.parametrize(("text", "fault"), NO_FLOWS.values(), ids=NO_FLOWS)
def test_malformed_flow_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(FlowError) as error:
        read_flow(parse_json(text))
    assert str(error.value.faults[0]) == fault


def test_brackets_without_end_are_refused() -> None:
    with pytest.raises(FlowError, match="is not JSON"):
        parse_json("[" * 100_000)


HOSTILE: list[Any] = [None, True, 0, -1, 1e308, float("inf"), "", "x" * 1_000_000, "9" * 5_000, 10**5_000]
HOSTILE += [[], [[]], {}, {"a": {}}, [None]]


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: str(type(value)))
def test_any_value_anywhere_is_read_or_refused(value: object) -> None:
    """Every field of every step takes each hostile value once; only FlowError may be raised."""
    places = list(_places(tree()))
    assert len(places) > 50
    for place in places:
        spoilt: Any = tree()
        inner = spoilt
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = value
        try:
            check(read_flow(spoilt))
        except FlowError as error:
            assert all(len(str(fault)) < 610 for fault in error.faults)


def _places(value: Any, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(value, dict):
        return []
    return [place for key in value for place in ((*before, key), *_places(value[key], (*before, key)))]
