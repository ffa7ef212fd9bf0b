"""Rates for a visitor's search: one source, a cache of its answers, and one request for simultaneous equal searches.

When the source fails, its last good answer to the same search is returned marked `stale`, also after a restart; another
source never replaces it silently. An error in the source's own words is passed on to the visitor (specification 8).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from time import monotonic
from typing import Protocol

from cachetools import LRUCache

from broker.background import SingleFlight, SourceStatus
from broker.clock import utc_now
from broker.rates.customers import default_query, restricted
from broker.rates.feed.errors import FeedParseError, FeedStatusError
from broker.rates.lowest_rates import LowerBand, lower_band, lower_band_search
from broker.rates.product import RateProduct, RatesAnswer, RatesError, RateSource
from broker.rates.query import RatesQuery

log = logging.getLogger(__name__)

Search = Callable[[RatesQuery], Awaitable[RatesAnswer]]

PAUSE = 2.0
"""Seconds for which a circuit stays open; then one search tries the source again."""

MAX_WAIT = 1.0
"""Seconds that a list waits for the next lower band."""

OUTAGE_TIMEOUT = 1.0
"""Seconds that a visitor waits for a source whose last search failed; the search itself continues."""

EMPTY_FRESH_FOR = timedelta(seconds=5)
"""How long an empty answer is cached: a backend may return `null` for its own failure (specification 8). For the same
reason an empty answer never replaces the last good one in the archive."""

SHOWN_FOR = timedelta(days=1)
"""How long pages show the last list instead of an empty answer, by default."""

PROBE_QUERY = default_query("first-time-buyer")
"""A search that every source has products for; it shows whether the source is up."""


class Archive(Protocol):
    """Storage for a live source's answers that outlives the process; no method raises."""

    async def load(self, query: RatesQuery) -> RatesAnswer | None: ...

    async def load_all(self, queries: Iterable[RatesQuery]) -> list[RatesAnswer]: ...

    async def save(self, answer: RatesAnswer) -> None: ...


class RatesService:
    """Searches of one source, restricted to what their customer type may choose."""

    def __init__(
        self,
        source: RateSource,
        *,
        fresh_for: timedelta | None = None,
        archive: Archive | None = None,
        shown_for: timedelta = SHOWN_FOR,
        observe: Callable[[str, float], None] = lambda _origin, _seconds: None,
        is_shared: bool = False,
        clock: Callable[[], float] = monotonic,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Set up the cache; without `fresh_for` an answer is fresh for ever.

        A source whose answers age is `live`: pages fetch newer rates than those they were built with. `shown_for` is
        how long a page shows the last list instead of an empty answer. With `is_shared`, fresh answers that other
        workers archived are used too. `observe` receives where each answer came from (`cache`, `source` or `stale`)
        and the seconds that it took.
        """
        self.live = fresh_for is not None
        self._source, self._fresh_for, self._archive, self._clock = source, fresh_for, archive, clock
        self._shown_for, self._observe, self._now, self._is_shared = shown_for, observe, now, is_shared
        self._refreshed_at = datetime.min.replace(tzinfo=UTC)
        self.source_status = SourceStatus()
        self._circuit = _CircuitBreaker(clock, pause=PAUSE if self.live else 0)
        self._cache = _AnswerCache()
        self._flights: SingleFlight[RatesQuery, RatesAnswer] = SingleFlight()
        self._saving: set[asyncio.Task[None]] = set()

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products for a query; raises RatesError if the source fails and has no earlier answer."""
        return await self._search(restricted(query))

    async def for_page(self, query: RatesQuery) -> RatesAnswer:
        """Return the answer for a page: for some time an empty one is replaced by the last list, marked stale.

        Only a visitor's own search reports that nothing was found (specification 8). Raises RatesError.
        """
        answer = await self.search(query)
        if not is_empty(answer):
            return answer
        cached = self._cache.find(answer.query)
        last = cached.last_list if cached else None
        if last is None and self._archive:
            last = await self._archive.load(answer.query)
        if last is None or answer.read_at - last.read_at > self._shown_for:
            return answer
        return replace(last, stale=True)

    async def archived(self, query: RatesQuery, *, now: datetime, max_age: timedelta) -> RatesAnswer | None:
        """Return the archived answer to a search if it was read in the last `max_age`."""
        last = await self._archive.load(restricted(query)) if self._archive else None
        return last if last and timedelta(0) <= now - last.read_at <= max_age else None

    async def _search(self, query: RatesQuery) -> RatesAnswer:
        started_at, origin = self._clock(), "cache"
        answer = self._cache.find_fresh(query, started_at)
        if answer is None:
            answer = await self._uncached(query)
            origin = "stale" if answer.stale else "source"
        self._observe(origin, self._clock() - started_at)
        return answer

    async def _uncached(self, query: RatesQuery) -> RatesAnswer:
        """Return the answer of another worker or of the source, or the last one while it fails; raises RatesError."""
        if refusal := self._circuit.refusal(query):
            return await self._stale_or_raise(query, refusal)
        if found := await self._from_another_worker(query):
            return found
        try:
            return await self._fetch_in_time(query)
        except RatesError as error:
            last = await self._stale_or_raise(query, error)
            log.warning("rates source failed, its last answer is shown: %s", error)
            return last

    async def _from_another_worker(self, query: RatesQuery) -> RatesAnswer | None:
        """Return a fresh answer that another worker archived since the last `refresh`."""
        if self._fresh_for is None or not self._is_shared:
            return None
        now = self._now()
        found = await self.archived(query, now=now, max_age=self._fresh_for)
        if found is None or found.read_at < self._refreshed_at:
            return None
        self._cache.store(found, until=self._clock() + (found.read_at + self._fresh_for - now).total_seconds())
        return found

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, or None if there is none; raises RatesError.

        A live source has no call for one product, so it is searched for in the query's own answer, then in cached
        answers for the same loan: compared products may come from several searches.
        """
        query = restricted(query)
        if not self.live:
            return await self._source.product(query, product_id)
        answer = await self._search(query)
        others = (each for each in self._cache.latest_first() if _loan_terms(each.query) == _loan_terms(query))
        listed = (product for each in (answer, *others) for product in each.products)
        return next((product for product in listed if product.product_id == product_id), None)

    async def refresh(self) -> None:
        """Expire every answer, and fetch one at once; raises RatesError."""
        self._refreshed_at = self._now()
        self._cache.expire(self._clock())
        await self._flights.joined(PROBE_QUERY, partial(self._fetch, PROBE_QUERY))

    async def wait_until_saved(self) -> None:
        """Wait until every answer is in the archive; called when the process ends."""
        await asyncio.gather(*self._saving)

    async def _fetch_in_time(self, query: RatesQuery) -> RatesAnswer:
        """Return the source's answer, during an outage within `OUTAGE_TIMEOUT`; raises RatesError."""
        outage = self._circuit.outage
        flight = self._flights.joined(query, partial(self._fetch, query))
        if outage is None:
            return await flight
        try:
            async with asyncio.timeout(OUTAGE_TIMEOUT):
                return await flight
        except TimeoutError:
            raise outage.with_traceback(None) from None

    async def _stale_or_raise(self, query: RatesQuery, error: RatesError) -> RatesAnswer:
        """Return the last list as stale; without one, or for an error in words, raise the error."""
        last = None if error.words else await self._last_list(query)
        if last is None:
            raise error.with_traceback(None)
        return replace(last, stale=True)

    async def _last_list(self, query: RatesQuery) -> RatesAnswer | None:
        """Return the last answer to a search that has products, from memory or from the archive."""
        cached = self._cache.find(query)
        if cached and (last := cached.last_list):
            return last
        found = await self._archive.load(query) if self._archive else None
        if found:
            self._cache.store(found, until=self._clock())
        return found

    async def _fetch(self, query: RatesQuery) -> RatesAnswer:
        started_at = self._clock()
        try:
            answer = await self._source.search(query)
        except RatesError as error:
            self._circuit.failed(query, error, started_at=started_at)
            self.source_status.failed(error)
            raise
        self._circuit.succeeded(query)
        self.source_status.succeeded(left_out=answer.left_out)
        self._cache.store(answer, until=self._fresh_until(answer))
        if self._archive and not is_empty(answer):
            task = asyncio.create_task(self._archive.save(answer))
            self._saving.add(task)
            task.add_done_callback(self._saving.discard)
        return answer

    def _fresh_until(self, answer: RatesAnswer) -> float | None:
        if self._fresh_for is None:
            return None
        fresh_for = min(self._fresh_for, EMPTY_FRESH_FOR) if is_empty(answer) else self._fresh_for
        return self._clock() + fresh_for.total_seconds()


async def search_with_band(search: Search, query: RatesQuery) -> tuple[RatesAnswer, LowerBand | None]:
    """Return the answer to a search, and the next lower band where that has a lower rate.

    Both searches are sent at once; the second may take `MAX_WAIT` longer than the first. Raises RatesError where the
    first fails.
    """
    near = lower_band_search(query)
    if near is None:
        return await search(query), None
    lower = asyncio.create_task(_or_none(search, near[1]))
    try:
        answer = await search(query)
        done, _ = await asyncio.wait([lower], timeout=MAX_WAIT)
    finally:
        lower.cancel()
    below = lower.result() if done else None
    if below is None or below.stale != answer.stale:
        return answer, None
    return answer, lower_band(answer, near[0], below=below)


async def _or_none(search: Search, query: RatesQuery) -> RatesAnswer | None:
    try:
        return await search(query)
    except RatesError as error:
        log.warning("lower band could not be read: %s", error)
        return None


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


def is_empty(answer: RatesAnswer) -> bool:
    """Return whether an answer has no products, not even fee-free ones that the search leaves out."""
    return not answer.products and not answer.fee_free


def _loan_terms(query: RatesQuery) -> tuple[object, ...]:
    return query.customer, query.price, query.amount, query.term, query.repayment, query.residential, query.purchase


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenCircuit:
    """The error that searches get until a time of the clock."""

    error: RatesError
    until: float


class _CircuitBreaker:
    """Open circuits by search; the key None is the whole source.

    A failed connection opens the circuit of the source, unless another search succeeded meanwhile; an unreadable answer
    opens that of its search alone.
    """

    def __init__(self, clock: Callable[[], float], *, pause: float = PAUSE) -> None:
        self._clock = clock
        self._pause = pause
        self._open: dict[RatesQuery | None, _OpenCircuit] = {}
        self._succeeded_at = -inf

    def refusal(self, query: RatesQuery) -> RatesError | None:
        """Return the error of an open circuit; None where the search may be sent.

        After the pause one search is sent; the others are refused for another pause.
        """
        now = self._clock()
        for scope in (None, query):
            circuit = self._open.get(scope)
            if circuit and now < circuit.until:
                return circuit.error
        for scope in {None, query} & set(self._open):
            self._open[scope] = replace(self._open[scope], until=now + self._pause)
        return None

    @property
    def outage(self) -> RatesError | None:
        """Return the error of the whole source; None while its circuit is closed."""
        circuit = self._open.get(None)
        return circuit.error if circuit else None

    def succeeded(self, query: RatesQuery) -> None:
        """Close the circuits of the source and of a search."""
        self._succeeded_at = self._clock()
        self._open.pop(None, None)
        self._open.pop(query, None)

    def failed(self, query: RatesQuery, error: RatesError, *, started_at: float) -> None:
        """Open a circuit for a search; an error with words for the visitor is an answer, and closes it."""
        if error.words:
            self.succeeded(query)
            return
        now = self._clock()
        alone = isinstance(error, FeedStatusError | FeedParseError) or self._succeeded_at > started_at
        self._open = {scope: circuit for scope, circuit in self._open.items() if scope is None or now < circuit.until}
        self._open[query if alone else None] = _OpenCircuit(error=error, until=now + self._pause)


_MAX_PRODUCTS, _MIN_SIZE = 200_000, 200
"""Products of all cached answers (about 100 MB from a feed), and the least that an answer counts as."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedAnswer:
    """An answer, fresh until a time of the clock (None: for ever); `listed` is the last list before an empty one."""

    answer: RatesAnswer
    until: float | None
    listed: RatesAnswer | None = None

    @property
    def last_list(self) -> RatesAnswer | None:
        return self.listed if is_empty(self.answer) else self.answer


class _AnswerCache:
    """The least recently used answers go first."""

    def __init__(self) -> None:
        self._answers: LRUCache[RatesQuery, _CachedAnswer] = LRUCache(_MAX_PRODUCTS, _size)

    def find(self, query: RatesQuery) -> _CachedAnswer | None:
        return self._answers.get(query)

    def find_fresh(self, query: RatesQuery, now: float) -> RatesAnswer | None:
        cached = self._answers.get(query)
        if cached is None or (cached.until is not None and now >= cached.until):
            return None
        return cached.answer

    def latest_first(self) -> Iterator[RatesAnswer]:
        return (self._answers[query].answer for query in reversed(list(self._answers)))

    def expire(self, now: float) -> None:
        for query, cached in list(self._answers.items()):
            self._answers[query] = replace(cached, until=now)

    def store(self, answer: RatesAnswer, *, until: float | None) -> None:
        """Replace the answer to a query; an empty one keeps the last list beside it."""
        listed = None
        if before := self._answers.pop(answer.query, None):
            listed = before.answer if before.answer.products else before.listed
        cached = _CachedAnswer(answer=answer, until=until, listed=listed if is_empty(answer) else None)
        self._answers[answer.query] = cached


def _size(cached: _CachedAnswer) -> int:
    return min(max(len(cached.answer.products), _MIN_SIZE), _MAX_PRODUCTS)
