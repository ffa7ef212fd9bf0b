"""Deals side by side as a document: the comparison of the page."""

from collections.abc import Sequence
from itertools import starmap

from broker import routes
from broker.domain.documents import Document, Part, Section, Table, Text
from broker.domain.rates.product import RateProduct
from broker.domain.rates.query import RatesQuery
from broker.presenters.documents.search import TRUE_COST, search_figures
from broker.presenters.rates.comparison import Comparison, comparison
from broker.presenters.rates.search_params import COMPARE, parameters_of

SAMPLE = "Sample data: these are sample rates, not offers."


def comparison_document(
    products: Sequence[RateProduct], query: RatesQuery, *, filters: str, is_sample: bool
) -> Document | None:
    """Return the comparison of products that were priced for a search; None for fewer than two."""
    if len(products) < 2:
        return None
    shown = comparison(products, logos=[""] * len(products))
    parameters = {**parameters_of(query), COMPARE: ",".join(product_id for product_id, _ in shown.named)}
    return Document(
        title="Deals side by side",
        figures=search_figures(query, filters=filters),
        sections=(
            Section(parts=(_differences(shown), *(Text(text=note) for note in shown.notes))),
            Section(title="What is the same for all of them", parts=(_same(shown),)),
            Section(parts=tuple(starmap(_example, shown.examples))),
        ),
        remarks=(*((SAMPLE,) if is_sample else ()), TRUE_COST),
        is_unregulated=not query.residential,
        address=routes.with_query(routes.deals(query.customer), parameters),
        file_name="deals-side-by-side.pdf",
    )


def _differences(shown: Comparison) -> Table:
    return Table(
        caption="The lowest of each figure is in bold.",
        heads=("Figure", *(name for _, name in shown.named)),
        rows=tuple((row.label, *(figure.text for figure in row.figures)) for row in shown.rows),
        bold=tuple(
            (y, x) for y, row in enumerate(shown.rows) for x, figure in enumerate(row.figures, 1) if figure.lowest
        ),
        is_figures=False,
    )


def _same(shown: Comparison) -> Table:
    return Table(heads=("Figure", "All of them"), rows=shown.same, is_figures=False)


def _example(name: str, sentence: str, aprc: str) -> Part:
    return Text(title=f"Representative example: {name}", text=f"{sentence} {aprc}", is_framed=True)
