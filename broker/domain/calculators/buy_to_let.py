"""Buy to let: the rent a lender would expect, and the loan a rent supports (specification 9)."""

from __future__ import annotations

from collections.abc import Mapping

from broker.domain.arithmetic import Amount, Text, choose, maximum, minimum
from broker.domain.calculators.calculator import Bar, Calculator, Field, Note, Tick, Working
from broker.domain.money import exact_pounds, percent, pounds, pounds_and_pence

MIN_DEPOSIT = 0.2
RENT_RATE = 0.06
COVER = 1.2
COVER_RATE = 5
MAX_LTV = 0.75
STRICT_COVER = 1.45
STRICT_RATE = 5.5


def deposit_used(value: Amount, deposit: Amount) -> Amount:
    """Return the deposit that the rent is worked out with: at least 20% of the value (specification 9)."""
    return maximum(deposit, MIN_DEPOSIT * value)


def monthly_rent(value: Amount, deposit: Amount) -> Amount:
    """Return 6% x (value - deposit) / 12, pounds a month, with the deposit at least 20% of the value, never below 0."""
    return RENT_RATE * maximum(value - deposit_used(value, deposit), 0) / 12


def rent_limit(rent: Amount) -> Amount:
    """Return 12 x rent / 1.2 / 5 x 100, in pounds: the loan that a monthly rent covers at 120% of 5%."""
    return 12 * rent / COVER / COVER_RATE * 100


def borrowing(rent: Amount, value: Amount, value_unknown: Amount) -> Amount:
    """Return the rent's limit, held to 75% of the value unless the value is unknown, in pounds (specification 9)."""
    return choose(value_unknown, lambda: rent_limit(rent), lambda: minimum(rent_limit(rent), MAX_LTV * value))


def strict_limit(rent: Amount) -> Amount:
    """Return what the rent supports at 145% cover of 5.5%, a common lender's rule for higher-rate taxpayers."""
    return 12 * rent / STRICT_COVER / STRICT_RATE * 100


def _work_rent(values: Mapping[str, Amount]) -> Working:
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
            Bar(label="Deposit", figure=exact_pounds(used), size=used, accent=True),
            Bar(label="Loan", figure=exact_pounds(loan), size=loan),
        ),
    )


def _work_borrowing(values: Mapping[str, Amount]) -> Working:
    rent, value, unknown = values["rent"], values["value"], values["valueUnknown"]
    limit, cap = rent_limit(rent), MAX_LTV * value
    answer = borrowing(rent, value, unknown)
    held = choose(unknown, lambda: False, lambda: limit > cap)
    return Working(
        label="You might borrow up to",
        figure=pounds(answer),
        caption=choose(
            held,
            lambda: "Held to 75% of the " + exact_pounds(value) + " value",
            lambda: "What the rent of the property covers",
        ),
        steps=_borrowing_steps(rent, value, unknown=unknown),
        bars=(
            Bar(label="From the rent", figure=exact_pounds(limit), size=limit, accent=True),
            Bar(label="75% of the value", figure=exact_pounds(cap), size=cap),
        ),
        note=Note(title="Many lenders are stricter", text=_stricter(rent)),
    )


def _borrowing_steps(rent: Amount, value: Amount, *, unknown: Amount) -> tuple[Text, ...]:
    answer, cap = borrowing(rent, value, unknown), MAX_LTV * value
    return (
        "Yearly rent: " + exact_pounds(rent) + " x 12 = " + exact_pounds(12 * rent) + ".",
        "Cover of 120% at 5%: "
        + exact_pounds(12 * rent)
        + " / 1.2 / 5 x 100 = "
        + exact_pounds(rent_limit(rent))
        + ".",
        choose(
            unknown,
            lambda: "The value is not known, so the rent alone decides: " + pounds(answer) + ".",
            lambda: (
                "75% of " + exact_pounds(value) + " = " + exact_pounds(cap) + "; the lower is " + pounds(answer) + "."
            ),
        ),
    )


def _stricter(rent: Amount) -> Text:
    common = "125% to 145% cover at " + percent(STRICT_RATE) + " is common. "
    return common + "At 145% this rent supports about " + pounds(strict_limit(rent)) + "."


RENT = Calculator(
    slug="buy-to-let-rent",
    title="Buy-to-let rent",
    subtitle="The rent a lender would expect",
    group="cost",
    work=_work_rent,
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

BORROWING = Calculator(
    slug="buy-to-let-borrowing",
    title="Buy-to-let borrowing",
    subtitle="From the rent you expect",
    group="borrow",
    work=_work_borrowing,
    fields=(
        Field(name="rent", label="Monthly rent", default=300, low=300, high=4_000, step=10),
        Field(name="value", label="Property value", default=70_000, low=50_000, high=1_000_000, step=1_000),
    ),
    ticks=(Tick(name="valueUnknown", label="I do not know the value yet"),),
)
