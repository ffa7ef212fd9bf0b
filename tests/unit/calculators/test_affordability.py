from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.calculators.affordability import CALCULATOR, affordability
from broker.lending.lending_rules import HOME_SOURCES
from broker.lending.mortgage import monthly_payment

budgets = st.fixed_dictionaries(
    {
        "income1": st.integers(0, 400_000),
        "income2": st.integers(0, 200_000),
        "commitments": st.integers(0, 5_000),
        "rate": st.integers(0, 25_000).map(lambda thousandths: thousandths / 1_000),
        "term": st.integers(2, 80).map(lambda halves: halves / 2),
        "fixed": st.booleans(),
    }
)


def values(**typed: Any) -> dict[str, Any]:
    assert set(typed) <= set(CALCULATOR.defaults())
    return {**CALCULATOR.defaults(), **typed}


def test_range_of_a_couple_on_62_000_by_hand() -> None:
    """40% of 62,000 / 12, less 300, is 1,766.67 a month: at 7.92% over 25 years it repays 1,766.67 / 0.00766525."""
    found = affordability(values())
    assert found.payment == pytest.approx(1_766.6667)
    assert (found.careful, found.least, found.multiple) == (230_477, 276_292, 279_000)
    shown = CALCULATOR.calculate(values())
    assert shown.figure == "£230,477 and £276,292"
    assert [", rounded down." in str(step) for step in shown.steps[-3:]] == [True] * 3
    assert shown.table
    assert shown.table.rows[0] == ("Budget, rate up 3 points", "£230,477", "3.72", "£1,337")


@pytest.mark.parametrize(
    ("typed", "label", "figure", "caption"),
    [
        (
            {"commitments": 500},
            "You might borrow between",
            "£204,385 and £245,013",
            "From what your budget pays for if the rate rises 3 points, to what it pays for if the rate rises 1 point",
        ),
        (
            {"commitments": 600, "fixed": True},
            "You might borrow between",
            "£191,339 and £252,900",
            "From what your budget pays for if the rate rises 3 points, to what it pays for at a rate that is fixed",
        ),
        (
            {"rate": 1, "term": 40},
            "You might borrow up to",
            "£279,000",
            "4.5 times your income. Your budget would pay for more",
        ),
        (
            {"income1": 0, "income2": 0},
            "You might borrow up to",
            "£0",
            "Type your income: without one there is no loan",
        ),
        (
            {"commitments": 2_100},
            "You might borrow up to",
            "£0",
            "Your commitments take 40% of your income or more, which leaves nothing for a mortgage",
        ),
    ],
    ids=lambda value: str(value)[:30],
)
def test_range_names_the_rule_of_each_end(typed: dict[str, Any], label: str, figure: str, caption: str) -> None:
    shown = CALCULATOR.calculate(values(**typed))
    assert (shown.label, shown.figure, shown.caption) == (label, figure, caption)


@given(budgets)
def test_range_is_in_order_and_its_ends_are_paid_for(typed: dict[str, Any]) -> None:
    found, income = affordability(typed), typed["income1"] + typed["income2"]
    assert 0 <= found.low <= found.high <= 4.5 * income
    tested = typed["rate"] + (0 if typed["fixed"] else 1)
    for loan, rate in ((found.low, typed["rate"] + 3), (found.high, tested)):
        assert monthly_payment(loan, rate, typed["term"]) + typed["commitments"] <= max(
            income * 0.4 / 12 + 1e-6, typed["commitments"]
        )


@given(budgets, st.integers(1, 500))
def test_more_commitments_never_lend_more(typed: dict[str, Any], more: int) -> None:
    before, after = affordability(typed), affordability({**typed, "commitments": typed["commitments"] + more})
    assert (after.low <= before.low, after.high <= before.high) == (True, True)


def test_rules_have_an_address_and_a_date_each() -> None:
    assert [(each.address[:8], bool(each.since)) for each in HOME_SOURCES] == [("https://", True)] * 3
    assert CALCULATOR.sources == HOME_SOURCES
