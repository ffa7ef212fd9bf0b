"""The remortgage plan as a calculator: its form, and its answer of four ways on and what each costs."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from broker.calculators.calculator import (
    Choice,
    Field,
    Form,
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
from broker.lending.arithmetic import (
    Amount,
    Text,
    absolute,
    choose,
    maximum,
    minimum,
    rounded_up,
    shared,
    to_pennies,
    to_pounds,
)
from broker.lending.days import day_text, iso_text, month_of, month_text
from broker.lending.loan_to_value import GaugeView, gauge_view, loan_to_value, ltv_text
from broker.lending.money import exact, exact_percent, exact_pounds, pounds, pounds_and_pence, years_and_months
from broker.lending.mortgage import MONTHS
from broker.plans.own_lender import ActDate, Beat, Scale, act_dates, beat, either, next_date, scale
from broker.plans.remortgage import (
    HORIZON,
    INTEREST_ONLY,
    LET,
    OWN_HOME,
    PERCENT,
    POUNDS,
    REPAYMENT,
    TWO_YEARS,
    Remortgage,
    Start,
    remortgage,
)

SLUG = "remortgaging"

_NO_LENDER = "Not listed"

NO_DATE = "Enter the date your deal ends. Until then we count six months from today."

PAST = (
    "That date has passed, so leaving costs no charge. We count the rate after your deal as the one that you pay now: "
    "check it."
)

NOTHING_LEFT = "Your deal lasts as long as your loan, so there is nothing to switch. Check the years left."

CHARGE_TOO_HIGH = (
    "The charge is above what you owe. Check whether your offer gives it in pounds or as a percentage. Until then we "
    "count a charge of all that you owe."
)

NEGATIVE_EQUITY = (
    "You owe more than the home is worth. Few lenders take over such a loan, but your own may offer you a new rate. "
    "Talk to us before you decide."
)

LITTLE_TIME = (
    "A switch takes four to twelve weeks, so it may not be ready when your deal ends. We count twelve, and whole "
    "months on the follow-on rate before it. Your own lender’s deal takes about a week."
)

OFFER_DEARER = (
    "The rate in your letter is above the rate you pay today, so don’t let the new deal start before the old one ends."
)

OFFER_DEARER_NOW = (
    "The rate in your letter is above the rate after your deal, which we count as what you pay now. Check both."
)

OFFER_UNDATED = (
    "Enter the date on which your lender’s new deal ends. Until then we count it for as long as the best switch lasts."
)

OFFER_ENDED = (
    "Your lender’s new deal would end before it starts. Check its date and that of the deal you have. Until then we "
    "count it for as long as the best switch lasts."
)

OFFER_FEE_TOO_HIGH = (
    "The product fee is more than a tenth of what you owe. Check that it is in pounds. Until then we count it as typed."
)

UNKNOWN_LENDER = (
    "We don’t know the lender that this address names, so your plan counts none. Choose yours under “Your lender "
    "today”. All other figures are as they were."
)

_HIGHEST_FEE = 0.1
"""The share of a loan above which a product fee is questioned."""

NEVER = "Not within five years of your deal’s end"

NEVER_NOW = "Not within five years"

NOTHING, OWN, AT_END, NOW = "Do nothing", "A new deal from your own lender", "Switch when your deal ends", "Switch now"

_STATEMENT = (
    "Your lender’s redemption statement has the exact charge on the day, and many deals can be left free of it in "
    "their last months. Fees and the charge are counted as paid from savings. "
)

_STATEMENT_NOW = (
    "Your lender’s redemption statement has what you owe on the day. Fees are counted as paid from savings. "
)

_CHEAPEST_MONTH = (
    "Cheapest month: the cost to five years after your deal’s end is worked out for leaving after each payment until "
    "then, with the charge before it, and the lowest is taken."
)

_FIRST_MONTH = "First month: a switch takes four to twelve weeks. We count twelve, and the follow-on rate until then."

_REPEATED = (
    "When a new deal ends, another at the same rate and fees is counted, whichever lender it is of: nobody knows the "
    "rates of that day."
)

_TABLE_STEP = 1
"""Years from row to row of the chart's table."""

LETTER = ("offerRate", "offerFee", "offerEnd")
"""The fields that are copied from the lender's letter, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way on: its name, what it is in a sentence, whether it costs least, and its figures for the chart's key.

    One with an empty name is not shown: once a deal is over, there is one way to switch.
    """

    name: Text
    words: Text
    is_least: Amount
    key: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class RemortgagePlan:
    """The answer: a working, which way costs least, and `facts`, each a label and a figure.

    `ways` are those of the working's table; `ways_title` and `deals_title` head them and today's deals. `sentences`
    say what to do about inputs that do not fit together; a sentence is empty where its inputs do. `held` says the
    follow-on rate that we hold for today's lender, and `offer` offers to count it instead of the typed one; both may be
    empty. `has_date` is whether the day to act follows from a date that was typed, and is in the future.
    """

    working: Working
    verdict: Text
    ways_title: Text
    ways: tuple[Way, ...]
    beat: Beat
    scale: Scale
    dates: tuple[ActDate, ...]
    next: ActDate
    facts: tuple[tuple[Text, Text], ...]
    deals_title: Text
    sentences: tuple[Text, ...]
    held: Text
    offer: Text
    has_date: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class RemortgageView:
    """The parts of a `RemortgagePlan` with its form; `end` is the deal's last day in ISO form, for the reminder.

    `loan`, `term` and `deal` sum up what was typed. The form stands open (`is_open`) until it has a date and no error.
    """

    panel: CalculatorView
    is_open: Any
    loan: Text
    term: Text
    deal: Text
    gauge: GaugeView
    verdict: Text
    ways_title: Text
    ways: tuple[Way, ...]
    beat: Beat
    scale: Scale
    dates: tuple[ActDate, ...]
    next: ActDate
    facts: tuple[tuple[Text, Text], ...]
    deals_title: Text
    sentences: tuple[Text, ...]
    held: Text
    offer: Text
    has_date: Any
    end: Text
    lender: Text
    is_let: Any


def remortgage_form(lenders: Mapping[int, str]) -> Form:
    """Return the form; `lenders` are the options, by id."""
    return Form(
        slug=SLUG,
        title="Stay or switch: your remortgage plan",
        subtitle="What doing nothing, staying with your lender and switching would cost",
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
                name="repay",
                group="Your loan",
                label="How you repay",
                default=REPAYMENT,
                options=((REPAYMENT, "Repayment"), (INTEREST_ONLY, "Interest only")),
            ),
            Choice(
                name="home",
                group="Your home",
                label="Who lives there",
                default=OWN_HOME,
                options=((OWN_HOME, "I do"), (LET, "A tenant: it is let")),
            ),
            Choice(
                name="charge",
                group="If you leave early",
                label="Early repayment charge",
                default=PERCENT,
                options=((PERCENT, "A percentage"), (POUNDS, "In pounds")),
            ),
        ),
    )


def remortgage_view(form: Form, values: Mapping[str, Amount], *, fields: tuple[FieldView, ...]) -> RemortgageView:
    plan, figures = remortgage_plan(values), remortgage(values)
    panel = view_of(form, values, fields=fields, answer=answer_view(plan.working, table_step=_TABLE_STEP))
    return RemortgageView(
        panel=panel,
        is_open=panel.is_wrong | (values["end"] == 0),
        loan=exact_pounds(figures.balance) + " of " + exact_pounds(figures.value),
        term=years_and_months(figures.months),
        deal=_deal_text(figures, values["end"]),
        gauge=gauge_view(loan_to_value(figures.balance, figures.value)),
        verdict=plan.verdict,
        ways_title=plan.ways_title,
        ways=plan.ways,
        beat=plan.beat,
        scale=plan.scale,
        dates=plan.dates,
        next=plan.next,
        facts=plan.facts,
        deals_title=plan.deals_title,
        sentences=plan.sentences,
        held=plan.held,
        offer=plan.offer,
        has_date=plan.has_date,
        end=iso_text(figures.end),
        lender=values["lender"],
        is_let=values["home"] == LET,
    )


def _deal_text(plan: Remortgage, end: Amount) -> Text:
    """Sum up today's rate, and the last day of the deal if it was typed."""
    dated = either(plan, " since ", " to ") + day_text(plan.end)
    return exact_percent(plan.rate) + choose(end == 0, lambda: ", no end date yet", lambda: dated)


def remortgage_plan(values: Mapping[str, Amount]) -> RemortgagePlan:
    """Return the plan of a form's values, with those of the day and of the deal that was found."""
    plan = remortgage(values)
    payments, costs = _payments(plan), (_costs(plan, plan.two_years), _costs(plan, plan.five_years))
    named = values["newName"] + " at " + exact_percent(plan.new.rate) + values["newAprc"]
    held, is_counted = values["heldFollowOn"], values["heldFollowOn"] == plan.follow_on
    is_held = (values["lender"] != "") & (held > 0)
    offer = choose(is_counted, lambda: "", lambda: "Count " + exact_percent(held) + " instead")
    ways = _ways(plan, payments, named=named, costs=costs[1])
    shown_beat = beat(plan, named=named, legal_words=values["newLegal"])
    return RemortgagePlan(
        working=Working(
            label=either(
                plan,
                "Your deal is over: you now pay",
                "Your payment would go from " + pounds_and_pence(payments.now) + " to",
            ),
            figure=pounds_and_pence(payments.follow_on),
            per="a month",
            caption=_caption(plan, payments, named, is_example=values["newAprc"] == ""),
            steps=_steps(plan, payments, named=named, costs=costs),
            note=Note(title="Ask before you leave", text=either(plan, _STATEMENT_NOW, _STATEMENT) + _REPEATED),
            chart=_chart(plan, payments),
            table=_table(plan, payments, costs=costs),
        ),
        verdict=_verdict(plan, costs[1]),
        ways_title=either(plan, "Three ways on", "Four ways on"),
        ways=ways,
        beat=shown_beat,
        scale=scale(plan),
        dates=act_dates(plan, values["windowWords"], due=payments.follow_on),
        next=next_date(plan),
        facts=_facts(plan),
        deals_title=either(plan, "Today’s deals for your loan", "Today’s deals for the day your deal ends"),
        sentences=_sentences(plan, values),
        held=choose(is_held, lambda: _held(values["heldWords"], plan, is_counted=is_counted), lambda: ""),
        offer=choose(is_held, lambda: offer, lambda: ""),
        has_date=(values["end"] > 0) & (plan.next_date > plan.today),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Payments:
    """Monthly payments: today's, those after the deal at each of three rates, and that at the new rate from today."""

    now: Amount
    follow_on: Amount
    own: Amount
    new: Amount
    new_now: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class _Costs:
    """The costs of doing nothing, of staying, of switching when the deal ends, and of switching now."""

    nothing: Amount
    own: Amount
    at_end: Amount
    now: Amount


def _held(words: Text, plan: Remortgage, *, is_counted: Amount) -> Text:
    own = "your plan counts the " + exact_percent(plan.follow_on) + " in your form."
    return words + ": " + choose(is_counted, lambda: "your plan counts that.", lambda: own)


def _caption(plan: Remortgage, payments: _Payments, named: Text, *, is_example: Amount) -> Text:
    gap, new = shared(to_pennies(payments.follow_on - payments.now)), pounds_and_pence(payments.new) + "."
    since = " from " + _month_after(plan, plan.left + 1)
    more = pounds_and_pence(absolute(gap)) + choose(gap < 0, lambda: " less", lambda: " more") + since
    change = choose(gap == 0, lambda: "no change", lambda: more)
    now = "That is at your lender’s follow-on rate, " + exact_percent(plan.follow_on) + ", which can change. "
    nothing = either(plan, now, "That is " + change + " if you do nothing. ")
    own = "Your lender’s new deal would make it " + pounds_and_pence(payments.own) + "; "
    beside = own + choose(is_example, lambda: named, lambda: "the best switch we found") + ", " + new
    alone = choose(
        is_example,
        lambda: "With " + named + " it would be " + new,
        lambda: "The best switch we found would make it " + new,
    )
    interest = " Every payment is interest alone: you still owe the whole loan at the end."
    return (
        nothing
        + choose(plan.has_offer, lambda: beside, lambda: alone)
        + choose(plan.interest_only, lambda: interest, lambda: "")
    )


def _payments(plan: Remortgage) -> _Payments:
    owed, rest, whole = plan.owed_at_end, plan.rest, plan.months / MONTHS
    new = shared(plan.payment(plan.at_end.owed, plan.new.rate, years=plan.years_from(plan.switch_start)))
    new_now = plan.payment(plan.balance, plan.new.rate, years=whole)
    return _Payments(
        now=shared(plan.payment(plan.balance, plan.rate, years=whole)),
        follow_on=shared(plan.payment(owed, plan.follow_on, years=rest)),
        own=shared(plan.payment(plan.own.owed, plan.offer.rate, years=plan.years_from(plan.own_start))),
        new=new,
        new_now=shared(choose(plan.is_late, lambda: new, lambda: new_now)),
    )


def _costs(plan: Remortgage, month: Amount) -> _Costs:
    return _Costs(
        nothing=shared(plan.doing_nothing(month)),
        own=shared(plan.staying(month)),
        at_end=shared(plan.switching(month)),
        now=shared(plan.switching_now(month)),
    )


def _verdict(plan: Remortgage, costs: _Costs) -> Text:
    """Return the way that costs least over five years, and by how much: the differences of the table's whole pounds.

    Of equal ways the first is named. The own lender's deal is compared once it is typed.
    """
    nothing, own, at_end, now = _least_flags(plan, costs)
    first = either(plan, "switching now", "switching when your deal ends")
    stays = choose(own, lambda: "your lender’s new deal", lambda: "doing nothing")
    switches = choose(now, lambda: "switching now", lambda: stays)
    least = choose(at_end, lambda: first, lambda: switches)
    staying = choose(plan.has_offer, lambda: minimum(costs.own, costs.nothing), lambda: costs.nothing)
    lowest = shared(to_pounds(minimum(minimum(costs.at_end, costs.now), staying)))

    def more(name: Text, cost: Amount, *, is_least: Amount) -> Text:
        return choose(is_least, lambda: "", lambda: " " + name + _more(to_pounds(cost) - lowest))

    offer = more("Your lender’s new deal", costs.own, is_least=own)
    return (
        "Counted to "
        + _month_after(plan, plan.five_years)
        + ", "
        + least
        + " costs least."
        + more(either(plan, "Switching now", "Switching when your deal ends"), costs.at_end, is_least=at_end)
        + more("Switching now", costs.now, is_least=now | plan.is_over)
        + choose(plan.has_offer, lambda: offer, lambda: "")
        + more("Doing nothing", costs.nothing, is_least=nothing)
    )


def _more(gap: Amount) -> Text:
    return choose(gap == 0, lambda: " costs the same.", lambda: " costs " + pounds(gap) + " more.")


def _ways(plan: Remortgage, payments: _Payments, *, named: Text, costs: _Costs) -> tuple[Way, ...]:
    """Return the ways in the order of the table; until an offer is typed the own lender's is none of the compared.

    Once the deal is over, the switch when it ends is the one now.
    """
    offer = plan.offer
    fee = choose(offer.fees == 0, lambda: "no fee", lambda: exact_pounds(offer.fees) + " fee")
    waiting = "A switch that you begin today takes as long, so it costs the same."
    its_fee = choose(offer.fees == 0, lambda: "no fee", lambda: "its fee of " + exact_pounds(offer.fees))
    rate, ends = exact_percent(offer.rate), _month_after(plan, plan.own_start + offer.months)
    below = exact_percent((plan.break_even + 1) / 100)
    unknown = choose(
        plan.break_even < 0,
        lambda: "With " + its_fee + " it would cost more than a switch at any rate.",
        lambda: "With " + its_fee + " it costs less than a switch if its rate is below " + below + ".",
    )
    typed = rate + " until " + ends + ", " + fee + ". From your letter." + _gap(plan, plan.own_start)
    own = choose(plan.has_offer, lambda: typed, lambda: unknown)
    charge = shared(plan.charge(0))
    leaving = choose(
        charge == 0,
        lambda: "The same deal at once, with no early repayment charge to pay.",
        lambda: "The same deal at once, and " + exact_pounds(charge) + " early repayment charge to leave.",
    )
    words = (
        either(plan, "You stay on", "You move to")
        + " your lender’s follow-on rate, "
        + exact_percent(plan.follow_on)
        + ". It can change.",
        own,
        named + ", " + _fees(plan) + "." + _gap(plan, plan.switch_start),
        either(plan, "", choose(plan.is_late, lambda: waiting, lambda: leaving)),
    )
    until = " by " + _month_after(plan, plan.five_years)

    def key(payment: Amount, cost: Amount) -> Text:
        return pounds_and_pence(payment) + " a month, costs " + pounds(cost) + until

    keys = (
        key(payments.follow_on, costs.nothing),
        choose(plan.has_offer, lambda: key(payments.own, costs.own), lambda: "Drawn once you copy your letter"),
        key(payments.new, costs.at_end),
        either(plan, "", key(payments.new_now, costs.now)),
    )
    return tuple(
        Way(name=name, words=about, is_least=flag, key=figures)
        for name, about, flag, figures in zip(_names(plan), words, _least_flags(plan, costs), keys, strict=True)
    )


def _names(plan: Remortgage) -> tuple[Text, ...]:
    at_end = either(plan, NOW, AT_END)
    return NOTHING, OWN, at_end, either(plan, "", NOW)


def _gap(plan: Remortgage, start: Amount) -> Text:
    """Return the months at the follow-on rate before a new deal that starts late, in words; empty without any."""
    gap = shared(start - plan.left)
    months = exact(gap) + choose(gap == 1, lambda: " month", lambda: " months")
    late = " It starts in " + _month_after(plan, start) + ": before it, " + months + " at the follow-on rate."
    return choose(gap > 0, lambda: late, lambda: "")


def _fees(plan: Remortgage) -> Text:
    """Return the fees of a switch in words; cashback above them is money back."""
    fees, legal = plan.new.fees, plan.new.once
    back = exact_pounds(0 - fees) + " back after fees"
    named = choose(
        fees < 0, lambda: back, lambda: choose(fees == 0, lambda: "no fee", lambda: exact_pounds(fees) + " of fees")
    )
    return named + choose(legal > 0, lambda: " and " + exact_pounds(legal) + " of legal work", lambda: "")


def _least_flags(plan: Remortgage, costs: _Costs) -> tuple[Amount, Amount, Amount, Amount]:
    """Return whether each way of the table is the one that the verdict names."""
    others = shared(minimum(costs.nothing, costs.own))
    rivals = shared(choose(plan.has_offer, lambda: others, lambda: costs.nothing))
    switch = shared(minimum(costs.at_end, costs.now))
    at_end = shared((costs.at_end <= costs.now) & (costs.at_end <= rivals))
    now = shared((costs.now < costs.at_end) & (costs.now <= rivals))
    own = shared(plan.has_offer & (costs.own < switch) & (costs.own <= costs.nothing))
    beats_own = choose(plan.has_offer, lambda: costs.nothing < costs.own, lambda: True)
    nothing = shared((costs.nothing < switch) & beats_own)
    return nothing, own, at_end, now


def _facts(plan: Remortgage) -> tuple[tuple[Text, Text], ...]:
    leave = plan.cheapest_leave
    month = _month_after(plan, leave)
    early = choose(leave == 0, lambda: "Now", lambda: month)
    in_time = choose(leave == plan.left, lambda: month + ", when your deal ends", lambda: early)
    when = choose(plan.is_late, lambda: month + ", when a switch should be ready", lambda: in_time)
    crossing, never = plan.crossing, either(plan, NEVER_NOW, NEVER)
    return (
        (either(plan, "Owed today", "Owed when your deal ends"), pounds_and_pence(plan.owed_at_end)),
        (either(plan, "Loan to value", "Loan to value then"), ltv_text(plan.owed_at_end, plan.value)),
        (either(plan, "Time left", "Time left then"), years_and_months(plan.months - plan.left)),
        (either(plan, "First month to leave", "Cheapest month to leave"), when),
        (
            "Switching now is ahead of doing nothing",
            choose(crossing == 0, lambda: never, lambda: "From " + _month_after(plan, crossing)),
        ),
    )


def _table(plan: Remortgage, payments: _Payments, *, costs: tuple[_Costs, _Costs]) -> Table:
    two, five = costs
    now = pounds_and_pence(payments.now)

    def row(name: Text, now: Text, after: Amount, *, costs: tuple[Amount, Amount]) -> tuple[Text, ...]:
        return (name, now, pounds_and_pence(after), *map(pounds, costs))

    first, second, third, fourth = _names(plan)
    own = row(second, now, payments.own, costs=(two.own, five.own))
    return Table(
        caption=either(
            plan,
            "Three ways on, and what each costs in interest and fees",
            "Four ways on, and what each costs in interest, fees and charge",
        ),
        heads=(
            "Way on",
            "A month now",
            either(plan, "A month once it starts", "A month after your deal"),
            "Cost to " + _month_after(plan, plan.two_years),
            "Cost to " + _month_after(plan, plan.five_years),
        ),
        rows=(
            row(first, now, payments.follow_on, costs=(two.nothing, five.nothing)),
            (second, now, *(choose(plan.has_offer, lambda cell=cell: cell, lambda: "–") for cell in own[2:])),
            row(third, now, payments.new, costs=(two.at_end, five.at_end)),
            row(
                fourth,
                choose(plan.is_late, lambda: now, lambda: pounds_and_pence(payments.new_now)),
                payments.new_now,
                costs=(two.now, five.now),
            ),
        ),
    )


def _chart(plan: Remortgage, payments: _Payments) -> LineChart:
    """Return the payments by month, in whole years, until two years after the deal ends or the end of the term."""
    now, follow_on = payments.now, payments.follow_on

    def line(label: Text, tone: Tone, *, start: Amount, after: Amount, is_drawn: Amount = True) -> Line:
        # a month that is computed from a fraction of a year is not exactly whole
        def value_at(month: Amount) -> Amount:
            waiting = choose(month + 0.5 < plan.left, lambda: now, lambda: follow_on)
            return choose(month + 0.5 < start, lambda: waiting, lambda: after)

        return Line(label=label, tone=tone, value_at=value_at, is_drawn=is_drawn)

    own, at_end, is_running = plan.own_start, plan.switch_start, plan.end >= plan.today
    at_once = shared(choose(plan.is_late, lambda: at_end, lambda: 0))
    later = maximum(maximum(follow_on, payments.own), payments.new)
    years = rounded_up((plan.left + TWO_YEARS) / MONTHS)
    return LineChart(
        subject="payment",
        years=shared(minimum(years, plan.months / MONTHS)),
        highest=shared(maximum(maximum(now, payments.new_now), later)),
        start=now,
        end=follow_on,
        lines=(
            line("Do nothing", Tone.NEXT, start=plan.left, after=follow_on),
            line("Your lender’s new deal", Tone.OWN, start=own, after=payments.own, is_drawn=plan.has_offer),
            line(either(plan, NOW, "Switch at the end"), Tone.NEW, start=at_end, after=payments.new),
            line(either(plan, "", NOW), Tone.NOW, start=at_once, after=payments.new_now, is_drawn=is_running),
        ),
        points=MONTHS,
    )


def _month_after(plan: Remortgage, months: Amount) -> Text:
    return month_text(month_of(plan.today) + months)


def _steps(plan: Remortgage, payments: _Payments, *, named: Text, costs: tuple[_Costs, _Costs]) -> tuple[Text, ...]:
    """Return the working; `named` is the new deal in words, `costs` are those of two and of five years."""
    owed, rest = pounds_and_pence(plan.owed_at_end), years_and_months(plan.months - plan.left)

    def over(start: Start, deal: Text, payment: Amount) -> Text:
        years = " over " + years_and_months(plan.months - start.month) + ": " + _a_month(payment)
        return pounds_and_pence(start.owed) + deal + years + _gap(plan, start.month)

    share = ltv_text(plan.owed_at_end, plan.value) + " of " + exact_pounds(plan.value) + "."
    today = exact_pounds(plan.balance) + " at " + exact_percent(plan.rate) + " over " + years_and_months(plan.months)
    paid = exact(plan.left) + choose(plan.left == 1, lambda: " payment", lambda: " payments")
    follow_on = owed + " at " + exact_percent(plan.follow_on) + " over " + rest
    own = over(plan.own, " at " + exact_percent(plan.offer.rate), payments.own)
    interest = choose(plan.interest_only, lambda: "A payment is the month’s interest alone. ", lambda: "")
    ended = "Your deal ended on " + day_text(plan.end) + ". " + owed + " is left, " + share
    month = _month_after(plan, plan.left)
    ends = "Your deal ends after " + paid + ", in " + month + ". " + owed + " is left then, " + share
    two, five = costs
    return (
        "Today: " + today + ": " + _a_month(payments.now),
        either(plan, ended, ends),
        "Do nothing: " + follow_on + ": " + _a_month(payments.follow_on),
        "Your lender’s new deal: " + choose(plan.has_offer, lambda: own, lambda: "no numbers from its letter yet."),
        "Switch: " + over(plan.at_end, " with " + named, payments.new),
        _leaving(plan),
        interest
        + "Costs are interest, fees and charge, less cashback. What pays off the loan is left out: it is yours as a "
        "smaller debt.",
        _compared(plan, either(plan, "Over two years, to ", "To two years after your deal ends, "), two, TWO_YEARS),
        _compared(plan, either(plan, "Over five years, to ", "To five years after it, "), five, HORIZON),
        either(plan, _FIRST_MONTH, _CHEAPEST_MONTH),
    )


def _a_month(payment: Amount) -> Text:
    return pounds_and_pence(payment) + " a month."


def _leaving(plan: Remortgage) -> Text:
    charge, fees = shared(plan.charge(0)), shared(to_pennies(plan.new.fees + plan.new.once))
    paid = "a charge of " + exact_pounds(charge) + " and fees of " + exact_pounds(fees)
    charged = "Leaving now: " + paid + " make " + exact_pounds(to_pennies(charge + fees)) + "."
    return either(plan, "Leaving: fees of " + exact_pounds(fees) + ", and no charge.", charged)


def _compared(plan: Remortgage, over: Text, costs: _Costs, months: int) -> Text:
    """Return the costs up to some months after the end of the deal; `over` are the words on how long that is."""
    nothing, own, at_end, now = map(pounds_and_pence, (costs.nothing, costs.own, costs.at_end, costs.now))
    staying = choose(plan.has_offer, lambda: ", your lender’s new deal " + own, lambda: "")
    switches = either(plan, ", switching now ", ", switching at the end " + at_end + ", now ") + now + "."
    return over + _month_after(plan, plan.left + months) + ": doing nothing " + nothing + staying + switches


def _sentences(plan: Remortgage, values: Mapping[str, Amount]) -> tuple[Text, ...]:
    typed = choose(values["charge"] == PERCENT, lambda: 0, lambda: values["chargePounds"])
    is_running, dated = plan.end >= plan.today, values["offerEnd"] > 0
    lasting = month_of(values["offerEnd"]) - month_of(plan.today) - plan.own_start
    found = (
        (values["unknownLender"] & (values["lender"] == ""), UNKNOWN_LENDER),
        (values["end"] == 0, NO_DATE),
        (plan.is_over, PAST),
        (is_running & (plan.switch_by < plan.today), LITTLE_TIME),
        (plan.left >= plan.months, NOTHING_LEFT),
        (is_running & (typed > plan.balance), CHARGE_TOO_HIGH),
        (plan.balance > plan.value, NEGATIVE_EQUITY),
        (plan.offer.rate > plan.rate, either(plan, OFFER_DEARER_NOW, OFFER_DEARER)),
        (plan.offer.fees > plan.balance * _HIGHEST_FEE, OFFER_FEE_TOO_HIGH),
        (plan.has_offer & (values["offerEnd"] == 0), OFFER_UNDATED),
        (dated & (lasting <= 0), OFFER_ENDED),
    )
    return tuple(choose(is_wrong, lambda text=text: text, lambda: "") for is_wrong, text in found)


_FIELDS = (
    replace(loan_field("Loan left today", default=200_000), name="balance"),
    replace(loan_field("Value of the home", default=300_000), name="value"),
    replace(term_field(40), label="Years left", default=20),
    rate_field("rate", "Rate today", default=2),
    Field(name="end", label="Your deal ends on", default=0, unit=Unit.DAY, high=0, hint="Your offer has the date"),
    replace(
        rate_field("followOn", "Rate after your deal", default=FOLLOW_ON_RATE),
        hint="The follow-on or variable rate in your offer",
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
    replace(rate_field("offerRate", "New rate", default=0), is_optional=True),
    Field(name="offerFee", label="Product fee", default=0, high=3_000, hint="0 if there is none"),
    Field(
        name="offerEnd",
        label="The new deal ends on",
        default=0,
        unit=Unit.DAY,
        high=0,
        hint="Copy the date; “2 years” is often a little more",
        is_optional=True,
    ),
    Field(name="legal", label="Legal work of a switch", default=0, high=2_000, hint="0 if the new lender pays for it"),
)
