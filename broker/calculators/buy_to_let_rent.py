"""Buy-to-let rent: the rent that a lender would expect (specification 9)."""

from collections.abc import Mapping

from broker.calculators.buy_to_let import MIN_DEPOSIT, deposit_used, monthly_rent
from broker.calculators.calculator import MIN_POUNDS, Bar, Calculator, Field, Group, Tone, Working
from broker.lending.arithmetic import Amount, Text, choose, maximum, to_pennies
from broker.lending.money import exact_pounds, pounds_and_pence


def _calculate(values: Mapping[str, Amount]) -> Working:
    value, deposit = values["value"], values["deposit"]
    used, least = to_pennies(deposit_used(value, deposit)), MIN_DEPOSIT * value
    loan, rent = maximum(value - used, 0), monthly_rent(value, deposit)
    return Working(
        label="Rent needed each month",
        figure=pounds_and_pence(rent),
        caption=_caption(loan),
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
            _loan_step(value, used),
            "Rent: 6% x " + exact_pounds(loan) + " / 12 = " + pounds_and_pence(rent) + ".",
        ),
        bars=(
            Bar(label="Deposit", figure=exact_pounds(used), size=used, tone=Tone.OWN),
            Bar(label="Loan", figure=exact_pounds(loan), size=loan),
        ),
    )


def _caption(loan: Amount) -> Text:
    return choose(
        loan == 0,
        lambda: "Your deposit covers the value, so there is no loan",
        lambda: "6% a year of the " + exact_pounds(loan) + " you would borrow",
    )


def _loan_step(value: Amount, used: Amount) -> Text:
    less = exact_pounds(value) + " − " + exact_pounds(used)
    return choose(
        value > used,
        lambda: "Loan: " + less + " = " + exact_pounds(value - used) + ".",
        lambda: (
            "Loan: £0, as the deposit of " + exact_pounds(used) + " covers the value of " + exact_pounds(value) + "."
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
        Field(
            name="value",
            label="Property value",
            default=5_000,
            low=5_000,
            high=1_000_000,
            step=1_000,
            min_value=MIN_POUNDS,
        ),
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
