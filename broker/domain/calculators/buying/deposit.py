"""Saving a deposit: the months until it is there, with interest and the bonus of a Lifetime ISA.

Source of the Lifetime ISA's limits: gov.uk, "Lifetime ISA".
"""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.domain.arithmetic import Amount, Text, choose, logarithm, maximum, minimum, rounded_up, shared, to_pennies
from broker.domain.calculators.calculator import (
    MAX_RATE,
    MIN_POUNDS,
    Bar,
    Calculator,
    Checkbox,
    Field,
    Group,
    Line,
    LineChart,
    Note,
    Tone,
    Unit,
    Working,
)
from broker.domain.lending.mortgage import MONTH_TOLERANCE, MONTHS
from broker.domain.money import exact_pounds, percent, pounds, pounds_and_pence, years_and_months

LISA = "lisa"
LISA_LIMIT = 4_000
"""The most, in pounds, that may be paid into a Lifetime ISA in a tax year."""
LISA_BONUS = 0.25
LISA_PRICE = 450_000
"""The most that the first home may cost."""

MAX_MONTHS = 100 * MONTHS

_NOTE = Note(
    title="A Lifetime ISA has conditions",
    text="It is for a first home of up to £450,000, bought with a mortgage, twelve months or more after the first "
    "payment. You must open it from 18 to 39. Money taken out for anything else loses 25%. Interest elsewhere is "
    "counted free of tax.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """Savings that grow by `paid` and a bonus each month, and by interest at a yearly rate in percent."""

    goal: Amount
    saved: Amount
    paid: Amount
    bonus: Amount
    rate: Amount

    def after(self, months: Amount) -> Amount:
        """Return the savings after a number of months."""
        monthly, added = self.rate / 1200, self.paid + self.bonus
        return choose(
            self.rate == 0,
            lambda: self.saved + added * months,
            lambda: self.saved * (1 + monthly) ** months + added * ((1 + monthly) ** months - 1) / monthly,
        )

    @property
    def is_growing(self) -> Amount:
        """Return whether anything is added."""
        return (self.paid > 0) | ((self.rate > 0) & (self.saved > 0))

    @property
    def months(self) -> Amount:
        """Return the whole months until the goal is reached, above `MAX_MONTHS` where it takes longer."""

        def counted() -> Amount:
            return rounded_up(minimum(self._exact_months(), MAX_MONTHS + 1) - MONTH_TOLERANCE)

        growing = choose(self.is_growing, counted, lambda: MAX_MONTHS + 1)
        return choose(self.saved >= self.goal, lambda: 0, lambda: growing)

    def _exact_months(self) -> Amount:
        monthly, added = self.rate / 1200, self.paid + self.bonus
        return choose(
            self.rate == 0,
            lambda: (self.goal - self.saved) / added,
            lambda: logarithm((self.goal * monthly + added) / (self.saved * monthly + added)) / logarithm(1 + monthly),
        )


def saving(values: Mapping[str, Amount]) -> Saving:
    """Return the savings of a calculator's values, with the bonus where the home is cheap enough for one."""
    paid = values["monthly"]
    bonus = shared(minimum(paid, LISA_LIMIT / MONTHS) * LISA_BONUS)
    is_paid = values[LISA] & (values["price"] <= LISA_PRICE)
    return Saving(
        goal=values["goal"],
        saved=values["saved"],
        paid=paid,
        bonus=shared(choose(is_paid, lambda: bonus, lambda: 0)),
        rate=values["rate"],
    )


def _calculate(values: Mapping[str, Amount]) -> Working:
    found = saving(values)
    months = shared(found.months)
    is_reached = shared(months <= MAX_MONTHS)
    counted = shared(choose(is_reached, lambda: months, lambda: 0))
    own, bonus, interest = _parts(found, counted)
    return Working(
        label=choose(is_reached, lambda: "You would have your deposit in", lambda: "You would not have it within"),
        figure=_time(months, is_reached=is_reached),
        caption=_caption(values, months, is_reached=is_reached),
        steps=(
            "Each month you pay in " + exact_pounds(found.paid) + ". " + _bonus_step(values, found.bonus),
            _goal_step(found),
            "In that time: " + pounds_and_pence(own) + " of your own, " + _gains(bonus, interest),
        ),
        bars=(
            Bar(label="Your own money", figure=pounds(own), size=own, tone=Tone.OWN),
            Bar(label="Lifetime ISA bonus", figure=pounds(bonus), size=bonus, tone=Tone.NEW),
            Bar(label="Interest", figure=pounds(interest), size=interest, tone=Tone.NEXT),
        ),
        note=_NOTE,
        chart=_chart(found, counted),
    )


def _parts(found: Saving, months: Amount) -> tuple[Amount, Amount, Amount]:
    """Return what is paid in, the bonus and the interest after a number of months, to the penny."""
    own, bonus = shared(to_pennies(found.saved + found.paid * months)), shared(to_pennies(found.bonus * months))
    return own, bonus, shared(maximum(to_pennies(to_pennies(found.after(months)) - own - bonus), 0))


def _time(months: Amount, *, is_reached: Amount) -> Text:
    needed = choose(months == 0, lambda: "No time at all", lambda: years_and_months(months))
    return choose(is_reached, lambda: needed, lambda: years_and_months(MAX_MONTHS))


def _gains(bonus: Amount, interest: Amount) -> Text:
    return pounds_and_pence(bonus) + " of bonus and " + pounds_and_pence(interest) + " of interest, added monthly."


def _goal_step(found: Saving) -> Text:
    less = exact_pounds(found.goal) + " − " + exact_pounds(found.saved)
    return choose(
        found.saved < found.goal,
        lambda: "To save: " + less + " = " + exact_pounds(found.goal - found.saved) + ".",
        lambda: "Nothing is left to save.",
    )


def _caption(values: Mapping[str, Amount], months: Amount, *, is_reached: Amount) -> Text:
    goal, price = values["goal"], values["price"]
    share = pounds(goal) + " is " + percent(goal / maximum(price, MIN_POUNDS) * 100) + " of a home at " + pounds(price)
    there = choose(months == 0, lambda: "You have it already: ", lambda: "")
    return choose(is_reached, lambda: there + share, lambda: "Try a larger amount each month: " + share)


def _bonus_step(values: Mapping[str, Amount], bonus: Amount) -> Text:
    too_dear = choose(
        values["price"] > LISA_PRICE,
        lambda: "No Lifetime ISA bonus, as the home costs more than " + pounds(LISA_PRICE) + ".",
        lambda: "The bonus adds " + exact_pounds(bonus) + ", 25% of at most £4,000 a year.",
    )
    return choose(values[LISA], lambda: too_dear, lambda: "No Lifetime ISA bonus.")


def _chart(found: Saving, months: Amount) -> LineChart:
    span = shared(maximum(rounded_up(months / MONTHS), 1))

    def so_far(month: Amount) -> Amount:
        return minimum(found.after(month), found.goal)

    return LineChart(
        subject="savings",
        years=span,
        highest=found.goal,
        start=minimum(found.saved, found.goal),
        end=so_far(span * MONTHS),
        lines=(
            Line(label="Saved", tone=Tone.OWN, value_at=so_far),
            Line(label="Deposit", tone=Tone.NEXT, value_at=lambda _: found.goal),
        ),
    )


CALCULATOR = Calculator(
    slug="deposit",
    title="Saving a deposit",
    subtitle="How long it takes, with interest and a Lifetime ISA",
    group=Group.BUYING,
    order=20,
    calculate=_calculate,
    guide="saving-for-a-deposit",
    keywords=("save", "LISA", "bonus", "first home", "how long"),
    fields=(
        Field(
            name="goal",
            label="Deposit you need",
            default=30_000,
            low=5_000,
            high=150_000,
            step=500,
            min_value=MIN_POUNDS,
        ),
        Field(
            name="price",
            label="Price of the home",
            default=250_000,
            low=50_000,
            high=600_000,
            step=5_000,
            min_value=MIN_POUNDS,
        ),
        Field(name="saved", label="Saved so far", default=5_000, high=100_000, step=500),
        Field(name="monthly", label="You save each month", default=400, high=3_000, step=10),
        Field(
            name="rate",
            label="Interest on savings",
            default=4,
            unit=Unit.PERCENT,
            high=8,
            step=0.01,
            max_value=MAX_RATE,
            hint="A year",
        ),
    ),
    checkboxes=(Checkbox(name=LISA, label="I save in a Lifetime ISA for my first home"),),
)
