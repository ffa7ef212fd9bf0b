"""What the page of how we calculate shows: published figures beside ours, and the rates of tax since 2021."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from math import inf
from typing import Any

from broker.calculators.buying.stamp_duty import BUYERS, date_text
from broker.calculators.published_figures import PublishedFigure, Source, Steps
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
from broker.lending.property_tax_rates import HELD_SINCE, RATES, SOURCES, Buyer, Nation, rates_on

TAX_NAMES = {
    Nation.ENGLAND: "Stamp duty, England and Northern Ireland",
    Nation.SCOTLAND: "LBTT, Scotland",
    Nation.WALES: "LTT, Wales",
}

SAME = "Same"

_TENTH = 0.1
"""The rounding of a percentage with one decimal place."""

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
"""The measures of each group of figures; taxes have a group for each nation and first day of their rates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    asked: str
    source: str
    theirs: str
    ours: str
    difference: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureGroup:
    title: str
    rows: tuple[FigureRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRow:
    """The rates from a day: of a first home, of moving home, of an additional home."""

    since: str
    rates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTable:
    """The rates of a nation, the latest first; `source` is where it publishes them."""

    title: str
    source: str
    rows: tuple[RateRow, ...]


def figure_groups(figures: Iterable[PublishedFigure]) -> tuple[FigureGroup, ...]:
    """Return the figures in their groups: those of `GROUPS`, then taxes by nation, the latest rates first."""
    rows: dict[str, list[FigureRow]] = {title: [] for title in GROUPS}
    titles = {measure: title for title, measures in GROUPS.items() for measure in measures}
    for figure in figures:
        rows.setdefault(titles.get(figure.measure) or _tax_title(figure.asked), []).append(_figure_row(figure))
    return tuple(FigureGroup(title=title, rows=tuple(listed)) for title, listed in rows.items() if listed)


def _tax_title(asked: Mapping[str, Any]) -> str:
    return f"{TAX_NAMES[Nation(asked['nation'])]}, rates from {date_text(date.fromisoformat(asked['since']))}"


def sources(figures: Iterable[PublishedFigure]) -> tuple[Source, ...]:
    """Return each source once, by publisher and title."""
    found = {figure.source for figure in figures}
    return tuple(sorted(found, key=lambda source: (source.publisher.casefold(), source.title)))


def summary(figures: Iterable[PublishedFigure]) -> str:
    rows = [_figure_row(figure) for figure in figures]
    same = sum(row.difference == SAME for row in rows)
    equal = f"{len(rows)} published figures. {same} of ours are the same to the last digit."
    if same == len(rows):
        return equal
    return f"{equal} {len(rows) - same} differ, and the reason is beside each."


def edition(source: Source) -> str:
    """Return the version of a source, if it has one, and the day on which it was read."""
    read = f"read {date_text(source.read)}"
    return f"version {source.version}, {read}" if source.version else read


def rate_tables() -> tuple[RateTable, ...]:
    return tuple(RateTable(title=TAX_NAMES[one], source=SOURCES[one], rows=_rate_rows(one)) for one in Nation)


def _rate_rows(nation: Nation) -> tuple[RateRow, ...]:
    days = sorted({rates.since for buyer in Buyer for rates in RATES[nation, buyer]}, reverse=True)
    return tuple(
        RateRow(since=date_text(day), rates=tuple(_rates(nation, buyer, day) for buyer in Buyer))
        for day in days
        if day >= HELD_SINCE
    )


def _rates(nation: Nation, buyer: Buyer, day: date) -> str:
    """Return the bands with their rates, or the surcharge on those of moving home."""
    rates = rates_on(nation, buyer, day=day)
    if rates.whole:
        return f"As for moving home, and {rates.whole:g}% of the price"
    slices = ", ".join(f"{rate:g}% to {pounds(end)}" if end < inf else f"{rate:g}% above" for end, rate in rates.bands)
    return slices if rates.limit == inf else f"{slices}; no relief for a dearer home"


def _figure_row(figure: PublishedFigure) -> FigureRow:
    theirs, ours = (_amount(amount, figure) for amount in (figure.figure, figure.ours))
    gap = _amount(abs(figure.ours - figure.figure), figure)
    is_same = theirs == ours
    return FigureRow(
        asked=_QUESTIONS[figure.measure](**figure.asked),
        source=f"{figure.source.publisher}, {edition(figure.source)}",
        theirs=theirs,
        ours=ours,
        difference=SAME if is_same else f"{gap} {'more' if figure.ours > figure.figure else 'less'}",
        why="" if is_same else figure.why,
    )


def _amount(amount: float, figure: PublishedFigure) -> str:
    """Format an amount with as many digits as the published figure has."""
    if figure.measure == "aprc":
        return decimals(amount, 1 if figure.rounding == _TENTH else 2) + "%"
    if figure.measure == "loan_to_value":
        return ltv_figure(amount) + "%"
    if figure.measure == "months_saved":
        return years_and_months(round(amount))
    return pounds(amount) if figure.rounding == 1 else pounds_and_pence(amount)


def _loan(loan: float, rate: float, *, term: float) -> str:
    return f"{exact_pounds(loan)} at {exact_percent(rate)} over {years(term)}"


def _repaid(ending: str = "") -> Callable[..., str]:
    return lambda *, loan, rate, years: _loan(loan, rate, term=years) + ending


def _stepped(*, loan: float, steps: Steps, step: int, added: float = 0) -> str:
    term = sum(months for _, months in steps) / MONTHS
    first = "the first" if step == 1 else "then"
    rate, months = steps[step - 1]
    return f"{exact_pounds(loan + added)} over {years(term)}, {first} {months} months at {exact_percent(rate)}"


def _deal(*, loan: float, steps: Steps, interest_only: bool = False, **charges: float) -> str:
    rates = ", then ".join(f"{months} months at {exact_percent(rate)}" for rate, months in steps)
    kind = ", interest-only" if interest_only else ""
    paid = "".join(f", {exact_pounds(amount)} {_CHARGES[name]}" for name, amount in charges.items())
    return f"{exact_pounds(loan)}: {rates}{kind}{paid}"


def _bought(*, nation: str, buyer: str, price: float, since: str, abroad: bool = False, later: str = "") -> str:
    del nation, since
    resident = ", not living in the UK" if abroad else ""
    saved = ", saved against the rates that followed" if later else ""
    return f"{exact_pounds(price)}, {BUYERS[Buyer(buyer)].lower()}{resident}{saved}"


_CHARGES = {
    "upfront": "in fees",
    "added": "in fees added to the loan",
    "closing": "to close the account",
    "first_extra": "of first interest",
}

_QUESTIONS: Mapping[str, Callable[..., str]] = {
    "payment": _repaid(),
    "payment_after_rise": lambda *, loan, rate, years, points: _loan(loan, rate + points, term=years),
    "step_payment": _stepped,
    "total_paid": _repaid(", all payments"),
    "total_interest": _repaid(", interest"),
    "balance": lambda *, loan, rate, years, months: (
        f"{_loan(loan, rate, term=years)}, after {years_and_months(months)}"
    ),
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
"""What a figure answers, in words, by measure."""
