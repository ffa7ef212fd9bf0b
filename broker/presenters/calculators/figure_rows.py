"""A published figure beside ours, as a row of display strings."""

from dataclasses import dataclass

from broker.domain.lending.loan_to_value import ltv_figure
from broker.domain.lending.published_figures import PublishedFigure
from broker.domain.money import decimals, pounds, pounds_and_pence, years_and_months
from broker.presenters.calculators.figure_questions import ASKED

SAME = "Same"

TENTH = 0.1
"""The rounding of a percentage with one decimal place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """A figure: what was asked, who published it, theirs, ours, and the difference."""

    asked: str
    publisher: str
    theirs: str
    ours: str
    difference: str


def figure_row(figure: PublishedFigure) -> FigureRow:
    """Return a figure as a row; a difference is what ours is more or less by."""
    theirs, ours = (_shown(amount, figure) for amount in (figure.figure, figure.ours))
    gap = _shown(abs(figure.ours - figure.figure), figure)
    return FigureRow(
        asked=ASKED[figure.measure](**figure.asked),
        publisher=figure.source.publisher,
        theirs=theirs,
        ours=ours,
        difference=SAME if theirs == ours else f"{gap} {'more' if figure.ours > figure.figure else 'less'}",
    )


def _shown(amount: float, figure: PublishedFigure) -> str:
    """Format an amount to the digits that are published of the figure."""
    if figure.measure == "aprc":
        return decimals(amount, 1 if figure.rounding == TENTH else 2) + "%"
    if figure.measure == "loan_to_value":
        return ltv_figure(amount) + "%"
    if figure.measure == "months_saved":
        return years_and_months(round(amount))
    return pounds(amount) if figure.rounding == 1 else pounds_and_pence(amount)
