"""The figures of a remortgage: the balance when the deal ends, and the costs of four ways on, month by month.

The ways are to do nothing, to take a new deal of the present lender (a product transfer), to switch to another lender
when the deal ends, and to switch now. A cost is interest, fees and an early repayment charge, without what pays off the
loan, as in a deal's true cost. Fees and the charge are paid from savings. A new deal that cannot start when the old one
ends starts later, after months at the follow-on rate. Every figure may be a browser expression.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from broker.calculators.calculator import MAX_RATE
from broker.lending.arithmetic import (
    Amount,
    choose,
    first_index,
    lowest_index,
    maximum,
    minimum,
    rounded_up,
    shared,
    to_pennies,
)
from broker.lending.days import days_earlier, month_of, months_earlier
from broker.lending.mortgage import MONTHS, balance_after, interest_only_payment, monthly_payment
from broker.rates.costs import CostTerms

MONTHS_AHEAD = 6
"""Months before the end of a deal from which most lenders let the next one be arranged."""

TWO_YEARS, HORIZON = 24, 60
"""Months after the end of the deal to which costs are compared; the second is also how far ahead the plan looks."""

SWITCH_DAYS = 84
"""Days that a switch to another lender takes at most, usually: twelve weeks. One that is asked for today takes them."""

MID_MONTH = 15
"""The day of a month by which to book a deal of one's own lender: its systems close before the month ends."""

PERCENT, POUNDS = "percent", "pounds"
"""The options of how an early repayment charge is given."""

REPAYMENT, INTEREST_ONLY = "repayment", "interest-only"
"""The options of how the loan is paid back."""

OWN_HOME, LET = "home", "let"
"""The options of who lives in the home: the borrower or a tenant."""

_HUNDREDTHS = 100

_STEPS = tuple(2**power for power in reversed(range(12)))
"""Steps in hundredths of a percent that add up to any rate below 40.96%."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeal:
    """A new deal: rate in percent, fees less cashback in pounds, length in months, and what is paid once at its start.

    The same deal follows when it ends.
    """

    rate: Amount
    fees: Amount
    months: Amount
    once: Amount = 0

    def fees_by(self, month: Amount) -> Amount:
        """Return what is paid by a month of the deal, 0 or later: the fees of each deal that has begun."""
        return self.once + self.fees * maximum(rounded_up(month / self.months), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The start of a new deal: after how many months, what is owed then, and the interest and charge until then."""

    month: Amount
    owed: Amount
    paid: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Remortgage:
    """A loan with a deal that ends in `left` months; `months` are those of its whole term, rates are in percent.

    `rate` is what is paid today: of a deal that is over, the follow-on rate.
    `new` is the deal of another lender, `offer` that of the present one, which the visitor has typed if `has_offer`.
    The present lender lets the next deal be booked `window` months and days before the end, by one of its sources only
    `later`. Its deal starts after `own_start` months and a switch after `switch_start`: `left`, or more where today is
    too late for that.
    """

    balance: Amount
    value: Amount
    months: Amount
    rate: Amount
    left: Amount
    own_start: Amount
    switch_start: Amount
    follow_on: Amount
    new: NewDeal
    offer: NewDeal
    has_offer: Amount
    interest_only: Amount
    charge_percent: Amount
    charge_pounds: Amount
    today: Amount
    end: Amount
    window: tuple[Amount, Amount]
    later: tuple[Amount, Amount]

    @property
    def two_years(self) -> Amount:
        return shared(self.left + TWO_YEARS)

    @property
    def five_years(self) -> Amount:
        return shared(self.left + HORIZON)

    @property
    def owed_at_end(self) -> Amount:
        """Return the balance when the deal ends, in whole pennies."""
        return shared(self._owed(self.left))

    @property
    def rest(self) -> Amount:
        """Return the years from the end of the deal to that of the term."""
        return self.years_from(self.left)

    @property
    def is_over(self) -> Amount:
        """Return whether the last day of the deal has passed."""
        return shared(self.end < self.today)

    @property
    def is_late(self) -> Amount:
        """Return whether a switch starts only after the deal has ended; then one that is begun now does too."""
        return shared(self.switch_start > self.left)

    @property
    def own(self) -> Start:
        """Return the start of the present lender's new deal."""
        return self._after_deal(self.own_start)

    @property
    def at_end(self) -> Start:
        """Return the start of a switch when the deal ends."""
        return self._after_deal(self.switch_start)

    def charge(self, leave: Amount) -> Amount:
        """Return the charge for leaving after `leave` months, at most the balance; 0 once the deal has ended."""
        owed = self._owed(leave)
        stated = owed * self.charge_percent / 100 + self.charge_pounds
        return choose(leave < self.left, lambda: to_pennies(minimum(stated, owed)), lambda: 0)

    def doing_nothing(self, month: Amount) -> Amount:
        """Return the cost up to a month, with the follow-on rate once the deal has ended."""
        return to_pennies(self._at_both_rates(month))

    def leaving(self, month: Amount, *, leave: Amount) -> Amount:
        """Return the cost up to a month of the deal of another lender from `leave` months on, at most `left`."""
        start = Start(month=leave, owed=self._owed(leave), paid=self._until(leave, leave) + self.charge(leave))
        return self._changing(month, start, self.new)

    def switching_now(self, month: Amount) -> Amount:
        """Return the cost up to a month of changing to the deal of another lender as soon as may be."""
        return choose(self.is_late, lambda: self.switching(month), lambda: self.leaving(month, leave=0))

    def switching(self, month: Amount) -> Amount:
        """Return the cost up to a month of changing to the deal of another lender when the old one ends."""
        return self._changing(month, self.at_end, self.new)

    def staying(self, month: Amount) -> Amount:
        """Return the cost up to a month of the present lender's new deal, which starts when the old one ends."""
        return self._changing(month, self.own, self.offer)

    def _changing(self, month: Amount, start: Start, deal: NewDeal) -> Amount:
        return choose(month < start.month, lambda: self.doing_nothing(month), lambda: self._changed(month, start, deal))

    def _changed(self, month: Amount, start: Start, deal: NewDeal) -> Amount:
        after = self._interest(start.owed, deal.rate, start=start.month, until=month)
        return to_pennies(start.paid + deal.fees_by(minimum(month, self.months) - start.month) + after)

    def _after_deal(self, month: Amount) -> Start:
        """Return a start when the deal ends or later, with the follow-on rate in between."""
        repaid = balance_after(self.owed_at_end, self.follow_on, self.rest, month - self.left)
        owed = choose(self.interest_only, lambda: self.balance, lambda: repaid)
        return Start(month=month, owed=shared(to_pennies(owed)), paid=shared(self._at_both_rates(month)))

    def _at_both_rates(self, month: Amount) -> Amount:
        """Return the interest up to a month at today's rate, and at the follow-on rate once the deal has ended."""
        after = self._interest(self.owed_at_end, self.follow_on, start=self.left, until=month)
        return self._until(self.left, month) + after

    @property
    def best_switch(self) -> Amount:
        """Return the cost over five years of the cheaper switch, at the end of the deal or now."""
        return shared(minimum(self.switching(self.five_years), self.switching_now(self.five_years)))

    @property
    def saving_now(self) -> Amount:
        """Return by how much switching now costs less over five years than the cheapest other way; negative if more.

        The present lender's new deal is one of the ways once it was typed.
        """
        month = self.five_years
        waiting = shared(minimum(self.switching(month), self.doing_nothing(month)))
        lowest = choose(self.has_offer, lambda: minimum(waiting, self.staying(month)), lambda: waiting)
        return shared(to_pennies(lowest - self.switching_now(month)))

    @property
    def break_even(self) -> Amount:
        """Return the highest rate at which the present lender's new deal costs less than the best switch.

        It is in hundredths of a percent, at most those of `MAX_RATE`, and -1 where no rate does. The fee and length are
        those of the offer; the cost over five years rises with the rate.
        """
        highest = 0
        for step in _STEPS:
            highest = self._raised(highest, step)
        limit = MAX_RATE * _HUNDREDTHS
        return shared(choose(self._wins(0), lambda: minimum(highest, limit), lambda: -1))

    def _raised(self, hundredths: Amount, step: int) -> Amount:
        raised = shared(hundredths + step)
        return shared(choose(self._wins(raised), lambda: raised, lambda: hundredths))

    def _wins(self, hundredths: Amount) -> Amount:
        return self.staying_at(hundredths) < self.best_switch

    def staying_at(self, hundredths: Amount) -> Amount:
        """Return the cost over five years of the present lender's new deal at a rate in hundredths of a percent."""
        rate = shared(hundredths / _HUNDREDTHS)
        return self._changed(self.five_years, self.own, replace(self.offer, rate=rate))

    @property
    def crossing(self) -> Amount:
        """Return the first month by which switching now has cost less than doing nothing; 0 for none."""
        return self._first_month(lambda month: self.switching_now(month) < self.doing_nothing(month))

    def _first_month(self, is_ahead: Callable[[Amount], Amount]) -> Amount:
        return shared(first_index(shared(minimum(self.five_years, self.months)), lambda place: is_ahead(place + 1)) + 1)

    @property
    def cheapest_leave(self) -> Amount:
        """Return after how many months, up to the end of the deal, leaving costs least over five years.

        That of a switch which starts only after the deal has ended is its start.
        """
        count = shared(self.left + 1)
        early = lowest_index(count, lambda place: self.leaving(self.five_years, leave=place))
        return shared(choose(self.is_late, lambda: self.switch_start, lambda: early))

    @property
    def switch_from(self) -> Amount:
        """Return the day from which most other lenders let the next deal be arranged."""
        return shared(months_earlier(self.end, MONTHS_AHEAD))

    @property
    def book_from(self) -> Amount:
        """Return the day from which the present lender lets the next deal be booked, by the earlier of its sources."""
        return self._opening(*self.window)

    @property
    def book_later(self) -> Amount:
        """Return that day by the later of its sources."""
        return self._opening(*self.later)

    def _opening(self, months: Amount, days: Amount) -> Amount:
        return shared(days_earlier(shared(months_earlier(self.end, months)), days))

    @property
    def act_on(self) -> Amount:
        """Return the day from which to arrange the next deal: the earlier of both windows."""
        return shared(minimum(self.switch_from, self.book_from))

    @property
    def next_date(self) -> Amount:
        """Return the first of both days that has not passed; today if both have."""
        second = maximum(maximum(self.switch_from, self.book_from), self.today)
        return shared(choose(self.can_act, lambda: second, lambda: self.act_on))

    @property
    def switch_by(self) -> Amount:
        """Return the last day on which a switch, at its slowest, is ready by the end of the deal."""
        return shared(days_earlier(self.end, SWITCH_DAYS))

    @property
    def book_by(self) -> Amount:
        """Return the last day to book with the present lender: the last middle of a month before the deal ends."""
        this_month = self.end // 100 * 100 + MID_MONTH
        before = months_earlier(self.end // 100 * 100 + MID_MONTH, 1)
        return shared(choose(self.end % 100 > MID_MONTH, lambda: this_month, lambda: before))

    @property
    def can_act(self) -> Amount:
        return self.act_on <= self.today

    def payment(self, loan: Amount, rate: Amount, *, years: Amount) -> Amount:
        """Return a monthly payment in whole pennies."""
        return to_pennies(
            choose(
                self.interest_only,
                lambda: interest_only_payment(loan, rate),
                lambda: monthly_payment(loan, rate, years),
            )
        )

    def _owed(self, month: Amount) -> Amount:
        years = self.months / MONTHS
        repaid = balance_after(self.balance, self.rate, years, minimum(month, self.months))
        return to_pennies(choose(self.interest_only, lambda: self.balance, lambda: repaid))

    def years_from(self, month: Amount) -> Amount:
        return maximum(self.months - month, 1) / MONTHS

    def _until(self, leave: Amount, month: Amount) -> Amount:
        """Return the interest at today's rate, up to a month or to leaving the deal."""
        return self._interest(self.balance, self.rate, start=0, until=minimum(month, leave))

    def _interest(self, loan: Amount, rate: Amount, *, start: Amount, until: Amount) -> Amount:
        """Return the interest on a loan from one month to another, both before the end of the term."""
        months = maximum(minimum(until, self.months) - start, 0)
        terms = CostTerms(rate=rate, fees=0, months=months, years=self.years_from(start))
        return choose(
            self.interest_only, lambda: interest_only_payment(loan, rate) * months, lambda: loan * terms.true_cost(1)
        )


def remortgage(values: Mapping[str, Amount]) -> Remortgage:
    """Return the figures of a form's values, with those of the day and of the deal that was found.

    A deal without a date ends in `MONTHS_AHEAD` months. Of one whose date has passed no month is left.
    """
    values = {name: shared(value) for name, value in values.items()}
    today, months = values["today"], values["term"] * MONTHS
    end = shared(choose(values["end"] == 0, lambda: months_earlier(today, -MONTHS_AHEAD), lambda: values["end"]))
    is_percent = shared(values["charge"] == PERCENT)
    left = shared(minimum(maximum(month_of(end) - month_of(today), 0), months))
    ready = month_of(days_earlier(today, -SWITCH_DAYS)) - month_of(today)
    is_missed = today % 100 > MID_MONTH  # the lender then starts a deal a month later
    own_start = shared(minimum(maximum(left, choose(is_missed, lambda: 1, lambda: 0)), months))
    lasting = month_of(values["offerEnd"]) - month_of(today) - own_start
    length = shared(choose(lasting > 0, lambda: lasting, lambda: values["newMonths"]))
    return Remortgage(
        balance=values["balance"],
        value=values["value"],
        months=shared(months),
        rate=shared(choose(end < today, lambda: values["followOn"], lambda: values["rate"])),
        left=left,
        own_start=own_start,
        switch_start=shared(minimum(maximum(left, ready), months)),
        follow_on=values["followOn"],
        new=NewDeal(rate=values["newRate"], fees=values["newFees"], months=values["newMonths"], once=values["legal"]),
        offer=NewDeal(rate=values["offerRate"], fees=values["offerFee"], months=length),
        has_offer=shared(values["offerRate"] > 0),
        interest_only=shared(values["repay"] == INTEREST_ONLY),
        charge_percent=shared(choose(is_percent, lambda: values["chargePercent"], lambda: 0)),
        charge_pounds=shared(choose(is_percent, lambda: 0, lambda: values["chargePounds"])),
        today=today,
        end=end,
        window=(values["windowMonths"], values["windowDays"]),
        later=(values["laterMonths"], values["laterDays"]),
    )
