"""Remortgage saving: the payment at the rate now against the payment at a new one (specification 9)."""

from __future__ import annotations

from collections.abc import Mapping

from broker.domain.arithmetic import Amount, Text, choose, maximum
from broker.domain.calculators.calculator import Bar, Calculator, DebtChart, DebtLine, Note, Working
from broker.domain.calculators.repayment import loan_field, rate_field, term_field
from broker.domain.money import decimals, percent, pounds, pounds_and_pence
from broker.domain.mortgage import MONTHS, balance_after, monthly_payment

EARLY_REPAYMENT = Note(
    title="Check for an early repayment charge",
    text="If you leave during a fixed deal your lender may charge one. It is not in this figure.",
)


def monthly_saving(loan: Amount, current_rate: Amount, new_rate: Amount, years: Amount) -> Amount:
    """Return the payment at the current rate less the payment at the new one, pounds a month; negative if dearer."""
    return monthly_payment(loan, current_rate, years) - monthly_payment(loan, new_rate, years)


def _work(values: Mapping[str, Amount]) -> Working:
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
        bars=_bars(("Now, " + percent(now_rate), now), ("New, " + percent(new_rate), new)),
        note=EARLY_REPAYMENT,
        chart=DebtChart(
            loan=loan,
            years=term,
            lines=tuple(_debt(label, values, rate) for label, rate in (("Rate now", now_rate), ("New rate", new_rate))),
        ),
    )


def _bars(now: tuple[Text, Amount], new: tuple[Text, Amount]) -> tuple[Bar, ...]:
    return (
        Bar(label=now[0], figure=pounds_and_pence(now[1]), size=now[1], accent=True),
        Bar(label=new[0], figure=pounds_and_pence(new[1]), size=new[1]),
    )


def _debt(label: str, values: Mapping[str, Amount], rate: Amount) -> DebtLine:
    return DebtLine(label=label, owed=lambda month: balance_after(values["loan"], rate, values["term"], month))


REMORTGAGE = Calculator(
    slug="remortgage",
    title="Remortgage saving",
    subtitle="Your rate now against a new one",
    group="cost",
    work=_work,
    fields=(
        loan_field("Loan left"),
        rate_field("currentRate", "Rate now", default=5.99),
        rate_field("newRate", "New rate", default=4),
        term_field(35),
    ),
)
