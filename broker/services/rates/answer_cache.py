"""Answers to rates searches in memory: a bounded number, the least recently used of which go first."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cachetools import LRUCache

from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import RatesQuery

MAX_PRODUCTS, FEWEST = 200_000, 200
"""Products of all answers held (about 100 MB from a feed); an answer with few or none counts as this many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """An answer and the moment until which it is fresh, on the service's clock; None for always.

    `listed` is the last answer with products, where this one has none.
    """

    answer: RatesAnswer
    until: float | None
    listed: RatesAnswer | None = None

    @property
    def last_list(self) -> RatesAnswer | None:
        return self.listed if is_empty(self.answer) else self.answer


class AnswerCache:
    """The answers by their query."""

    def __init__(self) -> None:
        self._answers: LRUCache[RatesQuery, CachedAnswer] = LRUCache(MAX_PRODUCTS, _size)

    def find(self, query: RatesQuery) -> CachedAnswer | None:
        return self._answers.get(query)

    def find_fresh(self, query: RatesQuery, now: float) -> RatesAnswer | None:
        """Return the answer to a query that is fresh at a moment of the clock, and count it as used."""
        cached = self._answers.get(query)
        if cached is None or (cached.until is not None and now >= cached.until):
            return None
        return cached.answer

    def latest_first(self) -> Iterator[RatesAnswer]:
        return (self._answers[query].answer for query in reversed(list(self._answers)))

    def expire(self, now: float) -> None:
        """Let no answer be fresh after a moment of the clock."""
        for query, cached in list(self._answers.items()):
            self._answers[query] = replace(cached, until=now)

    def store(self, answer: RatesAnswer, *, until: float | None) -> None:
        """Hold an answer in place of the one before, whose list stays where this one is empty."""
        listed = None
        if before := self._answers.pop(answer.query, None):
            listed = before.answer if before.answer.products else before.listed
        kept = CachedAnswer(answer=answer, until=until, listed=listed if is_empty(answer) else None)
        self._answers[answer.query] = kept


def _size(cached: CachedAnswer) -> int:
    return min(max(len(cached.answer.products), FEWEST), MAX_PRODUCTS)


def is_empty(answer: RatesAnswer) -> bool:
    """Return whether an answer has no products, not even fee-free ones that the search leaves out."""
    return not answer.products and not answer.fee_free
