"""Small rate sources that stand in for the market and the feed, an archive in memory, and a clock."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from broker.lenders.lender import KnownLender
from broker.rates.deal_types import DEAL_TYPES, DealType, ltvs, narrowed
from broker.rates.lowest_rates import LenderListing, LowestRates
from broker.rates.product import RateProduct, RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.ranking import answer_of
from tests.unit.rates.products import priced


class Clock:
    """A clock whose seconds a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class MemoryArchive:
    """Holds the answers that it is given; `loads` counts how often it was read."""

    def __init__(self) -> None:
        self.held: dict[RatesQuery, RatesAnswer] = {}
        self.loads = 0

    async def load(self, query: RatesQuery) -> RatesAnswer | None:
        self.loads += 1
        return self.held.get(query)

    async def load_all(self, queries: Iterable[RatesQuery]) -> list[RatesAnswer]:
        return [found for query in queries if (found := await self.load(query))]

    async def save(self, answer: RatesAnswer) -> None:
        self.held[answer.query] = answer


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


class HeldRates:
    """Holds the products of a ListSource for every lender, deal type and loan to value; away as that is."""

    version = 1

    def __init__(self, source: ListSource) -> None:
        self._source = source
        self.asked: list[str] = []

    def best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        self.asked.append(f"{lender.slug} {kind.slug}")
        products = self._held()
        query = narrowed(lender.query, kind)
        return answer_of(query, products, fee_free=0, read_at=self._source.read_at, sample=False)

    def market(self, *, residential: bool) -> LowestRates:
        self.asked.append("homes" if residential else "lets")
        return self._lowest(RatesQuery(residential=residential))

    def listing(self, lender: KnownLender, *, market: LowestRates) -> LenderListing:
        self.asked.append(lender.slug)
        lowest = self._lowest(lender.query)
        products = tuple(self._source.products)
        return LenderListing(lender=lender, lowest=lowest, market=market, products=products, interest_only=None)

    def _lowest(self, query: RatesQuery) -> LowestRates:
        firsts = self._held()[:1]
        found = {(kind, ltv): each for ltv in ltvs(query) for kind in DEAL_TYPES for each in firsts}
        return LowestRates(query=query, found=found, read_at=self._source.read_at, sample=False, stale=False)

    def _held(self) -> Sequence[RateProduct]:
        if self._source.away:
            raise self._source.problem
        return self._source.products


def many(count: int) -> list[RateProduct]:
    return [priced(f"p{place:03}", rate=4 + place / 100) for place in range(count)]
