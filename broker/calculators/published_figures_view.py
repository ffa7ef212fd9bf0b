"""Published figures by subject, and those of a tax by nation and by the day from which its rates held."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from broker.calculators.buying.stamp_duty import BUYERS
from broker.calculators.published_figures import PublishedFigure, Source, Steps
from broker.calculators.tax_rates import TAX_NAMES, spoken
from broker.lending.loan_to_value import ltv_figure
from broker.lending.money import (
    decimals,
    exact_percent,
    exact_pounds,
    pounds,
    pounds_and_pence,
    years,
    years_and_months,
)
from broker.lending.mortgage import MONTHS
from broker.lending.property_tax_rates import Buyer, Nation


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


SAME = "Same"

TENTH = 0.1
"""The rounding of a percentage with one decimal place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """A figure: what was asked, its source with version and date, theirs, ours, the difference, and why."""

    asked: str
    source: str
    theirs: str
    ours: str
    difference: str
    why: str = ""


def figure_row(figure: PublishedFigure) -> FigureRow:
    """Return a figure as a row; a difference is what ours is more or less by."""
    theirs, ours = (_shown(amount, figure) for amount in (figure.figure, figure.ours))
    gap = _shown(abs(figure.ours - figure.figure), figure)
    is_same = theirs == ours
    return FigureRow(
        asked=ASKED[figure.measure](**figure.asked),
        source=f"{figure.source.publisher}, {edition(figure.source)}",
        theirs=theirs,
        ours=ours,
        difference=SAME if is_same else f"{gap} {'more' if figure.ours > figure.figure else 'less'}",
        why="" if is_same else figure.why,
    )


def edition(source: Source) -> str:
    """Return the version of a source, where it bears one, and the day on which it was read."""
    read = f"read {spoken(source.read)}"
    return f"version {source.version}, {read}" if source.version else read


def _shown(amount: float, figure: PublishedFigure) -> str:
    """Format an amount to the digits that are published of the figure."""
    if figure.measure == "aprc":
        return decimals(amount, 1 if figure.rounding == TENTH else 2) + "%"
    if figure.measure == "loan_to_value":
        return ltv_figure(amount) + "%"
    if figure.measure == "months_saved":
        return years_and_months(round(amount))
    return pounds(amount) if figure.rounding == 1 else pounds_and_pence(amount)


GROUPS: Mapping[str, tuple[str, ...]] = {
    "Monthly payments": ("payment",),
    "Payments of a deal, and after it": ("step_payment",),
    "Payments three points higher": ("payment_after_rise", "interest_only_after_rise"),
    "All payments and interest": ("total_paid", "total_interest"),
    "Balances": ("balance",),
    "Interest-only": ("interest_only_payment", "interest_only_total", "interest_only_interest"),
    "Cost of a deal": ("deal_cost",),
    "APRC": ("aprc",),
    "Total amount payable": ("total_payable",),
    "Overpayments": ("interest_saved", "months_saved"),
    "Lifetime ISA bonus": ("lisa_bonus",),
    "Loan to value": ("loan_to_value",),
}
"""The groups of figures that are no tax, each with its measures; taxes have a group for each nation and first day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureGroup:
    """Figures of one subject."""

    title: str
    rows: tuple[FigureRow, ...]


def figure_groups(figures: Iterable[PublishedFigure]) -> tuple[FigureGroup, ...]:
    """Return the figures in their groups: those of `GROUPS`, then taxes by nation, the latest rates first."""
    rows: dict[str, list[FigureRow]] = {title: [] for title in GROUPS}
    titles = {measure: title for title, measures in GROUPS.items() for measure in measures}
    for figure in figures:
        rows.setdefault(titles.get(figure.measure) or _tax_title(figure.asked), []).append(figure_row(figure))
    return tuple(FigureGroup(title=title, rows=tuple(listed)) for title, listed in rows.items() if listed)


def sources(figures: Iterable[PublishedFigure]) -> tuple[Source, ...]:
    """Return each source once, by publisher and title."""
    found = {figure.source for figure in figures}
    return tuple(sorted(found, key=lambda source: (source.publisher.casefold(), source.title)))


def summary(figures: Iterable[PublishedFigure]) -> str:
    """Return how many figures there are, and how many of ours are the same to the last digit."""
    rows = [figure_row(figure) for figure in figures]
    same = sum(row.difference == SAME for row in rows)
    equal = f"{len(rows)} published figures. {same} of ours are the same to the last digit."
    if same == len(rows):
        return equal
    return f"{equal} {len(rows) - same} differ, and the reason is beside each."


def _tax_title(asked: Mapping[str, Any]) -> str:
    return f"{TAX_NAMES[Nation(asked['nation'])]}, rates from {spoken(date.fromisoformat(asked['since']))}"
