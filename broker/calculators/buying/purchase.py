"""Buying a home in England or Northern Ireland: the monthly payment, and cash for the deposit and stamp duty."""

from collections.abc import Mapping

from broker.calculators.buying.stamp_duty import FIRST_HOME_RULE
from broker.calculators.calculator import (
    MIN_POUNDS,
    Calculator,
    Field,
    Group,
    Note,
    Table,
    Working,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, to_pennies
from broker.lending.loan_to_value import ltv_text
from broker.lending.money import exact_percent, exact_pounds, pounds_and_pence, years
from broker.lending.mortgage import monthly_payment
from broker.lending.property_tax import sdlt, sdlt_additional, sdlt_first_time

MARKET_RATE = 4.92
"""The example rate in percent: the average two-year fix at 75% loan to value, Bank of England, August 2026."""

_NOTE = Note(
    title="Keep some money back",
    text="Legal work, a survey and moving come on top. Scotland and Wales have a tax of their own. " + FIRST_HOME_RULE,
)
_BANDS = (
    "Stamp duty is charged on each slice of the price: nothing to £125,000, 2% to £250,000, 5% to £925,000. "
    "On a first home: nothing to £300,000 and 5% to £500,000, if it costs no more than that.",
    "On a further home, every slice is charged 5 points more.",
)


def _calculate(values: Mapping[str, Amount]) -> Working:
    price, deposit, rate, term = (values[name] for name in ("price", "deposit", "rate", "term"))
    paid, loan = to_pennies(deposit), to_pennies(maximum(price - deposit, 0))
    answer = pounds_and_pence(monthly_payment(loan, rate, term))
    taxes = (
        ("A first home", sdlt_first_time(price)),
        ("Moving home", sdlt(price)),
        ("A further home", sdlt_additional(price)),
    )
    return Working(
        label="You would pay each month",
        figure=answer,
        caption=_caption(loan, price, rate, term),
        table=Table(
            caption="Cash to have ready: the deposit and stamp duty",
            heads=("You are buying", "Stamp duty", "Cash in all"),
            rows=tuple((name, exact_pounds(tax), exact_pounds(paid + tax)) for name, tax in taxes),
        ),
        note=_NOTE,
        steps=(
            choose(
                loan == 0,
                lambda: "Loan: £0, as the deposit of " + exact_pounds(deposit) + " covers the price.",
                lambda: (
                    "Loan: " + exact_pounds(price) + " − " + exact_pounds(deposit) + " = " + exact_pounds(loan) + "."
                ),
            ),
            "Payment: " + answer + " a month over " + years(term) + " at " + exact_percent(rate) + ".",
            *_BANDS,
        ),
    )


def _caption(loan: Amount, price: Amount, rate: Amount, term: Amount) -> Text:
    return choose(
        loan == 0,
        lambda: "Your deposit covers the price, so there is no loan",
        lambda: (
            exact_pounds(loan)
            + " over "
            + years(term)
            + " at an example "
            + exact_percent(rate)
            + ", "
            + ltv_text(loan, price)
            + " loan to value"
        ),
    )


CALCULATOR = Calculator(
    slug="buying",
    title="Buying a home",
    subtitle="The payment, and the cash to have ready",
    group=Group.COST,
    order=15,
    calculate=_calculate,
    keywords=("deposit", "stamp duty", "price", "cash"),
    fields=(
        Field(
            name="price", label="Price", default=400_000, low=50_000, high=1_000_000, step=5_000, min_value=MIN_POUNDS
        ),
        Field(name="deposit", label="Deposit", default=40_000, low=10_000, high=500_000, step=1_000),
        rate_field("rate", "Interest rate", default=MARKET_RATE),
        term_field(40),
    ),
)
