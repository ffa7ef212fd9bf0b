"""The words of a mail with news of a watch, as values of its templates."""

from collections.abc import Iterator

from broker.lending.days import day_number, day_text, month_of, month_text
from broker.lending.money import exact_percent, exact_pounds, pounds, pounds_and_pence
from broker.plans.remortgage_plan import OWN
from broker.rates.best_deals import dated_sentence
from broker.rates.product import RateProduct
from broker.rates.product_text import aprc_sentence, deal_name, example_sentence, product_name
from broker.rates.results import read_time
from broker.watches.figures import PlanFigures, WatchPlan
from broker.watches.watch import DealKind, Tell, Watch

KIND_WORDS = {DealKind.TWO_YEARS: "2-year fixed", DealKind.FIVE_YEARS: "5-year fixed"}
"""The kinds of deals as adjectives, in the words of `product_text.deal_name`."""

_NO_DEALS = "Today’s deals are in your plan."


def tell_words(watch: Watch, tell: Tell) -> str:
    """Return what an owner asked to be told: `when your lender lets you book its next deal`."""
    kind = KIND_WORDS[watch.kind]
    return {
        Tell.WINDOW: "when your lender lets you book its next deal",
        Tell.THREE_MONTHS: "three months before your deal ends",
        Tell.ONE_MONTH: "a month before your deal ends",
        Tell.SAVING: f"when switching now saves {exact_pounds(watch.saving_over)} or more",
        Tell.RATE: f"when a {kind} deal is at {exact_percent(watch.rate_below)} or below",
        Tell.FELL: f"when a {kind} deal falls below the {exact_percent(watch.applied_rate)} that you applied for",
    }[tell]


def news_context(planned: WatchPlan, found: PlanFigures, tells: tuple[Tell, ...]) -> dict[str, str]:
    """Return the values of a mail; a value of several lines has one paragraph in each, `ways` a name and its figures.

    Without a deal of the market it names no rate and no cost that depends on one.
    """
    watch = planned.watch
    products = tuple(_named(found, tells))
    return {
        "news": "\n".join(_sentence(planned, found, tell) for tell in tells),
        "asked": "; ".join(tell_words(watch, tell) for tell in tells),
        "deal_end": day_text(day_number(watch.deal_end)),
        "owed": pounds_and_pence(found.figures.owed_at_end),
        "verdict": found.plan.verdict if found.product else _NO_DEALS,
        "ways": "\n".join(_ways(found)),
        "switch": _switch(found.product) if found.product else "",
        "examples": "\n".join(_example(each, is_named=len(products) > 1) for each in products),
        "dated": dated_sentence(sample=False, read=read_time(found.read)) if found.read else "",
        "let": "yes" if found.is_let else "",
    }


def _sentence(planned: WatchPlan, found: PlanFigures, tell: Tell) -> str:
    watch, figures = planned.watch, found.figures
    end = day_text(day_number(watch.deal_end))
    if tell is Tell.WINDOW:
        later = day_text(figures.book_later)
        by_later = "" if figures.book_later == figures.book_from else f" By the later of these it opens on {later}."
        opens = f"From {day_text(figures.book_from)} your lender should let you book its next deal."
        return f"{opens} {planned.window.words}{by_later}"
    if tell is Tell.THREE_MONTHS:
        return (
            f"Your deal ends within three months, on {end}. A switch to another lender takes four to twelve weeks, and "
            "a new deal from your own about a week."
        )
    if tell is Tell.ONE_MONTH:
        return (
            f"Your deal ends within a month, on {end}. A new deal from your own lender takes about a week. A switch to "
            "another may not be ready in time, and then you pay the follow-on rate until it is."
        )
    if tell is Tell.SAVING:
        until = month_text(month_of(figures.today) + figures.five_years)
        charge = figures.charge(0)
        paid = f", fees and the {exact_pounds(charge)} early repayment charge" if charge else " and fees"
        return (
            f"Switching now costs {pounds(figures.saving_now)} less by {until} than the cheapest of the "
            f"other ways. Interest{paid} are counted. You asked to hear of {exact_pounds(watch.saving_over)} or "
            "more."
        )
    return _rate_sentence(watch, found, tell)


def _rate_sentence(watch: Watch, found: PlanFigures, tell: Tell) -> str:
    assert found.lowest
    lowest = found.lowest
    named = f"For a loan like yours there is a {deal_name(lowest)} deal from {product_name(lowest)}."
    if tell is Tell.RATE:
        asked = f"a {KIND_WORDS[watch.kind]} deal at {exact_percent(watch.rate_below)} or below"
        return f"{named} You asked to hear of {asked}."
    return (
        f"{named} You applied for {exact_percent(watch.applied_rate)}. Before your new deal starts you may be able to "
        "change: ask us first what that would cost, as a new application can have fees of its own."
    )


def _named(found: PlanFigures, tells: tuple[Tell, ...]) -> Iterator[RateProduct]:
    """Yield the deals whose rates a mail names, each once."""
    if found.product:
        yield found.product
    is_of_rate = Tell.RATE in tells or Tell.FELL in tells
    if found.lowest and is_of_rate and found.lowest != found.product:
        yield found.lowest


def _example(product: RateProduct, *, is_named: bool) -> str:
    """Return the representative example of a deal; it is named where there are several."""
    name = f"{product_name(product)}: " if is_named else ""
    return f"{name}{example_sentence(product)} {aprc_sentence(product)}"


def _ways(found: PlanFigures) -> Iterator[str]:
    """Yield the ways on of the plan with their figures; without a deal that of doing nothing, which needs none."""
    ways = found.plan.ways if found.product else found.plan.ways[:1]
    for way in ways:
        if way.name and (way.name != OWN or found.figures.has_offer):
            yield f"{way.name}\t{way.key}"


def _switch(product: RateProduct) -> str:
    """Return the deal that the plan counts as a switch."""
    return (
        f"The switch counted is {product.lender_name}, {deal_name(product)}, at {exact_percent(product.initial_rate)} "
        f"with {exact_pounds(product.total_fees)} of fees. It is the first of another lender by true cost."
    )
