import random

import pytest

from broker.lending.mortgage import NoRateError, RateStep, aprc, payments


@pytest.mark.parametrize("interest_only", [False, True])
@pytest.mark.parametrize("rate", [0, 0.01, 1, 4.5, 5.99, 12, 25])
@pytest.mark.parametrize("months", [1, 12, 300, 480])
def test_one_rate_and_no_fee_gives_the_effective_rate(months: int, rate: float, *, interest_only: bool) -> None:
    effective = ((1 + rate / 1200) ** 12 - 1) * 100
    found = aprc(123_456, [RateStep(rate, months)], interest_only=interest_only)
    assert found == pytest.approx(effective, abs=1e-7)


def test_aprc_makes_the_payments_worth_what_was_received() -> None:
    draw = random.Random(5)
    for _ in range(150):
        loan, first = draw.uniform(25_000, 1e6), draw.randint(1, 60)
        deal = [RateStep(draw.uniform(0.5, 9), first), RateStep(draw.uniform(9, 12), draw.randint(1, 420))]
        upfront, added, extra, closing = (draw.uniform(0, 2_000) for _ in range(4))
        interest_only = draw.random() < 0.5
        fees = {"fees_upfront": upfront, "fees_added": added, "exit_fee": closing, "first_extra": extra}
        rate = aprc(loan, deal, **fees, interest_only=interest_only)  # pyright: ignore[reportArgumentType] - floats
        made = list(payments(loan + added, deal, interest_only=interest_only))
        made[0] += extra
        made[-1] += closing
        worth = sum(payment * (1 + rate / 100) ** (-month / 12) for month, payment in enumerate(made, start=1))
        assert worth == pytest.approx(loan - upfront, rel=1e-9)


def test_later_rate_below_the_first_counts_as_the_first() -> None:
    level = aprc(125_000, [RateStep(5, 300)], fees_upfront=999)
    assert aprc(125_000, [RateStep(5, 24), RateStep(3, 276)], fees_upfront=999) == pytest.approx(level, abs=1e-9)
    assert aprc(125_000, [RateStep(5, 24), RateStep(5.01, 276)], fees_upfront=999) > level
    deal = [RateStep(4, 24), RateStep(8, 24), RateStep(3, 252)]
    floored = [RateStep(4, 24), RateStep(8, 24), RateStep(4, 252)]
    assert aprc(125_000, deal) == pytest.approx(aprc(125_000, floored), abs=1e-9)


@pytest.mark.parametrize("fees", [100_000, 100_001, 1e9])
def test_fees_that_take_the_whole_loan_leave_no_rate(fees: float) -> None:
    with pytest.raises(NoRateError, match="the fees take the whole loan"):
        aprc(100_000, [RateStep(5, 300)], fees_upfront=fees)


def test_rate_of_a_thousand_percent_is_the_highest() -> None:
    assert aprc(100, [RateStep(0, 12)], exit_fee=900, interest_only=True) == pytest.approx(900)
    with pytest.raises(NoRateError, match="no yearly rate"):
        aprc(100, [RateStep(0, 1)], exit_fee=1_000_000)
