"""The rules of a Lifetime ISA that buys a first home.

Source: gov.uk, "Lifetime ISA".
"""

from broker.lending.arithmetic import Amount, choose, maximum
from broker.lending.mortgage import MONTHS

LISA_LIMIT = 4_000
"""The most, in pounds, that may be paid in each tax year."""

LISA_BONUS = 0.25
LISA_PRICE = 450_000
"""The most that the first home may cost."""

LISA_MONTHS = 12
"""Months from the first payment until the account may buy a home."""

LEAST_AGE, OPEN_BEFORE, PAID_BEFORE = 18, 40, 50
"""Ages in years: to open an account, and before which it must be opened and may be paid into."""

AGES = f"You must open one from {LEAST_AGE} to {OPEN_BEFORE - 1}, and may pay in until you are {PAID_BEFORE}"


def may_pay_in(age: Amount, *, is_open: Amount) -> Amount:
    """Return whether a saver may pay in: now, or into an account of the last 12 months or still to be opened.

    An age of 0 is not known, and taken to be one that may.
    """
    before = choose(is_open, lambda: PAID_BEFORE, lambda: OPEN_BEFORE)
    return (age == 0) | ((age >= LEAST_AGE) & (age < before))


def months_of_bonus(age: Amount, most: int) -> Amount:
    """Return the months until a saver is too old to pay in; `most` where the age is not known."""
    return choose(age == 0, lambda: most, lambda: maximum(PAID_BEFORE - age, 0) * MONTHS)
