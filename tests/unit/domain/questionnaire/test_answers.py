"""Any value at all as an answer: taken, or refused with a sentence, and nothing is raised."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from broker.domain.questionnaire.answers import Answered, Invalid, read_answer
from broker.domain.questionnaire.flow import Choice, Inputs, Rates, SecondValue
from broker.domain.questionnaire.ltv import loan_to_value, ltv_figure
from tests.unit.domain.questionnaire.flows import FLOW

NESTED: Any = []
for _ in range(5_000):
    NESTED = [NESTED]

FORGED: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    10**5_000,
    -(10**30),
    1.5,
    float("nan"),
    float("inf"),
    float("-inf"),
    1e308,
    "",
    " ",
    "0",
    "x" * 1_000_000,
    "9" * 1_000_000,
    "1e5",
    "１２",
    "٣",
    "-5",
    "0x10",
    "1_000",
    "\x00",
    "\u202e5",
    "\ud800",
    "submit",
    "<script>alert(1)</script>",
    [],
    ["yes"],
    NESTED,
    {},
    {"01": {}},
    {"01": [250_000]},
    {"01": None, "02": None},
    {1: 250_000},
    {"1": 250_000},
    {None: None},
    {"01": {"01": {"01": 5}}},
    {"option": "yes"},
    b"yes",
    Decimal("5"),
    object(),
    {"yes"},
    ("yes",),
    5j,
]

IDS = [f"{type(value).__name__} {number}" for number, value in enumerate(FORGED)]


@pytest.mark.parametrize("value", FORGED, ids=IDS)
def test_forged_value_is_refused_by_every_step_with_a_sentence(value: object) -> None:
    for id_, step in FLOW.steps.items():
        refused = read_answer(step, value)
        assert isinstance(refused, tuple), (id_, refused)
        assert refused
        assert {each.step for each in refused} == {id_}
        assert all(each.reason and len(each.reason) < 120 for each in refused)


@pytest.mark.parametrize("value", FORGED, ids=IDS)
def test_forged_value_in_an_input_is_refused_by_that_input_alone(value: object) -> None:
    step = FLOW.steps["q36"]
    for key, other in (("01", "02"), ("02", "01")):
        good = {"01": "no", "02": 1}
        refused = read_answer(step, {**good, key: value})
        assert isinstance(refused, tuple)
        assert [each.input for each in refused] == [key]
        assert other in good


TYPED: dict[str, Any] = {
    "a number": 250_000,
    "a whole float": 250_000.0,
    "digits": "250000",
    "commas": "250,000",
    "a pound sign": "£250,000",
    "spaces": " 250 000 ",
    "no pence": "250000.00",
}


@pytest.mark.parametrize("value", TYPED.values(), ids=TYPED)
def test_figure_is_read_as_it_may_be_typed(value: object) -> None:
    answered = read_answer(FLOW.steps["q4"], {"01": value, "02": 150_000})
    assert isinstance(answered, Answered)
    assert answered.value == {"01": 250_000, "02": 150_000}


@pytest.mark.parametrize("value", ["250000.50", "250.000,00", "250k", "2 5 0 x", "250000 250000", 250_000.5])
def test_figure_that_is_none_is_refused(value: object) -> None:
    refused = read_answer(FLOW.steps["q4"], {"01": value, "02": 150_000})
    assert refused == (
        Invalid(step="q4", input="01", reason="Enter an amount in whole pounds, from £50,000 to £1,000,000"),
    )


def test_sentences_are_these() -> None:
    reasons = {
        invalid.reason.partition(", from")[0].partition(" from ")[0]
        for step in FLOW.steps.values()
        for invalid in _refused(step.id)
    }
    assert reasons == {
        "Choose one of the answers",
        "Enter a whole number",
        "Enter a year",
        "Enter an amount in whole pounds",
        "Look at these deals, then go on",
    }


def _refused(step: str) -> tuple[Invalid, ...]:
    found = read_answer(FLOW.steps[step], None)
    return found if isinstance(found, tuple) else ()


def test_every_step_asks_one_of_three_things() -> None:
    kinds = [type(step.asks) for step in FLOW.steps.values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {Choice: 67, Inputs: 39, Rates: 5}


SHARES = {
    (250_000, 150_000, SecondValue.LOAN): "60",
    (300_000, 200_000, SecondValue.LOAN): "66.7",
    (300_000, 100_000, SecondValue.LOAN): "33.3",
    (20_000, 13_330, SecondValue.LOAN): "66.7",  # 66.65 exactly: a half goes up
    (1_000_000, 21_000, SecondValue.LOAN): "2.1",
    (50_000, 1_000_000, SecondValue.LOAN): "2,000",  # more owed than it is worth
    (999_999, 749_999, SecondValue.LOAN): "75",
    (250_000, 25_000, SecondValue.DEPOSIT): "90",
    (300_000, 100_000, SecondValue.DEPOSIT): "66.7",
    (100_000, 500_000, SecondValue.DEPOSIT): "0",  # the deposit covers the price
    (0, 5, SecondValue.LOAN): "0",
}


@pytest.mark.parametrize(("figures", "written"), SHARES.items(), ids=str)
def test_loan_to_value_is_rounded_to_one_place(figures: tuple[int, int, SecondValue], written: str) -> None:
    value, second, kind = figures
    assert ltv_figure(loan_to_value(value, second, kind=kind)) == written
