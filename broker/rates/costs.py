"""The cost of a product, and the loan at which two products cost the same (decision 14).

Cash cost is the payments plus the fees of the initial period, net cost is that less cashback. True cost is the
interest plus the fees less cashback: it leaves out the capital repaid, so that products which leave different balances
compare like for like (decision 39).
"""

from dataclasses import dataclass

from broker.lending.arithmetic import Amount, choose
from broker.lending.mortgage import balance_after, interest_only_payment, monthly_payment
from broker.rates.product import RateProduct


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


MIN_SLOPE = 1e-9
"""Difference in cost, pounds a month per pound of loan, below which two products cost the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTerms:
    """The terms that decide a product's cost: rate (percent), fees, months of the initial period, term (years).

    `fees` are pounds whatever the loan; `fee_percent` is a fee that grows with it; `cashback` is pounds paid back.
    Any of them may be an array or a browser expression, and so may a loan.
    """

    rate: Amount
    fees: Amount
    months: Amount
    years: Amount
    interest_only: Amount = False
    fee_percent: Amount = 0
    cashback: Amount = 0

    @property
    def fixed_cost(self) -> Amount:
        """Return the cost that does not depend on the loan: fixed fees less cashback, in pounds."""
        return self.fees - self.cashback

    def cash_cost(self, loan: Amount) -> Amount:
        """Return payments plus fees over the initial period, in pounds, unrounded (NYearCostIncFeesExERC)."""
        return self._payments(loan) + self.fees + loan * self.fee_percent / 100

    def net_cost(self, loan: Amount) -> Amount:
        """Return payments plus fees less cashback over the initial period, in pounds, unrounded."""
        return self.cash_cost(loan) - self.cashback

    def true_cost(self, loan: Amount) -> Amount:
        """Return interest plus fees less cashback over the initial period, in pounds, unrounded."""
        repaid = choose(
            self.interest_only, lambda: 0, lambda: loan - balance_after(loan, self.rate, self.years, self.months)
        )
        return self.net_cost(loan) - repaid

    def cash_slope(self) -> Amount:
        return self.net_cost(1) - self.fixed_cost

    def true_slope(self) -> Amount:
        return self.true_cost(1) - self.fixed_cost

    def _payments(self, loan: Amount) -> Amount:
        payment = choose(
            self.interest_only,
            lambda: interest_only_payment(loan, self.rate),
            lambda: monthly_payment(loan, self.rate, self.years),
        )
        return payment * self.months


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """The loans, in pounds, at which two products cost the same by cash and by true cost; None where they never do."""

    cash: float | None
    true: float | None


def cost_terms(product: RateProduct) -> CostTerms:
    """Return a product's terms, its fees split into fixed ones and a percentage of the loan."""
    return CostTerms(
        rate=product.initial_rate,
        fees=product.total_fees - product.loan_amount * product.fee_percent / 100,
        fee_percent=product.fee_percent,
        months=product.initial_months,
        years=product.term_years,
        interest_only=product.interest_only,
        cashback=product.incentives.cashback,
    )


def break_even(first: CostTerms, second: CostTerms) -> BreakEven:
    """Return the loans at which two products cost the same.

    Costs are linear in the loan. Products of different length are compared by month. Worked case of decision 14:
    4.50% with £1,999 against 4.70% with no fee over 25 years and 24 months gives £729,810 by cash and £503,469 by
    true cost.
    """
    fees = second.fixed_cost / second.months - first.fixed_cost / first.months
    return BreakEven(
        cash=_break_even_loan(fees, first.cash_slope() / first.months - second.cash_slope() / second.months),
        true=_break_even_loan(fees, first.true_slope() / first.months - second.true_slope() / second.months),
    )


def lower_fixed_cost(first: CostTerms, second: CostTerms) -> CostTerms:
    """Return the terms that cost less below any break-even loan: those with less fixed cost a month."""
    return min(first, second, key=lambda terms: terms.fixed_cost / terms.months)


def _break_even_loan(fees: float, slope: float) -> float | None:
    """Return the loan at which `slope` a pound outweighs a monthly saving in fees, or None."""
    loan = fees / slope if abs(slope) > MIN_SLOPE else 0
    return loan if loan > 0 else None
