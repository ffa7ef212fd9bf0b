"""Rules by which lenders size a loan, each with its source: the budget for a home, and the rent of a let.

Rates are in percent a year, amounts in pounds. Every function takes browser expressions too (`domain/arithmetic.py`).
"""

from dataclasses import dataclass
from datetime import date

from broker.domain.arithmetic import Amount, maximum
from broker.domain.mortgage import MONTHS, monthly_payment

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
"""Times the income from which a loan counts as high: lenders may make only about 15% of their loans there."""

LEAST_RISE = 1
"""Points of rise over five years that a lender must allow for, unless the rate is fixed for as long (MCOB 11.6.18R)."""

CAREFUL_RISE = 3
"""Points of rise that the Bank of England had lenders test with until 1 August 2022."""

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
    Source(
        title="Financial Conduct Authority: limit at 4.5 times income, and the 3-point test until August 2022",
        address="https://www.fca.org.uk/firms/fpcs-mortgage-market-recommendation",
        since="2014",
    ),
)


def affordable_payment(income: Amount, commitments: Amount) -> Amount:
    """Return the payment a month that a yearly income leaves room for beside the monthly commitments, 0 or more."""
    return maximum(income * DEBT_SHARE / 100 / MONTHS - commitments, 0)


def loan_paid_by(payment: Amount, rate: Amount, *, term: Amount) -> Amount:
    """Return the repayment loan that a monthly payment repays over a term."""
    return payment / monthly_payment(1, rate, term)
