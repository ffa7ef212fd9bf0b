"""The saving of a plan to buy in words: what for, until when, and the savings month by month."""

from collections.abc import Mapping

from broker.calculators.buying.deposit import bonus_rule
from broker.calculators.calculator import Line, LineChart, Tone
from broker.lending.arithmetic import Amount, Text, choose, maximum, minimum, rounded_up, shared
from broker.lending.money import decimals, exact_pounds, pounds, years_and_months
from broker.lending.mortgage import MONTHS
from broker.plans.buying import MAX_MONTHS, Goal
from broker.plans.months import THIS_MONTH, month_after, month_name


def ready_by(goal: Goal, values: Mapping[str, Amount]) -> Text:
    """Return when the savings are there, as a sentence without its full stop."""
    pace = "At " + exact_pounds(goal.saving.paid) + " a month"
    bonus = choose(goal.has_bonus, lambda: " and the Lifetime ISA bonus", lambda: "")
    day = month_name(values[THIS_MONTH] + minimum(goal.months, MAX_MONTHS))
    return choose(
        goal.months > MAX_MONTHS,
        lambda: pace + f" that takes more than {years_and_months(MAX_MONTHS)}: try a larger amount",
        lambda: pace + bonus + ", you have it by " + day + ", in " + years_and_months(goal.months),
    )


def saving_words(goal: Goal, values: Mapping[str, Amount]) -> Text:
    """Return what to save for, and until when."""
    more = "Save " + exact_pounds(goal.target - goal.saving.saved) + " more and you "
    return choose(
        goal.target > goal.saving.saved,
        lambda: (
            more
            + choose(
                goal.band > 0,
                lambda: "reach " + decimals(goal.band, 0) + "% loan to value, the next band of rates. ",
                lambda: "have the cash for this plan. ",
            )
            + ready_by(goal, values)
            + "."
        ),
        lambda: "You have the cash for this plan, and a larger deposit reaches no lower band of rates.",
    )


def saving_step(goal: Goal, values: Mapping[str, Amount]) -> Text:
    """Return the sum behind the date."""
    saved, paid = goal.saving.saved, exact_pounds(goal.saving.paid)
    left = exact_pounds(goal.target) + " − " + pounds(saved) + " = " + exact_pounds(goal.target - saved)
    rule = bonus_rule(goal.saving, values["age"])
    bonus = choose(goal.has_bonus, lambda: " and " + exact_pounds(goal.saving.bonus) + " of bonus" + rule, lambda: "")
    return "Saving: " + left + " to save, at " + paid + " a month" + bonus + ". No interest is counted."


def saving_chart(goal: Goal, values: Mapping[str, Amount]) -> LineChart:
    """Return the savings month by month, up to the goal."""
    saving = goal.saving
    span = shared(maximum(rounded_up(minimum(goal.months, MAX_MONTHS) / MONTHS), 1))

    def so_far(month: Amount) -> Amount:
        return minimum(saving.after(month), goal.target)

    return LineChart(
        subject="savings",
        years=span,
        highest=goal.target,
        start=minimum(saving.saved, goal.target),
        end=so_far(span * MONTHS),
        lines=(
            Line(label="Saved", tone=Tone.OWN, value_at=so_far),
            Line(label="Goal", tone=Tone.NEXT, value_at=lambda _: goal.target),
        ),
        title=saving_words(goal, values),
        month_name=month_after(values[THIS_MONTH]),
    )
