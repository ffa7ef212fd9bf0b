"""Sorting, paging and cheapest products of a list (specification 4, decisions 13 and 14)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from broker.domain.rates.product import RateProduct
from broker.domain.rates.query import SortOrder

PAGE_SIZE = 5
MAX_PAGES = 40
"""Pages that See more opens, 200 cards in all."""
BEST_PER_LENDER = 3

KEYS: dict[SortOrder, Callable[[RateProduct], tuple[float, ...]]] = {
    SortOrder.RATE: lambda product: (product.initial_rate, product.total_fees),
    SortOrder.FEES: lambda product: (product.total_fees, product.initial_rate),
    SortOrder.TRUE_COST: lambda product: (product.yearly_true_cost, product.initial_rate),
}
"""The sort key of each order; equals are in the order of their product ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Winners:
    """The cheapest product by cash and by true cost, over the whole list; None for an empty list."""

    cash: RateProduct | None
    true: RateProduct | None


def ranked(products: Iterable[RateProduct], order: SortOrder) -> list[RateProduct]:
    """Return the products sorted, equals by product id."""
    key = KEYS[order]
    return sorted(products, key=lambda product: (*key(product), product.product_id))


def with_fees(products: Iterable[RateProduct]) -> list[RateProduct]:
    """Return the products whose total fees are above 0 (specification 9, decision 12)."""
    return [product for product in products if product.total_fees > 0]


def within_fees(products: Iterable[RateProduct], most: int | None) -> list[RateProduct]:
    """Return the products whose total fees are at most `most` pounds; all of them where it is None."""
    return [product for product in products if most is None or round(product.total_fees, 2) <= most]


def visible_products(products: Sequence[RateProduct], pages: int) -> Sequence[RateProduct]:
    """Return the products visible after `pages` - 1 presses of See more, five a page (specification 4)."""
    return products[: PAGE_SIZE * pages]


def winners(products: Sequence[RateProduct]) -> Winners:
    """Return the cheapest by yearly cash cost and by yearly true cost, the first of equals."""
    return Winners(
        cash=min(products, key=lambda product: product.yearly_cash_cost, default=None),
        true=min(products, key=lambda product: product.yearly_true_cost, default=None),
    )
