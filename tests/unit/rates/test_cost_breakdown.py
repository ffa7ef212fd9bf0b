from dataclasses import replace

import pytest

from broker.rates.costs import PaymentChange, TrueCostWorking, payment_change, true_cost_working
from broker.rates.query import QueryError, RatesQuery
from broker.rates.ranking import within_fees
from tests.unit.rates.market.searching import WIDEST, search
from tests.unit.rates.products import priced

ALDER = priced("alder", rate=4.2, fees=1_999)


def test_working_has_every_step_from_payments_to_true_cost() -> None:
    assert true_cost_working(ALDER) == TrueCostWorking(
        months=24,
        payment=538.94,
        payments=12_934.56,
        fees=1_999,
        other=0,
        paid=14_933.56,
        cashback=0,
        owed_at_start=100_000,
        owed_at_end=95_278.09,
        repaid=4_721.91,
        true_cost=10_211.65,
        interest=8_212.65,
    )


def test_interest_only_repays_nothing_and_a_whole_term_everything() -> None:
    work = true_cost_working(priced("a", rate=6, fees=999, interest_only=True))
    assert (work.repaid, work.owed_at_end, work.interest, work.true_cost) == (0, 100_000, 12_000, 12_999)
    assert true_cost_working(priced("a", months=60, years=5)).owed_at_end == 0


def test_other_costs_of_the_lender_are_shown_if_the_true_cost_has_them() -> None:
    work = true_cost_working(replace(ALDER, cash_cost=15_000.56, true_cost=10_278.65))
    assert (work.other, work.paid, work.repaid) == (67, 15_000.56, 4_721.91)
    work = true_cost_working(replace(ALDER, cash_cost=99_999))
    assert (work.other, work.paid) == (0, 14_933.56)


def test_working_of_every_product_of_the_market_adds_up() -> None:
    for query in (RatesQuery(amount=123_456), replace(WIDEST, term=4), replace(WIDEST, repayment=False)):
        for product in search(query).products[::7]:
            work = true_cost_working(product)
            costs = (round(product.cash_cost, 2), round(product.true_cost, 2))
            assert (work.other, (work.paid, work.true_cost)) == (0, costs)
            assert round(work.payments + work.fees, 2) == work.paid
            assert round(work.paid - work.cashback - work.repaid, 2) == work.true_cost
            assert round(work.interest + work.fees - work.cashback, 2) == work.true_cost
            assert round(work.owed_at_start - work.owed_at_end, 2) == work.repaid


def test_payment_rises_by_what_the_two_payments_are_apart() -> None:
    assert payment_change(ALDER) == PaymentChange(monthly=186.5, yearly=2_238)
    assert payment_change(priced("a", rate=8, follow_on=3)) == PaymentChange(monthly=-283.49, yearly=-3_401.88)
    assert payment_change(priced("a", months=60, years=5)) is None
    assert payment_change(replace(ALDER, follow_on_rate=None, follow_on_payment=None)) is None


@pytest.mark.parametrize("most", [0, -1, 10_000_000_000])
def test_highest_fees_that_no_fee_is_within_are_refused(most: int) -> None:
    with pytest.raises(QueryError) as refused:
        RatesQuery(most_fees=most)
    assert list(refused.value.problems) == ["fees"]


def test_fees_are_within_a_limit_up_to_and_with_it() -> None:
    products = [priced("a", fees=0), priced("b", fees=999), priced("c", fees=1_000), priced("d", fees=1_000.01)]
    assert [product.product_id for product in within_fees(products, 1_000)] == ["a", "b", "c"]
    assert within_fees(products, None) == products
