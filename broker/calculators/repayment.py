"""Monthly repayment: the payment on a repayment mortgage, and the balance over the years (specification 9)."""

from collections.abc import Mapping

from broker.calculators.calculator import (
    EXAMPLE_RATE,
    Calculator,
    Group,
    Line,
    Working,
    debt_chart,
    loan_field,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, choose, maximum, to_pounds
from broker.lending.money import decimals, exact_percent, exact_pounds, halves, pounds, pounds_and_pence
from broker.lending.mortgage import MONTHS, balance_after, monthly_payment


def _calculate(values: Mapping[str, Amount]) -> Working:
    loan, rate, term = values["loan"], values["rate"], values["term"]
    monthly, months = monthly_payment(loan, rate, term), term * MONTHS
    total, count, answer = monthly * months, decimals(months, 0), pounds_and_pence(monthly)
    interest = maximum(to_pounds(total) - loan, 0)
    formula = "Payment = loan x rate / (1 − (1 + rate) to the power of −" + count + ") = " + answer + "."
    return Working(
        label="You would pay each month",
        figure=answer,
        caption=pounds(total) + " in all, of which " + exact_pounds(interest) + " is interest",
        steps=(
            "Monthly rate: " + exact_percent(rate) + " / 12 = " + decimals(rate / MONTHS, 6) + "%.",
            "Payments: " + halves(term) + " x 12 = " + count + ".",
            choose(
                rate == 0,
                lambda: "At 0% there is no interest: " + exact_pounds(loan) + " / " + count + " = " + answer + ".",
                lambda: formula,
            ),
            "In all: " + count + " payments come to " + pounds_and_pence(total) + ", before rounding each.",
        ),
        chart=debt_chart(
            loan, term, Line(label="Left to pay", value_at=lambda month: balance_after(loan, rate, term, month))
        ),
    )


CALCULATOR = Calculator(
    slug="repayment",
    title="Monthly repayment",
    subtitle="For a repayment mortgage",
    group=Group.COST,
    order=10,
    calculate=_calculate,
    fields=(loan_field("Loan"), rate_field("rate", "Interest rate", default=EXAMPLE_RATE), term_field(40)),
)
