"""Payments and balances: the edges, and what holds of every loan (published figures: `test_published_figures`)."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from broker.lending.mortgage import MortgageError, NoRateError, RateStep, balance_after, monthly_payment, payments


class Loan(NamedTuple):
    """A loan drawn by chance: pounds, percent, years, and a month of its term."""

    amount: float
    rate: float
    years: int
    month: int


def loans(count: int, seed: int) -> Iterator[Loan]:
    draw = random.Random(seed)
    for _ in range(count):
        years = draw.randint(1, 40)
        rate = 0 if draw.random() < 0.1 else round(draw.uniform(0.01, 25), 2)
        yield Loan(round(draw.uniform(1, 10 ** draw.randint(3, 9)), 2), rate, years, draw.randint(0, years * 12))


PAYMENTS = {(120_000, 0, 25): 400, (12, 0, 1): 1, (0, 5, 25): 0, (0, 0, 25): 0}
PAYMENTS |= {(1_200, 12, 1): 106.6185, (100_000, 25, 40): 2_083.4382}
BALANCES = {(0, 0): 120_000, (0, 150): 60_000, (0, 300): 0, (5, 0): 120_000, (5, 300): 0, (25, 300): 0}


def test_payments_and_balances_at_the_edges() -> None:
    assert {loan: monthly_payment(*loan) for loan in PAYMENTS} == pytest.approx(PAYMENTS, abs=0.00005)
    assert {(rate, month): balance_after(120_000, rate, 25, month) for rate, month in BALANCES} == BALANCES


def test_payments_clear_every_loan_month_by_month() -> None:
    for loan in loans(1_000, seed=1):
        owed, level, owed_then = loan.amount, monthly_payment(*loan[:3]), loan.amount
        for month in range(1, loan.years * 12 + 1):
            owed += owed * loan.rate / 1200 - level
            if month == loan.month:
                owed_then = owed
        assert owed == pytest.approx(0, abs=loan.amount * 1e-7)
        assert balance_after(*loan) == pytest.approx(owed_then, abs=loan.amount * 1e-7)


def test_payments_are_level_within_each_step_and_set_again_at_the_next() -> None:
    made = list(payments(100_000, [RateStep(6, 300)]))
    assert made == pytest.approx([monthly_payment(100_000, 6, 25)] * 300)
    made = list(payments(100_000, [RateStep(4, 24), RateStep(7, 276)]))
    owed = balance_after(100_000, 4, 25, 24)
    assert made[:24] == pytest.approx([monthly_payment(100_000, 4, 25)] * 24)
    assert made[24:] == pytest.approx([monthly_payment(owed, 7, 23)] * 276)


def test_interest_only_payments_end_with_the_loan() -> None:
    made = list(payments(100_000, [RateStep(6, 2), RateStep(3, 2)], interest_only=True))
    assert made == pytest.approx([500, 500, 250, 100_250])


def test_step_has_a_rate_of_nought_or_more_and_at_least_a_month() -> None:
    assert list(payments(100, [RateStep(0, 1)])) == [100]
    for rate, months in ((-0.01, 1), (5, 0), (5, -3), (-1, 0)):
        with pytest.raises(MortgageError, match="a rate of 0 or more and at least a month"):
            RateStep(rate, months)
    assert (issubclass(NoRateError, MortgageError), issubclass(MortgageError, ValueError)) == (True, True)
