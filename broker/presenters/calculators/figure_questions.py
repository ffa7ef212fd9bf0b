"""What was asked of a published figure, in words, by its measure."""

from collections.abc import Callable, Mapping

from broker.calculators.buying.stamp_duty import BUYERS
from broker.domain.published_figures import Steps
from broker.lending.money import exact_percent, exact_pounds, years, years_and_months
from broker.lending.mortgage import MONTHS
from broker.lending.property_tax_rates import Buyer


def _loan(loan: float, rate: float, *, term: float) -> str:
    return f"{exact_pounds(loan)} at {exact_percent(rate)} over {years(term)}"


def _repaid(ending: str = "") -> Callable[..., str]:
    return lambda *, loan, rate, years: _loan(loan, rate, term=years) + ending


def _stepped(*, loan: float, steps: Steps, step: int, added: float = 0) -> str:
    """Return a loan with the step whose payment is asked for."""
    term = sum(months for _, months in steps) / MONTHS
    first = "the first" if step == 1 else "then"
    rate, months = steps[step - 1]
    return f"{exact_pounds(loan + added)} over {years(term)}, {first} {months} months at {exact_percent(rate)}"


def _deal(*, loan: float, steps: Steps, interest_only: bool = False, **charges: float) -> str:
    rates = ", then ".join(f"{months} months at {exact_percent(rate)}" for rate, months in steps)
    kind = ", interest-only" if interest_only else ""
    paid = "".join(f", {exact_pounds(amount)} {CHARGES[name]}" for name, amount in charges.items())
    return f"{exact_pounds(loan)}: {rates}{kind}{paid}"


def _bought(*, nation: str, buyer: str, price: float, since: str, abroad: bool = False, later: str = "") -> str:
    del nation, since
    resident = ", not living in the UK" if abroad else ""
    saved = ", saved against the rates that followed" if later else ""
    return f"{exact_pounds(price)}, {BUYERS[Buyer(buyer)].lower()}{resident}{saved}"


CHARGES = {
    "upfront": "in fees",
    "added": "in fees added to the loan",
    "closing": "to close the account",
    "first_extra": "of first interest",
}

ASKED: Mapping[str, Callable[..., str]] = {
    "payment": _repaid(),
    "payment_after_rise": lambda *, loan, rate, years, points: _loan(loan, rate + points, term=years),
    "step_payment": _stepped,
    "total_paid": _repaid(", all payments"),
    "total_interest": _repaid(", interest"),
    "balance": lambda *, loan, rate, years, months: f"{_loan(loan, rate, term=years)}, {_after(months)}",
    "interest_only_payment": lambda *, loan, rate: f"{exact_pounds(loan)} at {exact_percent(rate)}, a month",
    "interest_only_after_rise": lambda *, loan, rate, points: (
        f"{exact_pounds(loan)} at {exact_percent(rate + points)}, interest-only"
    ),
    "interest_only_total": _repaid(", interest and loan"),
    "interest_only_interest": _repaid(", interest"),
    "deal_cost": lambda *, loan, rate, years, months, fees: (
        f"{_loan(loan, rate, term=years)}, {exact_pounds(fees)} in fees, a year of {months} months"
    ),
    "aprc": _deal,
    "total_payable": _deal,
    "interest_saved": lambda *, loan, rate, years, extra: (
        f"{_loan(loan, rate, term=years)}, {exact_pounds(extra)} more a month: interest saved"
    ),
    "months_saved": lambda *, loan, rate, years, extra: (
        f"{_loan(loan, rate, term=years)}, {exact_pounds(extra)} more a month: time saved"
    ),
    "tax": _bought,
    "tax_saved": _bought,
    "lisa_bonus": lambda *, paid: f"{exact_pounds(paid)} paid in over a year",
    "loan_to_value": lambda *, loan, value: f"{exact_pounds(loan)} on a home of {exact_pounds(value)}",
}
"""What was asked, in words, by measure."""


def _after(months: int) -> str:
    return f"after {years_and_months(months)}"
