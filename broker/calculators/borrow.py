"""How much could I borrow: five times the incomes (specification 9)."""

from collections.abc import Mapping, Sequence

from broker.calculators.calculator import EXAMPLE_RATE, Bar, Calculator, Field, Group, Note, Table, Working
from broker.lending.arithmetic import Amount, Text, choose
from broker.lending.lending_rules import CAREFUL_RISE, HIGH_LENDING, HIGH_MULTIPLE, HIGH_SOURCE
from broker.lending.money import exact_pounds, percent, pounds
from broker.lending.mortgage import monthly_payment

MULTIPLE = 5
MULTIPLES = (4, HIGH_MULTIPLE, MULTIPLE)
"""The range of most lenders; the highest is the specification's."""

TERM = 25
"""Years of the payments in the table; the repayment calculator starts with as many."""

LENDERS_DECIDE = Note(
    title="Lenders will do their own sums",
    text=f"This multiple is an illustration, not an offer. {HIGH_LENDING} A lender looks at your outgoings, your "
    "credit history and how you would manage if rates rose.",
)


def borrow(income1: Amount, income2: Amount) -> Amount:
    """Return 5 x (income1 + income2), in pounds (specification 9)."""
    return MULTIPLE * (income1 + income2)


def _calculate(values: Mapping[str, Amount]) -> Working:
    first, second = values["income1"], values["income2"]
    total, answer = first + second, borrow(first, second)
    return Working(
        label="You might borrow up to",
        figure=exact_pounds(answer),
        caption=_five_times(second) + exact_pounds(total) + ". " + _high(total),
        steps=(_added(first, second), "Multiply by 5: " + exact_pounds(total) + " x 5 = " + exact_pounds(answer) + "."),
        bars=(
            Bar(label="Your income x 5", figure=exact_pounds(first * MULTIPLE), size=first),
            Bar(label="Second income x 5", figure=exact_pounds(second * MULTIPLE), size=second),
        ),
        note=LENDERS_DECIDE,
        table=multiples_table(total),
    )


def _five_times(second: Amount) -> Text:
    return choose(second == 0, lambda: "Five times an income of ", lambda: "Five times a joint income of ")


def _added(first: Amount, second: Amount) -> Text:
    both = exact_pounds(first) + " + " + exact_pounds(second) + " = " + exact_pounds(first + second)
    return choose(
        second == 0, lambda: "One income: " + exact_pounds(first) + ".", lambda: "Add the incomes: " + both + "."
    )


def _high(income: Amount) -> Text:
    return f"{HIGH_MULTIPLE} times is " + exact_pounds(HIGH_MULTIPLE * income) + "."


def multiples_table(income: Amount, multiples: Sequence[float] = MULTIPLES) -> Table:
    """Return the loan at each multiple of a year's income, in pounds, with its payment now and after a careful rise."""
    return Table(
        caption=f"Each as a monthly payment over {TERM} years, at {percent(EXAMPLE_RATE)}, an example rate, "
        "and three points above it",
        heads=("Times", "Loan", f"At {percent(EXAMPLE_RATE)}", f"At {percent(EXAMPLE_RATE + CAREFUL_RISE)}"),
        rows=tuple(_row(multiple, income) for multiple in multiples),
    )


def _row(multiple: float, income: Amount) -> tuple[Text, ...]:
    loan = multiple * income
    payments = (pounds(monthly_payment(loan, rate, TERM)) for rate in (EXAMPLE_RATE, EXAMPLE_RATE + CAREFUL_RISE))
    return f"{multiple:g}", exact_pounds(loan), *payments


CALCULATOR = Calculator(
    slug="borrow",
    title="How much could I borrow?",
    subtitle="From one or two incomes",
    group=Group.BORROW,
    order=10,
    calculate=_calculate,
    sources=(HIGH_SOURCE,),
    fields=(
        Field(name="income1", label="Your income", default=5_000, high=170_000, step=500, hint="A year, before tax"),
        Field(name="income2", label="Second income", default=0, high=170_000, step=500, hint="A year, before tax"),
    ),
)
