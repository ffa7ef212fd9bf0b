"""Remortgage saving: the payment at today's rate against the payment at a new one (specification 9)."""

from collections.abc import Mapping
from dataclasses import replace

from broker.calculators.calculator import (
    EXAMPLE_RATE,
    Calculator,
    Group,
    Line,
    LineChart,
    Note,
    Tone,
    Working,
    debt_chart,
    loan_field,
    rate_bar,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, absolute, choose, to_pennies
from broker.lending.money import exact_percent, pounds, pounds_and_pence, years
from broker.lending.mortgage import MONTHS, balance_after, monthly_payment

FOLLOW_ON_RATE = 6.58
"""The average reversion rate in percent: Bank of England, August 2026."""

_NOTE = Note(
    title="Check for an early repayment charge",
    text="If you leave during a fixed deal your lender may charge one. It is not in this figure.",
)


def monthly_saving(loan: Amount, current_rate: Amount, new_rate: Amount, years: Amount) -> Amount:
    """Return the payment at the current rate less that at the new one, both to the penny; negative if dearer."""
    return _payment(loan, current_rate, years) - _payment(loan, new_rate, years)


def _payment(loan: Amount, rate: Amount, years: Amount) -> Amount:
    return to_pennies(monthly_payment(loan, rate, years))


def _calculate(values: Mapping[str, Amount]) -> Working:
    loan, now_rate, new_rate, term, next_rate = (values[field.name] for field in _FIELDS)
    now, new, following = (_payment(loan, rate, term) for rate in (now_rate, new_rate, next_rate))
    saving = monthly_saving(loan, now_rate, new_rate, term)
    a_year = pounds(absolute(saving) * MONTHS) + " a year"
    before = choose(saving == 0, lambda: "Before", lambda: a_year + ", before") + " fees and charges. "
    return Working(
        label=_outcome(saving),
        figure=pounds_and_pence(choose(saving == 0, lambda: now, lambda: absolute(saving))),
        per="a month",
        caption=before + _compared(following - new, next_rate),
        steps=(
            _step("At ", now_rate, now, term=term),
            _step("At ", new_rate, new, term=term),
            _difference(saving, a_year),
            _step("Once your deal ends, at ", next_rate, following, term=term),
        ),
        bars=(
            rate_bar("Now, ", now_rate, now, tone=Tone.NOW),
            rate_bar("New, ", new_rate, new, tone=Tone.NEW),
            rate_bar("Once your deal ends, ", next_rate, following, tone=Tone.NEXT),
        ),
        note=_NOTE,
        chart=_chart(loan, now_rate, new_rate, term),
    )


def _outcome(saving: Amount) -> Text:
    less = choose(saving > 0, lambda: "You could pay less by", lambda: "You would pay the same")
    return choose(saving < 0, lambda: "You would pay more by", lambda: less)


def _difference(saving: Amount, a_year: Text) -> Text:
    a_month = pounds_and_pence(absolute(saving)) + " a month"
    return choose(
        saving == 0, lambda: "Difference: none.", lambda: "Difference: " + a_month + ", about " + a_year + "."
    )


def _step(start: str, rate: Amount, payment: Amount, *, term: Amount) -> Text:
    return start + exact_percent(rate) + " over " + years(term) + ": " + pounds_and_pence(payment) + " a month."


def _compared(saving: Amount, next_rate: Amount) -> Text:
    """Compare the new payment with that at the rate after the deal; `saving` is negative if the new one is higher."""
    than = choose(saving < 0, lambda: " a month more than ", lambda: " a month less than ")
    gap = choose(saving == 0, lambda: "the same as at ", lambda: pounds_and_pence(absolute(saving)) + than)
    return "It is " + gap + exact_percent(next_rate) + ", the rate after your deal."


def _chart(loan: Amount, now_rate: Amount, new_rate: Amount, term: Amount) -> LineChart:
    return debt_chart(
        loan,
        term,
        Line(label="Rate now", tone=Tone.NOW, value_at=lambda month: balance_after(loan, now_rate, term, month)),
        Line(label="New rate", tone=Tone.NEW, value_at=lambda month: balance_after(loan, new_rate, term, month)),
    )


_FIELDS = (
    loan_field("Loan left"),
    rate_field("currentRate", "Rate now", default=EXAMPLE_RATE),
    rate_field("newRate", "New rate", default=4),
    term_field(35),
    replace(
        rate_field("followOnRate", "Rate after your deal ends", default=FOLLOW_ON_RATE),
        hint="Your lender’s standard variable rate",
    ),
)

CALCULATOR = Calculator(
    slug="remortgage",
    title="Remortgage saving",
    subtitle="Your rate now, and the one it turns into, against a new one",
    group=Group.COST,
    order=20,
    calculate=_calculate,
    fields=_FIELDS,
)
