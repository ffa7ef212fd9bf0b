"""Rates for a visitor's search: one source, asked once however many ask the same, and its last good answers.

An answer is used again for as long as it is fresh. When the source fails, its last good answer to the same search
comes back marked as `stale`, from before a restart too; another source never stands in for it silently. A fault in the
service's own words is an answer, so that it is passed on (specification 8).
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import Protocol

from broker.domain.rates.customers import default_query, restricted
from broker.domain.rates.product import RateProduct, RatesAnswer, RatesError, RateSource
from broker.domain.rates.query import RatesQuery
from broker.services.circuit_breaker import PAUSE, CircuitBreaker
from broker.services.single_flight import SingleFlight
from broker.services.source_status import SourceStatus

log = logging.getLogger(__name__)

BRIEFLY = 1.0
"""Seconds that a visitor waits for a source that did not answer last; its search goes on without them."""

KEPT, KEPT_PRODUCTS = 1_024, 200_000
"""Answers kept in memory, those used last, and the products that they may hold together (about 100 MB of a feed's)."""


NOTHING_STANDS = timedelta(seconds=5)
"""How long an answer with nothing in it is used again. It is shown as one (specification 8), but a backend says `null`
for a failure of its own too, so it is soon asked again, and no last good answer is lost to it."""

ANY = default_query("first-time-buyer")
"""A search that every source answers, to learn whether it does."""


class Archive(Protocol):
    """Where the answers of a live source outlive the process; neither method raises."""

    async def load(self, query: RatesQuery) -> RatesAnswer | None:
        """Return the last answer to a search, or None."""
        ...

    async def save(self, answer: RatesAnswer) -> None:
        """Keep an answer in place of the one before."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An answer and the moment, on the service's clock, until which it is fresh; None for always."""

    answer: RatesAnswer
    until: float | None


class RatesService:
    """Answers searches from a source; a customer type's restrictions hold whatever is asked."""

    def __init__(
        self,
        source: RateSource,
        *,
        fresh_for: timedelta | None = None,
        archive: Archive | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Keep the source, and how long its answers are fresh: always, where nothing is said.

        A source whose answers age is `live`: what a page was built with is brought up to date when it is opened.
        """
        self.live = fresh_for is not None
        self._source = source
        self._fresh_for = fresh_for
        self._archive = archive
        self._clock = clock
        self.readings = SourceStatus()
        self._outage = CircuitBreaker(clock, pause=PAUSE if self.live else 0)
        self._kept: OrderedDict[RatesQuery, Kept] = OrderedDict()
        self._held = 0
        self._flights: SingleFlight[RatesQuery, RatesAnswer] = SingleFlight()
        self._keeping: set[asyncio.Task[None]] = set()

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products for a query; raises RatesError where the source fails and never answered it before."""
        asked = restricted(query)
        kept = self._kept.get(asked)
        if kept and (kept.until is None or self._clock() < kept.until):
            self._kept.move_to_end(asked)
            return kept.answer
        if refusal := self._outage.refusal(asked):
            return await self._instead(asked, refusal)
        try:
            return await self._waited(asked)
        except RatesError as error:
            last = await self._instead(asked, error)
            log.warning("rates source failed, its last answer is shown: %s", error)
            return last

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, or None where there is none; raises RatesError.

        A live source has no call for one product, so the answer that the visitor has on screen is looked through, then
        those kept of other searches for the same loan: deals that are compared may be of several.
        """
        asked = restricted(query)
        if not self.live:
            return await self._source.product(asked, product_id)
        answer = await self.search(asked)
        others = (kept.answer for kept in reversed(self._kept.values()) if _loan(kept.answer.query) == _loan(asked))
        listed = (product for each in (answer, *others) for product in each.products)
        return next((product for product in listed if product.product_id == product_id), None)

    async def refresh(self) -> None:
        """Have every answer asked for anew when it is wanted next, and one at once; raises RatesError."""
        for query, kept in self._kept.items():
            self._kept[query] = replace(kept, until=self._clock())
        await self._flights.joined(ANY, partial(self._ask, ANY))

    async def settled(self) -> None:
        """Wait until every answer is kept; called when the process ends."""
        await asyncio.gather(*self._keeping)

    async def _waited(self, query: RatesQuery) -> RatesAnswer:
        """Return what the search under way finds, soon where the source is known to be away; raises RatesError."""
        away = self._outage.away
        flight = self._flights.joined(query, partial(self._ask, query))
        if away is None:
            return await flight
        try:
            async with asyncio.timeout(BRIEFLY):
                return await flight
        except TimeoutError:
            raise away.with_traceback(None) from None

    async def _instead(self, query: RatesQuery, error: RatesError) -> RatesAnswer:
        """Return the last good answer as stale, or raise the error: where there is none, or for a fault in words."""
        last = None if error.words else await self._last(query)
        if last is None:
            raise error.with_traceback(None)
        return replace(last, stale=True)

    async def _last(self, query: RatesQuery) -> RatesAnswer | None:
        """Return the last good answer to a search, from memory or from before a restart."""
        kept = self._kept.get(query)
        if (kept is None or _empty(kept.answer)) and self._archive and (found := await self._archive.load(query)):
            self._keep(found, until=self._clock())
            return found
        return kept.answer if kept else None

    async def _ask(self, query: RatesQuery) -> RatesAnswer:
        asked_at = self._clock()
        try:
            answer = await self._source.search(query)
        except RatesError as error:
            self._outage.failed(query, error, asked_at=asked_at)
            self.readings.failed(error)
            raise
        self._outage.answered(query)
        self.readings.succeeded()
        self._keep(answer, until=self._fresh_until(answer))
        if self._archive and not _empty(answer):
            task = asyncio.create_task(self._archive.save(answer))
            self._keeping.add(task)
            task.add_done_callback(self._keeping.discard)
        return answer

    def _fresh_until(self, answer: RatesAnswer) -> float | None:
        """Return the moment until which an answer is used again; None for always."""
        if self._fresh_for is None:
            return None
        fresh_for = min(self._fresh_for, NOTHING_STANDS) if _empty(answer) else self._fresh_for
        return self._clock() + fresh_for.total_seconds()

    def _keep(self, answer: RatesAnswer, *, until: float | None) -> None:
        if before := self._kept.pop(answer.query, None):
            self._held -= len(before.answer.products)
        self._kept[answer.query] = Kept(answer=answer, until=until)
        self._held += len(answer.products)
        while len(self._kept) > KEPT or (self._held > KEPT_PRODUCTS and len(self._kept) > 1):
            _, dropped = self._kept.popitem(last=False)
            self._held -= len(dropped.answer.products)


def _empty(answer: RatesAnswer) -> bool:
    """Tell whether an answer has nothing in it, not even products that the search leaves out."""
    return not answer.products and not answer.fee_free


def _loan(query: RatesQuery) -> tuple[object, ...]:
    """Return what a product is priced for."""
    return query.customer, query.price, query.amount, query.term, query.repayment, query.residential, query.purchase
