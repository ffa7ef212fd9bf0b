"""Early repayment charge: the rate below which it pays to leave a fixed deal before it ends."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.calculators.calculator import (
    EXAMPLE_RATE,
    MIN_POUNDS,
    Bar,
    Calculator,
    Field,
    Group,
    Note,
    Tone,
    Unit,
    Working,
    charge_field,
    loan_field,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, minimum, shared, to_pennies
from broker.lending.money import exact_percent, exact_pounds, percent, pounds_and_pence, years
from broker.lending.mortgage import MONTHS
from broker.rates.costs import CostTerms

_STEPS = 16
"""Iterations towards the rate to beat: each removes over nine tenths of the error at rates up to 25%."""

_LEAST = 0.01
"""The lowest rate to beat in percent; below it, no rate makes up for the charge."""

_NOTE = Note(
    title="Ask what leaving would cost on the day",
    text="Your lender’s redemption statement has the exact charge. Many deals can be left free of it in their last "
    "months, and some can be taken to a new home. The charge and fees are counted as paid from savings.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Leaving a fixed deal: amounts in pounds, rates in percent, `months` to the end of the deal, `term` in years."""

    loan: Amount
    rate: Amount
    months: Amount
    term: Amount
    cost: Amount

    def interest(self, rate: Amount) -> Amount:
        """Return the interest until the deal would have ended, for each pound of the loan."""
        return CostTerms(rate=rate, fees=0, months=self.months, years=self.term).true_cost(1)

    @property
    def aim(self) -> Amount:
        """Return the interest a pound at which a new deal costs the same; negative if no rate is low enough."""
        return self.interest(self.rate) - self.cost / maximum(self.loan, MIN_POUNDS)

    @property
    def has_rate(self) -> Amount:
        return self.aim > _LEAST * self.months / 1200

    @property
    def rate_to_beat(self) -> Amount:
        """Return the rate at which leaving and staying cost the same: interest is nearly in proportion to its rate."""
        aim = shared(maximum(self.aim, _LEAST * self.months / 1200))
        rate = maximum(self.rate, _LEAST)
        for _ in range(_STEPS):
            rate = shared(rate * aim / self.interest(rate))
        return rate


def leaving(values: Mapping[str, Amount]) -> Leaving:
    loan, term = values["loan"], values["term"]
    cost = to_pennies(loan * values["charge"] / 100) + values["fees"]
    return Leaving(
        loan=loan, rate=values["rate"], months=minimum(values["left"], term) * MONTHS, term=term, cost=shared(cost)
    )


def _calculate(values: Mapping[str, Amount]) -> Working:
    deal, new_rate = leaving(values), values["newRate"]
    has_rate, beat = shared(deal.has_rate), shared(deal.rate_to_beat)
    stay = shared(to_pennies(deal.loan * deal.interest(deal.rate)))
    new = shared(to_pennies(deal.loan * deal.interest(new_rate)))
    leave = shared(to_pennies(new + deal.cost))
    return Working(
        label=choose(has_rate, lambda: "Leaving pays below a rate of", lambda: "No rate makes up for the charge"),
        figure=choose(has_rate, lambda: percent(beat), lambda: "None"),
        caption=_verdict(new_rate, stay, leave=leave),
        steps=(
            _cost_step(deal, values),
            "Stay" + _interest(deal.rate) + " for " + years(deal.months / MONTHS) + ": " + pounds_and_pence(stay) + ".",
            "Leave" + _interest(new_rate) + ": " + pounds_and_pence(new) + _with_cost(leave),
            choose(
                has_rate,
                lambda: "Both cost the same at " + percent(beat) + ".",
                lambda: "Even without interest, leaving would cost " + exact_pounds(deal.cost) + ".",
            ),
        ),
        bars=(
            Bar(label="Stay", figure=pounds_and_pence(stay), size=stay, tone=Tone.NOW),
            Bar(label="Leave, charge and fees included", figure=pounds_and_pence(leave), size=leave, tone=Tone.NEW),
        ),
        note=_NOTE,
    )


def _interest(rate: Amount) -> Text:
    return ": interest at " + exact_percent(rate)


def _with_cost(leave: Amount) -> Text:
    return ", and with the charge and fees " + pounds_and_pence(leave) + "."


def _cost_step(deal: Leaving, values: Mapping[str, Amount]) -> Text:
    fees = values["fees"]
    charge = exact_percent(values["charge"]) + " of " + exact_pounds(deal.loan) + " = " + exact_pounds(deal.cost - fees)
    return "Charge: " + charge + ", and with fees of " + exact_pounds(fees) + ": " + exact_pounds(deal.cost) + "."


def _verdict(new_rate: Amount, stay: Amount, *, leave: Amount) -> Text:
    gap = pounds_and_pence(to_pennies(maximum(stay - leave, leave - stay)))
    dearer = choose(leave == stay, lambda: "the same as staying", lambda: gap + " more than staying")
    outcome = choose(leave < stay, lambda: gap + " less than staying", lambda: dearer)
    return "At " + exact_percent(new_rate) + ", leaving now would cost " + outcome


CALCULATOR = Calculator(
    slug="early-repayment-charge",
    title="Early repayment charge",
    subtitle="Is it worth leaving your fix? The rate to beat",
    group=Group.CHANGES,
    order=30,
    calculate=_calculate,
    guide="early-repayment-charges-explained",
    keywords=("ERC", "leave your fix", "exit", "break even", "redemption", "switch early"),
    fields=(
        loan_field("Loan left", default=200_000),
        rate_field("rate", "Rate now", default=EXAMPLE_RATE),
        Field(
            name="left",
            label="Left of your deal",
            default=2,
            unit=Unit.YEARS,
            low=1,
            high=10,
            min_value=1,
            max_value=10,
        ),
        term_field(40),
        charge_field("charge", "Early repayment charge", default=2, hint="Of the loan left; your offer has it"),
        Field(name="fees", label="Fees of the new deal", default=999, high=3_000, step=1),
        rate_field("newRate", "Rate you could have", default=4),
    ),
)
