"""The remortgage plan as a calculator: its form, and its answer of three ways on and what each costs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from broker.calculators.calculator import (
    Calculator,
    Choice,
    Field,
    Group,
    Line,
    LineChart,
    Note,
    Table,
    Tone,
    Unit,
    Working,
    charge_field,
    loan_field,
    rate_field,
    term_field,
)
from broker.calculators.remortgage import FOLLOW_ON_RATE
from broker.calculators.view import CalculatorView, FieldView, answer_view, view_of
from broker.lending.arithmetic import Amount, Text, absolute, choose, maximum, minimum, shared, to_pennies, to_pounds
from broker.lending.days import day_text, iso_text, month_of, month_text
from broker.lending.loan_to_value import ltv_text
from broker.lending.money import exact, exact_percent, exact_pounds, pounds, pounds_and_pence, years_and_months
from broker.lending.mortgage import MONTHS
from broker.plans.remortgage import HORIZON, PERCENT, POUNDS, TWO_YEARS, Remortgage, payment, remortgage

SLUG = "remortgaging"

_NO_LENDER = "Not listed"

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

NEVER = "Not within five years"

TABLE_HEADS = (
    "Way on",
    "A month now",
    "A month after your deal",
    "Over two years",
    "Over five years",
    "Ahead of doing nothing",
)

_NOTE = Note(
    title="Ask before you leave",
    text="Your lender’s redemption statement has the exact charge on the day, and many deals can be left free of it in "
    "their last months. Fees and the charge are counted as paid from savings. When the new deal ends, another at the "
    "same rate and fees is counted: nobody knows the rates of that day.",
)

_TABLE_STEP = 1
"""Years from row to row of the chart's table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemortgagePlan:
    """The answer: a working, which way costs least, and `facts`, each a label and a figure.

    `sentences` say what to do about inputs that do not fit together; a sentence is empty where its inputs do. `held`
    says the follow-on rate that we hold for today's lender, and `offer` offers to count it instead of the typed one;
    both may be empty. `has_date` is whether the day to act is in the future.
    """

    working: Working
    verdict: Text
    facts: tuple[tuple[str, Text], ...]
    sentences: tuple[Text, ...]
    held: Text
    offer: Text
    has_date: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class RemortgageView:
    """The parts of a `RemortgagePlan` with its form; `end` is the deal's last day in ISO form, for the reminder."""

    panel: CalculatorView
    verdict: Text
    facts: tuple[tuple[str, Text], ...]
    sentences: tuple[Text, ...]
    held: Text
    offer: Text
    has_date: Any
    end: Text


def remortgage_form(lenders: Mapping[int, str]) -> Calculator:
    """Return the form; `lenders` are the options, by id.

    The calculation also needs the values of the day and of the deal that was found.
    """
    return Calculator(
        slug=SLUG,
        title="Remortgage plan",
        subtitle="When to act, what to ask for, and what doing nothing costs",
        group=Group.CHANGES,
        calculate=lambda values: remortgage_plan(values).working,
        fields=_FIELDS,
        choices=(
            Choice(
                name="lender",
                group="Your lender",
                label="Your lender today",
                default="",
                options=(("", _NO_LENDER), *((str(key), name) for key, name in lenders.items())),
            ),
            Choice(
                name="charge",
                group="If you leave early",
                label="Early repayment charge",
                default=PERCENT,
                options=((PERCENT, "A percentage of the loan"), (POUNDS, "An amount in pounds")),
            ),
        ),
    )


def remortgage_view(form: Calculator, values: Mapping[str, Amount], *, fields: tuple[FieldView, ...]) -> RemortgageView:
    plan = remortgage_plan(values)
    return RemortgageView(
        panel=view_of(form, values, fields=fields, answer=answer_view(plan.working, table_step=_TABLE_STEP)),
        verdict=plan.verdict,
        facts=plan.facts,
        sentences=plan.sentences,
        held=plan.held,
        offer=plan.offer,
        has_date=plan.has_date,
        end=iso_text(remortgage(values).end),
    )


def remortgage_plan(values: Mapping[str, Amount]) -> RemortgagePlan:
    """Return the plan of a form's values, with those of the day and of the deal that was found."""
    plan = remortgage(values)
    named = values["newName"] + " at " + exact_percent(plan.new.rate) + values["newAprc"]
    held, is_counted = values["heldFollowOn"], values["heldFollowOn"] == plan.follow_on
    is_held = (values["lender"] != "") & (held > 0)
    offer = choose(is_counted, lambda: "", lambda: "Count " + exact_percent(held) + " instead")
    return RemortgagePlan(
        working=_working(plan, named, is_example=values["newAprc"] == ""),
        verdict=_verdict(plan),
        facts=_facts(plan),
        sentences=_sentences(plan, values),
        held=choose(is_held, lambda: _held(values["heldWords"], plan, is_counted=is_counted), lambda: ""),
        offer=choose(is_held, lambda: offer, lambda: ""),
        has_date=plan.act_on > plan.today,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Payments:
    """Monthly payments: today's, those after the deal at the follow-on and at the new rate, and the new one today."""

    now: Amount
    follow_on: Amount
    new: Amount
    new_now: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class _Costs:
    """The costs of doing nothing, of switching when the deal ends, and of switching now."""

    nothing: Amount
    at_end: Amount
    now: Amount


def _held(words: Text, plan: Remortgage, *, is_counted: Amount) -> Text:
    own = "your plan counts the " + exact_percent(plan.follow_on) + " in your form."
    return words + ": " + choose(is_counted, lambda: "your plan counts that.", lambda: own)


def _working(plan: Remortgage, named: Text, *, is_example: Amount) -> Working:
    payments = _payments(plan)
    gap, new = shared(to_pennies(payments.follow_on - payments.now)), pounds_and_pence(payments.new)
    change = choose(
        gap == 0,
        lambda: "No change. ",
        lambda: pounds_and_pence(absolute(gap)) + choose(gap < 0, lambda: " less. ", lambda: " more. "),
    )
    best = choose(
        is_example,
        lambda: "With " + named + " it would be " + new,
        lambda: "Today’s best deal would make it " + new + ": " + named,
    )
    return Working(
        label="If you do nothing, your payment would go from " + pounds_and_pence(payments.now) + " to",
        figure=pounds_and_pence(payments.follow_on),
        per="a month",
        caption=change + best,
        steps=_steps(plan, payments, named=named, costs=(_costs(plan, TWO_YEARS), _costs(plan, HORIZON))),
        note=_NOTE,
        chart=_chart(plan),
        table=_table(plan, payments),
    )


def _payments(plan: Remortgage) -> _Payments:
    owed, rest = plan.owed_at_end, plan.rest
    return _Payments(
        now=shared(payment(plan.balance, plan.rate, years=plan.months / MONTHS)),
        follow_on=shared(payment(owed, plan.follow_on, years=rest)),
        new=shared(payment(owed, plan.new.rate, years=rest)),
        new_now=shared(payment(plan.balance, plan.new.rate, years=plan.months / MONTHS)),
    )


def _costs(plan: Remortgage, month: int) -> _Costs:
    return _Costs(
        nothing=shared(plan.doing_nothing(month)),
        at_end=shared(plan.switching(month, leave=plan.left)),
        now=shared(plan.switching(month, leave=0)),
    )


def _verdict(plan: Remortgage) -> Text:
    """Return the way that costs least over five years, and by how much: the differences of the table's whole pounds."""
    costs = _costs(plan, HORIZON)
    nothing, at_end, now = "doing nothing", "switching when your deal ends", "switching now"

    def least(cost: Amount, name: str, *, others: tuple[tuple[Amount, str], tuple[Amount, str]]) -> Text:
        (first, first_name), (second, second_name) = others
        gaps = [pounds(to_pounds(other) - to_pounds(cost)) + " more" for other in (first, second)]
        more = first_name.capitalize() + " costs " + gaps[0] + ", and " + second_name + " " + gaps[1] + "."
        return "Over five years, " + name + " costs least. " + more

    return choose(
        (costs.at_end <= costs.now) & (costs.at_end <= costs.nothing),
        lambda: least(costs.at_end, at_end, others=((costs.now, now), (costs.nothing, nothing))),
        lambda: choose(
            costs.now <= costs.nothing,
            lambda: least(costs.now, now, others=((costs.at_end, at_end), (costs.nothing, nothing))),
            lambda: least(costs.nothing, nothing, others=((costs.at_end, at_end), (costs.now, now))),
        ),
    )


def _facts(plan: Remortgage) -> tuple[tuple[str, Text], ...]:
    leave = plan.cheapest_leave
    month = _month_after(plan, leave)
    early = choose(leave == 0, lambda: "Now", lambda: month)
    when = choose(leave == plan.left, lambda: month + ", when your deal ends", lambda: early)
    act = choose(plan.can_act, lambda: "Now: your deal ends within six months", lambda: day_text(plan.act_on))
    return (
        ("Owed when your deal ends", pounds_and_pence(plan.owed_at_end)),
        ("Loan to value then", ltv_text(plan.owed_at_end, plan.value)),
        ("Time left then", years_and_months(plan.months - plan.left)),
        ("Arrange your next deal from", act),
        ("Cheapest month to leave", when),
        ("Switching now is ahead of doing nothing", _ahead(plan, plan.crossing)),
    )


def _ahead(plan: Remortgage, month: Amount) -> Text:
    return choose(month == 0, lambda: NEVER, lambda: "From " + _month_after(plan, month))


def _table(plan: Remortgage, payments: _Payments) -> Table:
    two, five = _costs(plan, TWO_YEARS), _costs(plan, HORIZON)

    def row(name: str, paid: tuple[Amount, Amount], *, costs: tuple[Amount, Amount], ahead: Text) -> tuple[Text, ...]:
        return (name, *map(pounds_and_pence, paid), *map(pounds, costs), ahead)

    return Table(
        caption="Three ways on, and what each costs in interest, fees and charge",
        heads=TABLE_HEADS,
        rows=(
            row("Do nothing", (payments.now, payments.follow_on), costs=(two.nothing, five.nothing), ahead="–"),
            row(
                "Switch when your deal ends",
                (payments.now, payments.new),
                costs=(two.at_end, five.at_end),
                ahead=_ahead(plan, plan.crossing_at_end),
            ),
            row(
                "Switch now and pay the charge",
                (payments.new_now, payments.new_now),
                costs=(two.now, five.now),
                ahead=_ahead(plan, plan.crossing),
            ),
        ),
    )


def _chart(plan: Remortgage) -> LineChart:
    costs = _costs(plan, HORIZON)
    ways: tuple[tuple[str, Tone, Callable[[Amount], Amount]], ...] = (
        ("Do nothing", Tone.NEXT, plan.doing_nothing),
        ("Switch at the end", Tone.NEW, partial(plan.switching, leave=plan.left)),
        ("Switch now", Tone.NOW, partial(plan.switching, leave=0)),
    )

    def line(label: str, tone: Tone, *, cost_by: Callable[[Amount], Amount]) -> Line:
        # a month that is computed from a fraction of a year is not exactly whole
        return Line(label=label, tone=tone, value_at=lambda month: cost_by((month + 0.5) // 1))

    highest = shared(maximum(maximum(costs.nothing, costs.at_end), costs.now))
    return LineChart(
        subject="cost",
        years=shared(minimum(HORIZON, plan.months) / MONTHS),
        highest=highest,
        start=0,
        end=highest,
        lines=tuple(line(label, tone, cost_by=cost_by) for label, tone, cost_by in ways),
        points=MONTHS,
    )


def _month_after(plan: Remortgage, months: Amount) -> Text:
    return month_text(month_of(plan.today) + months)


def _steps(plan: Remortgage, payments: _Payments, *, named: Text, costs: tuple[_Costs, _Costs]) -> tuple[Text, ...]:
    """Return the working; `named` is the new deal in words, `costs` are those of two and of five years."""
    owed, rest = pounds_and_pence(plan.owed_at_end), years_and_months(plan.months - plan.left)
    at_end = owed + " is left then, " + ltv_text(plan.owed_at_end, plan.value) + " of " + exact_pounds(plan.value) + "."
    today = exact_pounds(plan.balance) + " at " + exact_percent(plan.rate) + " over " + years_and_months(plan.months)
    paid = exact(plan.left) + choose(plan.left == 1, lambda: " payment", lambda: " payments")
    follow_on = owed + " at " + exact_percent(plan.follow_on) + " over " + rest
    two, five = costs
    return (
        "Today: " + today + ": " + _a_month(payments.now),
        "Your deal ends after " + paid + ", in " + _month_after(plan, plan.left) + ". " + at_end,
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


def _compared(over: str, costs: _Costs) -> Text:
    nothing, at_end, now = (pounds_and_pence(each) for each in (costs.nothing, costs.at_end, costs.now))
    return "Over " + over + ": doing nothing " + nothing + ", switching at the end " + at_end + ", now " + now + "."


def _sentences(plan: Remortgage, values: Mapping[str, Amount]) -> tuple[Text, ...]:
    typed = choose(values["charge"] == PERCENT, lambda: 0, lambda: values["chargePounds"])
    found = (
        (values["end"] == 0, NO_DATE),
        ((values["end"] > 0) & (values["end"] < plan.today), PAST),
        (plan.left >= plan.months, NOTHING_LEFT),
        (typed > plan.balance, CHARGE_TOO_HIGH),
        (plan.balance > plan.value, NEGATIVE_EQUITY),
    )
    return tuple(choose(is_wrong, lambda text=text: text, lambda: "") for is_wrong, text in found)


_FIELDS = (
    replace(loan_field("Loan left today", default=200_000), name="balance"),
    replace(loan_field("Value of your home", default=300_000), name="value"),
    replace(term_field(40), label="Years left", default=20),
    rate_field("rate", "Rate today", default=2),
    Field(name="end", label="Your deal ends on", default=0, unit=Unit.DAY, high=0, hint="Your offer has the date"),
    replace(
        rate_field("followOn", "Rate after your deal", default=FOLLOW_ON_RATE),
        hint="Your lender’s follow-on or standard variable rate; your offer has it",
    ),
    replace(
        charge_field("chargePercent", "Of the loan left", default=1, hint="0 if there is none"),
        only_for=f"charge={PERCENT}",
    ),
    Field(
        name="chargePounds",
        label="In pounds",
        default=2_000,
        high=20_000,
        step=50,
        hint="0 if there is none",
        only_for=f"charge={POUNDS}",
    ),
)
