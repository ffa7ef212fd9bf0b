"""Rate change: the payment today, and what it would be some points higher or lower."""

from collections.abc import Mapping

from broker.calculators.calculator import (
    EXAMPLE_RATE,
    Calculator,
    Field,
    Group,
    Note,
    Table,
    Tone,
    Unit,
    Working,
    loan_field,
    rate_bar,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, shared, to_pennies
from broker.lending.money import exact_percent, exact_pounds, pounds_and_pence, rate_digits, years
from broker.lending.mortgage import monthly_payment

CHANGES = (-2, -1, -0.5, 0, 0.5, 1, 2, 3)
"""Points of the table's rows."""

_NOTE = Note(
    title="A fixed rate stays as it is until your deal ends",
    text="After that, or on a tracker or a variable rate, your payment follows the rate. If a rise would be hard to "
    "meet, talk to your lender or an adviser before it comes.",
)


def _calculate(values: Mapping[str, Amount]) -> Working:
    loan, rate, term, points = (values[name] for name in ("loan", "rate", "term", "points"))
    higher, lower = rate + points, maximum(rate - points, 0)
    now, dearer, cheaper = (shared(to_pennies(monthly_payment(loan, each, term))) for each in (rate, higher, lower))
    return Working(
        label="If your rate rises, you would pay more by",
        figure=pounds_and_pence(to_pennies(dearer - now)),
        per="a month",
        caption=_caption(now, (higher, dearer), fall=(lower, cheaper)),
        steps=(
            "A loan of " + exact_pounds(loan) + " over " + years(term) + ", and a change of " + _points(points) + ".",
            _step("Now, at ", rate, payment=now),
            _step("After a rise, at ", higher, payment=dearer),
            _step("After a fall, at ", lower, payment=cheaper),
        ),
        bars=(
            rate_bar("Now, ", rate, now, tone=Tone.NOW),
            rate_bar("After a rise, ", higher, dearer, tone=Tone.NEXT),
            rate_bar("After a fall, ", lower, cheaper, tone=Tone.NEW),
        ),
        note=_NOTE,
        table=_table(values, now),
    )


def _table(values: Mapping[str, Amount], now: Amount) -> Table:
    loan, rate, term = values["loan"], values["rate"], values["term"]
    return Table(
        caption="The monthly payment at other rates",
        heads=("Rate", "A month", "Change"),
        rows=tuple(_row(loan, maximum(rate + change, 0), term=term, now=now) for change in CHANGES),
    )


def _caption(now: Amount, rise: tuple[Amount, Amount], *, fall: tuple[Amount, Amount]) -> Text:
    """Compare the payment now with the rates and payments after a rise and a fall."""
    higher = pounds_and_pence(now) + " now, and " + pounds_and_pence(rise[1]) + " at " + exact_percent(rise[0])
    saved = pounds_and_pence(to_pennies(now - fall[1])) + " a month"
    return higher + ". A fall to " + exact_percent(fall[0]) + " would save " + saved


def _points(points: Amount) -> Text:
    return rate_digits(points) + " points"


def _step(start: str, rate: Amount, *, payment: Amount) -> Text:
    return start + exact_percent(rate) + ": " + pounds_and_pence(payment) + " a month."


def _row(loan: Amount, rate: Amount, *, term: Amount, now: Amount) -> tuple[Text, ...]:
    payment = shared(to_pennies(monthly_payment(loan, rate, term)))
    less = choose(payment == now, lambda: "None", lambda: pounds_and_pence(now - payment) + " less")
    change = choose(payment > now, lambda: pounds_and_pence(payment - now) + " more", lambda: less)
    return exact_percent(rate), pounds_and_pence(payment), change


CALCULATOR = Calculator(
    slug="rate-change",
    title="Rate change",
    subtitle="Your payment if rates rise or fall",
    group=Group.CHANGES,
    order=20,
    calculate=_calculate,
    guide="fixed-or-variable",
    keywords=("interest rate rise", "what if rates go up", "base rate", "stress test", "points"),
    fields=(
        loan_field("Loan left", default=200_000),
        rate_field("rate", "Rate now", default=EXAMPLE_RATE),
        term_field(40),
        Field(
            name="points",
            label="Change",
            default=1,
            unit=Unit.PERCENT,
            low=0,
            high=5,
            step=0.25,
            max_value=25,
            hint="In percentage points",
        ),
    ),
)
