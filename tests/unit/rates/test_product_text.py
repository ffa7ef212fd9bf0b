import random
from dataclasses import asdict

import pytest

from broker.rates.product import RateProduct, RateType
from broker.rates.product_text import (
    aprc_sentence,
    deal_name,
    duration,
    example_sentence,
    follow_on_sentence,
    initials,
    repayment_basis,
    representative_example,
)
from tests.unit.rates.products import drawn, priced

EXAMPLES: dict[str, tuple[RateProduct, str]] = {
    "repayment, fixed": (
        priced("a", rate=6, fees=999.5),
        "A mortgage of £100,000 payable over 25 years, at a fixed rate of 6.00% for 2 years and then at a variable "
        "rate of 7.50% for the remaining 23 years, needs 24 monthly payments of £644.30 and 276 of £733.45. Total "
        "amount payable £218,894.90: the loan, £117,895.40 interest and £999.50 of lender fees.",
    ),
    "interest only, variable, no fee": (
        priced("a", rate=6, fees=0, interest_only=True, rate_type=RateType.VARIABLE),
        "A mortgage of £100,000 payable over 25 years, at a variable rate of 6.00% for 2 years and then at a variable "
        "rate of 7.50% for the remaining 23 years, needs 24 monthly payments of £500.00 and 276 of £625.00, then "
        "£100,000 at the end of the term. Total amount payable £284,500.00: the loan, £184,500.00 interest.",
    ),
    "27 months": (
        priced("a", rate=6, fees=999, months=27, interest_only=True),
        "A mortgage of £100,000 payable over 25 years, at a fixed rate of 6.00% for 27 months and then at a variable "
        "rate of 7.50% for the remaining 273 months, needs 27 monthly payments of £500.00 and 273 of £625.00, then "
        "£100,000 at the end of the term. Total amount payable £285,124.00: the loan, £184,125.00 interest and £999 "
        "of lender fees.",
    ),
    "the whole term": (
        priced("a", rate=6, fees=999, months=60, years=5),
        "A mortgage of £100,000 payable over 5 years, at a fixed rate of 6.00% for 5 years, needs 60 monthly payments "
        "of £1,933.28. Total amount payable £116,995.80: the loan, £15,996.80 interest and £999 of lender fees.",
    ),
    "one year": (
        priced("a", rate=0, fees=0, months=12, years=1, loan=12_000),
        "A mortgage of £12,000 payable over 1 year, at a fixed rate of 0.00% for 1 year, needs 12 monthly payments of "
        "£1,000.00. Total amount payable £12,000.00: the loan, £0.00 interest.",
    ),
}


@pytest.mark.parametrize(("product", "sentence"), EXAMPLES.values(), ids=EXAMPLES)
def test_representative_example_reads(product: RateProduct, sentence: str) -> None:
    assert example_sentence(product) == sentence


def test_aprc_ends_the_example() -> None:
    assert (
        aprc_sentence(priced("a", rate=6, fees=0, follow_on=6))
        == "The overall cost for comparison is 6.17% APRC representative."
    )


@pytest.mark.parametrize(
    ("product", "sentence"),
    [
        (priced("a", rate=6), "7.50% variable, £733.45 a month for 23 years"),
        (priced("a", rate=6, months=27, interest_only=True), "7.50% variable, £625.00 a month for 273 months"),
        (priced("a", rate=6, months=60, years=5), "The mortgage is paid off by then"),
    ],
)
def test_follow_on_says_what_is_paid_afterwards(product: RateProduct, sentence: str) -> None:
    assert follow_on_sentence(product) == sentence


def test_product_is_named_by_its_length_its_kind_and_its_basis() -> None:
    fixed = {12: "1-year", 24: "2-year", 27: "27-month", 39: "39-month", 58: "58-month"}
    assert {months: deal_name(priced("a", months=months)) for months in fixed} == {
        months: f"{years} fixed" for months, years in fixed.items()
    }
    variable = [deal_name(priced("a", months=months, rate_type=RateType.VARIABLE)) for months in (36, 63)]
    assert variable == ["3-year variable", "63-month variable"]
    bases = [repayment_basis(priced("a", interest_only=interest_only)) for interest_only in (False, True)]
    assert bases == ["repayment", "interest only"]


def test_initials_of_a_lender() -> None:
    names = {"Alder Bank": "AB", "Cedar": "C", "first direct": "FD", "Dogwood & Elm": "DE", "": ""}
    names |= {"Birch Building Society": "BB", "The  Wide   Gap": "WG", "Bank of Scotland": "BS"}
    assert {name: initials(name) for name in names} == names


def test_months_are_said_in_years_where_they_are_whole() -> None:
    words = {12: "1 year", 24: "2 years", 27: "27 months", 1: "1 month", 300: "25 years"}
    assert {months: duration(months) for months in words} == words


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
