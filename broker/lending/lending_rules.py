"""Published rules, each with its source: the loan on a home, the rent of a let, and a Lifetime ISA.

Rates are in percent a year, amounts in pounds. Every function takes browser expressions too (`lending/arithmetic.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from broker.lending.arithmetic import Amount, choose, maximum
from broker.lending.mortgage import MONTHS, monthly_payment

_READ = date(2026, 11, 25)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a rule or a figure is published, the date that it bears (`since`), and when it was last `read`."""

    title: str
    address: str
    since: str
    read: date = _READ


DEBT_SHARE = 40
"""Percent of the income before tax above which the Bank of England sees a higher risk of falling behind."""

HIGH_MULTIPLE = 4.5
"""Times the income from which a loan counts as high."""

HIGH_SHARE = 15
"""Percent of all new loans that lenders together may make at `HIGH_MULTIPLE` or more, about."""

HIGH_LENDING = (
    f"The regulators let lenders together make only about {HIGH_SHARE}% of new loans at {HIGH_MULTIPLE} times income "
    "or more."
)
"""The one sentence of the site on multiples of the income; the source is `HIGH_SOURCE`."""

LEAST_RISE = 1
"""Points of rise over five years that a lender must allow for, unless the rate is fixed for as long (MCOB 11.6.18R)."""

CAREFUL_RISE = 3
"""Points of rise that the Bank of England had lenders test with until 1 August 2022."""

HIGH_SOURCE = Source(
    title="Financial Conduct Authority: limit at 4.5 times income, and the 3-point test until August 2022",
    address="https://www.fca.org.uk/firms/fpcs-mortgage-market-recommendation",
    since="2014",
)

HOME_SOURCES = (
    Source(
        title="Bank of England: financial position of British households, on payments above 40% of income",
        address="https://www.bankofengland.co.uk/quarterly-bulletin/2017/q4/"
        "the-financial-position-of-british-households-2017-nmg-consulting-survey",
        since="2017",
    ),
    Source(
        title="Financial Conduct Authority: interest rate stress test rule, MCOB 11.6.18R",
        address="https://www.fca.org.uk/firms/interest-rate-stress-test-rule",
        since="March 2025",
    ),
    HIGH_SOURCE,
)


def affordable_payment(income: Amount, commitments: Amount) -> Amount:
    """Return the payment a month that a yearly income leaves room for beside the monthly commitments, 0 or more."""
    return maximum(income * DEBT_SHARE / 100 / MONTHS - commitments, 0)


def loan_paid_by(payment: Amount, rate: Amount, *, term: Amount) -> Amount:
    return payment / monthly_payment(1, rate, term)


COVERS: Mapping[str, int] = {"basic": 125, "higher": 145, "company": 125}
"""Percent of the tested interest that the rent has to come to, by who lets: common practice, not law."""

LONG_MONTHS = 5 * MONTHS
"""Months of a fixed rate from which the regulator requires no test of a rise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RentTest:
    """A test of a let: its interest at a rate raised by `rise` points, and at `floor` at the least.

    `is_long` is whether it is for a rate fixed for five years or more.
    """

    name: str
    is_long: bool
    rise: float
    floor: float

    def tested_rate(self, rate: Amount) -> Amount:
        return maximum(rate + self.rise, self.floor)


FLOOR_TEST = RentTest(name="Two points up, at least 5.5%", is_long=False, rise=2, floor=5.5)
"""The least that the Prudential Regulation Authority requires of banks for a rate fixed for less than five years."""

OWN_RATE_TEST = RentTest(name="Five-year fix: its own rate", is_long=True, rise=0, floor=0)

RENT_TESTS = (
    FLOOR_TEST,
    RentTest(name="Two points up, at least 6%", is_long=False, rise=2, floor=6),
    RentTest(name="Five-year fix: one point up, at least 5.5%", is_long=True, rise=1, floor=5.5),
    OWN_RATE_TEST,
)

LET_SOURCES = (
    Source(
        title="Prudential Regulation Authority: SS13/16, two points up and 5.5% unless fixed for five years",
        address="https://www.bankofengland.co.uk/prudential-regulation/publication/2016/"
        "underwriting-standards-for-buy-to-let-mortgage-contracts-ss",
        since="29 September 2016",
    ),
    Source(
        title="Skipton Building Society, criteria for brokers: 125% and 145%, and one point up on a five-year fix",
        address="https://www.skipton-intermediaries.co.uk/criteria/buy-to-let",
        since="undated",
    ),
    Source(
        title="Foundation Home Loans, calculator for brokers: companies at 125%, 6%, five-year fixes at their own rate",
        address="https://www.foundationforintermediaries.co.uk/buy-to-let/buy-to-let-calculator/",
        since="undated",
    ),
)

# Lifetime ISA, for a first home: gov.uk, "Lifetime ISA"

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
