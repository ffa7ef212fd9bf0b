"""Two years and a later deal, or five years: the later rate at which both cost the same."""

import random
from math import inf

import pytest

from broker.lending.arithmetic import to_pennies
from broker.lending.two_or_five import TwoFixes

LOAN = TwoFixes(loan=200_000, months=300, short_rate=4.92, long_rate=4.78)


def _simulated(loan: float, months: int, parts: list[tuple[float, int]], fee: float) -> float:
    """Return what deals of a rate and a length cost, with what is owed at the end, month by month.

    Payments are collected in whole pennies; the debt follows the exact payment, as a lender's own books do.
    """
    owed, left, paid = loan, months, 0.0
    for rate, length in parts:
        monthly = rate / 1200
        payment = owed / left if not rate else owed * monthly / (1 - (1 + monthly) ** -left)
        paid += fee
        for _ in range(length):
            owed += owed * monthly - payment
            paid += to_pennies(payment)
            left -= 1
        owed = to_pennies(owed)
    return to_pennies(paid + owed)


@pytest.mark.parametrize(("fees", "rate"), [(0, 4.68), (999, 4.50)])
def test_check_figures(fees: float, rate: float) -> None:
    fixes = TwoFixes(loan=200_000, months=300, short_rate=4.92, long_rate=4.78, fees=fees)
    assert round(fixes.break_even_rate(), 2) == rate


def test_break_even_divides_cheaper_from_dearer_to_the_hundredth() -> None:
    draw = random.Random(33)
    found = 0
    for _ in range(2_000):
        fees = draw.choice((0.0, 999.0, 1_499.0))
        loan, months = draw.uniform(30_000, 900_000), draw.randint(30, 480)
        short, long = draw.uniform(0, 9), draw.uniform(0, 9)
        fixes = TwoFixes(loan=loan, months=months, short_rate=short, long_rate=long, fees=fees)
        end = min(60, months)
        whole = _simulated(loan, months, [(long, end)], fees)
        assert fixes.long_cost() == pytest.approx(whole, abs=0.011)
        rate = fixes.break_even_rate()
        if rate in (inf, -inf):
            extreme = 25.0 if rate > 0 else 0.0
            cost = _simulated(loan, months, [(short, 24), (extreme, end - 24)], fees)
            assert cost <= whole + 0.005 if rate > 0 else cost >= whole - 0.005
            continue
        found += 1
        below, above = (
            _simulated(loan, months, [(short, 24), (later, end - 24)], fees) for later in (rate - 0.01, rate + 0.01)
        )
        assert rate < 0.01 or below < whole
        assert above > whole
    assert found > 1_000


def test_long_fix_that_always_costs_less_has_no_rate() -> None:
    assert TwoFixes(loan=200_000, months=300, short_rate=9, long_rate=1).break_even_rate() == -inf
    assert TwoFixes(loan=5_000, months=300, short_rate=4, long_rate=4, fees=2_000).break_even_rate() == -inf


def test_short_fix_that_always_costs_less_has_no_rate() -> None:
    assert TwoFixes(loan=200_000, months=300, short_rate=1, long_rate=20).break_even_rate() == inf


def test_comparison_ends_with_the_loan() -> None:
    fixes = TwoFixes(loan=50_000, months=40, short_rate=4.92, long_rate=4.78)
    assert fixes.end == 40
    assert 4 < fixes.break_even_rate() < 5


def test_first_guess_of_a_pocket_calculator_is_near() -> None:
    assert LOAN.break_even_rate() == pytest.approx((60 * 4.78 - 24 * 4.92) / 36, abs=0.02)
