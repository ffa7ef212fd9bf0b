"""Vectorised pricing of products: payments, costs and APRC, with the formulas of `broker.lending.mortgage`.

Powers are computed as exp(months x log1p(rate)); all products of a search share the loan and term. Rates are in
percent, money in pounds. Payments are in whole pennies, as collected, and costs are sums of those, so that the figures
on a page add up; the APRC is computed from unrounded payments, and leaves cashback out (MCOB 10A).
"""

from dataclasses import dataclass

import numpy as np

from broker.rates.arrays import Floats, to_whole_pennies

_STEPS = 60
_CLOSE = 1e-9
"""Newton step at which the iteration ends: the next error is its square, times about 100."""

_MIN_YEARLY, _MAX_YEARLY = -99.0, 1000.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProductTerms:
    """The terms of each product: rates in percent (above 0), months of the initial period, amounts in pounds."""

    rate: Floats
    months: Floats
    follow_on: Floats
    fees: Floats
    cashback: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prices:
    """The price of each product for a loan; `months` are at most the term, without follow-on payment (0) if equal.

    `aprc` is nan if the fees take the whole loan, or no rate up to 1,000% fits.
    """

    months: Floats
    fees: Floats
    cashback: Floats
    payment: Floats
    follow_on_payment: Floats
    cash_cost: Floats
    true_cost: Floats
    aprc: Floats

    @property
    def yearly_true_cost(self) -> Floats:
        """Return interest and fees less cashback a year, equal to `RateProduct.yearly_true_cost` to the last bit."""
        return self.true_cost / self.months * 12

    @property
    def yearly_net_cost(self) -> Floats:
        """Return payments and fees less cashback a year, equal to `RateProduct.yearly_net_cost` to the last bit."""
        return (self.cash_cost - self.cashback) / self.months * 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Flows:
    """Cash flows: `first` for `months`, `later` for the `left` months after, `capital` with the last payment."""

    first: Floats
    later: Floats
    months: Floats
    left: Floats
    capital: float
    term: int


def price(deals: ProductTerms, loan: float, *, years: int, interest_only: bool) -> Prices:
    """Return the price of every product for a loan over a term of years (1 or more)."""
    term = years * 12
    months = np.minimum(deals.months, term)
    left = term - months
    monthly, later = deals.rate / 1200, deals.follow_on / 1200
    payment, balance = _initial_period(loan, monthly, months, term=term, interest_only=interest_only)
    follow_on = _payment_after(balance, later, left, interest_only=interest_only)
    # The APRC takes a follow-on rate below the fixed rate as the fixed rate (MCOB 10A.3.1R(5)).
    floored = _payment_after(balance, np.maximum(later, monthly), left, interest_only=interest_only)
    flows = _Flows(
        first=payment, later=floored, months=months, left=left, capital=loan if interest_only else 0, term=term
    )
    collected, fees = to_whole_pennies(payment), to_whole_pennies(deals.fees)
    cash = collected * months + fees
    net = cash - deals.cashback
    return Prices(
        months=months,
        fees=fees,
        cashback=deals.cashback,
        payment=collected,
        follow_on_payment=to_whole_pennies(follow_on),
        cash_cost=cash,
        true_cost=net if interest_only else net - to_whole_pennies(loan - balance),
        aprc=_aprc(flows, loan - deals.fees, start=_start(flows, loan, deals, balance)),
    )


def _initial_period(
    loan: float, monthly: Floats, months: Floats, *, term: int, interest_only: bool
) -> tuple[Floats, Floats]:
    """Return the initial payment, and the balance at the end of the initial period."""
    if interest_only:
        return loan * monthly, np.full_like(monthly, loan)
    growth = np.log1p(monthly)
    whole = np.exp(term * growth)
    return loan * monthly * whole / (whole - 1), loan * (whole - np.exp(months * growth)) / (whole - 1)


def _payment_after(balance: Floats, monthly: Floats, left: Floats, *, interest_only: bool) -> Floats:
    """Return the follow-on payment; 0 if no months are left."""
    if interest_only:
        return np.where(left > 0, balance * monthly, 0)
    annuity = -np.expm1(-left * np.log1p(monthly))
    return np.divide(balance * monthly, annuity, out=np.zeros_like(balance), where=left > 0)


def _start(flows: _Flows, loan: float, deals: ProductTerms, balance: Floats) -> Floats:
    """Return an estimate of the APRC's monthly rate: interest and fees over the discounted balance."""
    monthly = deals.rate / 1200
    later = np.maximum(deals.follow_on, deals.rate) / 1200
    repaid = 0 if flows.capital else balance
    first_interest = flows.first * flows.months - (0 if flows.capital else loan - balance)
    later_interest = flows.later * flows.left - repaid
    discount = np.exp(-(flows.months / 2 + flows.left / 3) * (monthly + later) / 2)
    owed = first_interest / monthly + later_interest / later * discount
    return (first_interest + later_interest * discount + deals.fees) / owed


def _aprc(flows: _Flows, received: Floats, *, start: Floats) -> Floats:
    """Return the yearly rate, in percent, at which the present value of payments is what was received.

    Newton's method on the monthly force of interest. The present value is convex and decreasing in it, so the
    iteration converges from any start.
    """
    force = np.log1p(start)
    step = force
    with np.errstate(all="ignore"):
        for _ in range(_STEPS):
            value, slope = _present_value(flows, force)
            step = (value - received) / slope
            force = force - step
            if not np.any(np.abs(step) > _CLOSE):
                break
        yearly = np.expm1(12 * force) * 100
        sound = (received > 0) & (np.abs(step) <= _CLOSE) & (yearly >= _MIN_YEARLY) & (yearly <= _MAX_YEARLY)
    return yearly if sound.all() else np.where(sound, yearly, np.nan)


def _present_value(flows: _Flows, force: Floats) -> tuple[Floats, Floats]:
    """Return the present value of the payments at a monthly force of interest, and its derivative."""
    monthly = np.expm1(force)
    after_deal, at_end = np.exp(-flows.months * force), np.exp(-flows.term * force)
    jump = (flows.later - flows.first) * after_deal
    last = flows.later * at_end
    annuity = (flows.first + jump - last) / monthly
    capital = flows.capital * at_end
    slope = (flows.term * last - flows.months * jump - annuity * (monthly + 1)) / monthly - flows.term * capital
    return annuity + capital, slope
