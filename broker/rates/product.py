"""A mortgage product priced for a loan (specification 3, "Rate product"), and the protocol of its sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, Self

from broker.rates.query import RatesQuery

ANY_AMOUNT = 100.0
"""The overpayment allowance of a product that may be repaid at any time, in percent."""

FIRST_TIME_BUYERS_ONLY, HOME_MOVERS_ONLY = "First-time buyers only", "Home movers only"
"""Values of `Incentives.eligibility`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incentives:
    """The incentives of a product; what its source does not state is 0, False, None or empty.

    `cashback` is in pounds, paid on completion. `overpayment_percent` is the share of the balance that may be repaid
    each year without a charge. `eligibility` is who may apply; empty for all customers.
    """

    cashback: float = 0
    free_valuation: bool = False
    free_legal_work: bool = False
    overpayment_percent: float | None = None
    is_portable: bool | None = None
    eligibility: str = ""


NO_INCENTIVES = Incentives()


NO_CHARGE = "None"
"""The early repayment charge of a product that has none; an empty text is not stated."""


class RateType(StrEnum):
    FIXED = "fixed"
    VARIABLE = "variable"


def deal_length(months: int) -> str:
    """Return `2-year`; `27-month` where the months are no whole years."""
    return f"{months}-month" if months % 12 else f"{months // 12}-year"


def deal_kind(rate_type: RateType, months: int) -> str:
    """Return `2-year fixed`, or `27-month fixed`."""
    return f"{deal_length(months)} {rate_type}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateProduct:
    """A product priced for a loan; comments give the specification's field names.

    Amounts in pounds, payments as collected, in whole pennies; rates in percent a year.
    """

    product_id: str
    lender_id: int  # LenderID
    lender_name: str  # LenderName
    title: str  # Note, else the kind of deal (decision 39)
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
    true_cost: float  # interest and fees over the initial period, less cashback (decisions 14 and 39)
    follow_on_rate: float | None  # None where the source does not state it
    follow_on_payment: float | None
    early_repayment_charge: str  # empty where the source does not state it
    least_loan: float | None
    most_loan: float | None
    notes: str = ""  # Notes, html
    description: str = ""  # RateDescription, html
    incentives: Incentives = NO_INCENTIVES

    @property
    def follow_on_months(self) -> int:
        return self.term_years * 12 - self.initial_months

    @property
    def capital_repaid(self) -> float:
        """Return the capital repaid in the initial period, in pounds; 0 for interest only."""
        return self.net_cost - self.true_cost

    @property
    def initial_interest(self) -> float:
        """Return the interest of the initial period, in pounds."""
        return self.true_cost + self.incentives.cashback - self.total_fees

    @property
    def net_cost(self) -> float:
        """Return the cash cost less cashback, in pounds."""
        return self.cash_cost - self.incentives.cashback

    @property
    def yearly_true_cost(self) -> float:
        """Return the true cost a year, in pounds, which compares products of different length."""
        return self.true_cost / self.initial_months * 12

    @property
    def yearly_net_cost(self) -> float:
        """Return the cash cost less cashback a year, in pounds."""
        return self.net_cost / self.initial_months * 12

    @property
    def has_no_charge(self) -> bool:
        return self.early_repayment_charge == NO_CHARGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Winners:
    """The products of a whole list with the lowest rate, cash cost and true cost a year; None for an empty list."""

    rate: RateProduct | None = None
    cash: RateProduct | None = None
    true: RateProduct | None = None


NO_WINNERS = Winners()


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesAnswer:
    """The answer of a source: products in the query's order, and how many of them each filter would leave.

    `products` may be priced lazily. `fee_free` counts the matches without a lender fee, listed or left out; `counts`
    has the number of listed products that pass each filter, by its parameter. A `stale` answer is the last good one of
    a source that is unavailable; `read_at` is its time. `left_out` counts products that the source sent with figures
    that are missing or cannot be, for staff.
    """

    query: RatesQuery
    products: Sequence[RateProduct]
    fee_free: int
    read_at: datetime
    sample: bool
    winners: Winners = NO_WINNERS
    counts: Mapping[str, int] = field(default_factory=dict)
    stale: bool = False
    left_out: int = 0

    @classmethod
    def empty(cls, query: RatesQuery, *, read_at: datetime) -> Self:
        """Return the answer for a search that could not be read: no product, and stale."""
        return cls(query=query, products=(), fee_free=0, read_at=read_at, sample=False, stale=True)


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
