"""Monthly repayment: what a loan costs a month, and what is owed as the years go by (specification 9)."""

from __future__ import annotations

from collections.abc import Mapping

from broker.domain.arithmetic import Amount, choose, maximum
from broker.domain.calculators.calculator import Calculator, DebtChart, DebtLine, Field, Unit, Working
from broker.domain.money import decimals, exact_pounds, percent, pounds, pounds_and_pence
from broker.domain.mortgage import MONTHS, balance_after, monthly_payment

MAX_RATE = 25


def rate_field(name: str, label: str, *, default: float) -> Field:
    """Return a field for a yearly rate: slider from 1% to 8% in hundredths (specification 5)."""
    return Field(
        name=name, label=label, default=default, unit=Unit.PERCENT, low=1, high=8, step=0.01, least=0, most=MAX_RATE
    )


def term_field(high: int) -> Field:
    """Return a field for a term: slider from 5 years to `high` (specification 5); the box takes 1 to 40."""
    return Field(name="term", label="Term", default=25, unit=Unit.YEARS, low=5, high=high, least=1, most=40)


def loan_field(label: str, *, default: float = 50_000) -> Field:
    """Return a field for a loan: slider from £50,000 to £1,000,000, default £50,000 (specification 9)."""
    return Field(name="loan", label=label, default=default, low=50_000, high=1_000_000, step=1_000)


def _work(values: Mapping[str, Amount]) -> Working:
    loan, rate, term = values["loan"], values["rate"], values["term"]
    monthly, months = monthly_payment(loan, rate, term), term * MONTHS
    whole, count, answer = monthly * months, decimals(months, 0), pounds_and_pence(monthly)
    formula = "Payment = loan x rate / (1 − (1 + rate) to the power of −" + count + ") = " + answer + "."
    return Working(
        label="You would pay each month",
        figure=answer,
        caption=pounds(whole) + " in all, of which " + pounds(maximum(whole - loan, 0)) + " is interest",
        steps=(
            "Monthly rate: " + percent(rate) + " / 12 = " + decimals(rate / MONTHS, 6) + "%.",
            "Payments: " + decimals(term, 0) + " x 12 = " + count + ".",
            choose(
                rate == 0,
                lambda: "At 0% there is no interest: " + exact_pounds(loan) + " / " + count + " = " + answer + ".",
                lambda: formula,
            ),
            "In all: " + count + " payments come to " + pounds_and_pence(whole) + ", before rounding each.",
        ),
        chart=DebtChart(
            loan=loan,
            years=term,
            lines=(DebtLine(label="Left to pay", owed=lambda month: balance_after(loan, rate, term, month)),),
        ),
    )


REPAYMENT = Calculator(
    slug="repayment",
    title="Monthly repayment",
    subtitle="For a repayment mortgage",
    group="cost",
    work=_work,
    fields=(loan_field("Loan"), rate_field("rate", "Interest rate", default=5.99), term_field(40)),
)
