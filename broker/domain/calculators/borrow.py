"""How much could I borrow: five times the incomes (specification 9)."""

from collections.abc import Mapping

from broker.domain.arithmetic import Amount
from broker.domain.calculators.calculator import Bar, Calculator, Field, Group, Note, Working
from broker.domain.money import exact_pounds

MULTIPLE = 5

LENDERS_DECIDE = Note(
    title="Lenders will do their own sums",
    text="This multiple is an illustration, not an offer. A lender looks at your outgoings, your credit history "
    "and how you would manage if rates rose.",
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
        caption="Five times a joint income of " + exact_pounds(total),
        steps=(
            "Add the incomes: "
            + exact_pounds(first)
            + " + "
            + exact_pounds(second)
            + " = "
            + exact_pounds(total)
            + ".",
            "Multiply by 5: " + exact_pounds(total) + " x 5 = " + exact_pounds(answer) + ".",
        ),
        bars=(
            Bar(label="Your income x 5", figure=exact_pounds(first * MULTIPLE), size=first),
            Bar(label="Second income x 5", figure=exact_pounds(second * MULTIPLE), size=second, accent=True),
        ),
        note=LENDERS_DECIDE,
    )


CALCULATOR = Calculator(
    slug="borrow",
    title="How much could I borrow?",
    subtitle="From one or two incomes",
    group=Group.BORROW,
    order=10,
    calculate=_calculate,
    fields=(
        Field(name="income1", label="Your income", default=5_000, high=170_000, step=500, hint="A year, before tax"),
        Field(name="income2", label="Second income", default=0, high=170_000, step=500, hint="A year, before tax"),
    ),
)
