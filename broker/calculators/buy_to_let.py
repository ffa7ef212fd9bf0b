"""Buy-to-let borrowing: the loan that a rent supports, and the formulas of buy to let (specification 9)."""

from collections.abc import Mapping

from broker.calculators.calculator import MIN_POUNDS, Bar, Calculator, Checkbox, Field, Group, Note, Working
from broker.lending.arithmetic import Amount, Text, choose, maximum, minimum
from broker.lending.money import exact_pounds, percent, pounds

MIN_DEPOSIT = 0.2
RENT_RATE = 0.06
COVER = 1.2
COVER_RATE = 5
MAX_LTV = 0.75
STRICT_COVER = 1.45
STRICT_RATE = 5.5

VALUE_UNKNOWN = "valueUnknown"
"""The name of the checkbox that leaves out the property's value."""


def deposit_used(value: Amount, deposit: Amount) -> Amount:
    """Return the deposit in pounds for the sum, at least 20% of the value."""
    return maximum(deposit, MIN_DEPOSIT * value)


def monthly_rent(value: Amount, deposit: Amount) -> Amount:
    """Return 6% x (value - deposit used) / 12, in pounds a month, 0 or more."""
    return RENT_RATE * maximum(value - deposit_used(value, deposit), 0) / 12


def rent_limit(rent: Amount) -> Amount:
    """Return 12 x rent / 1.2 / 5 x 100: the loan in pounds that a monthly rent covers at 120% of 5%."""
    return 12 * rent / COVER / COVER_RATE * 100


def borrowing(rent: Amount, value: Amount, value_unknown: Amount) -> Amount:
    """Return the loan in pounds that the rent covers, at most 75% of the value unless the value is unknown."""
    return choose(value_unknown, lambda: rent_limit(rent), lambda: minimum(rent_limit(rent), MAX_LTV * value))


def _strict_limit(rent: Amount) -> Amount:
    """Return the loan in pounds at 145% cover of 5.5%, a common rule for higher-rate taxpayers."""
    return 12 * rent / STRICT_COVER / STRICT_RATE * 100


def _calculate(values: Mapping[str, Amount]) -> Working:
    rent, value, unknown = values["rent"], values["value"], values[VALUE_UNKNOWN]
    limit, cap = rent_limit(rent), MAX_LTV * value
    answer = borrowing(rent, value, unknown)
    is_capped = choose(unknown, lambda: False, lambda: limit > cap)
    return Working(
        label="You might borrow up to",
        figure=pounds(answer),
        caption=choose(
            is_capped,
            lambda: "Held to 75% of the " + exact_pounds(value) + " value",
            lambda: "What the rent of the property covers",
        ),
        steps=_steps(rent, value, unknown=unknown),
        bars=(
            Bar(label="From the rent", figure=exact_pounds(limit), size=limit),
            Bar(label="75% of the value", figure=exact_pounds(cap), size=cap),
        ),
        note=Note(title="Many lenders are stricter", text=_stricter(rent)),
    )


def _steps(rent: Amount, value: Amount, *, unknown: Amount) -> tuple[Text, ...]:
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
    return common + "At 145% this rent supports about " + pounds(_strict_limit(rent)) + "."


CALCULATOR = Calculator(
    slug="buy-to-let-borrowing",
    title="Buy-to-let borrowing",
    subtitle="From the rent you expect",
    group=Group.BORROW,
    order=40,
    calculate=_calculate,
    fields=(
        Field(name="rent", label="Monthly rent", default=300, low=300, high=4_000, step=10, min_value=MIN_POUNDS),
        Field(
            name="value",
            label="Property value",
            default=70_000,
            low=50_000,
            high=1_000_000,
            step=1_000,
            min_value=MIN_POUNDS,
            unless=VALUE_UNKNOWN,
        ),
    ),
    checkboxes=(Checkbox(name=VALUE_UNKNOWN, label="I do not know the value yet"),),
)
