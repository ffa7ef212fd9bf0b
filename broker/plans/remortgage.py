"""The figures of a remortgage: the balance when the deal ends, and the costs of three ways on, month by month.

A cost is interest, fees and an early repayment charge, without what pays off the loan, as in a deal's true cost. Fees
and the charge are paid from savings. Every figure may be a browser expression.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from broker.lending.arithmetic import (
    Amount,
    choose,
    first_place,
    lowest_place,
    maximum,
    minimum,
    rounded_up,
    shared,
    to_pennies,
)
from broker.lending.days import month_of, months_earlier
from broker.lending.loan_to_value import loan_to_value
from broker.lending.mortgage import MONTHS, balance_after, monthly_payment
from broker.rates.costs import CostTerms

MONTHS_AHEAD = 6
"""Months before the end of a deal from which most lenders let the next one be arranged."""

TWO_YEARS, HORIZON = 24, 60
"""Months of the comparisons; the second is also how far ahead the plan looks."""

PERCENT, POUNDS = "percent", "pounds"
"""The options of how an early repayment charge is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeal:
    """The deal to switch to: rate in percent, fees in pounds, length in months. The same deal follows when it ends."""

    rate: Amount
    fees: Amount
    months: Amount

    def fees_by(self, month: Amount) -> Amount:
        """Return the fees paid by a month of the deal, 0 or later: those of each deal that has begun."""
        return self.fees * maximum(rounded_up(month / self.months), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remortgage:
    """A loan with a deal that ends in `left` months; `months` are those of its whole term, rates are in percent."""

    balance: Amount
    value: Amount
    months: Amount
    rate: Amount
    left: Amount
    follow_on: Amount
    new: NewDeal
    charge_percent: Amount
    charge_pounds: Amount
    today: Amount
    end: Amount

    @property
    def owed_at_end(self) -> Amount:
        """Return the balance when the deal ends, in whole pennies."""
        return shared(self._owed(self.left))

    @property
    def ltv_at_end(self) -> Amount:
        return loan_to_value(self.owed_at_end, self.value)

    @property
    def rest(self) -> Amount:
        """Return the years from the end of the deal to that of the term."""
        return self._years_from(self.left)

    def charge(self, leave: Amount) -> Amount:
        """Return the charge for leaving after `leave` months, at most the balance; 0 once the deal has ended."""
        owed = self._owed(leave)
        stated = owed * self.charge_percent / 100 + self.charge_pounds
        return choose(leave < self.left, lambda: to_pennies(minimum(stated, owed)), lambda: 0)

    def doing_nothing(self, month: Amount) -> Amount:
        """Return the cost up to a month, with the follow-on rate once the deal has ended."""
        after = self._interest(self.owed_at_end, self.follow_on, start=self.left, until=month)
        return to_pennies(self._until(self.left, month) + after)

    def switching(self, month: Amount, *, leave: Amount) -> Amount:
        """Return the cost up to a month of changing to the new deal after `leave` months."""
        return choose(
            month < leave, lambda: to_pennies(self._until(leave, month)), lambda: self._switched(month, leave)
        )

    def _switched(self, month: Amount, leave: Amount) -> Amount:
        after = self._interest(self._owed(leave), self.new.rate, start=leave, until=month)
        return to_pennies(self._until(leave, month) + self.charge(leave) + self.new.fees_by(month - leave) + after)

    @property
    def crossing(self) -> Amount:
        """Return the first month by which switching now has cost less than doing nothing; 0 for none."""
        return self._first_month(lambda month: self.switching(month, leave=0) < self.doing_nothing(month))

    @property
    def crossing_at_end(self) -> Amount:
        """Return the first month by which switching at the end has cost less than doing nothing; 0 for none."""
        return self._first_month(lambda month: self.switching(month, leave=self.left) < self.doing_nothing(month))

    def _first_month(self, is_ahead: Callable[[Amount], Amount]) -> Amount:
        return shared(first_place(shared(minimum(HORIZON, self.months)), lambda place: is_ahead(place + 1)) + 1)

    @property
    def cheapest_leave(self) -> Amount:
        """Return after how many months, up to the end of the deal, leaving costs least over `HORIZON`."""
        count = shared(minimum(self.left, HORIZON) + 1)
        return shared(lowest_place(count, lambda place: self.switching(HORIZON, leave=place)))

    @property
    def act_on(self) -> Amount:
        """Return the day from which to arrange the next deal."""
        return shared(months_earlier(self.end, MONTHS_AHEAD))

    @property
    def can_act(self) -> Amount:
        return self.act_on <= self.today

    def _owed(self, month: Amount) -> Amount:
        years = self.months / MONTHS
        return to_pennies(balance_after(self.balance, self.rate, years, minimum(month, self.months)))

    def _years_from(self, month: Amount) -> Amount:
        return maximum(self.months - month, 1) / MONTHS

    def _until(self, leave: Amount, month: Amount) -> Amount:
        """Return the interest at today's rate, up to a month or to leaving the deal."""
        return self._interest(self.balance, self.rate, start=0, until=minimum(month, leave))

    def _interest(self, loan: Amount, rate: Amount, *, start: Amount, until: Amount) -> Amount:
        """Return the interest on a loan from one month to another, both before the end of the term."""
        months = maximum(minimum(until, self.months) - start, 0)
        return loan * CostTerms(rate=rate, fees=0, months=months, years=self._years_from(start)).true_cost(1)


def payment(loan: Amount, rate: Amount, *, years: Amount) -> Amount:
    """Return a monthly payment in whole pennies."""
    return to_pennies(monthly_payment(loan, rate, years))


def remortgage(values: Mapping[str, Amount]) -> Remortgage:
    """Return the figures of a form's values, with those of the day and of the deal that was found.

    A deal without a date ends in `MONTHS_AHEAD` months, one whose date has passed ends today.
    """
    today, months = shared(values["today"]), values["term"] * MONTHS
    end = shared(choose(values["end"] == 0, lambda: months_earlier(today, -MONTHS_AHEAD), lambda: values["end"]))
    is_percent = values["charge"] == PERCENT
    return Remortgage(
        balance=values["balance"],
        value=values["value"],
        months=shared(months),
        rate=values["rate"],
        left=shared(minimum(maximum(month_of(end) - month_of(today), 0), months)),
        follow_on=values["followOn"],
        new=NewDeal(rate=values["newRate"], fees=values["newFees"], months=values["newMonths"]),
        charge_percent=choose(is_percent, lambda: values["chargePercent"], lambda: 0),
        charge_pounds=choose(is_percent, lambda: 0, lambda: values["chargePounds"]),
        today=today,
        end=end,
    )
