"""Products for tests, priced by the domain's own arithmetic, in whole pennies as they are collected."""

import random
from typing import Any

from broker.lending.mortgage import RateStep, aprc, balance_after, interest_only_payment, monthly_payment
from broker.rates.product import RateProduct, RateType


def priced(
    product_id: str,
    *,
    rate: float = 4.5,
    fees: float = 999,
    months: int = 24,
    loan: float = 100_000,
    years: int = 25,
    follow_on: float = 7.5,
    interest_only: bool = False,
    **changes: Any,
) -> RateProduct:
    """Return a product; `changes` are fields of RateProduct that decide no price."""
    if interest_only:
        payment, repaid, later = interest_only_payment(loan, rate), 0.0, interest_only_payment(loan, follow_on)
    else:
        owed = balance_after(loan, rate, years, months)
        payment, repaid = monthly_payment(loan, rate, years), round(loan - owed, 2)
        later = monthly_payment(owed, follow_on, years - months / 12) if months < years * 12 else 0
    steps = [RateStep(rate, months)]
    if months < years * 12:
        steps.append(RateStep(follow_on, years * 12 - months))
    cash = round(round(payment, 2) * months + fees, 2)
    words: dict[str, Any] = {
        "lender_id": 1,
        "lender_name": "Alder Bank",
        "title": "Alder Bank deal",
        "rate_type": RateType.FIXED,
        "most_ltv": 75,
        "early_repayment_charge": "3% of what you repay, until the deal ends.",
        "least_loan": 25_000,
        "most_loan": 1_000_000,
    }
    return RateProduct(
        product_id=product_id,
        loan_amount=loan,
        term_years=years,
        interest_only=interest_only,
        initial_rate=rate,
        initial_months=months,
        initial_payment=round(payment, 2),
        total_fees=fees,
        aprc=aprc(loan, steps, fees_upfront=fees, interest_only=interest_only),
        cash_cost=cash,
        true_cost=round(cash - repaid, 2),
        follow_on_rate=follow_on,
        follow_on_payment=round(later, 2),
        **{**words, **changes},
    )


def drawn(draw: random.Random, product_id: str) -> RateProduct:
    """Return a product drawn by chance: whole pennies, deals of unlike length, some interest only, some free."""
    years = draw.randint(5, 40)
    return priced(
        product_id,
        rate=round(draw.uniform(0.5, 9), 2),
        fees=draw.choice([0, 499, 999, 1_499.5, 1_999, round(draw.uniform(1, 3_000), 2)]),
        months=draw.choice([24, 24, 27, 36, 60]),
        loan=draw.randrange(25_000, 1_000_000),
        years=years,
        follow_on=round(draw.uniform(6, 10), 2),
        interest_only=draw.random() < 0.3,
        lender_name=draw.choice(["Alder Bank", "Birch Building Society", "Cedar", "Dogwood & Elm"]),
        rate_type=draw.choice(list(RateType)),
    )
