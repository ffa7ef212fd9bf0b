"""A mortgage product priced for a loan (specification 3, "Rate product"), and the port of its sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, Self

from broker.domain.rates.query import RatesQuery


class RateType(StrEnum):
    """The type of the initial rate."""

    FIXED = "fixed"
    VARIABLE = "variable"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateProduct:
    """A product priced for a loan; comments give the specification's field names.

    Amounts in pounds, payments as collected, in whole pennies; rates in percent a year.
    """

    product_id: str
    lender_id: int  # LenderID
    lender_name: str  # LenderName
    title: str  # Note
    rate_type: RateType
    loan_amount: float  # LoanAmount
    term_years: int  # Term
    interest_only: bool  # RepaymentBasis
    initial_rate: float  # InitialRate
    initial_months: int  # InitialRateControlPeriod
    initial_payment: float  # InitialMonthlyPayment
    most_ltv: float  # LTV: the highest loan to value, percent
    total_fees: float  # TotalFees
    fee_percent: float = 0  # the part of the fees that is a share of the loan, percent
    aprc: float  # APRC
    cash_cost: float  # NYearCostIncFeesExERC: payments and fees over the initial period
    true_cost: float  # interest and fees over the initial period (decision 14)
    follow_on_rate: float | None  # None where the source does not state it
    follow_on_payment: float | None
    early_repayment_charge: str  # empty where the source does not state it
    least_loan: float | None
    most_loan: float | None
    notes: str = ""  # Notes, html
    description: str = ""  # RateDescription, html

    @property
    def follow_on_months(self) -> int:
        """Return the number of payments after the initial period."""
        return self.term_years * 12 - self.initial_months

    @property
    def capital_repaid(self) -> float:
        """Return the capital repaid in the initial period, in pounds; 0 for interest only."""
        return self.cash_cost - self.true_cost

    @property
    def initial_interest(self) -> float:
        """Return the interest of the initial period, in pounds."""
        return self.true_cost - self.total_fees

    @property
    def yearly_true_cost(self) -> float:
        """Return the true cost a year, in pounds, which compares products of different length."""
        return self.true_cost / self.initial_months * 12

    @property
    def yearly_cash_cost(self) -> float:
        """Return the cash cost a year, in pounds."""
        return self.cash_cost / self.initial_months * 12


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesAnswer:
    """The answer of a source: products in the query's order, and the number of fee-free ones left out.

    `products` may be priced lazily. The cheapest two are of the whole list. A `stale` answer is the last good one of
    a source that is unavailable; `read_at` is its time.
    """

    query: RatesQuery
    products: Sequence[RateProduct]
    fee_free: int
    read_at: datetime
    sample: bool
    cheapest_cash: RateProduct | None
    cheapest_true: RateProduct | None
    stale: bool = False

    @classmethod
    def empty(cls, query: RatesQuery, *, read_at: datetime) -> Self:
        """Return what is shown in place of an answer that could not be read: no product, and stale."""
        return cls(
            query=query,
            products=(),
            fee_free=0,
            read_at=read_at,
            sample=False,
            cheapest_cash=None,
            cheapest_true=None,
            stale=True,
        )


class RatesError(Exception):
    """Base of the errors of a source; `str()` is a sentence for the log, without personal data.

    `words` is the service's own error message, as plain text for the visitor.
    """

    words: str = ""


class RateSource(Protocol):
    """A source of products: the broker's own API, or the embedded market."""

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products that fit the query, in its order; raises RatesError."""
        ...

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, or None for an unknown id."""
        ...
