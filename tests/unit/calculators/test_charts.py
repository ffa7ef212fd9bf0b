from itertools import combinations, product
from typing import Any

import pytest

from broker.calculators.calculator import Calculator, Unit
from broker.calculators.registry import CALCULATORS, discover
from broker.lending.money import amount_in
from broker.lending.mortgage import balance_after

BY_SLUG: dict[str, Calculator] = {calculator.slug: calculator for calculator in CALCULATORS}


@pytest.mark.parametrize(
    ("slug", "typed", "bars"),
    [
        ("borrow", {"income2": 40_000}, [("Your income x 5", "£25,000"), ("Second income x 5", "£200,000")]),
        ("borrow", {"income1": 0}, [("Your income x 5", "£0"), ("Second income x 5", "£0")]),
        ("self-employed", {}, [("Applicant 1", "£142,500"), ("Applicant 2", "£0")]),
        ("contractor", {}, [("A year at this rate", "£84,000"), ("Five times that", "£420,000")]),
        ("buy-to-let-borrowing", {}, [("From the rent", "£60,000"), ("75% of the value", "£52,500")]),
        ("buy-to-let-rent", {}, [("Deposit", "£1,000"), ("Loan", "£4,000")]),
        (
            "remortgage",
            {"newRate": 5.99},
            [("Now, 5.99%", "£321.85"), ("New, 5.99%", "£321.85"), ("Once your deal ends, 6.58%", "£340.11")],
        ),
        ("repayment", {}, []),
    ],
)
def test_bars_show_their_figures(slug: str, typed: dict[str, Any], bars: list[tuple[str, str]]) -> None:
    working = BY_SLUG[slug].calculate({**BY_SLUG[slug].defaults(), **typed})
    assert [(bar.label, bar.figure) for bar in working.bars] == bars


def test_bars_are_in_proportion_to_their_figures() -> None:
    for calculator, amount in product(discover(), (None, 0, 9_999_999_999)):
        pounds = {} if amount is None else {f.name: amount for f in calculator.fields if f.unit is Unit.POUNDS}
        working = calculator.calculate({**calculator.defaults(), **pounds})
        case = (calculator.slug, amount)
        assert "-" not in working.figure + working.caption, case
        bars = [(bar.size, amount_in(bar.figure)) for bar in working.bars]
        assert min((size for size, _ in bars), default=0) >= 0, case
        for first, second in combinations(bars, 2):
            assert first[0] * second[1] == pytest.approx(second[0] * first[1], rel=1e-4), case


@pytest.mark.parametrize(
    ("slug", "typed", "lines"),
    [
        ("repayment", {}, {"Left to pay": 5.99}),
        ("repayment", {"rate": 0}, {"Left to pay": 0}),
        ("remortgage", {}, {"Rate now": 5.99, "New rate": 4}),
    ],
)
def test_debt_runs_from_the_loan_to_nothing(slug: str, typed: dict[str, Any], lines: dict[str, float]) -> None:
    chart = BY_SLUG[slug].calculate({**BY_SLUG[slug].defaults(), **typed}).chart
    assert chart is not None
    assert (chart.subject, chart.highest, chart.start, chart.end, chart.years) == ("debt", 50_000, 50_000, 0, 25)
    drawn = {line.label: [line.value_at(month) for month in (0, 120, 300)] for line in chart.lines}
    assert drawn == {label: [50_000, balance_after(50_000, rate, 25, 120), 0] for label, rate in lines.items()}
