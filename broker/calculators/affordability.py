"""Affordability: the range that a budget with outgoings allows, each end by a rule with its source."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.calculators.buying.purchase import MARKET_RATE
from broker.calculators.calculator import (
    Bar,
    Calculator,
    Checkbox,
    Field,
    Group,
    Note,
    Table,
    Tone,
    Working,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, minimum, shared, to_pennies
from broker.lending.lending_rules import (
    CAREFUL_RISE,
    DEBT_SHARE,
    HIGH_LENDING,
    HIGH_MULTIPLE,
    HOME_SOURCES,
    LEAST_RISE,
    affordable_payment,
    loan_paid_by,
)
from broker.lending.money import decimals, exact_percent, exact_pounds, pounds, pounds_and_pence, years
from broker.lending.mortgage import MONTHS, monthly_payment

FIXED = "fixed"
"""The name of the checkbox for a rate that is fixed for five years or more."""

_ROUNDING = 1e-6
"""Pounds below this are a rounding error of binary fractions."""

_NOTE = Note(
    title="A second opinion, not a lender’s sum",
    text="Lenders start from your income after tax and take off what a household like yours spends, with more for "
    "children and other dependants. Each has figures of its own. Some lend five times income or more to some people.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The loan in whole pounds by each rule, and the `payment` a month that the budget allows.

    `careful` is what the budget pays for after a rise of three points, `least` after the `rise` that a lender must
    test, and `multiple` the loan above which lending counts as high.
    """

    payment: Amount
    rise: Amount
    careful: Amount
    least: Amount
    multiple: Amount

    @property
    def low(self) -> Amount:
        return minimum(self.careful, self.multiple)

    @property
    def high(self) -> Amount:
        return minimum(self.least, self.multiple)


def affordability(values: Mapping[str, Amount]) -> Range:
    income, rate, term = values["income1"] + values["income2"], values["rate"], values["term"]
    payment = shared(affordable_payment(income, values["commitments"]))
    rise = choose(values[FIXED], lambda: 0, lambda: LEAST_RISE)
    return Range(
        payment=payment,
        rise=rise,
        careful=_whole(loan_paid_by(payment, rate + CAREFUL_RISE, term=term)),
        least=_whole(loan_paid_by(payment, rate + rise, term=term)),
        multiple=_whole(HIGH_MULTIPLE * income),
    )


def _whole(loan: Amount) -> Amount:
    return shared((loan + _ROUNDING) // 1)


def _calculate(values: Mapping[str, Amount]) -> Working:
    found = affordability(values)
    return Working(
        label=choose(found.low < found.high, lambda: "You might borrow between", lambda: "You might borrow up to"),
        figure=choose(
            found.low < found.high, lambda: pounds(found.low) + " and " + pounds(found.high), lambda: pounds(found.high)
        ),
        caption=_caption(found, values),
        steps=_steps(found, values),
        bars=tuple(
            Bar(label=label, figure=pounds(loan), size=loan, tone=tone)
            for (label, loan), tone in zip(_rules(found), (Tone.COST, Tone.LOAN, Tone.NOW), strict=True)
        ),
        note=_NOTE,
        table=_table(found, values),
    )


def _rules(found: Range) -> tuple[tuple[Text, Amount], ...]:
    least = choose(found.rise == 0, lambda: "Budget at your fixed rate", lambda: f"Budget, rate up {LEAST_RISE} point")
    return (
        (f"Budget, rate up {CAREFUL_RISE} points", found.careful),
        (least, found.least),
        (f"{HIGH_MULTIPLE} times your income", found.multiple),
    )


def _caption(found: Range, values: Mapping[str, Amount]) -> Text:
    upper = choose(
        found.least > found.multiple,
        lambda: f"{HIGH_MULTIPLE} times your income",
        lambda: choose(
            found.rise == 0,
            lambda: "what it pays for at a rate that is fixed",
            lambda: f"what it pays for if the rate rises {LEAST_RISE} point",
        ),
    )
    split = choose(
        found.low < found.high,
        lambda: f"From what your budget pays for if the rate rises {CAREFUL_RISE} points, to " + upper,
        lambda: f"{HIGH_MULTIPLE} times your income. Your budget would pay for more",
    )
    none = choose(
        values["income1"] + values["income2"] == 0,
        lambda: "Type your income: without one there is no loan",
        lambda: f"Your commitments take {DEBT_SHARE}% of your income or more, which leaves nothing for a mortgage",
    )
    return choose(found.payment > 0, lambda: split, lambda: none)


def _steps(found: Range, values: Mapping[str, Amount]) -> tuple[Text, ...]:
    first, second, commitments = values["income1"], values["income2"], values["commitments"]
    income = first + second
    share = to_pennies(income * DEBT_SHARE / 100 / MONTHS)
    return (
        "Income before tax: " + exact_pounds(first) + " + " + exact_pounds(second) + " = " + exact_pounds(income) + ".",
        f"Budget: {DEBT_SHARE}% of it is "
        + pounds_and_pence(share)
        + " a month. Less commitments of "
        + exact_pounds(commitments)
        + ", it leaves "
        + pounds_and_pence(maximum(share - to_pennies(commitments), 0))
        + f". The Bank of England sees a higher risk above {DEBT_SHARE}%; that your commitments come out of it is our "
        "caution.",
        f"Lower end, {CAREFUL_RISE} points up, the size of the Bank of England’s test until August 2022: "
        + _paid_for(found.careful, CAREFUL_RISE, values),
        choose(
            found.rise == 0,
            lambda: "Upper end, at your own rate, as no test of a rise is asked of a rate fixed for five years: ",
            lambda: f"Upper end, {LEAST_RISE} point up, the least that the Financial Conduct Authority’s rule asks: ",
        )
        + _paid_for(found.least, found.rise, values),
        f"Neither end goes above {HIGH_MULTIPLE} times the income, "
        + pounds(found.multiple)
        + f", rounded down. {HIGH_LENDING}",
    )


def _paid_for(loan: Amount, rise: Amount, values: Mapping[str, Amount]) -> Text:
    rate, term = values["rate"] + rise, values["term"]
    return (
        "at "
        + exact_percent(rate)
        + " over "
        + years(term)
        + " the budget pays for "
        + pounds(loan)
        + ", rounded down."
    )


def _table(found: Range, values: Mapping[str, Amount]) -> Table:
    income = values["income1"] + values["income2"]

    def row(rule: Text, loan: Amount) -> tuple[Text, ...]:
        times = choose(income == 0, lambda: "None", lambda: decimals(loan / income, 2))
        return rule, pounds(loan), times, pounds(monthly_payment(loan, values["rate"], values["term"]))

    return Table(
        caption="Each rule by itself, with the payment a month at your rate",
        heads=("Rule", "Loan", "Times income", "Payment"),
        rows=tuple(row(rule, loan) for rule, loan in _rules(found)),
    )


CALCULATOR = Calculator(
    slug="affordability",
    title="What can my budget carry?",
    subtitle="A second opinion, with your outgoings",
    group=Group.BORROW,
    order=15,
    calculate=_calculate,
    guide="how-much-can-i-borrow",
    keywords=("afford", "affordability", "outgoings", "stress test", "commitments", "budget", "debts"),
    sources=HOME_SOURCES,
    fields=(
        Field(name="income1", label="Your income", default=35_000, high=170_000, step=500, hint="A year, before tax"),
        Field(name="income2", label="Second income", default=27_000, high=170_000, step=500, hint="0 if you buy alone"),
        Field(
            name="commitments",
            label="Monthly commitments",
            default=300,
            high=3_000,
            step=10,
            hint="Loans, cards, childcare, travel",
        ),
        rate_field("rate", "Mortgage rate", default=MARKET_RATE),
        term_field(40),
    ),
    checkboxes=(Checkbox(name=FIXED, label="The rate is fixed for five years or more"),),
)
