"""Saving a deposit: the months it takes, with interest and the bonus of a Lifetime ISA."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from broker.calculators.calculator import (
    LEFT_OUT,
    MAX_AGE,
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
from broker.lending.arithmetic import Amount, Text, choose, logarithm, maximum, minimum, rounded_up, shared, to_pennies
from broker.lending.lending_rules import (
    AGES,
    LISA_BONUS,
    LISA_LIMIT,
    LISA_MONTHS,
    LISA_PRICE,
    PAID_BEFORE,
    may_pay_in,
    months_of_bonus,
)
from broker.lending.money import exact_pounds, percent, pounds, pounds_and_pence, years_and_months
from broker.lending.mortgage import MONTH_TOLERANCE, MONTHS

LISA, LISA_OPEN = "lisa", "lisaOpen"
"""The names of the checkboxes for a Lifetime ISA, and for one that was opened 12 months ago or more."""

MAX_MONTHS = 100 * MONTHS

_NOTE = Note(
    title="A Lifetime ISA has conditions",
    text=f"It is for a first home of up to £450,000, bought with a mortgage, twelve months or more after the first "
    f"payment. {AGES}. Money taken out for anything else loses 25%. Interest elsewhere is counted free of tax.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """Savings that grow by `paid` and a bonus each month, and by interest at a yearly rate in percent.

    The bonus is added for the first `bonus_months`, and may be spent after `wait` months or more.
    """

    goal: Amount
    saved: Amount
    paid: Amount
    bonus: Amount
    bonus_months: Amount
    wait: Amount
    rate: Amount

    def after(self, months: Amount) -> Amount:
        helped = minimum(months, self.bonus_months)
        return self._grown(self._grown(self.saved, self.paid + self.bonus, helped), self.paid, months - helped)

    def bonus_after(self, months: Amount) -> Amount:
        return self.bonus * minimum(months, self.bonus_months)

    def _grown(self, saved: Amount, added: Amount, months: Amount) -> Amount:
        monthly = self.rate / 1200
        return choose(
            self.rate == 0,
            lambda: saved + added * months,
            lambda: saved * (1 + monthly) ** months + added * ((1 + monthly) ** months - 1) / monthly,
        )

    @property
    def is_growing(self) -> Amount:
        return (self.paid > 0) | ((self.rate > 0) & (self.saved > 0))

    @property
    def months(self) -> Amount:
        """Return the whole months until the goal is reached, `MAX_MONTHS` + 1 if it takes longer."""

        def counted() -> Amount:
            helped = shared(self._months_from(self.saved, self.paid + self.bonus))
            later = self._months_from(shared(self.after(self.bonus_months)), self.paid)
            months = choose(helped <= self.bonus_months, lambda: helped, lambda: self.bonus_months + later)
            return minimum(maximum(months, self.wait), MAX_MONTHS + 1)

        growing = choose(self.is_growing, counted, lambda: MAX_MONTHS + 1)
        return choose(self.saved >= self.goal, lambda: 0, lambda: growing)

    def _months_from(self, saved: Amount, added: Amount) -> Amount:
        monthly = self.rate / 1200
        exact = choose(
            self.rate == 0,
            lambda: (self.goal - saved) / added,
            lambda: logarithm((self.goal * monthly + added) / (saved * monthly + added)) / logarithm(1 + monthly),
        )
        return rounded_up(minimum(exact, MAX_MONTHS + 1) - MONTH_TOLERANCE)


def saving(values: Mapping[str, Amount]) -> Saving:
    """Return the savings of a calculator's values, with a Lifetime ISA's bonus if it can be spent in time."""
    paid, is_open = values["monthly"], values[LISA_OPEN]
    bonus = shared(minimum(paid, LISA_LIMIT / MONTHS) * LISA_BONUS)
    helped = Saving(
        goal=values["goal"],
        saved=values["saved"],
        paid=paid,
        bonus=bonus,
        bonus_months=shared(months_of_bonus(values["age"], MAX_MONTHS)),
        wait=choose(is_open, lambda: 0, lambda: LISA_MONTHS),
        rate=values["rate"],
    )
    plain = replace(helped, bonus=0, wait=0)
    is_paid = values[LISA] & (values["price"] <= LISA_PRICE) & may_pay_in(values["age"], is_open=is_open)
    has_bonus = shared(is_paid & (helped.months <= plain.months))
    return replace(
        helped,
        bonus=shared(choose(has_bonus, lambda: bonus, lambda: 0)),
        wait=shared(choose(has_bonus, lambda: helped.wait, lambda: 0)),
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
            "Each month you pay in " + exact_pounds(found.paid) + ". " + _bonus_step(values, found),
            _goal_step(found),
            "In that time: " + pounds_and_pence(own) + " of your own, " + _gains(bonus, interest),
        ),
        bars=(
            Bar(label="Your own money", figure=pounds(own), size=own, tone=Tone.OWN),
            Bar(label="Lifetime ISA bonus", figure=pounds(bonus), size=bonus, tone=Tone.NEW),
            Bar(label="Interest", figure=pounds(interest), size=interest, tone=Tone.NEXT),
        ),
        note=_NOTE,
        chart=savings_chart(found, found.goal, months=counted, label="Deposit"),
    )


def _parts(found: Saving, months: Amount) -> tuple[Amount, Amount, Amount]:
    """Return the sum paid in, the bonus and the interest after a number of months, to the penny."""
    own, bonus = shared(to_pennies(found.saved + found.paid * months)), shared(to_pennies(found.bonus_after(months)))
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


def _bonus_step(values: Mapping[str, Amount], found: Saving) -> Text:
    too_soon = choose(
        (found.bonus == 0) & (found.paid > 0),
        lambda: (
            f"No Lifetime ISA bonus: a new account may buy a home after {LISA_MONTHS} months, and you are there before."
        ),
        lambda: "The bonus adds " + exact_pounds(found.bonus) + bonus_rule(found, values["age"]) + ".",
    )
    too_old = choose(
        may_pay_in(values["age"], is_open=values[LISA_OPEN]),
        lambda: too_soon,
        lambda: f"No Lifetime ISA bonus at your age. {AGES}.",
    )
    too_dear = choose(
        values["price"] > LISA_PRICE,
        lambda: "No Lifetime ISA bonus, as the home costs more than " + pounds(LISA_PRICE) + ".",
        lambda: too_old,
    )
    return choose(values[LISA], lambda: too_dear, lambda: "No Lifetime ISA bonus.")


def bonus_rule(found: Saving, age: Amount) -> Text:
    """Say how a bonus is worked out, until when it is paid and from when it may be spent; the amount goes before."""
    until = choose(age == 0, lambda: "", lambda: f" until you are {PAID_BEFORE}")
    wait = f", and a new account may buy a home after {LISA_MONTHS} months"
    rule = f", 25% of at most {pounds(LISA_LIMIT)} a year" + until
    return rule + choose(found.wait > 0, lambda: wait, lambda: "")


def savings_chart(found: Saving, goal: Amount, *, months: Amount, label: str) -> LineChart:
    """Return a chart of savings up to a goal that they reach in so many months, at least one year long."""
    span = shared(maximum(rounded_up(months / MONTHS), 1))

    def so_far(month: Amount) -> Amount:
        return minimum(found.after(month), goal)

    return LineChart(
        subject="savings",
        years=span,
        highest=goal,
        start=minimum(found.saved, goal),
        end=so_far(span * MONTHS),
        lines=(
            Line(label="Saved", tone=Tone.OWN, value_at=so_far),
            Line(label=label, tone=Tone.NEXT, value_at=lambda _: goal),
        ),
    )


CALCULATOR = Calculator(
    slug="deposit",
    title="Saving a deposit",
    subtitle="How long it takes, with interest and a Lifetime ISA",
    group=Group.BUYING,
    order=5,
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
        Field(
            name="age",
            label="Your age, for a Lifetime ISA",
            default=0,
            unit=Unit.YEARS,
            high=80,
            max_value=MAX_AGE,
            hint=LEFT_OUT,
        ),
    ),
    checkboxes=(
        Checkbox(name=LISA, label="I save in a Lifetime ISA for my first home"),
        Checkbox(name=LISA_OPEN, label="I opened it 12 months ago or more"),
    ),
)
