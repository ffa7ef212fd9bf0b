"""A short fix and the deal after it, or one long fix: the later rate at which both cost the same.

Rates are in percent a year, amounts in pounds. Cost is what is paid, fees included, and what is still owed at the end
of the long fix; payments and debts count in whole pennies, as they are shown. It is no forecast: the later rate is what
nobody knows.
"""

from dataclasses import dataclass
from math import inf

from broker.lending.arithmetic import to_pennies
from broker.lending.mortgage import MONTHS, balance_after, monthly_payment

MAX_RATE = 25
"""The highest later rate that is looked for."""

_BISECTIONS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoFixes:
    """A short and a long fix of one loan with `months` left, more than `short`; `fees` are those of each deal."""

    loan: float
    months: int
    short_rate: float
    long_rate: float
    fees: float = 0
    short: int = 24
    long: int = 60

    @property
    def end(self) -> int:
        """Return the months that are compared: the long fix, or what is left of the loan."""
        return min(self.long, self.months)

    @property
    def short_payment(self) -> float:
        return _payment(self.loan, self.short_rate, self.months)

    @property
    def long_payment(self) -> float:
        return _payment(self.loan, self.long_rate, self.months)

    @property
    def later_balance(self) -> float:
        """Return what is owed when the short fix ends."""
        return _balance(self.loan, self.short_rate, self.months, self.short)

    @property
    def long_balance(self) -> float:
        """Return what is owed when the long fix ends."""
        return _balance(self.loan, self.long_rate, self.months, self.end)

    def later(self, rate: float) -> tuple[float, float]:
        """Return the payment of the deal after the short fix, and what is owed when the long fix would have ended."""
        owed, months = self.later_balance, self.months - self.short
        return _payment(owed, rate, months), _balance(owed, rate, months, self.end - self.short)

    def long_cost(self) -> float:
        return to_pennies(self.fees + self.end * self.long_payment + self.long_balance)

    def short_cost(self, later_rate: float) -> float:
        """Return the cost of the short fix with a deal at `later_rate` after it; it grows with the rate."""
        payment, owed = self.later(later_rate)
        paid = self.short * self.short_payment + (self.end - self.short) * payment
        return to_pennies(2 * self.fees + paid + owed)

    def break_even_rate(self) -> float:
        """Return the later rate at which both cost the same; above it the long fix costs less.

        Minus infinity where the long fix costs less even at a later rate of 0, infinity where the short one still does
        at `MAX_RATE`.
        """
        target = self.long_cost()
        if self.short_cost(0) >= target:
            return -inf
        if self.short_cost(MAX_RATE) <= target:
            return inf
        low, high = 0.0, float(MAX_RATE)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.short_cost(middle) < target else (low, middle)
        return (low + high) / 2


def _payment(loan: float, rate: float, months: int) -> float:
    return to_pennies(monthly_payment(loan, rate, months / MONTHS))


def _balance(loan: float, rate: float, months: int, after: int) -> float:
    return to_pennies(balance_after(loan, rate, months / MONTHS, after))
