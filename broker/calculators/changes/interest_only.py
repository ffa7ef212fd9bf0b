"""Interest-only against repayment: the payment each month, the interest in all, and what is owed at the end."""

from collections.abc import Mapping

from broker.calculators.calculator import (
    EXAMPLE_RATE,
    Bar,
    Calculator,
    Group,
    Line,
    LineChart,
    Note,
    Table,
    Tone,
    Working,
    debt_chart,
    loan_field,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, shared, to_pennies, to_pounds
from broker.lending.money import decimals, exact_percent, exact_pounds, pounds, pounds_and_pence, years
from broker.lending.mortgage import MONTHS, balance_after, interest_only_payment, monthly_payment

_NOTE = Note(
    title="An interest-only loan must be paid back in full at the end",
    text="Lenders want to see how you will do that, such as savings, investments or selling another property, and "
    "usually lend a smaller share of the value. If your plan falls short, you may have to sell your home.",
)


def _calculate(values: Mapping[str, Amount]) -> Working:
    loan, rate, term = values["loan"], values["rate"], values["term"]
    repayment = shared(to_pennies(monthly_payment(loan, rate, term)))
    only = shared(to_pennies(interest_only_payment(loan, rate)))
    gap = to_pennies(repayment - only)
    interest = shared(to_pounds(maximum(monthly_payment(loan, rate, term) * term * MONTHS - loan, 0)))
    all_interest = shared(to_pounds(interest_only_payment(loan, rate) * term * MONTHS))
    return Working(
        label="Interest-only would cost",
        figure=pounds_and_pence(only),
        per="a month",
        caption="And you would still owe " + exact_pounds(loan) + " after " + years(term),
        tiles=(
            (pounds_and_pence(gap), "less a month than repayment"),
            (pounds(maximum(all_interest - interest, 0)), "more interest in all"),
        ),
        steps=(
            "Repayment at " + exact_percent(rate) + " over " + years(term) + ": " + _monthly(repayment),
            "Interest-only: " + exact_pounds(loan) + " x " + exact_percent(rate) + " / 12 = " + _monthly(only),
            "Difference: " + pounds_and_pence(repayment) + " − " + pounds_and_pence(only) + " = " + _monthly(gap),
            _own_plan(loan, term),
        ),
        bars=(
            Bar(label="Repayment", figure=pounds_and_pence(repayment), size=repayment, tone=Tone.NOW),
            Bar(label="Interest-only", figure=pounds_and_pence(only), size=only, tone=Tone.NEW),
        ),
        table=_table(loan, (repayment, interest), only=(only, all_interest)),
        note=_NOTE,
        chart=_chart(values),
    )


def _own_plan(loan: Amount, term: Amount) -> Text:
    payments = decimals(term * MONTHS, 0)
    return "Putting the loan aside by then: " + exact_pounds(loan) + " / " + payments + _equals(loan / (term * MONTHS))


def _equals(amount: Amount) -> Text:
    return " = " + _monthly(amount)


def _table(loan: Amount, repayment: tuple[Amount, Amount], *, only: tuple[Amount, Amount]) -> Table:
    """Compare both kinds, each given as its payment and its total interest in whole pounds."""
    return Table(
        caption="Over the whole term, at the same rate",
        heads=("You pay", "Repayment", "Interest-only"),
        rows=(
            ("Each month", pounds_and_pence(repayment[0]), pounds_and_pence(only[0])),
            ("Interest in all", pounds(repayment[1]), pounds(only[1])),
            ("Owed at the end", "£0", exact_pounds(loan)),
            ("Paid in all", exact_pounds(loan + repayment[1]), exact_pounds(loan + only[1])),
        ),
    )


def _monthly(amount: Amount) -> Text:
    return pounds_and_pence(amount) + " a month."


def _chart(values: Mapping[str, Amount]) -> LineChart:
    loan, rate, term = values["loan"], values["rate"], values["term"]
    return debt_chart(
        loan,
        term,
        Line(label="Repayment", tone=Tone.NOW, value_at=lambda month: balance_after(loan, rate, term, month)),
        Line(
            label="Interest-only",
            tone=Tone.NEW,
            value_at=lambda month: choose(month < term * MONTHS, lambda: loan, lambda: 0),
        ),
    )


CALCULATOR = Calculator(
    slug="interest-only",
    title="What does interest-only cost?",
    subtitle="What each costs a month and in all",
    group=Group.CHANGES,
    order=40,
    calculate=_calculate,
    guide="repayment-or-interest-only",
    keywords=("interest only", "capital repayment", "compare"),
    fields=(
        loan_field("Loan", default=200_000),
        rate_field("rate", "Interest rate", default=EXAMPLE_RATE),
        term_field(40),
    ),
)
