"""The published figures that ours must equal, as the build reads them."""

from pathlib import Path

from broker.calculators.published_figures import PublishedFigure, read_published_figures

PUBLISHED = read_published_figures(
    (Path(__file__).parents[3] / "data" / "published_figures.json").read_text(encoding="utf-8")
)


def published(measure: str) -> list[PublishedFigure]:
    """Return the figures of a measure."""
    return [figure for figure in PUBLISHED if figure.measure == measure]
