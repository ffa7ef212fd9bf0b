import random
from dataclasses import asdict

import pytest

from broker.rates.product_text import representative_example
from tests.unit.rates.products import drawn, priced


def test_product_splits_its_cost_into_capital_interest_and_fees() -> None:
    product = priced("a", rate=6, fees=999, loan=100_000)
    assert (product.initial_payment, product.cash_cost, product.true_cost) == (644.30, 16_462.20, 12_792.33)
    assert product.capital_repaid == pytest.approx(3_669.87)
    assert product.initial_interest == pytest.approx(11_793.33)
    assert (product.yearly_true_cost, product.yearly_net_cost) == pytest.approx((6_396.165, 8_231.1))
    assert product.follow_on_months == 276


def test_examples_of_repayment_interest_only_and_a_deal_of_the_whole_term() -> None:
    months = {"loan": 100_000, "initial_payments": 24, "later_payments": 276}
    repayment: dict[str, float] = {"initial_payment": 644.30, "later_payment": 733.45, "capital_at_end": 0}
    totals = {"fees": 999.5, "interest": 117_895.4, "total": 218_894.9}
    assert asdict(representative_example(priced("a", rate=6, fees=999.5))) == {**months, **repayment, **totals}
    interest_only = {"initial_payment": 500, "later_payment": 625, "capital_at_end": 100_000}
    totals = {"fees": 0, "interest": 184_500, "total": 284_500}
    example = representative_example(priced("a", rate=6, fees=0, interest_only=True))
    assert asdict(example) == {**months, **interest_only, **totals}
    example = representative_example(priced("a", rate=6, fees=0, months=60, years=5))
    assert (example.initial_payments, example.later_payments, example.later_payment) == (60, 0, 0)


def test_every_example_adds_up_to_the_penny() -> None:
    draw = random.Random(22)
    for place in range(1_000):
        product = drawn(draw, f"p{place}")
        example = representative_example(product)
        assert example.later_payment is not None
        assert example.interest is not None
        paid = example.initial_payment * example.initial_payments + example.later_payment * example.later_payments
        assert example.total == pytest.approx(paid + example.capital_at_end + example.fees, abs=0.005)
        assert example.total == pytest.approx(example.loan + example.interest + example.fees, abs=0.005)
        assert example.initial_payments + example.later_payments == product.term_years * 12
