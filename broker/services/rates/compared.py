"""The products of a comparison, priced for the loan of a search."""

from collections.abc import Sequence

from broker.domain.rates.product import RateProduct
from broker.domain.rates.query import RatesQuery
from broker.services.rates.search import RatesService


async def compared_products(rates: RatesService, query: RatesQuery, *, ids: Sequence[str]) -> list[RateProduct]:
    """Return the products that exist, also those that the search's filters exclude; raises RatesError."""
    found: list[RateProduct] = []
    for product_id in ids:
        product = await rates.product(query, product_id)
        if product is None and query != query.unfiltered:
            product = await rates.product(query.unfiltered, product_id)
        if product is not None:
            found.append(product)
    return found
