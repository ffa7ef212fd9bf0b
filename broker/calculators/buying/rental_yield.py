"""Rental yield: a year's rent as a share of the price, before and after costs, and what is left of it."""

from collections.abc import Mapping

from broker.calculators.calculator import (
    MIN_POUNDS,
    Bar,
    Calculator,
    Field,
    Group,
    Note,
    Table,
    Tone,
    Working,
    rate_field,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, shared, to_pennies
from broker.lending.money import exact_percent, exact_pounds, percent
from broker.lending.mortgage import MONTHS

_NOTE = Note(
    title="Before tax, and with nobody moving out",
    text="A home stands empty between tenants, and repairs come in lumps. Landlords pay income tax on the rent, with "
    "20% of the mortgage interest taken off the bill. Stamp duty and legal costs are not in these figures.",
)


def _calculate(values: Mapping[str, Amount]) -> Working:
    price, costs, loan = values["price"], values["costs"], values["loan"]
    yearly = shared(to_pennies(values["rent"] * MONTHS))
    interest = shared(to_pennies(loan * values["rate"] / 100))
    net, left = shared(to_pennies(yearly - costs)), shared(to_pennies(yearly - costs - interest))
    gross = percent(yearly / maximum(price, MIN_POUNDS) * 100)
    return Working(
        label="Gross yield",
        figure=gross,
        caption=_caption(costs, net, price=price),
        steps=(
            "A year’s rent: " + exact_pounds(values["rent"]) + " x 12 = " + exact_pounds(yearly) + ".",
            "Gross yield: " + exact_pounds(yearly) + " / " + exact_pounds(price) + " x 100 = " + gross + ".",
            "Rent less costs: " + exact_pounds(yearly) + " − " + exact_pounds(costs) + _result(net),
            "Interest: " + exact_pounds(loan) + " at " + exact_percent(values["rate"]) + _result(interest),
            "Left after interest: " + _amount(left) + ".",
        ),
        bars=(
            Bar(label="Rent", figure=exact_pounds(yearly), size=yearly, tone=Tone.OWN),
            Bar(label="Costs", figure=exact_pounds(costs), size=costs, tone=Tone.COST),
            Bar(label="Mortgage interest", figure=exact_pounds(interest), size=interest),
        ),
        note=_NOTE,
        table=_table(values, (yearly, net, left)),
    )


def _caption(costs: Amount, net: Amount, *, price: Amount) -> Text:
    return choose(
        net < 0,
        lambda: "But the costs are more than the rent",
        lambda: _yield(net, price) + " after costs of " + exact_pounds(costs) + " a year",
    )


def _table(values: Mapping[str, Amount], amounts: tuple[Amount, Amount, Amount]) -> Table:
    """Return the rent, what costs leave of it and what interest leaves of that, each with its yield."""
    yearly, net, left = amounts
    price, cash = values["price"], maximum(values["price"] - values["loan"], 0)
    return Table(
        caption="A year, before tax",
        heads=("What you have", "Amount", "As a yield"),
        rows=(
            ("Rent, of the price", exact_pounds(yearly), _yield(yearly, price)),
            ("After costs, of the price", _amount(net), _yield(net, price)),
            ("After interest, of your cash", _amount(left), _yield(left, cash)),
        ),
    )


def _result(amount: Amount) -> Text:
    return choose(amount < 0, lambda: ", so you are ", lambda: " = ") + _amount(amount) + "."


def _amount(amount: Amount) -> Text:
    return choose(amount < 0, lambda: exact_pounds(0 - amount) + " short", lambda: exact_pounds(amount))


def _yield(amount: Amount, of: Amount) -> Text:
    return choose((amount < 0) | (of == 0), lambda: "None", lambda: percent(amount / of * 100))


CALCULATOR = Calculator(
    slug="rental-yield",
    title="Rental yield",
    subtitle="What the rent earns on the price and on your cash",
    group=Group.BUYING,
    order=30,
    calculate=_calculate,
    guide="buy-to-let-basics",
    keywords=("buy to let", "landlord", "return", "gross", "net", "profit"),
    fields=(
        Field(
            name="price", label="Price", default=200_000, low=50_000, high=1_000_000, step=5_000, min_value=MIN_POUNDS
        ),
        Field(name="rent", label="Monthly rent", default=1_000, high=5_000, step=10),
        Field(
            name="costs", label="Costs a year", default=2_500, high=20_000, step=100, hint="Agent, repairs, insurance"
        ),
        Field(name="loan", label="Mortgage", default=150_000, high=750_000, step=1_000),
        rate_field("rate", "Mortgage rate", default=5.5),
    ),
)
