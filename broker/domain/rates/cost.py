"""What a deal costs, and the loan size at which two deals change places (decision 14).

Cash cost is the payments plus the fees of the initial period. True cost is the interest plus the fees: the
money that pays off the loan is left out, so that deals which leave different debts compare like for like.
"""

from __future__ import annotations

from dataclasses import dataclass

from broker.domain.mortgage import balance_after, interest_only_payment, monthly_payment
from broker.domain.rates.product import RateProduct

MIN_SLOPE = 1e-9
"""Pounds a month for each pound of loan below which two deals are equally dear; 0.01% a year is 8,000 times that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTerms:
    """What decides a deal's cost: its rate (percent), fees, the months it lasts and the term (years).

    `fees` are pounds whatever the loan; `fee_percent` is a fee that grows with it.
    """

    rate: float
    fees: float
    months: int
    years: int
    interest_only: bool = False
    fee_percent: float = 0

    def cash_cost(self, loan: float) -> float:
        """Return payments plus fees over the deal, in pounds, unrounded (NYearCostIncFeesExERC)."""
        return self._payments(loan) + self.fees + loan * self.fee_percent / 100

    def true_cost(self, loan: float) -> float:
        """Return interest plus fees over the deal, in pounds, unrounded."""
        if self.interest_only:
            return self.cash_cost(loan)
        return self.cash_cost(loan) - (loan - balance_after(loan, self.rate, self.years, self.months))

    def cash_slope(self) -> float:
        """Return how much the cash cost grows with each pound borrowed."""
        return self.cash_cost(1) - self.fees

    def true_slope(self) -> float:
        """Return how much the true cost grows with each pound borrowed."""
        return self.true_cost(1) - self.fees

    def _payments(self, loan: float) -> float:
        if self.interest_only:
            return interest_only_payment(loan, self.rate) * self.months
        return monthly_payment(loan, self.rate, self.years) * self.months


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """The loans, in pounds, at which two deals cost the same by cash and by true cost; None where they never do."""

    cash: float | None
    true: float | None


def cost_terms(product: RateProduct) -> CostTerms:
    """Return what decides a product's cost, its fees parted into fixed ones and those that grow with the loan."""
    return CostTerms(
        rate=product.initial_rate,
        fees=product.total_fees - product.loan_amount * product.fee_percent / 100,
        fee_percent=product.fee_percent,
        months=product.initial_months,
        years=product.term_years,
        interest_only=product.interest_only,
    )


def break_even(first: CostTerms, second: CostTerms) -> BreakEven:
    """Return where two deals change places. Costs rise in proportion to the loan, so one pound tells the slope.

    Deals of unlike length are compared by the year. Worked case of decision 14: 4.50% with £1,999 against
    4.70% with no fee over 25 years and 24 months gives £729,810 by cash and £503,469 by true cost.
    """
    fees = second.fees / second.months - first.fees / first.months
    return BreakEven(
        cash=_crossing(fees, first.cash_slope() / first.months - second.cash_slope() / second.months),
        true=_crossing(fees, first.true_slope() / first.months - second.true_slope() / second.months),
    )


def _crossing(fees: float, slope: float) -> float | None:
    """Return the loan at which a monthly saving in fees is eaten up by the dearer pound, or None."""
    loan = fees / slope if abs(slope) > MIN_SLOPE else 0
    return loan if loan > 0 else None
