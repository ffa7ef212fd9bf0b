"""The bars and the debt charts of the calculators: their figures, and that nothing goes over an edge."""

from __future__ import annotations

from typing import Any

import pytest

from broker.domain.calculators.model import Calculator
from broker.domain.calculators.registry import CALCULATORS
from broker.domain.mortgage import balance_after

BY_SLUG: dict[str, Calculator] = {calculator.slug: calculator for calculator in CALCULATORS}


@pytest.mark.parametrize(
    ("slug", "typed", "bars"),
    [
        (
            "borrow",
            {"income1": 20_000, "income2": 40_000},
            [("Your income x 5", "£100,000", 0.5), ("Second income x 5", "£200,000", 1)],
        ),
        ("borrow", {"income1": 0}, [("Your income x 5", "£0", 0), ("Second income x 5", "£0", 0)]),
        ("self-employed", {}, [("Applicant 1", "£142,500", 1), ("Applicant 2", "£0", 0)]),
        ("contractor", {}, [("A year at this rate", "£84,000", 0.2), ("Five times that", "£420,000", 1)]),
        ("buy-to-let-borrowing", {}, [("From the rent", "£60,000", 1), ("75% of the value", "£52,500", 0.875)]),
        ("buy-to-let-rent", {}, [("Deposit", "£1,000", 0.25), ("Loan", "£4,000", 1)]),
        ("remortgage", {"newRate": 5.99}, [("Now, 5.99%", "£321.85", 1), ("New, 5.99%", "£321.85", 1)]),
        ("repayment", {}, []),
    ],
)
def test_bars_carry_their_figures(slug: str, typed: dict[str, Any], bars: list[tuple[str, str, float]]) -> None:
    working = BY_SLUG[slug].work({**BY_SLUG[slug].defaults(), **typed})
    assert [(bar.label, bar.figure, bar.share) for bar in working.bars] == bars


@pytest.mark.parametrize("calculator", CALCULATORS, ids=lambda calculator: calculator.slug)
@pytest.mark.parametrize("kind", ["default", "empty", "huge"])
def test_every_bar_is_between_nothing_and_the_longest(calculator: Calculator, kind: str) -> None:
    amount = {"empty": 0, "huge": 9_999_999_999}.get(kind)
    pounds = {} if amount is None else {f.name: amount for f in calculator.fields if f.unit.value == "pounds"}
    working = calculator.work({**calculator.defaults(), **pounds})
    assert all(0 <= bar.share <= 1 for bar in working.bars)
    assert "-" not in working.figure + working.caption.replace("five-", "")


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
