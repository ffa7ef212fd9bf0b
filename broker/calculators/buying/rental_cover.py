"""Rental cover: the largest loan that a rent supports at typical tests of lenders, and whether a loan passes."""

from collections.abc import Mapping
from dataclasses import dataclass

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
    loan_field,
    rate_field,
)
from broker.lending.arithmetic import Amount, Text, choose, looked_up, maximum, minimum, shared
from broker.lending.lending_rules import COVERS, FLOOR_TEST, LET_SOURCES, OWN_RATE_TEST, RENT_TESTS, RentTest
from broker.lending.money import decimals, exact_percent, exact_pounds, pounds, pounds_and_pence, rate_digits
from broker.lending.mortgage import MONTHS
from broker.rates.deal_types import LET_LTVS

LANDLORD, FIXED = "landlord", "fixed"
"""The names of the choice of who lets, and of the checkbox for a rate that is fixed for five years or more."""

MAX_LTV = LET_LTVS[-1]
"""The highest loan to value of the deals on let property that we search, in percent."""

_LEAST_RATE = 0.001
"""The rate in percent that replaces 0 in divisions: any rent covers any loan."""

_ROUNDING = 1e-6
"""Pounds, or percent of cover, below this are a rounding error of binary fractions."""

_NOTE = Note(
    title="Each lender has a test of its own",
    text="Banks are expected to test at 5.5% or more, unless the rate is fixed for five years; how much cover they ask "
    "is up to them. Homes let by the room, holiday lets and landlords of four or more mortgaged homes are tested "
    "harder. Some lenders count your other income.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RentAnswer:
    """A loan tested at a rate: the rent's `cover` of its interest and the `required` one in percent, and the limits.

    `by_rent` is the largest loan that the rent supports, `by_value` that on the value, and `limit` the lower of the
    two, in whole pounds, rounded down.
    """

    tested: Amount
    required: Amount
    interest: Amount
    cover: Amount
    by_rent: Amount
    by_value: Amount
    limit: Amount


def rent_answer(test: RentTest, values: Mapping[str, Amount]) -> RentAnswer:
    """Return the result of a test for the loan of a calculator's values."""
    return _rent_at(test.tested_rate(values["rate"]), values)


def _rent_at(tested: Amount, values: Mapping[str, Amount]) -> RentAnswer:
    yearly = values["rent"] * MONTHS
    required = looked_up(values[LANDLORD], {name: [cover] for name, cover in COVERS.items()})[0]
    rate = maximum(tested, _LEAST_RATE)
    by_rent = shared((yearly * 10_000 / (required * rate) + _ROUNDING) // 1)
    by_value = shared((values["value"] * MAX_LTV / 100 + _ROUNDING) // 1)
    return RentAnswer(
        tested=tested,
        required=required,
        interest=shared(values["loan"] * tested / 100),
        cover=shared(yearly / (maximum(values["loan"], MIN_POUNDS) * rate / 100) * 100),
        by_rent=by_rent,
        by_value=by_value,
        limit=shared(minimum(by_rent, by_value)),
    )


def _own(values: Mapping[str, Amount]) -> RentAnswer:
    """Return the result of the mildest test that lenders may use for the visitor's own deal."""
    short, long = FLOOR_TEST.tested_rate(values["rate"]), OWN_RATE_TEST.tested_rate(values["rate"])
    return _rent_at(shared(choose(values[FIXED], lambda: long, lambda: short)), values)


def _calculate(values: Mapping[str, Amount]) -> Working:
    own, loan = _own(values), values["loan"]
    answers = tuple((test, rent_answer(test, values)) for test in RENT_TESTS)
    return Working(
        label="Your loan of " + exact_pounds(loan),
        figure=choose(loan > own.limit, lambda: "Fails", lambda: "Passes"),
        caption=_caption(own, values),
        tiles=(
            (pounds(own.limit), "the largest loan that passes"),
            (pounds_and_pence(_rent_needed(own)), "the rent a month that your loan needs"),
        ),
        steps=_steps(own, values),
        bars=(
            Bar(label="Your loan", figure=exact_pounds(loan), size=loan, tone=Tone.OWN),
            *(Bar(label=test.name, figure=pounds(each.limit), size=each.limit) for test, each in answers),
        ),
        note=_NOTE,
        table=Table(
            caption="Typical tests, with the cover that lenders ask of you",
            heads=("Test", "At", "Largest loan", "Your loan"),
            rows=tuple(
                (test.name, exact_percent(each.tested), pounds(each.limit), _verdict(each, loan))
                for test, each in answers
            ),
        ),
    )


def _verdict(answer: RentAnswer, loan: Amount) -> Text:
    over = maximum(loan - answer.limit, 0)
    return choose(over > 0, lambda: exact_pounds(over) + " over", lambda: "Passes")


def _caption(own: RentAnswer, values: Mapping[str, Amount]) -> Text:
    loan = values["loan"]
    share = "The rent is " + _cover(own.cover) + " of the interest at " + exact_percent(own.tested) + ", and "
    covers = choose(
        own.interest > 0, lambda: share + _cover(own.required) + " is asked", lambda: "There is no interest to cover"
    )
    too_large = f"It is above {MAX_LTV}% of the value, the most that lenders we search lend on a let"
    return choose((loan <= own.by_rent) & (loan > own.limit), lambda: too_large, lambda: covers)


def _rent_needed(own: RentAnswer) -> Amount:
    """Return the rent a month that covers the loan's interest."""
    return own.interest * own.required / 100 / MONTHS


def _cover(cover: Amount) -> Text:
    """Format a cover in whole percent, rounded down: 124.9% is not 125%."""
    return decimals((cover + _ROUNDING) // 1, 0) + "%"


def _steps(own: RentAnswer, values: Mapping[str, Amount]) -> tuple[Text, ...]:
    loan, yearly = values["loan"], exact_pounds(values["rent"] * MONTHS)
    interest, at = pounds(own.interest), exact_percent(own.tested)
    return (
        "A year’s rent: " + exact_pounds(values["rent"]) + " x 12 = " + yearly + ".",
        _tested(own, values),
        "Interest: " + exact_pounds(loan) + " at " + at + " = " + interest + " a year.",
        "Cover: "
        + yearly
        + " / ("
        + exact_pounds(loan)
        + " x "
        + at
        + ")"
        + _given(own)
        + "; asked: "
        + _who(values)
        + ".",
        "Largest loan by the rent: "
        + yearly
        + " / "
        + decimals(own.required / 100, 2)
        + " / "
        + rate_digits(own.tested)
        + " x 100"
        + _limit(own),
        f"Most on the value: {MAX_LTV}% of " + exact_pounds(values["value"]) + _lower(own),
        "Rent that your loan needs: " + pounds_and_pence(_rent_needed(own)) + " a month.",
    )


def _tested(own: RentAnswer, values: Mapping[str, Amount]) -> Text:
    rate = exact_percent(values["rate"])
    return choose(
        values[FIXED],
        lambda: "Tested at the rate itself, " + rate + ", as it is fixed for five years or more.",
        lambda: (
            "Tested two points up and at 5.50% at the least, as the Prudential Regulation Authority asks of banks: "
            + rate
            + ", tested at "
            + exact_percent(own.tested)
            + "."
        ),
    )


def _lower(own: RentAnswer) -> Text:
    return " = " + pounds(own.by_value) + ", rounded down. The lower of the two is " + pounds(own.limit) + "."


def _given(own: RentAnswer) -> Text:
    return choose(
        own.interest > 0,
        lambda: " = " + _cover(own.cover) + ", rounded down",
        lambda: ": no interest, so any rent covers it",
    )


def _limit(own: RentAnswer) -> Text:
    return choose(
        own.tested < _LEAST_RATE,
        lambda: ": no limit without interest.",
        lambda: " = " + pounds(own.by_rent) + ", rounded down.",
    )


def _who(values: Mapping[str, Amount]) -> Text:
    return looked_up(values[LANDLORD], {name: f"{COVERS[name]}% of {words}" for name, words in _WHO.items()})


_WHO = {"basic": "basic-rate taxpayers", "higher": "higher-rate taxpayers", "company": "limited companies"}

CALCULATOR = Calculator(
    slug="landlord-test",
    title="Does the rent pass?",
    subtitle="The landlord’s test, at the tests of typical lenders",
    group=Group.BUYING,
    order=35,
    calculate=_calculate,
    guide="buy-to-let-guide",
    keywords=("buy to let", "landlord", "rent", "interest cover", "ICR", "stress test", "rental cover", "tenant"),
    sources=LET_SOURCES,
    fields=(
        Field(name="rent", label="Monthly rent", default=1_100, low=100, high=5_000, step=10, min_value=MIN_POUNDS),
        Field(
            name="value",
            label="Property value",
            default=200_000,
            low=50_000,
            high=1_000_000,
            step=5_000,
            min_value=MIN_POUNDS,
        ),
        loan_field("Loan", default=150_000),
        rate_field("rate", "Mortgage rate", default=4.75),
    ),
    choices=(
        Choice(
            name=LANDLORD,
            group="Landlord",
            label="Who lets the home?",
            default="basic",
            options=(
                ("basic", "I pay tax at the basic rate, or none"),
                ("higher", "I pay tax at a higher rate"),
                ("company", "A limited company"),
            ),
        ),
    ),
    checkboxes=(Checkbox(name=FIXED, label="The rate is fixed for five years or more"),),
)
