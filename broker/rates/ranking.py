"""Sorting, paging and cheapest products of a list (specification 4, decisions 13 and 14)."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from broker.rates.customers import may_apply
from broker.rates.filters import FILTERS
from broker.rates.product import RateProduct, RatesAnswer, Winners
from broker.rates.query import RatesQuery, SortOrder

PAGE_SIZE = 5
MAX_VISIBLE = 50
"""Products that are drawn at once; a later page leaves out the first ones."""
BEST_PER_LENDER = 3

KEYS: dict[SortOrder, Callable[[RateProduct], tuple[float, ...]]] = {
    SortOrder.RATE: lambda product: (product.initial_rate, product.total_fees),
    SortOrder.FEES: lambda product: (product.total_fees, product.initial_rate),
    SortOrder.TRUE_COST: lambda product: (product.yearly_true_cost, product.initial_rate, product.total_fees),
}
"""The sort key of each order; equals are in the order of their product ids."""


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


def within_filters(products: Iterable[RateProduct], query: RatesQuery) -> list[RateProduct]:
    """Return the products that the customer may have, and that pass the filters that are on."""
    filters = [each for each in FILTERS if each.parameter in query.filters]
    return [
        product
        for product in products
        if may_apply(query.customer, product.incentives.eligibility) and all(each.keeps(product) for each in filters)
    ]


def last_page(count: int) -> int:
    """Return the number of the last page of so many products, five a page (specification 4); 1 for none."""
    return max(1, -(-count // PAGE_SIZE))


def visible_range(count: int, page: int) -> tuple[int, int]:
    """Return which of so many products are drawn up to a page: the place of the first, and that after the last."""
    end = min(PAGE_SIZE * min(max(page, 1), last_page(count)), count)
    pages_up_to_end = last_page(end)
    return max(0, PAGE_SIZE * pages_up_to_end - MAX_VISIBLE), end


def winners(products: Sequence[RateProduct]) -> Winners:
    """Return the products with the lowest rate, net cost a year and true cost a year, the first of equals."""
    return Winners(
        rate=min(products, key=lambda product: product.initial_rate, default=None),
        cash=min(products, key=lambda product: product.yearly_net_cost, default=None),
        true=min(products, key=lambda product: product.yearly_true_cost, default=None),
    )


def answer_of(
    query: RatesQuery, products: Sequence[RateProduct], *, fee_free: int, read_at: datetime, sample: bool
) -> RatesAnswer:
    """Return the answer with a list of products; its winners and counts follow from them."""
    return RatesAnswer(
        query=query,
        products=products,
        fee_free=fee_free,
        read_at=read_at,
        sample=sample,
        winners=winners(products),
        counts={each.parameter: sum(map(each.keeps, products)) for each in FILTERS},
    )
