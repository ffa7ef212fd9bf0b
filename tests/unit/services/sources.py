"""Small rate sources that stand in for the market and the feed."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from broker.domain.rates.product import RateProduct, RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import answer_of
from tests.unit.domain.rates.products import priced


class ListSource:
    """Answers every search with the same products, and keeps what was asked; it may be away, or wait at a price."""

    def __init__(self, products: Sequence[RateProduct] = ()) -> None:
        self.products = products
        self.asked: list[RatesQuery] = []
        self.read_at = datetime(2026, 3, 4, tzinfo=UTC)
        self.away = False
        self.problem = RatesError("the source is away")
        self.waits: dict[int, asyncio.Event] = {}

    async def search(self, query: RatesQuery) -> RatesAnswer:
        self.asked.append(query)
        if query.price in self.waits:
            await self.waits[query.price].wait()
        self._refuse()
        return answer_of(query, self.products, fee_free=0, read_at=self.read_at, sample=True)

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        self.asked.append(query)
        self._refuse()
        return next((product for product in self.products if product.product_id == product_id), None)

    def _refuse(self) -> None:
        if self.away:
            raise self.problem


def many(count: int) -> list[RateProduct]:
    return [priced(f"p{place:03}", rate=4 + place / 100) for place in range(count)]
