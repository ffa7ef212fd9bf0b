"""Mortgage arithmetic: payments, balances and the annual percentage rate of charge.

Interest is added monthly at a twelfth of the nominal yearly rate; payments fall at the end of each month.
Rates are in percent a year, amounts in pounds, terms in years. `monthly_payment`, `interest_only_payment`
`balance_after`, `balance_paying`, `payments_to_repay` and `total_paid` also take browser expressions (see
`broker.lending.arithmetic`); `aprc` is for numbers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from broker.lending.arithmetic import Amount, choose, logarithm, maximum, rounded_up

MONTHS = 12

MONTH_TOLERANCE = 1e-6
"""The part of a month that is taken for a rounding error."""

_LEAST_PAYMENT = 1e-9
"""A payment in pounds that no loan of a pound or more has: nothing repays no loan in no time."""

_BISECTIONS = 60
"""Bisections of the range from -99% to 1,000%: enough for the last bit of a double."""


class MortgageError(ValueError):
    """Base of the errors raised here."""


class NoRateError(MortgageError):
    """No yearly rate between -99% and 1,000% makes the payments worth the money received."""


@dataclass(frozen=True, slots=True)
class RateStep:
    """A part of the term at one rate: `rate` in percent a year (0 or more), for `months` payments (1 or more).

    Raises MortgageError for a negative rate or no months.
    """

    rate: float
    months: int

    def __post_init__(self) -> None:
        if self.rate < 0 or self.months < 1:
            raise MortgageError(
                f"a step needs a rate of 0 or more and at least a month, not {self.rate}, {self.months}"
            )


def monthly_payment(loan: Amount, annual_rate: Amount, years: Amount) -> Amount:
    """Return the monthly payment that repays the loan over the term, unrounded; at rate 0, the loan in equal parts."""
    return _level_payment(loan, annual_rate, years * MONTHS)


def interest_only_payment(loan: Amount, annual_rate: Amount) -> Amount:
    """Return a month's interest, unrounded: the payment on an interest-only loan."""
    return loan * annual_rate / 1200


def balance_after(loan: Amount, annual_rate: Amount, years: Amount, months: Amount) -> Amount:
    """Return the balance of a repayment loan after `months` payments, unrounded."""
    term = years * MONTHS
    monthly = annual_rate / 1200
    return choose(
        annual_rate == 0,
        lambda: loan * (term - months) / term,
        lambda: loan * ((1 + monthly) ** term - (1 + monthly) ** months) / ((1 + monthly) ** term - 1),
    )


def balance_paying(loan: Amount, annual_rate: Amount, *, payment: Amount, months: Amount) -> Amount:
    """Return the balance after `months` payments of any size, unrounded; negative once they exceed what is owed."""
    monthly = annual_rate / 1200
    return choose(
        annual_rate == 0,
        lambda: loan - payment * months,
        lambda: loan * (1 + monthly) ** months - payment * ((1 + monthly) ** months - 1) / monthly,
    )


def payments_to_repay(loan: Amount, annual_rate: Amount, *, payment: Amount) -> Amount:
    """Return the number of payments that repay a loan, the last a smaller one; they must exceed a month's interest."""
    monthly, paid = annual_rate / 1200, maximum(payment, _LEAST_PAYMENT)
    exact = choose(
        annual_rate == 0, lambda: loan / paid, lambda: 0 - logarithm(1 - loan * monthly / paid) / logarithm(1 + monthly)
    )
    return rounded_up(exact - MONTH_TOLERANCE)


def total_paid(loan: Amount, annual_rate: Amount, *, payment: Amount) -> Amount:
    """Return the sum of the payments that repay a loan, the last a smaller one, unrounded."""
    full = maximum(payments_to_repay(loan, annual_rate, payment=payment) - 1, 0)
    return payment * full + balance_paying(loan, annual_rate, payment=payment, months=full) * (1 + annual_rate / 1200)


def _level_payment(loan: Amount, annual_rate: Amount, months: Amount) -> Amount:
    monthly = annual_rate / 1200
    return choose(annual_rate == 0, lambda: loan / months, lambda: loan * monthly / (1 - (1 + monthly) ** (0 - months)))


def payments(loan: float, steps: Sequence[RateStep], *, interest_only: bool = False) -> Iterator[float]:
    """Yield each monthly payment over the steps, unrounded, re-set at each step over the months that remain.

    An interest-only loan is paid back whole with its last payment.
    """
    remaining = sum(step.months for step in steps)
    owed = loan
    for step in steps:
        monthly = step.rate / 1200
        level = owed * monthly if interest_only else _level_payment(owed, step.rate, remaining)
        for _ in range(step.months):
            owed += owed * monthly - level
            remaining -= 1
            yield level + (owed if interest_only and remaining == 0 else 0)


def aprc(
    loan: float,
    steps: Sequence[RateStep],
    *,
    fees_upfront: float = 0,
    fees_added: float = 0,
    exit_fee: float = 0,
    first_extra: float = 0,
    interest_only: bool = False,
) -> float:
    """Return the annual percentage rate of charge, in percent, unrounded (MCOB 10A.2.3R, equal months).

    Fees added to the loan are borrowed and repaid with it; an exit fee falls with the last payment and
    `first_extra` (initial interest) with the first. A later variable rate below the first, fixed one counts
    as the fixed one (MCOB 10A.3.1R(5)). Raises NoRateError when nothing is received or no rate fits.
    """
    if not steps:
        raise NoRateError("a loan without a rate step has no rate")
    floored = [RateStep(max(step.rate, steps[0].rate), step.months) for step in steps]
    flows = list(payments(loan + fees_added, floored, interest_only=interest_only))
    flows[0] += first_extra
    flows[-1] += exit_fee
    received = loan - fees_upfront
    if received <= 0:
        raise NoRateError("the fees take the whole loan, so it has no rate")
    return _yearly_rate(received, flows)


def _yearly_rate(received: float, flows: Sequence[float]) -> float:
    """Return the yearly rate, in percent, at which the present value of monthly flows is what was received."""
    low, high = -0.99, 10.0
    if _present_value(flows, high) > received or _present_value(flows, low) < received:
        raise NoRateError("no yearly rate makes these payments worth the loan")
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if _present_value(flows, middle) > received:
            low = middle
        else:
            high = middle
    return (low + high) * 50


def _present_value(flows: Sequence[float], yearly: float) -> float:
    discount = (1 + yearly) ** (-1 / MONTHS)
    value = 0.0
    for flow in reversed(flows):
        value = (value + flow) * discount
    return value
