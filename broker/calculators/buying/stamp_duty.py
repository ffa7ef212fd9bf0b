"""Tax on buying a home by nation, buyer and date of completion; `property_tax_rates` names the sources."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import reduce
from itertools import pairwise

from broker.calculators.calculator import (
    MIN_POUNDS,
    Bar,
    Calculator,
    Checkbox,
    Choice,
    Field,
    Group,
    Note,
    Table,
    Tone,
    Working,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, shared
from broker.lending.money import exact_pounds, halves, percent, pounds
from broker.lending.property_tax import Charge, Slice, charge
from broker.lending.property_tax_rates import ADDITIONAL_FROM, HELD_SINCE, Buyer, Nation, change_days

BEFORE = "before"
"""The option for a completion before the first day of `RATES`."""

BUYERS = {Buyer.FIRST: "A first home", Buyer.NEXT: "Moving home", Buyer.ADDITIONAL: "An additional home"}

FIRST_HOME_RULE = (
    "It is a first home only if it is the first for all of you. If one of you owns another home, or lives abroad, the "
    "tax can be higher."
)

TAXES = {
    Nation.ENGLAND: "Stamp duty",
    Nation.SCOTLAND: "Land and Buildings Transaction Tax",
    Nation.WALES: "Land Transaction Tax",
}

_NOTE = Note(
    title="Check it with your solicitor or conveyancer",
    text="They work out the tax and pay it for you. A home that replaces your main one is not an additional home, even "
    "if the sale comes later: you pay the higher rate and claim it back. Contracts signed before a change of rates, "
    "companies and mixed use have rules of their own, which are not in this figure.",
)


def _calculate(values: Mapping[str, Amount]) -> Working:
    is_held = values["date"] != BEFORE
    day = choose(is_held, lambda: values["date"], HELD_SINCE.isoformat)

    def charged(buyer: Text) -> Charge:
        return charge(values["price"], nation=values["nation"], buyer=buyer, since=day, is_abroad=values["abroad"])

    own, each = charged(values["buyer"]), {buyer: charged(buyer.value) for buyer in BUYERS}
    tax = shared(own.tax)
    taxes = {buyer: shared(found.tax) for buyer, found in each.items()}
    return Working(
        label=choose(is_held, lambda: tax_name(values["nation"]) + " to pay", lambda: "No figure for this date"),
        figure=choose(is_held, lambda: pounds(tax), lambda: "Not known"),
        caption=choose(is_held, lambda: _caption(own, tax, buyer=values["buyer"]), lambda: _TOO_EARLY),
        steps=_steps(own, tax, buyer=values["buyer"]),
        bars=tuple(
            Bar(label=BUYERS[buyer], figure=pounds(each), size=each, tone=Tone.COST) for buyer, each in taxes.items()
        ),
        table=Table(
            caption="The tax by who is buying, at this price, place and date",
            heads=("You are buying", "Tax", "Of the price"),
            rows=tuple((BUYERS[buyer], pounds(each), _share(each, values["price"])) for buyer, each in taxes.items()),
        ),
        note=_NOTE,
    )


def date_text(day: date) -> str:
    """Format a day: `1 April 2025`."""
    return f"{day.day} {day:%B %Y}"


def tax_name(nation: Text) -> Text:
    return choose(
        nation == Nation.ENGLAND.value,
        lambda: TAXES[Nation.ENGLAND],
        lambda: choose(nation == Nation.SCOTLAND.value, lambda: TAXES[Nation.SCOTLAND], lambda: TAXES[Nation.WALES]),
    )


def _share(tax: Amount, price: Amount) -> Text:
    return percent(tax / maximum(price, MIN_POUNDS) * 100)


def _caption(own: Charge, tax: Amount, *, buyer: Text) -> Text:
    """Return the share of the price, or why there is none."""
    is_small = (buyer == Buyer.ADDITIONAL.value) & (own.price < ADDITIONAL_FROM)
    nothing = choose(
        is_small,
        lambda: f"No tax on an additional home below {pounds(ADDITIONAL_FROM)}",
        lambda: "No tax at this price",
    )
    relief = choose(
        own.price > own.limit, lambda: ". There is no first-home relief above " + pounds(own.limit), lambda: ""
    )
    share = _share(tax, own.price) + " of the " + exact_pounds(own.price) + " price"
    return choose(tax == 0, lambda: nothing, lambda: share + relief)


_TOO_EARLY = (
    f"We hold the rates since {date_text(HELD_SINCE)}. The sums below are at the rates of that day. "
    "Choose a later date, or ask your conveyancer."
)


def _steps(own: Charge, tax: Amount, *, buyer: Text) -> tuple[Text, ...]:
    is_higher = (buyer == Buyer.ADDITIONAL.value) & (own.whole == 0) & (tax > 0)
    return (
        choose(
            own.slices[0].amount > 0,
            lambda: "Slices of the price: " + reduce(lambda before, each: before + _slice(each), own.slices, "") + ".",
            lambda: "Slices of the price: none is taxed.",
        ),
        choose(
            is_higher,
            lambda: "For an additional home: the rates above are the higher ones.",
            lambda: _extra("For an additional home", own.price, own.whole),
        ),
        _extra("For a buyer who does not live in the UK", own.price, own.abroad),
        "Added up, rounded down to whole pounds: " + pounds(tax) + ".",
    )


def _slice(each: Slice) -> Text:
    """Return a slice and its tax, with a comma before any but the first."""
    comma = "" if each.is_first else ", "
    tax = exact_pounds(each.amount * each.rate / 100)
    return choose(
        each.amount > 0,
        lambda: comma + exact_pounds(each.amount) + " at " + halves(each.rate) + "% = " + tax,
        lambda: "",
    )


def _extra(who: str, price: Amount, rate: Amount) -> Text:
    return choose(
        rate > 0,
        lambda: (
            who + ": " + halves(rate) + "% of " + exact_pounds(price) + " = " + exact_pounds(price * rate / 100) + "."
        ),
        lambda: who + ": nothing more.",
    )


def _dates() -> tuple[tuple[str, str], ...]:
    """Return the options: each day of a change, the latest first, with the time until the next as its label."""
    days = change_days()
    labels = [f"{date_text(days[0])} or later"]
    labels += [f"{date_text(day)} to {date_text(later - timedelta(1))}" for later, day in pairwise(days)]
    dated = tuple((day.isoformat(), label) for day, label in zip(days, labels, strict=True))
    return (*dated, (BEFORE, f"Before {date_text(HELD_SINCE)}"))


def _choice(
    name: str, group: str, label: str, options: tuple[tuple[str, str], ...], default: str, *, hint: str = ""
) -> Choice:
    return Choice(name=name, group=group, label=label, default=default, options=options, hint=hint)


NATION_OPTIONS = (
    (Nation.ENGLAND.value, "England or Northern Ireland"),
    (Nation.SCOTLAND.value, "Scotland"),
    (Nation.WALES.value, "Wales"),
)

BUYER_OPTIONS = tuple((buyer.value, label) for buyer, label in BUYERS.items())

CALCULATOR = Calculator(
    slug="stamp-duty",
    title="Stamp duty",
    subtitle="For England and Northern Ireland, Scotland and Wales, by date",
    group=Group.BUYING,
    order=10,
    calculate=_calculate,
    guide="stamp-duty-explained",
    keywords=("SDLT", "LBTT", "LTT", "land transaction tax", "Scotland", "Wales", "second home", "surcharge", "ADS"),
    fields=(
        Field(
            name="price", label="Price", default=300_000, low=50_000, high=1_500_000, step=5_000, min_value=MIN_POUNDS
        ),
    ),
    choices=(
        _choice("nation", "Place", "Where is the home?", NATION_OPTIONS, Nation.ENGLAND.value),
        _choice("buyer", "Buyer", "What are you buying?", BUYER_OPTIONS, Buyer.NEXT.value, hint=FIRST_HOME_RULE),
        _choice("date", "Date", "When does the purchase complete?", _dates(), change_days()[0].isoformat()),
    ),
    checkboxes=(Checkbox(name="abroad", label="I do not live in the UK"),),
)
