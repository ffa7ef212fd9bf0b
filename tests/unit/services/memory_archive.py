"""An archive in memory."""

from collections.abc import Iterable

from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery


class MemoryArchive:
    """Holds the answers it is given, and counts how often it is asked."""

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
