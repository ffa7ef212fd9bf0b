"""The remortgage plan's working, step by step, and what to do about inputs that do not fit together."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.domain.days import month_of, month_text
from broker.lending.arithmetic import Amount, Text, choose, shared, to_pennies
from broker.lending.loan_to_value import ltv_text
from broker.lending.money import exact, exact_percent, exact_pounds, pounds_and_pence, years_and_months
from broker.plans.remortgage import PERCENT, Remortgage

NO_DATE = "Enter the date your deal ends. Until then we count six months from today."

PAST = (
    "That date has passed, so your deal has ended. Enter the rate you pay now: it may be the follow-on rate already. "
    "You can switch today, and the plan counts no charge."
)

NOTHING_LEFT = "Your deal lasts as long as your loan, so there is nothing to switch. Check the years left."

CHARGE_TOO_HIGH = (
    "The charge is above what you owe. Check whether your offer gives it in pounds or as a percentage. Until then we "
    "count a charge of all that you owe."
)

NEGATIVE_EQUITY = (
    "You owe more than your home is worth. Few lenders take over such a loan, but your own may offer you a new rate. "
    "Talk to us well before your deal ends."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payments:
    """Monthly payments: today's, those after the deal at the follow-on and at the new rate, and the new one today."""

    now: Amount
    follow_on: Amount
    new: Amount
    new_now: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The costs of doing nothing, of switching when the deal ends, and of switching now."""

    nothing: Amount
    at_end: Amount
    now: Amount


def month_after(plan: Remortgage, months: Amount) -> Text:
    """Return the name of the month that is so many after today's."""
    return month_text(month_of(plan.today) + months)


def steps(plan: Remortgage, payments: Payments, *, named: Text, costs: tuple[Costs, Costs]) -> tuple[Text, ...]:
    """Return the working; `named` is the new deal, `costs` are over two and over five years."""
    owed, rest = pounds_and_pence(plan.owed_at_end), years_and_months(plan.months - plan.left)
    at_end = owed + " is left then, " + ltv_text(plan.owed_at_end, plan.value) + " of " + exact_pounds(plan.value) + "."
    today = exact_pounds(plan.balance) + " at " + exact_percent(plan.rate) + " over " + years_and_months(plan.months)
    paid = exact(plan.left) + choose(plan.left == 1, lambda: " payment", lambda: " payments")
    follow_on = owed + " at " + exact_percent(plan.follow_on) + " over " + rest
    two, five = costs
    return (
        "Today: " + today + ": " + _a_month(payments.now),
        "Your deal ends after " + paid + ", in " + month_after(plan, plan.left) + ". " + at_end,
        "Do nothing: " + follow_on + ": " + _a_month(payments.follow_on),
        "Switch: " + owed + " with " + named + " over " + rest + ": " + _a_month(payments.new),
        _leaving(plan),
        "Costs are interest, fees and charge. What pays off the loan is left out: it is yours as a smaller debt.",
        _compared("two years", two),
        _compared("five years", five),
        "Cheapest month: the five years are worked out for leaving after each payment until your deal ends, with the "
        "charge before then, and the lowest is taken.",
    )


def _a_month(payment: Amount) -> Text:
    return pounds_and_pence(payment) + " a month."


def _leaving(plan: Remortgage) -> Text:
    charge, fees = shared(plan.charge(0)), plan.new.fees
    paid = "a charge of " + exact_pounds(charge) + " and fees of " + exact_pounds(fees)
    return "Leaving now: " + paid + " make " + exact_pounds(to_pennies(charge + fees)) + "."


def _compared(over: str, costs: Costs) -> Text:
    nothing, at_end, now = (pounds_and_pence(each) for each in (costs.nothing, costs.at_end, costs.now))
    return "Over " + over + ": doing nothing " + nothing + ", switching at the end " + at_end + ", now " + now + "."


def sentences(plan: Remortgage, values: Mapping[str, Amount]) -> tuple[Text, ...]:
    """Return a sentence for each thing that does not fit together, empty where it does."""
    typed = choose(values["charge"] == PERCENT, lambda: 0, lambda: values["chargePounds"])
    found = (
        (values["end"] == 0, NO_DATE),
        ((values["end"] > 0) & (values["end"] < plan.today), PAST),
        (plan.left >= plan.months, NOTHING_LEFT),
        (typed > plan.balance, CHARGE_TOO_HIGH),
        (plan.balance > plan.value, NEGATIVE_EQUITY),
    )
    return tuple(_if(condition, sentence) for condition, sentence in found)


def _if(condition: Amount, sentence: str) -> Text:
    return choose(condition, lambda: sentence, lambda: "")
