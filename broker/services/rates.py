"""Rates for a visitor's search: one source, asked once however many ask the same, and its last good answers.

An answer is used again for as long as it is fresh. When the source fails, its last good answer to the same search
comes back marked as `stale`; another source never stands in for it silently.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from time import monotonic

from broker.domain.rates.customers import restricted
from broker.domain.rates.product import RateProduct, RatesAnswer, RatesError, RateSource
from broker.domain.rates.query import RatesQuery

log = logging.getLogger(__name__)

KEPT = 256
"""Answers kept in memory, those used last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An answer and the moment, on the service's clock, until which it is fresh; None for always."""

    answer: RatesAnswer
    until: float | None


class RatesService:
    """Answers searches from a source; a customer type's restrictions hold whatever is asked."""

    def __init__(
        self, source: RateSource, *, fresh_for: timedelta | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        """Keep the source, and how long its answers are fresh: always, where nothing is said.

        A source whose answers age is `live`: what a page was built with is brought up to date when it is opened.
        """
        self.live = fresh_for is not None
        self._source = source
        self._fresh_for = fresh_for
        self._clock = clock
        self._kept: OrderedDict[RatesQuery, Kept] = OrderedDict()
        self._asked: dict[RatesQuery, asyncio.Task[RatesAnswer]] = {}

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products for a query; raises RatesError where the source fails and never answered it before."""
        asked = restricted(query)
        kept = self._kept.get(asked)
        if kept and (kept.until is None or self._clock() < kept.until):
            self._kept.move_to_end(asked)
            return kept.answer
        try:
            # A visitor who goes away must not take the answer from the others who wait for it.
            return await asyncio.shield(self._flight(asked))
        except RatesError as error:
            if kept is None:
                raise
            log.warning("rates source failed, its last answer is shown: %s", error)
            return replace(kept.answer, stale=True)

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, or None where there is none; raises RatesError.

        A live source has no call for one product, so the answer that the visitor has on screen is looked through.
        """
        if self.live:
            answer = await self.search(query)
            return next((product for product in answer.products if product.product_id == product_id), None)
        return await self._source.product(restricted(query), product_id)

    def _flight(self, query: RatesQuery) -> asyncio.Task[RatesAnswer]:
        """Return the one search that is under way for a query, begun now where there is none."""
        if query not in self._asked:
            task = asyncio.create_task(self._ask(query))
            # Where every visitor has gone away, a failure is nobody's: it is taken off the event loop's hands.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._asked[query] = task
        return self._asked[query]

    async def _ask(self, query: RatesQuery) -> RatesAnswer:
        try:
            answer = await self._source.search(query)
        finally:
            del self._asked[query]
        until = None if self._fresh_for is None else self._clock() + self._fresh_for.total_seconds()
        self._kept[query] = Kept(answer=answer, until=until)
        self._kept.move_to_end(query)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return answer
