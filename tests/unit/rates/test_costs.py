"""Cash cost, true cost, and the loan at which two deals change places (decision 14)."""

import random
from dataclasses import replace

import pytest

from broker.lending.mortgage import balance_after, monthly_payment
from broker.rates.costs import BreakEven, CostTerms, break_even

WITH_FEE = CostTerms(rate=4.5, fees=1_999, months=24, years=25)
NO_FEE = CostTerms(rate=4.7, fees=0, months=24, years=25)


def test_worked_case_changes_winner_at_the_decided_loans() -> None:
    crossing, back = break_even(WITH_FEE, NO_FEE), break_even(NO_FEE, WITH_FEE)
    assert crossing.cash is not None
    assert crossing.true is not None
    assert (round(crossing.cash), round(crossing.true)) == (729_810, 503_469)
    assert (crossing.cash, crossing.true) == pytest.approx((back.cash, back.true))


def test_worked_case_has_these_winners_by_cash_and_by_true_cost() -> None:
    winners = {500: (NO_FEE, NO_FEE), 510: (NO_FEE, WITH_FEE), 720: (NO_FEE, WITH_FEE), 730: (WITH_FEE, WITH_FEE)}
    for loan, (cash, true) in winners.items():
        assert min(WITH_FEE, NO_FEE, key=lambda deal: deal.cash_cost(loan * 1_000)) is cash
        assert min(WITH_FEE, NO_FEE, key=lambda deal: deal.true_cost(loan * 1_000)) is true


def test_percentage_fee_breaks_even_at_a_smaller_loan() -> None:
    slight = break_even(replace(WITH_FEE, fees=999, fee_percent=0.1), NO_FEE)
    assert slight.true is not None
    assert slight.true == pytest.approx(336_000, rel=0.01)


def test_deals_that_never_change_places() -> None:
    pairs = {
        "same deal": (WITH_FEE, WITH_FEE),
        "same rate": (WITH_FEE, replace(WITH_FEE, fees=0)),
        "same fees": (replace(NO_FEE, rate=4.5), NO_FEE),
        "dearer both ways": (replace(WITH_FEE, rate=4.9), NO_FEE),
        "percentage fee": (replace(WITH_FEE, fee_percent=1), NO_FEE),
    }
    never = BreakEven(cash=None, true=None)
    assert {name: break_even(*pair) for name, pair in pairs.items()} == dict.fromkeys(pairs, never)


def test_cost_of_a_deal_is_payments_interest_and_fees() -> None:
    deal = CostTerms(rate=6, fees=999, months=24, years=25, fee_percent=0.5)
    payments = 644.3014 * 24
    assert deal.cash_cost(100_000) == pytest.approx(payments + 999 + 500, abs=0.01)
    repaid = 100_000 - balance_after(100_000, 6, 25, 24)
    assert deal.true_cost(100_000) == pytest.approx(payments + 999 + 500 - repaid, abs=0.01)
    interest_only = replace(deal, fee_percent=0, interest_only=True)
    assert (interest_only.cash_cost(100_000), interest_only.true_cost(100_000)) == (12_999, 12_999)


def drawn_deal(draw: random.Random) -> CostTerms:
    return CostTerms(
        rate=round(draw.uniform(0.5, 9), 2),
        fees=round(draw.uniform(0, 3_000), 2),
        months=draw.choice([24, 27, 36, 60]),
        years=25,
        fee_percent=draw.choice([0, 0, 0.5, 1]),
    )


def test_two_deals_cost_the_same_a_month_at_every_crossing() -> None:
    draw, crossed = random.Random(11), 0
    for _ in range(1_000):
        first, second = drawn_deal(draw), drawn_deal(draw)
        crossing = break_even(first, second)
        for loan, kind in ((crossing.cash, CostTerms.cash_cost), (crossing.true, CostTerms.true_cost)):
            if loan is not None:
                crossed += 1
                assert loan > 0
                assert kind(first, loan) / first.months == pytest.approx(kind(second, loan) / second.months, rel=1e-6)
    assert crossed > 500


def test_no_crossing_means_one_deal_wins_at_every_loan() -> None:
    draw = random.Random(12)
    for _ in range(1_000):
        first, second = drawn_deal(draw), drawn_deal(draw)
        if break_even(first, second).true is None:
            loans = (1, 100_000, 10_000_000)
            gaps = [first.true_cost(loan) / first.months - second.true_cost(loan) / second.months for loan in loans]
            assert all(gap >= 0 for gap in gaps) or all(gap <= 0 for gap in gaps)


def test_cashback_lowers_the_cost_of_the_deal() -> None:
    terms = CostTerms(rate=4.59, fees=1_058, months=24, years=25, cashback=250)
    payment = round(monthly_payment(80_000, 4.59, 25), 2)
    assert payment == 448.76
    two_years = round(24 * payment + terms.fees - terms.cashback, 2)
    assert (two_years, round(two_years / 2, 2)) == (11_578.24, 5_789.12)
    assert terms.net_cost(80_000) == pytest.approx(two_years, abs=0.1)
    assert terms.true_cost(80_000) == pytest.approx(replace(terms, cashback=0).true_cost(80_000) - 250)
