"""Two deals: the cost of each, and the loan at which both cost the same (decision 14); also on the rates page."""

from collections.abc import Mapping

from broker.calculators.calculator import (
    Bar,
    Calculator,
    Field,
    Group,
    Note,
    Tone,
    Unit,
    Working,
    loan_field,
    rate_field,
    term_field,
)
from broker.lending.arithmetic import Amount, Text, absolute, choose, maximum, minimum, number_in, shared, to_pennies
from broker.lending.money import decimals, exact_percent, exact_pounds, pounds, pounds_and_pence, years
from broker.lending.mortgage import MONTHS, balance_after, monthly_payment
from broker.rates.costs import MIN_SLOPE, CostTerms

_THOUSAND = 1_000

_NOTE = Note(
    title="Two ways to count",
    text="Cash is everything you pay in the deal. True cost leaves out what pays off the loan, because that is still "
    "yours as a smaller debt. Where the two disagree, true cost compares like for like.",
)


def _years(values: Mapping[str, Amount]) -> Amount:
    """Return the years of the comparison: those of the deal, at most the term."""
    return minimum(values["length"], values["term"])


def _deal(values: Mapping[str, Amount], which: str) -> CostTerms:
    return CostTerms(
        rate=values["rate" + which], fees=values["fees" + which], months=_years(values) * MONTHS, years=values["term"]
    )


def _paid(deal: CostTerms, loan: Amount) -> Amount:
    """Return the sum of a deal's payments, each in whole pennies, as collected."""
    return to_pennies(_payment(deal, loan) * deal.months)


def _payment(deal: CostTerms, loan: Amount) -> Amount:
    return to_pennies(monthly_payment(loan, deal.rate, deal.years))


def _repaid(deal: CostTerms, loan: Amount) -> Amount:
    """Return what comes off the loan, at most what is paid: at 0%, payments in whole pennies may add up to less."""
    return minimum(to_pennies(loan - balance_after(loan, deal.rate, deal.years, deal.months)), _paid(deal, loan))


def _true_cost(deal: CostTerms, loan: Amount) -> Amount:
    """Return the true cost of a deal to the penny, as a rates search does."""
    return to_pennies(_paid(deal, loan) + deal.fees - _repaid(deal, loan))


def _break_even_loan(fees: Amount, slope: Amount) -> Amount:
    """Return the loan in pounds at which `slope` a pound outweighs a saving in fees; 0 where it never does.

    The sum uses the slope for a thousand pounds as printed, so that the printed equation is exact.
    """
    printed = number_in(_per_thousand(slope), "-,")
    loan = choose(slope < 0, lambda: 0 - fees, lambda: fees) / maximum(printed, MIN_SLOPE) * _THOUSAND
    return choose(printed == 0, lambda: 0, lambda: maximum(loan, 0))


def _per_thousand(slope: Amount) -> Text:
    """Format the cost of a further thousand pounds of loan with seven decimals."""
    return decimals(slope * _THOUSAND, 7)


def _calculate(values: Mapping[str, Amount]) -> Working:
    first, second, loan = _deal(values, "1"), _deal(values, "2"), values["loan"]
    true1, true2 = shared(_true_cost(first, loan)), shared(_true_cost(second, loan))
    gap = maximum(true1 - true2, true2 - true1)
    return Working(
        label=_winner(true1, true2),
        figure=pounds_and_pence(choose(gap == 0, lambda: true1, lambda: gap)),
        caption="over " + years(_years(values)) + ", at a loan of " + exact_pounds(loan),
        steps=(
            _cost_step("Deal 1", first, loan=loan),
            _cost_step("Deal 2", second, loan=loan),
            _break_even_step("cash", first.fees - second.fees, second.cash_slope() - first.cash_slope()),
            _break_even_step("true cost", first.fees - second.fees, second.true_slope() - first.true_slope()),
        ),
        bars=(_bar("Deal 1, ", first, true1), _bar("Deal 2, ", second, true2)),
        note=_NOTE,
    )


def _bar(label: str, deal: CostTerms, cost: Amount) -> Bar:
    return Bar(label=label + exact_percent(deal.rate), figure=pounds_and_pence(cost), size=cost, tone=Tone.COST)


def _winner(true1: Amount, true2: Amount) -> Text:
    second = choose(
        true2 < true1, lambda: "Deal 2 has the lower true cost, by", lambda: "Both deals have the same true cost"
    )
    return choose(true1 < true2, lambda: "Deal 1 has the lower true cost, by", lambda: second)


def _cost_step(name: str, deal: CostTerms, *, loan: Amount) -> Text:
    paid, cash = pounds_and_pence(_paid(deal, loan)), pounds_and_pence(_paid(deal, loan) + deal.fees)
    true = pounds_and_pence(_true_cost(deal, loan))
    return (
        name
        + ": "
        + decimals(deal.months, 0)
        + " payments x "
        + pounds_and_pence(_payment(deal, loan))
        + " = "
        + paid
        + ". With fees: "
        + paid
        + " + "
        + exact_pounds(deal.fees)
        + " = "
        + cash
        + " in cash. Less what comes off the loan: "
        + cash
        + " − "
        + pounds_and_pence(_repaid(deal, loan))
        + " = "
        + true
        + " of true cost."
    )


def _break_even_step(what: str, fees: Amount, slope: Amount) -> Text:
    loan, dearer = shared(_break_even_loan(fees, slope)), absolute(slope)
    gap = absolute(fees)
    return choose(
        loan == 0,
        lambda: "By " + what + _always(gap, dearer) + " whatever the loan.",
        lambda: (
            "By "
            + what
            + " the smaller fee wins below a loan of "
            + pounds(loan)
            + ": the fees differ by "
            + exact_pounds(gap)
            + ", and each £1,000 borrowed costs "
            + pounds_and_pence(dearer * _THOUSAND)
            + " more; "
            + exact_pounds(gap)
            + " / "
            + _per_thousand(dearer)
            + " x 1,000 = "
            + pounds(loan)
            + "."
        ),
    )


def _always(gap: Amount, dearer: Amount) -> Text:
    is_same = (gap == 0) & (dearer < MIN_SLOPE)
    return choose(is_same, lambda: " both deals cost the same", lambda: " one deal is cheaper")


def _fees(which: str, default: float) -> Field:
    return Field(name="fees" + which, label=f"Deal {which}: lender fees", default=default, high=3_000, step=1)


CALCULATOR = Calculator(
    slug="two-deals",
    title="Which of two deals costs less?",
    subtitle="Put two offers side by side, fees and all",
    group=Group.COST,
    calculate=_calculate,
    fields=(
        rate_field("rate1", "Deal 1: rate", default=4.5),
        _fees("1", 1_999),
        rate_field("rate2", "Deal 2: rate", default=4.7),
        _fees("2", 0),
        loan_field("Loan", default=200_000),
        Field(
            name="length", label="Deal length", default=2, unit=Unit.YEARS, low=1, high=10, min_value=1, max_value=10
        ),
        term_field(40),
    ),
)
