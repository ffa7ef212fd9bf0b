from decimal import Decimal
from typing import Any

from broker.lending.loan_to_value import ltv_figure
from broker.questionnaire.answers import Answered, Invalid, loan_to_value, read_answer
from broker.questionnaire.flow import SecondValue
from tests.unit.questionnaire.flows import small_flow

FLOW = small_flow()

NESTED: Any = []
for _ in range(5_000):
    NESTED = [NESTED]

FORGED: list[Any] = [None, True, False, -1, 0, 10**5_000, -(10**30), 1.5, 1e308, 5j, Decimal("5"), b"yes", object()]
FORGED += [float("nan"), float("inf"), float("-inf"), [], ["yes"], NESTED, {}, {"yes"}, ("yes",), {"option": "yes"}]
FORGED += ["", " ", "0", "x" * 1_000_000, "9" * 1_000_000, "1e5", "１２", "٣", "-5", "0x10", "1_000", "\x00"]
FORGED += ["\u202e5", "\ud800", "submit", "<script>alert(1)</script>", {"01": {}}, {"01": [250_000]}]
FORGED += [{"01": None, "02": None}, {1: 250_000}, {"1": 250_000}, {None: None}, {"01": {"01": {"01": 5}}}]


def test_forged_value_is_refused_by_every_step_with_a_sentence() -> None:
    for number, value in enumerate(FORGED):
        for id_, step in FLOW.steps.items():
            refused = read_answer(step, value)
            assert isinstance(refused, tuple), (number, id_, refused)
            assert {each.step for each in refused} == {id_}, (number, id_)
            assert all(each.reason and len(each.reason) < 120 for each in refused), (number, id_)


def test_forged_value_in_an_input_is_refused_by_that_input_alone() -> None:
    for number, value in enumerate(FORGED):
        for key in ("01", "02"):
            refused = read_answer(FLOW.steps["q32"], {"01": "no", "02": 1, key: value})
            assert isinstance(refused, tuple), (number, key)
            assert [each.input for each in refused] == [key], number


def test_figure_is_read_as_it_may_be_typed_or_refused() -> None:
    for typed in (
        250_000,
        250_000.0,
        "250000",
        "250,000",
        "£250,000",
        " 250 000 ",
        "250000.00",
        "250k",
        "0.25m",
        "２５０，０００",
    ):
        answered = read_answer(FLOW.steps["q4"], {"01": typed, "02": 150_000})
        assert isinstance(answered, Answered), typed
        assert answered.value == {"01": 250_000, "02": 150_000}, typed
    for typed in ("250000.50", "250.000,00", "250000,00", "", "£", "2 5 0 x", "250000 250000", 250_000.5):
        refused = read_answer(FLOW.steps["q4"], {"01": typed, "02": 150_000})
        reason = "Enter an amount in whole pounds, from £50,000 to £1,000,000"
        assert refused == (Invalid(step="q4", input="01", reason=reason),), typed


def test_every_kind_of_step_has_its_own_reason() -> None:
    found = {id_: read_answer(step, None) for id_, step in FLOW.steps.items()}
    refused = {id_: each for id_, each in found.items() if isinstance(each, tuple)}
    assert {id_: [each.reason for each in invalid] for id_, invalid in refused.items()} == {
        **{id_: ["Choose one of the answers"] for id_ in ("q1", "q2", "q100", "q11")},
        "q4": [
            "Enter an amount in whole pounds, from £50,000 to £1,000,000",
            "Enter an amount in whole pounds, from £21,000 to £1,000,000",
        ],
        "q107": ["Look at these deals, then press Continue"],
        "q101": ["Enter a whole number, from 1 to 5"],
        "q102": ["Enter a year from 1900 to 2020"],
        "q32": ["Choose one of the answers", "Enter a whole number, from 1 to 2"],
        "q33": ["Enter an amount in whole pounds, from £400 a month to £4,000 a month"],
    }


SHARES = {
    (250_000, 150_000, SecondValue.LOAN): "60",
    (300_000, 200_000, SecondValue.LOAN): "66.7",
    (300_000, 100_000, SecondValue.LOAN): "33.4",
    (20_000, 13_330, SecondValue.LOAN): "66.7",
    (1_000_000, 21_000, SecondValue.LOAN): "2.1",
    (50_000, 1_000_000, SecondValue.LOAN): "2,000",  # more owed than it is worth
    (999_999, 749_999, SecondValue.LOAN): "75",
    (250_000, 25_000, SecondValue.DEPOSIT): "90",
    (300_000, 100_000, SecondValue.DEPOSIT): "66.7",
    (100_000, 500_000, SecondValue.DEPOSIT): "0",  # the deposit covers the price
    (0, 5, SecondValue.LOAN): "0",
}


def test_loan_to_value_is_rounded_up_to_one_place() -> None:
    for (value, second, kind), written in SHARES.items():
        assert ltv_figure(loan_to_value(value, second, kind=kind)) == written, (value, second)
