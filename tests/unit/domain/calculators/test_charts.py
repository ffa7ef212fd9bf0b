"""The bars and the debt charts of the calculators: their figures, and that nothing goes over an edge."""

from __future__ import annotations

from typing import Any

import pytest

from broker.domain.calculators.calculator import Calculator, Unit
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.money import amount_in
from broker.domain.mortgage import balance_after

BY_SLUG: dict[str, Calculator] = {calculator.slug: calculator for calculator in CALCULATORS}


@pytest.mark.parametrize(
    ("slug", "typed", "bars"),
    [
        (
            "borrow",
            {"income1": 20_000, "income2": 40_000},
            [("Your income x 5", "£100,000"), ("Second income x 5", "£200,000")],
        ),
        ("borrow", {"income1": 0}, [("Your income x 5", "£0"), ("Second income x 5", "£0")]),
        ("self-employed", {}, [("Applicant 1", "£142,500"), ("Applicant 2", "£0")]),
        ("contractor", {}, [("A year at this rate", "£84,000"), ("Five times that", "£420,000")]),
        ("buy-to-let-borrowing", {}, [("From the rent", "£60,000"), ("75% of the value", "£52,500")]),
        ("buy-to-let-rent", {}, [("Deposit", "£1,000"), ("Loan", "£4,000")]),
        ("remortgage", {"newRate": 5.99}, [("Now, 5.99%", "£321.85"), ("New, 5.99%", "£321.85")]),
        ("repayment", {}, []),
    ],
)
def test_bars_carry_their_figures(slug: str, typed: dict[str, Any], bars: list[tuple[str, str]]) -> None:
    working = BY_SLUG[slug].work({**BY_SLUG[slug].defaults(), **typed})
    assert [(bar.label, bar.figure) for bar in working.bars] == bars


@pytest.mark.parametrize("kind", ["default", "empty", "huge"])
@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda calculator: calculator.slug)
def test_bars_are_as_long_to_one_another_as_their_figures(calculator: Calculator, kind: str) -> None:
    amount = {"empty": 0, "huge": 9_999_999_999}.get(kind)
    pounds = {} if amount is None else {f.name: amount for f in calculator.fields if f.unit is Unit.POUNDS}
    working = calculator.work({**calculator.defaults(), **pounds})
    assert "-" not in working.figure + working.caption
    if working.bars:
        first, second = ((bar.size, amount_in(bar.figure)) for bar in working.bars)
        assert min(first[0], second[0]) >= 0
        assert first[0] * second[1] == pytest.approx(second[0] * first[1], rel=1e-4)


@pytest.mark.parametrize(
    ("slug", "typed", "lines"),
    [
        ("repayment", {}, {"Left to pay": 5.99}),
        ("repayment", {"rate": 0}, {"Left to pay": 0}),
        ("remortgage", {}, {"Rate now": 5.99, "New rate": 4}),
    ],
)
def test_debt_chart_runs_from_the_whole_loan_to_nothing(
    slug: str, typed: dict[str, Any], lines: dict[str, float]
) -> None:
    chart = BY_SLUG[slug].work({**BY_SLUG[slug].defaults(), **typed}).chart
    assert chart is not None
    assert (chart.loan, chart.years) == (50_000, 25)
    drawn = {line.label: [line.owed(month) for month in (0, 120, 300)] for line in chart.lines}
    assert drawn == {label: [50_000, balance_after(50_000, rate, 25, 120), 0] for label, rate in lines.items()}
