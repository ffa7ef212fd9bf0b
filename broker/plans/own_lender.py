"""A new deal from one's own lender in words: the rate that it must beat, and the dates to act."""

from dataclasses import dataclass

from broker.calculators.calculator import MAX_RATE
from broker.lending.arithmetic import Amount, Text, absolute, choose, maximum, shared, to_pounds
from broker.lending.days import day_text, month_of, month_text
from broker.lending.money import decimals, exact_percent, exact_pounds, percent, pounds, pounds_and_pence
from broker.plans.remortgage import Remortgage

_HALF_SCALE, _HALF_WIDTH = 0.3, 44
"""The least percentage points of a rate on each side of a scale's middle, and the percentage of its width for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A scale of rates, with the rate to beat in its middle; places are percentages of its width.

    The mark of the visitor's offer has its label at `yours_label`. `edge_look` is the side of the middle's label, which
    is the other side.
    """

    is_drawn: Amount
    has_offer: Amount
    edge: Text
    edge_look: Text
    best: Text
    best_place: Text
    yours: Text
    yours_place: Text
    yours_label: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """What the offer must beat: a label, the rate and its caption, `exact` with both hundredths, and `yours`.

    `counted` says what is in the best switch.
    """

    label: Text
    figure: Text
    caption: Text
    exact: Text
    counted: Text
    yours: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class ActDate:
    """A date to act in words: when, what to do, and why; one with an empty `when` is not shown."""

    when: Text = ""
    title: Text = ""
    words: Text = ""


def beat(plan: Remortgage, *, named: Text, legal_words: Text) -> Beat:
    """Return what the offer must beat; `named` is the best switch, `legal_words` who pays for its legal work."""
    highest, best = plan.break_even, plan.best_switch
    above = shared(highest + 1)
    rate, next_rate = percent(highest / 100), percent(above / 100)
    is_always, is_never = highest >= MAX_RATE * 100, highest < 0
    fee = choose(
        plan.offer.fees == 0, lambda: "with no fee", lambda: "with its fee of " + exact_pounds(plan.offer.fees)
    )
    until = month_text(month_of(plan.today) + plan.own_start + plan.offer.months)
    compared = (
        "At "
        + rate
        + " your lender’s deal comes to "
        + pounds_and_pence(plan.staying_at(highest))
        + " and costs less; at "
    )
    dearer = next_rate + ", to " + pounds_and_pence(plan.staying_at(above)) + ", it no longer does."
    never = (
        "Even at 0.00% your lender’s deal comes to " + pounds_and_pence(plan.staying_at(0)) + ", so no rate would do."
    )
    always = "It costs less at any rate up to " + percent(MAX_RATE) + "."
    exact = choose(is_never, lambda: never, lambda: choose(is_always, lambda: always, lambda: compared + dearer))
    late = ", from " + month_text(month_of(plan.today) + plan.switch_start) + ", when it should be ready. "
    in_time = choose(
        plan.switching(plan.five_years) == best, lambda: ", from the day your deal ends. ", lambda: ", from now. "
    )
    start = choose(plan.is_late, lambda: late, lambda: in_time)
    horizon = month_text(month_of(plan.today) + plan.five_years)
    return Beat(
        label=choose(is_never, lambda: "Your lender’s offer wins", lambda: "Your lender’s offer wins if it is below"),
        figure=choose(
            is_never, lambda: "at no rate", lambda: choose(is_always, lambda: percent(MAX_RATE), lambda: next_rate)
        ),
        caption="fixed until " + until + ", " + fee,
        exact="The best switch costs " + pounds_and_pence(best) + " by " + horizon + ". " + exact,
        counted="The best switch is "
        + named
        + start
        + "Its fees, less any cashback, and the month it starts are counted. "
        + legal_words,
        yours=choose(plan.has_offer, lambda: _yours(plan, best), lambda: _NO_OFFER),
    )


def scale(plan: Remortgage) -> Scale:
    """Return the scale of the rate to beat; it is not drawn where no rate wins, or any."""
    highest = plan.break_even
    edge, best, yours = shared((highest + 1) / 100), plan.new.rate, plan.offer.rate
    apart = maximum(absolute(best - edge), choose(plan.has_offer, lambda: absolute(yours - edge), lambda: 0))
    half = shared(maximum(apart, _HALF_SCALE))

    def place(rate: Amount) -> Text:
        return decimals(50 + _HALF_WIDTH * (rate - edge) / half, 1) + "%"

    is_above = plan.has_offer & (yours >= edge)
    below, above = "clamp(2.75rem, " + place(yours) + ", 50% - 3rem)", ", " + place(yours) + ", 100% - 2.75rem)"
    return Scale(
        is_drawn=(highest >= 0) & (highest < MAX_RATE * 100),
        has_offer=plan.has_offer,
        edge=percent(edge),
        edge_look=choose(is_above, lambda: "edge before", lambda: "edge"),
        best="Best switch " + exact_percent(best),
        best_place=place(best),
        yours="Yours " + exact_percent(yours),
        yours_place=place(yours),
        yours_label=choose(is_above, lambda: "clamp(50% + 3rem" + above, lambda: below),
    )


_NO_OFFER = "Copy the three numbers from your lender’s letter to see which of the two wins."


def _yours(plan: Remortgage, best: Amount) -> Text:
    cost = shared(plan.staying(plan.five_years))
    gap = shared(to_pounds(best) - to_pounds(cost))
    rate = "Yours, at " + exact_percent(plan.offer.rate) + ", "
    more = "costs " + pounds(0 - gap) + " more: switching wins."
    equal = choose(cost < best, lambda: "wins by less than a pound.", lambda: "does not: both cost the same.")
    less = "wins: staying costs " + pounds(gap) + " less."
    return rate + choose(gap > 0, lambda: less, lambda: choose(gap < 0, lambda: more, lambda: equal))


def act_dates(plan: Remortgage, window_words: Text, *, due: Amount) -> tuple[ActDate, ...]:
    """Return the dates to act in their order; `due` is the payment without a new deal."""
    pairs = zip(_dates_ahead(plan, window_words, due=due), _dates_after(plan, due=due), strict=True)
    return tuple(
        ActDate(
            when=either(plan, after.when, ahead.when),
            title=either(plan, after.title, ahead.title),
            words=either(plan, after.words, ahead.words),
        )
        for ahead, after in pairs
    )


def either(plan: Remortgage, after: Text, before: Text) -> Text:
    """Return the words for a deal that is over, or those before its end."""
    return choose(plan.is_over, lambda: after, lambda: before)


def _dates_after(plan: Remortgage, *, due: Amount) -> tuple[ActDate, ...]:
    """Return the dates to act where the deal is over: as many as before its end, the last of them empty."""
    ready = month_text(month_of(plan.today) + plan.switch_start)
    return (
        ActDate(
            when=day_text(plan.end),
            title="Your deal ended",
            words="Until a new one starts, " + pounds_and_pence(due) + " a month is due.",
        ),
        ActDate(
            when="Now",
            title="Compare switches",
            words="A switch takes four to twelve weeks. One that you ask for today should be ready in " + ready + ".",
        ),
        ActDate(
            when="Now",
            title="Ask for your lender’s new deal",
            words="It takes about a week. Lenders close before the month ends, so book by the middle of it.",
        ),
        ActDate(),
        ActDate(),
    )


def _dates_ahead(plan: Remortgage, window_words: Text, *, due: Amount) -> tuple[ActDate, ...]:
    by_later = " By the later of these it opens on " + day_text(plan.book_later) + "."
    is_same = plan.book_later == plan.book_from
    after = month_text(month_of(plan.today) + plan.left + 1)
    return (
        ActDate(
            when=_opens(plan, plan.switch_from),
            title="Compare switches",
            words="Most lenders let you arrange your next deal six months ahead. Ask how long an offer lasts: many "
            "last six months, some three.",
        ),
        ActDate(
            when=_opens(plan, plan.book_from),
            title="Book your lender’s new deal",
            words=window_words + choose(is_same, lambda: "", lambda: by_later),
        ),
        ActDate(
            when=_closes(plan, plan.switch_by),
            title="Last safe day to apply elsewhere",
            words="A switch takes four to twelve weeks.",
        ),
        ActDate(
            when=_closes(plan, plan.book_by),
            title="Last day to book or change with your lender",
            words="Lenders close before the month ends, so book by the middle of it.",
        ),
        ActDate(
            when=day_text(plan.end),
            title="Your deal ends",
            words="Without a new one, " + pounds_and_pence(due) + " a month is due from " + after + ".",
        ),
    )


def next_date(plan: Remortgage) -> ActDate:
    """Return the first window that has not opened yet; today where both have."""
    day = plan.next_date
    is_ahead, is_own = day > plan.today, day == plan.book_from
    own = "From then your lender lets you book its new deal. Ask whether you may change your mind before it starts."
    switch = "From then most other lenders let you arrange your next deal."
    both = "You can compare switches now, and ask your lender for its new deal."
    return ActDate(
        when=choose(is_ahead, lambda: day_text(day), lambda: "Today"),
        title="Your next date",
        words=choose(is_ahead, lambda: choose(is_own, lambda: own, lambda: switch), lambda: both),
    )


def _opens(plan: Remortgage, day: Amount) -> Text:
    return choose(day > plan.today, lambda: day_text(day), lambda: "Now")


def _closes(plan: Remortgage, day: Amount) -> Text:
    return choose(day >= plan.today, lambda: day_text(day), lambda: "Passed")
