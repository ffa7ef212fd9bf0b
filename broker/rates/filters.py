"""The filters of a rates search that are on or off, an entry each."""

from collections.abc import Callable
from dataclasses import dataclass

from broker.rates.product import RateProduct


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A filter. `parameter` names it in an address, where it is on with 1, and in `RatesQuery.filters`.

    `label` is on its button, with the number of deals that it leaves; `words` follow "deals" in a sentence.
    `keeps` returns whether a product passes. `column` is a column of the sample market with the same meaning: a product
    passes where it is true, or above 0.
    """

    parameter: str
    label: str
    words: str
    keeps: Callable[[RateProduct], bool]
    column: str


FILTERS: tuple[Filter, ...] = (
    Filter(
        parameter="cashback",
        label="Cashback",
        words="with cashback",
        keeps=lambda product: product.incentives.cashback > 0,
        column="cashback",
    ),
    Filter(
        parameter="noerc",
        label="No early repayment charge",
        words="with no early repayment charge",
        keeps=lambda product: product.has_no_charge,
        column="no_charge",
    ),
)
"""Every filter, in the order of buttons, sentences and addresses."""
