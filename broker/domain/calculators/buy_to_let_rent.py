"""Buy-to-let rent: the rent that a lender would expect (specification 9)."""

from collections.abc import Mapping

from broker.domain.arithmetic import Amount, maximum
from broker.domain.calculators.buy_to_let import MIN_DEPOSIT, deposit_used, monthly_rent
from broker.domain.calculators.calculator import Bar, Calculator, Field, Group, Tone, Working
from broker.domain.money import exact_pounds, pounds_and_pence


def _calculate(values: Mapping[str, Amount]) -> Working:
    value, deposit = values["value"], values["deposit"]
    used, least = deposit_used(value, deposit), MIN_DEPOSIT * value
    loan, rent = maximum(value - used, 0), monthly_rent(value, deposit)
    return Working(
        label="Rent needed each month",
        figure=pounds_and_pence(rent),
        caption="6% a year of the " + exact_pounds(loan) + " you would borrow",
        steps=(
            "Deposit used: the larger of "
            + exact_pounds(deposit)
            + " and 20% of "
            + exact_pounds(value)
            + " ("
            + exact_pounds(least)
            + "), so "
            + exact_pounds(used)
            + ".",
            "Loan: " + exact_pounds(value) + " − " + exact_pounds(used) + " = " + exact_pounds(loan) + ".",
            "Rent: 6% x " + exact_pounds(loan) + " / 12 = " + pounds_and_pence(rent) + ".",
        ),
        bars=(
            Bar(label="Deposit", figure=exact_pounds(used), size=used, tone=Tone.OWN),
            Bar(label="Loan", figure=exact_pounds(loan), size=loan),
        ),
    )


CALCULATOR = Calculator(
    slug="buy-to-let-rent",
    title="Buy-to-let rent",
    subtitle="The rent a lender would expect",
    group=Group.COST,
    order=30,
    calculate=_calculate,
    fields=(
        Field(name="value", label="Property value", default=5_000, low=5_000, high=1_000_000, step=1_000),
        Field(
            name="deposit",
            label="Deposit",
            default=1_000,
            low=1_000,
            high=500_000,
            step=500,
            hint="At least 20% of the value is used",
        ),
    ),
)
