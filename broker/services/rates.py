"""Rates for a visitor's search: one source, and the answers that were asked for last."""

from __future__ import annotations

from collections import OrderedDict

from broker.domain.rates.customers import restricted
from broker.domain.rates.product import RateProduct, RatesAnswer, RateSource
from broker.domain.rates.query import RatesQuery

KEPT = 64
"""Answers kept, so that See more and a card's details do not search again."""


class RatesService:
    """Answers searches from a source; a customer type's restrictions hold whatever is asked."""

    def __init__(self, source: RateSource) -> None:
        """Keep the source."""
        self._source = source
        self._kept: OrderedDict[RatesQuery, RatesAnswer] = OrderedDict()

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products for a query; raises RatesError."""
        asked = restricted(query)
        if asked not in self._kept:
            self._kept[asked] = await self._source.search(asked)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(asked)
        return self._kept[asked]

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, or None where there is none; raises RatesError."""
        return await self._source.product(restricted(query), product_id)
