"""Contractor borrowing: from a day rate (specification 9)."""

from collections.abc import Mapping

from broker.calculators.borrow import LENDERS_DECIDE, multiples_table
from broker.calculators.calculator import MIN_POUNDS, Bar, Calculator, Field, Group, Tone, Working
from broker.calculators.self_employed import DAYS_A_WEEK, WEEKS_A_YEAR, contractor
from broker.lending.arithmetic import Amount
from broker.lending.lending_rules import HIGH_SOURCE
from broker.lending.money import exact_pounds


def _calculate(values: Mapping[str, Amount]) -> Working:
    day = values["dayRate"]
    week = day * DAYS_A_WEEK
    year, answer = week * WEEKS_A_YEAR, contractor(day)
    return Working(
        label="You might borrow up to",
        figure=exact_pounds(answer),
        caption="Five times a year of 48 weeks",
        steps=(
            "Week: " + exact_pounds(day) + " x 5 days = " + exact_pounds(week) + ".",
            "Year: " + exact_pounds(week) + " x 48 weeks = " + exact_pounds(year) + ".",
            "Multiply by 5: " + exact_pounds(year) + " x 5 = " + exact_pounds(answer) + ".",
        ),
        bars=(
            Bar(label="A year at this rate", figure=exact_pounds(year), size=year, tone=Tone.OWN),
            Bar(label="Five times that", figure=exact_pounds(answer), size=answer),
        ),
        note=LENDERS_DECIDE,
        table=multiples_table(year),
    )


CALCULATOR = Calculator(
    slug="contractor",
    title="Contractor borrowing",
    subtitle="From your day rate",
    group=Group.BORROW,
    order=30,
    calculate=_calculate,
    sources=(HIGH_SOURCE,),
    fields=(
        Field(
            name="dayRate",
            label="Day rate",
            default=350,
            low=50,
            high=1_500,
            step=5,
            min_value=MIN_POUNDS,
            hint="Before tax",
        ),
    ),
)
