"""Remortgage saving: the payment at today's rate against the payment at a new one (specification 9)."""

from collections.abc import Mapping

from broker.domain.arithmetic import Amount, choose, maximum
from broker.domain.calculators.calculator import (
    Bar,
    Calculator,
    Group,
    Line,
    LineChart,
    Note,
    Working,
    debt_chart,
    loan_field,
    rate_field,
    term_field,
)
from broker.domain.money import decimals, percent, pounds, pounds_and_pence
from broker.domain.mortgage import MONTHS, balance_after, monthly_payment

EARLY_REPAYMENT = Note(
    title="Check for an early repayment charge",
    text="If you leave during a fixed deal your lender may charge one. It is not in this figure.",
)


def monthly_saving(loan: Amount, current_rate: Amount, new_rate: Amount, years: Amount) -> Amount:
    """Return the payment at the current rate less that at the new one, in pounds a month; negative if dearer."""
    return monthly_payment(loan, current_rate, years) - monthly_payment(loan, new_rate, years)


def _calculate(values: Mapping[str, Amount]) -> Working:
    loan, now_rate, new_rate, term = (values[name] for name in ("loan", "currentRate", "newRate", "term"))
    now, new = monthly_payment(loan, now_rate, term), monthly_payment(loan, new_rate, term)
    saving = monthly_saving(loan, now_rate, new_rate, term)
    size = maximum(saving, 0 - saving)
    over = " over " + decimals(term, 0) + " years"
    return Working(
        label=choose(saving < 0, lambda: "You would pay more by", lambda: "You could pay less by"),
        figure=pounds_and_pence(size),
        per="a month",
        caption=pounds(size * MONTHS) + " a year, before any fees or early repayment charge",
        steps=(
            "At " + percent(now_rate) + over + ": " + pounds_and_pence(now) + " a month.",
            "At " + percent(new_rate) + over + ": " + pounds_and_pence(new) + " a month.",
            "Difference: " + pounds_and_pence(size) + " a month, about " + pounds(size * MONTHS) + " a year.",
        ),
        bars=(
            Bar(label="Now, " + percent(now_rate), figure=pounds_and_pence(now), size=now, accent=True),
            Bar(label="New, " + percent(new_rate), figure=pounds_and_pence(new), size=new),
        ),
        note=EARLY_REPAYMENT,
        chart=_chart(loan, now_rate, new_rate, term),
    )


def _chart(loan: Amount, now_rate: Amount, new_rate: Amount, term: Amount) -> LineChart:
    return debt_chart(
        loan,
        term,
        Line(label="Rate now", value_at=lambda month: balance_after(loan, now_rate, term, month)),
        Line(label="New rate", value_at=lambda month: balance_after(loan, new_rate, term, month)),
    )


CALCULATOR = Calculator(
    slug="remortgage",
    title="Remortgage saving",
    subtitle="Your rate now against a new one",
    group=Group.COST,
    order=20,
    calculate=_calculate,
    fields=(
        loan_field("Loan left"),
        rate_field("currentRate", "Rate now", default=5.99),
        rate_field("newRate", "New rate", default=4),
        term_field(35),
    ),
)
