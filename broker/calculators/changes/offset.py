"""Offset against saving: a year's interest with savings set against the loan, and with savings that are taxed.

Sources: gov.uk, "Tax on savings interest"; income tax rates of 2026/27.
"""

from collections.abc import Mapping

from broker.calculators.calculator import (
    MAX_RATE,
    Bar,
    Calculator,
    Choice,
    Field,
    Group,
    Note,
    Table,
    Tone,
    Unit,
    Working,
    loan_field,
    rate_field,
)
from broker.lending.arithmetic import Amount, Text, absolute, choose, looked_up, maximum, shared, to_pennies
from broker.lending.money import exact_percent, exact_pounds, halves, percent, pounds_and_pence

TAX: Mapping[str, tuple[float, float]] = {
    "none": (0, 0),
    "basic": (20, 1_000),
    "higher": (40, 500),
    "additional": (45, 0),
}
"""The rate of tax on savings interest, in percent, and the interest that is free of it, in pounds a year."""

_NOTE = Note(
    title="A year at today’s balances",
    text="Interest in an ISA is free of tax: choose “I pay no tax on it”. From April 2027 tax on savings interest goes "
    "up by two points. Savings in an offset account stay yours to use.",
)


def tax_on_interest(interest: Amount, payer: Text) -> Amount:
    """Return the tax on a year's savings interest beyond what is free of it, in pounds."""
    row = looked_up(payer, TAX)
    return maximum(interest - row[1], 0) * row[0] / 100


def _calculate(values: Mapping[str, Amount]) -> Working:
    loan, savings, payer = values["loan"], values["savings"], values["tax"]
    charged = maximum(loan - savings, 0)
    offset = shared(to_pennies(charged * values["offsetRate"] / 100))
    plain = shared(to_pennies(loan * values["rate"] / 100))
    gross = shared(to_pennies(savings * values["savingsRate"] / 100))
    net = shared(to_pennies(gross - to_pennies(tax_on_interest(gross, payer))))
    gain = shared(to_pennies(plain - net - offset))
    return Working(
        label=_winner(gain),
        figure=pounds_and_pence(absolute(gain)),
        per="a year",
        caption="With " + exact_pounds(savings) + " against a loan of " + exact_pounds(loan),
        steps=(
            "Offset: interest on " + _product(charged, values["offsetRate"], interest=offset),
            "Without: interest on " + _product(loan, values["rate"], interest=plain),
            "Savings earn " + _product(savings, values["savingsRate"], interest=gross),
            _tax_step(payer, gross - net, net=net),
            _difference(gain, plain, net=net, offset=offset),
        ),
        bars=_bars(offset, plain, net=net),
        note=_NOTE,
        table=_by_taxpayer(gross, values["savingsRate"]),
    )


def _bars(offset: Amount, plain: Amount, *, net: Amount) -> tuple[Bar, ...]:
    return (
        Bar(label="Offset: mortgage interest", figure=pounds_and_pence(offset), size=offset, tone=Tone.NEW),
        Bar(label="Without: mortgage interest", figure=pounds_and_pence(plain), size=plain, tone=Tone.NOW),
        Bar(label="Savings interest after tax", figure=pounds_and_pence(net), size=net, tone=Tone.OWN),
    )


def _winner(gain: Amount) -> Text:
    saving = choose(gain < 0, lambda: "Saving would leave you better off by", lambda: "Both come to the same")
    return choose(gain > 0, lambda: "Offset would leave you better off by", lambda: saving)


def _difference(gain: Amount, plain: Amount, *, net: Amount, offset: Amount) -> Text:
    same = choose(gain == 0, lambda: " is the same as ", lambda: " is less than ")
    compared = choose(gain > 0, lambda: " is more than ", lambda: same)
    return (
        "Without, less what savings earn: "
        + pounds_and_pence(plain)
        + " − "
        + pounds_and_pence(net)
        + compared
        + pounds_and_pence(offset)
        + " with an offset."
    )


def _product(amount: Amount, rate: Amount, *, interest: Amount) -> Text:
    return exact_pounds(amount) + " at " + exact_percent(rate) + " = " + pounds_and_pence(interest) + "."


def _tax_step(payer: Text, tax: Amount, *, net: Amount) -> Text:
    row = looked_up(payer, TAX)
    return choose(
        row[0] == 0,
        lambda: "No tax on that, so you keep " + pounds_and_pence(net) + ".",
        lambda: (
            "Tax of "
            + halves(row[0])
            + "% above "
            + exact_pounds(row[1])
            + ": "
            + pounds_and_pence(tax)
            + ", so you keep "
            + pounds_and_pence(net)
            + "."
        ),
    )


def _by_taxpayer(gross: Amount, rate: Amount) -> Table:
    def row(payer: str) -> tuple[Text, ...]:
        kept = shared(to_pennies(gross - to_pennies(tax_on_interest(gross, payer))))
        share = choose(gross == 0, lambda: rate, lambda: rate * kept / gross)
        return _PAYERS[payer], pounds_and_pence(kept), percent(share)

    return Table(
        caption="What you keep of the savings interest",
        heads=("You pay", "You keep", "Rate after tax"),
        rows=tuple(row(payer) for payer in TAX),
    )


_PAYERS = {"none": "No tax on it", "basic": "Basic rate", "higher": "Higher rate", "additional": "Additional rate"}

_OPTIONS = (
    ("none", "I pay no tax on it"),
    ("basic", "Basic rate, 20%"),
    ("higher", "Higher rate, 40%"),
    ("additional", "Additional rate, 45%"),
)

CALCULATOR = Calculator(
    slug="offset",
    title="Offset or saving?",
    subtitle="Savings set against your mortgage, or in an account",
    group=Group.CHANGES,
    order=50,
    calculate=_calculate,
    guide="overpaying-your-mortgage",
    keywords=("offset mortgage", "savings interest", "tax", "personal savings allowance"),
    fields=(
        loan_field("Loan left", default=200_000),
        Field(name="savings", label="Savings", default=20_000, high=200_000, step=500),
        rate_field("offsetRate", "Offset mortgage rate", default=5.2),
        rate_field("rate", "Rate without offset", default=4.9),
        Field(
            name="savingsRate",
            label="Savings rate",
            default=4,
            unit=Unit.PERCENT,
            high=8,
            step=0.01,
            max_value=MAX_RATE,
        ),
    ),
    choices=(
        Choice(name="tax", group="Tax", label="How is your savings interest taxed?", default="basic", options=_OPTIONS),
    ),
)
