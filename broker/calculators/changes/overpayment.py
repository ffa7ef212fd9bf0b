"""Overpayment: the time and the interest that a little more each month and one lump sum save."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.calculators.calculator import (
    EXAMPLE_RATE,
    Bar,
    Calculator,
    Choice,
    Field,
    Group,
    Line,
    LineChart,
    Note,
    Tone,
    Unit,
    Working,
    debt_chart,
    loan_field,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, choose, maximum, minimum, shared, to_pennies
from broker.lending.money import exact_pounds, pounds, pounds_and_pence, years_and_months
from broker.lending.mortgage import (
    MONTHS,
    balance_after,
    balance_paying,
    monthly_payment,
    payments_to_repay,
    total_paid,
)

SHORTER, LOWER = "shorter", "lower"
"""After the lump sum the payment stays, so that the loan ends sooner, or it falls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A loan with overpayments before and after a lump sum, in pounds and months.

    `owed` is the balance just before the lump sum, 0 if the loan ends sooner or there is none; `paid_off` is the part
    of the lump sum that is used.
    """

    loan: Amount
    rate: Amount
    agreed: Amount
    months_agreed: Amount
    payment: Amount
    lump_month: Amount
    owed: Amount
    paid_off: Amount
    later_payment: Amount

    @property
    def months(self) -> Amount:
        later = payments_to_repay(self.owed - self.paid_off, self.rate, payment=self.later_payment)
        return choose(
            self.owed > 0,
            lambda: self.lump_month + later,
            lambda: payments_to_repay(self.loan, self.rate, payment=self.payment),
        )

    @property
    def interest(self) -> Amount:
        """Return the interest with overpayments, unrounded."""
        later = total_paid(self.owed - self.paid_off, self.rate, payment=self.later_payment)
        return choose(
            self.owed > 0,
            lambda: self.payment * self.lump_month + self.paid_off + later - self.loan,
            lambda: total_paid(self.loan, self.rate, payment=self.payment) - self.loan,
        )

    @property
    def extra(self) -> Amount:
        return self.payment - self.agreed

    @property
    def has_later(self) -> Amount:
        """Return whether a lump sum is paid after the first year."""
        return (self.owed > 0) & (self.lump_month >= MONTHS)

    @property
    def first_year(self) -> Amount:
        """Return the overpayments of the first year."""
        return self.extra * MONTHS + choose(self.has_later, lambda: 0, lambda: self.paid_off)

    @property
    def interest_agreed(self) -> Amount:
        """Return the interest without overpayments, unrounded."""
        return self.agreed * self.months_agreed - self.loan

    def balance(self, month: Amount) -> Amount:
        before = balance_paying(self.loan, self.rate, payment=self.payment, months=month)
        since = month - self.lump_month
        after = balance_paying(self.owed - self.paid_off, self.rate, payment=self.later_payment, months=since)
        return maximum(choose((self.owed > 0) & (since >= 0), lambda: after, lambda: before), 0)


def plan(values: Mapping[str, Amount]) -> Plan:
    loan, rate, term, extra = (values[name] for name in ("loan", "rate", "term", "extra"))
    agreed = shared(monthly_payment(loan, rate, term))
    payment, lump, month = agreed + extra, values["lump"], minimum(values["lumpYear"], term) * MONTHS
    is_in_time = (lump > 0) & (month < payments_to_repay(loan, rate, payment=payment))
    owed = shared(choose(is_in_time, lambda: balance_paying(loan, rate, payment=payment, months=month), lambda: 0))
    paid_off = shared(minimum(lump, owed))
    is_lower = (values["then"] == LOWER) & (owed > paid_off)
    lower = choose(is_lower, lambda: monthly_payment(owed - paid_off, rate, term - month / MONTHS), lambda: agreed)
    return Plan(
        loan=loan,
        rate=rate,
        agreed=agreed,
        months_agreed=term * MONTHS,
        payment=payment,
        lump_month=month,
        owed=owed,
        paid_off=paid_off,
        later_payment=shared(lower + extra),
    )


def _calculate(values: Mapping[str, Amount]) -> Working:
    found = plan(values)
    agreed = shared(to_pennies(found.interest_agreed))
    interest = shared(minimum(to_pennies(maximum(found.interest, 0)), agreed))
    months, saved = shared(found.months), shared(to_pennies(agreed - interest))
    less = pounds_and_pence(agreed) + " − " + pounds_and_pence(interest)
    sooner = shared(found.months_agreed - months)
    return Working(
        label=choose(sooner > 0, lambda: "You would finish sooner by", lambda: "You would save in interest"),
        figure=choose(sooner > 0, lambda: years_and_months(sooner), lambda: pounds(saved)),
        caption=_caption(months, found),
        tiles=_tiles(found, saved=saved, sooner=sooner, share=values["allowance"]),
        steps=(
            "As agreed: " + pounds_and_pence(found.agreed) + " a month, and " + pounds_and_pence(agreed) + _OF_INTEREST,
            "With the extra: " + pounds_and_pence(found.payment) + " a month.",
            _lump_step(values, found),
            "Repaid after " + years_and_months(months) + ", with " + pounds_and_pence(interest) + _OF_INTEREST,
            "Saved: " + less + " = " + pounds_and_pence(saved) + ".",
        ),
        bars=(
            Bar(label="Interest as agreed", figure=pounds_and_pence(agreed), size=agreed, tone=Tone.NOW),
            Bar(label="Interest if you overpay", figure=pounds_and_pence(interest), size=interest, tone=Tone.NEW),
        ),
        note=_allowance(values, found),
        chart=_chart(values["term"], found),
    )


_OF_INTEREST = " of interest."


def _chart(term: Amount, found: Plan) -> LineChart:
    def agreed(month: Amount) -> Amount:
        return balance_after(found.loan, found.rate, term, month)

    return debt_chart(
        found.loan,
        term,
        Line(label="As agreed", tone=Tone.NOW, value_at=agreed),
        Line(label="If you overpay", tone=Tone.NEW, value_at=found.balance),
    )


def _caption(months: Amount, found: Plan) -> Text:
    agreed = years_and_months(found.months_agreed)
    sooner = "After " + years_and_months(months) + " instead of " + agreed
    time = choose(months < found.months_agreed, lambda: sooner, lambda: "And finish at the same time, after " + agreed)
    is_later = found.later_payment != found.payment
    at_once = choose(is_later & (found.lump_month == 0), lambda: found.later_payment, lambda: found.payment)
    then = ", then " + pounds_and_pence(found.later_payment) + " after the lump sum"
    paying = ", for " + pounds_and_pence(at_once) + " a month"
    later = choose((found.owed > found.paid_off) & is_later & (found.lump_month > 0), lambda: then, lambda: "")
    return choose(months == 0, lambda: "Your lump sum pays off the loan today", lambda: time + paying + later)


def _tiles(found: Plan, *, saved: Amount, sooner: Amount, share: Amount) -> tuple[tuple[Text, Text], ...]:
    """Return the interest saved, or the payment where the headline has the interest, and the yearly allowance."""
    first = exact_pounds(found.first_year)
    return (
        (
            choose(sooner > 0, lambda: pounds(saved), lambda: pounds_and_pence(found.later_payment)),
            choose(sooner > 0, lambda: "less interest in all", lambda: "a month until the loan ends"),
        ),
        (first, "extra in the first year, of " + pounds(found.loan * share / 100) + " free of charge"),
    )


def _lump_step(values: Mapping[str, Amount], found: Plan) -> Text:
    owed = ": you owe " + pounds_and_pence(found.owed) + ", and pay off " + pounds_and_pence(found.paid_off) + " of it"
    then = ". From then on: " + pounds_and_pence(found.later_payment) + " a month."
    time = choose(found.lump_month == 0, lambda: "today", lambda: "after " + years_and_months(found.lump_month))
    unused = "The loan is repaid before the lump sum, so it isn’t used."
    none = choose(values["lump"] == 0, lambda: "No lump sum.", lambda: unused)
    return choose(found.owed > 0, lambda: "Lump sum " + time + owed + then, lambda: none)


def _allowance(values: Mapping[str, Amount], found: Plan) -> Note:
    """Say whether the first year and the year of the lump sum are within the yearly allowance."""
    share, extra, first, has_later = values["allowance"], found.extra * MONTHS, found.first_year, found.has_later
    allowed, paid = shared(found.loan * share / 100), shared(extra + found.paid_off)
    start = found.lump_month - found.lump_month % MONTHS
    owed = balance_paying(found.loan, found.rate, payment=found.payment, months=start)
    allowed_then = shared(owed * share / 100)
    is_above = shared(has_later & (paid > allowed_then))
    is_within = shared(choose(is_above, lambda: False, lambda: first <= allowed))
    above = choose(
        is_above, lambda: "Above your allowance in the year of the lump sum", lambda: "Within your allowance"
    )
    year = "In the year of the lump sum: " + pounds(paid) + " of " + pounds(allowed_then) + ". "
    return Note(
        title=choose(first > allowed, lambda: "Above your allowance in the first year", lambda: above),
        text=choose(has_later, lambda: year, lambda: "")
        + choose(is_within, lambda: _NO_CHARGE, lambda: _CHARGE)
        + " Ask your lender how it counts a year.",
        is_good=is_within,
    )


_NO_CHARGE = "Most deals have no early repayment charge within the allowance."
_CHARGE = "Above the allowance, most fixed deals have an early repayment charge. It is not in these figures."


CALCULATOR = Calculator(
    slug="overpayment",
    title="Overpayment",
    subtitle="A little more each month, and a lump sum",
    group=Group.CHANGES,
    order=10,
    calculate=_calculate,
    guide="overpaying-your-mortgage",
    keywords=("overpay", "pay off early", "lump sum", "shorter term", "interest saved"),
    fields=(
        loan_field("Loan left", default=200_000),
        rate_field("rate", "Interest rate", default=EXAMPLE_RATE),
        term_field(40),
        Field(name="extra", label="Extra each month", default=200, high=2_000, step=10),
        Field(name="lump", label="Lump sum", default=0, high=100_000, step=500),
        Field(name="lumpYear", label="Lump sum after", default=0, unit=Unit.YEARS, high=30, max_value=40),
        Field(
            name="allowance",
            label="Yearly allowance",
            default=10,
            unit=Unit.PERCENT,
            high=25,
            step=0.5,
            max_value=25,
            hint="Of what you owe, free of charge; often 10%",
        ),
    ),
    choices=(
        Choice(
            name="then",
            group="After the lump sum",
            label="What should change?",
            default=SHORTER,
            options=((SHORTER, "Keep the payment, finish sooner"), (LOWER, "Lower the payment, keep the end date")),
        ),
    ),
)
