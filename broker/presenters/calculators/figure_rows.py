"""A published figure beside ours, as a row of display strings."""

from dataclasses import dataclass

from broker.domain.published_figures import PublishedFigure, Source
from broker.lending.loan_to_value import ltv_figure
from broker.lending.money import decimals, pounds, pounds_and_pence, years_and_months
from broker.presenters.calculators.figure_questions import ASKED
from broker.presenters.calculators.tax_rates import spoken

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
