"""Published figures by subject, and those of a tax by nation and by the day from which its rates held."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from broker.domain.published_figures import PublishedFigure, Source
from broker.lending.property_tax_rates import Nation
from broker.presenters.calculators.figure_rows import SAME, FigureRow, figure_row
from broker.presenters.calculators.tax_rates import TAX_NAMES, spoken

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
