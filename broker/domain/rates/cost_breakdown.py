"""The steps of a product's true cost, and the payment after its initial period; in whole pennies, as collected."""

from dataclasses import dataclass

from broker.domain.rates.product import RateProduct
from broker.lending.mortgage import balance_after


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueCostWorking:
    """The steps from payments to true cost, in pounds, over `months` payments.

    `other` is what the lender's own total holds besides payments and fees; 0 if that total is too far off to be used.
    paid = payments + fees + other; true cost = paid - cashback - repaid.
    """

    months: int
    payment: float
    payments: float
    fees: float
    other: float
    paid: float
    cashback: float
    owed_at_start: float
    owed_at_end: float
    repaid: float
    true_cost: float
    interest: float


def true_cost_working(product: RateProduct) -> TrueCostWorking:
    """Return the working of a product's true cost; every line adds up to the penny (decision 14)."""
    loan, payments = round(product.loan_amount, 2), round(product.initial_payment * product.initial_months, 2)
    repaid = round(loan - balance_at_end(product), 2)
    cashback = round(product.incentives.cashback, 2)
    paid = round(product.true_cost + repaid + cashback, 2)
    fees = round(product.total_fees, 2)
    return TrueCostWorking(
        months=product.initial_months,
        payment=product.initial_payment,
        payments=payments,
        fees=fees,
        other=round(paid - payments - fees, 2),
        paid=paid,
        cashback=cashback,
        owed_at_start=loan,
        owed_at_end=round(loan - repaid, 2),
        repaid=repaid,
        true_cost=round(product.true_cost, 2),
        interest=round(product.initial_interest, 2),
    )


def balance_at_end(product: RateProduct) -> float:
    """Return the balance at the end of the initial period, in pounds and whole pennies, without overpayments."""
    if product.interest_only:
        return product.loan_amount
    loan, rate = product.loan_amount, product.initial_rate
    return round(float(balance_after(loan, rate, product.term_years, product.initial_months)), 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentChange:
    """The change of the payment after the initial period, in pounds; negative if it falls."""

    monthly: float
    yearly: float


def payment_change(product: RateProduct) -> PaymentChange | None:
    """Return the change of the payment if the borrower stays with the lender; None if nothing follows or is stated.

    The year is twelve monthly payments as collected.
    """
    if not product.follow_on_months or product.follow_on_payment is None:
        return None
    monthly = round(round(product.follow_on_payment, 2) - round(product.initial_payment, 2), 2)
    return PaymentChange(monthly=monthly, yearly=round(monthly * 12, 2))
