"""Vectorised prices beside the domain's own, one product at a time."""

import numpy as np
import pytest

from broker.lending.money import decimals
from broker.lending.mortgage import NoRateError, RateStep, aprc, balance_after, monthly_payment, payments
from broker.rates.market.pricing import Prices, ProductTerms, price
from broker.rates.market.rate_source import PricedProducts, price_rows
from broker.rates.product import RateProduct
from broker.rates.query import RatesQuery
from tests.unit.rates.market.searching import catalogue


def _price(rate: float, months: int, follow_on: float, fees: float, loan: float = 100_000, **terms: int) -> Prices:
    one = [np.array([float(value)]) for value in (rate, months, follow_on, fees, terms.get("cashback", 0))]
    deals = ProductTerms(rate=one[0], months=one[1], follow_on=one[2], fees=one[3], cashback=one[4])
    return price(deals, loan, years=terms.get("years", 25), interest_only=bool(terms.get("interest_only")))


def _everything(query: RatesQuery) -> PricedProducts:
    return price_rows(catalogue(), query, np.arange(len(catalogue())))


def _steps(product: RateProduct) -> list[RateStep]:
    first = RateStep(product.initial_rate, product.initial_months)
    assert product.follow_on_rate is not None
    return [first, RateStep(product.follow_on_rate, left)] if (left := product.follow_on_months) else [first]


@pytest.mark.parametrize(
    ("rate", "months", "fee", "figures"),
    [
        (3.94, 24, 999, (524.53, 723.55, 95_109.14, 13_587.71, 213_286.56, 7.1056)),
        (4.13, 24, 999, (535.04, 724.49, 95_233.04, 13_839.99, 213_798.99, 7.1454)),
        (4.14, 60, 999, (535.60, 702.90, 87_318.66, 33_134.86, 201_830.70, 6.3195)),
        (4.56, 24, 0, (559.24, 726.56, 95_504.82, 13_421.85, 213_951.50, 7.1215)),
    ],
)
def test_price_gives_the_worked_rows(rate: float, months: int, *, fee: float, figures: tuple[float, ...]) -> None:
    prices = _price(rate, months, 7.49, fee)
    payment, later, cash = (array[0] for array in (prices.payment, prices.follow_on_payment, prices.cash_cost))
    balance = 100_000 - (cash - prices.true_cost[0])
    total = payment * months + later * (300 - months) + fee
    assert [round(float(value), 2) for value in (payment, later, balance)] == list(figures[:3])
    # The worked rows add up unrounded payments; ours are collected in whole pennies.
    assert abs(cash - figures[3]) <= months * 0.005
    assert abs(total - figures[4]) <= 300 * 0.005
    assert round(float(prices.aprc[0]), 4) == figures[-1]


def test_price_of_interest_only_owes_the_capital_with_the_last_payment() -> None:
    prices = _price(4.70, 24, 8.24, 3_000, interest_only=1)
    assert [round(float(value[0]), 2) for value in (prices.payment, prices.follow_on_payment)] == [391.67, 686.67]
    assert float(prices.cash_cost[0]) == 391.67 * 24 + 3_000
    assert round(float(prices.aprc[0]), 4) == 8.2092


def test_price_floors_a_follow_on_rate_below_the_fixed_rate() -> None:
    prices = _price(6.19, 24, 5.24, 999, loan=180_000)
    assert round(float(prices.aprc[0]), 4) == 6.4314
    later = monthly_payment(balance_after(180_000, 6.19, 25, 24), 5.24, 23)
    assert float(prices.follow_on_payment[0]) == pytest.approx(later, abs=0.005)


@pytest.mark.parametrize("years", [1, 2, 3, 5, 40])
@pytest.mark.parametrize("interest_only", [0, 1])
@pytest.mark.parametrize(("loan", "fee"), [(1_000, 999), (1_000, 1_000), (3_000, 1_995), (9_000_000_000, 1_995)])
def test_price_agrees_at_the_edges(years: int, interest_only: int, loan: int, fee: int) -> None:
    prices = _price(3.5, 60, 7.5, fee, loan=loan, years=years, interest_only=interest_only)
    months = min(60, years * 12)
    steps = [RateStep(3.5, months), *([RateStep(7.5, years * 12 - months)] if years > 5 else [])]
    try:
        expected = aprc(loan, steps, fees_upfront=fee, interest_only=bool(interest_only))
    except NoRateError:
        expected = float("nan")
    assert float(prices.aprc[0]) == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert (int(prices.months[0]), float(prices.follow_on_payment[0]) > 0) == (months, years > 5)


@pytest.mark.parametrize("repayment", [True, False])
def test_every_product_can_be_worked_out_again_from_its_own_fields(repayment: bool) -> None:
    years = np.arange(1, 301) / 12
    seen: dict[tuple[float | None, ...], RateProduct] = {}
    for product in _everything(RatesQuery(repayment=repayment)):
        key = (
            *(product.initial_rate, product.initial_months, product.follow_on_rate, product.total_fees),
            product.incentives.cashback,
        )
        twin = seen.setdefault(key, product)
        assert (product.aprc, product.true_cost) == (twin.aprc, twin.true_cost)
    for product in seen.values():
        steps = _steps(product)
        # The domain's rule on the follow-on rate stands in its aprc; no product here has one below its first rate.
        assert product.follow_on_rate is not None
        assert product.follow_on_rate >= product.initial_rate
        flows = np.fromiter(payments(product.loan_amount, steps, interest_only=product.interest_only), float)
        received = product.loan_amount - product.total_fees
        above, below = [(flows * (1 + (product.aprc + off) / 100) ** -years).sum() for off in (-1e-6, 1e-6)]
        assert above > received > below
        loan, rate, months = product.loan_amount, product.initial_rate, product.initial_months
        first, later = (float(decimals(flow, 2).replace(",", "")) for flow in (flows[0], flows[-2]))
        owed = loan if product.interest_only else balance_after(loan, rate, product.term_years, months)
        cash = first * months + product.total_fees
        costs = (first, later, cash, cash - product.incentives.cashback - round(loan - owed, 2))
        found = (product.initial_payment, product.follow_on_payment, product.cash_cost, product.true_cost)
        assert found == pytest.approx(costs, abs=1e-6)


def test_cashback_lowers_the_costs_and_leaves_the_aprc() -> None:
    paid_back = _price(4.59, 24, 7.5, 1_058, loan=80_000, cashback=250)
    plain = _price(4.59, 24, 7.5, 1_058, loan=80_000)
    assert (paid_back.payment[0], paid_back.yearly_net_cost[0]) == (448.76, pytest.approx(5_789.12))
    assert paid_back.true_cost[0] == pytest.approx(plain.true_cost[0] - 250)
    assert (paid_back.cash_cost[0], paid_back.aprc[0]) == (plain.cash_cost[0], plain.aprc[0])
