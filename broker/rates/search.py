"""Rates for a visitor's search: one source, a cache of its answers, and one request for simultaneous equal searches.

When the source fails, its last good answer to the same search is returned marked `stale`, also after a restart; another
source never replaces it silently. An error in the source's own words is passed on to the visitor (specification 8).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from time import monotonic
from typing import Protocol

from cachetools import LRUCache

from broker.background import SingleFlight, SourceStatus
from broker.rates.customers import default_query, restricted
from broker.rates.feed.errors import FeedParseError, FeedStatusError
from broker.rates.lowest_rates import LowerBand, lower_band, lower_band_search
from broker.rates.product import RateProduct, RatesAnswer, RatesError, RateSource
from broker.rates.query import RatesQuery
from broker.storage.signed_tokens import utc_now

# No answer opens the circuit for the whole source, unless it answered another search meanwhile; an unreadable answer
# opens it for that search alone.

PAUSE = 2.0
"""Seconds for which a circuit stays open; then one search tries the source again."""

ANSWERED_BADLY = (FeedStatusError, FeedParseError)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCircuit:
    """The error of an open circuit, and the time of the clock until which searches meet it."""

    error: RatesError
    until: float


class CircuitBreaker:
    """Open circuits by search; the key None is the whole source."""

    def __init__(self, clock: Callable[[], float], *, pause: float = PAUSE) -> None:
        self._clock = clock
        self._pause = pause
        self._met: dict[RatesQuery | None, OpenCircuit] = {}
        self._answered_at = -inf

    def refusal(self, query: RatesQuery) -> RatesError | None:
        """Return the error that a search meets, None where it may ask the source.

        After the pause one search may ask; the others are refused for another pause.
        """
        now = self._clock()
        for scope in (None, query):
            met = self._met.get(scope)
            if met and now < met.until:
                return met.error
        for scope in {None, query} & set(self._met):
            self._met[scope] = replace(self._met[scope], until=now + self._pause)
        return None

    @property
    def away(self) -> RatesError | None:
        """Return the error of the whole source, None while it answers."""
        met = self._met.get(None)
        return met.error if met else None

    def answered(self, query: RatesQuery) -> None:
        """Close the circuits of the source and of a search."""
        self._answered_at = self._clock()
        self._met.pop(None, None)
        self._met.pop(query, None)

    def failed(self, query: RatesQuery, error: RatesError, *, asked_at: float) -> None:
        """Open a circuit for a search asked at `asked_at`; an error with words for the visitor is an answer."""
        if error.words:
            self.answered(query)
            return
        now = self._clock()
        alone = isinstance(error, ANSWERED_BADLY) or self._answered_at > asked_at
        self._met = {scope: met for scope, met in self._met.items() if scope is None or now < met.until}
        self._met[query if alone else None] = OpenCircuit(error=error, until=now + self._pause)


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


log = logging.getLogger(__name__)

MAX_WAIT = 1.0
"""Seconds that a list waits for the next lower band."""

Search = Callable[[RatesQuery], Awaitable[RatesAnswer]]


async def search_with_band(search: Search, query: RatesQuery) -> tuple[RatesAnswer, LowerBand | None]:
    """Return the answer to a search, and the next lower band where that has a lower rate.

    Both searches go out at once; the second is waited for only `MAX_WAIT` longer than the first. Raises RatesError
    where the search itself fails.
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


OUTAGE_TIMEOUT = 1.0
"""Seconds that a visitor waits for a source whose last search failed; the search itself goes on."""

EMPTY_FRESH_FOR = timedelta(seconds=5)
"""How long an empty answer is used again. A backend may answer `null` for its own failure (specification 8), so it is
asked again soon, and an empty answer never replaces the last good one in the archive."""

SHOWN_FOR = timedelta(days=1)
"""How long pages show the last list in place of an empty answer, by default."""

PROBE_QUERY = default_query("first-time-buyer")
"""A search that every source answers, to find out whether it is up."""


class Archive(Protocol):
    """Storage for a live source's answers that outlives the process; no method raises."""

    async def load(self, query: RatesQuery) -> RatesAnswer | None: ...

    async def load_all(self, queries: Iterable[RatesQuery]) -> list[RatesAnswer]: ...

    async def save(self, answer: RatesAnswer) -> None: ...


class RatesService:
    """Answers searches from a source, after applying the customer type's restrictions to them, once."""

    def __init__(
        self,
        source: RateSource,
        *,
        fresh_for: timedelta | None = None,
        archive: Archive | None = None,
        shown_for: timedelta = SHOWN_FOR,
        observe: Callable[[str, float], None] = lambda _answered_by, _seconds: None,
        is_shared: bool = False,
        clock: Callable[[], float] = monotonic,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        """Set up the cache; without `fresh_for` an answer is fresh for ever.

        A source whose answers age is `live`: pages ask it for newer rates than those they were built with. `shown_for`
        is how long a page shows the last list in place of an empty answer. `is_shared` is whether other workers archive
        their answers too, which are then used while they are fresh. `observe` is told of each search what
        answered it (`cache`, `source` or `stale`) and in how many seconds.
        """
        self.live = fresh_for is not None
        self._source, self._fresh_for, self._archive, self._clock = source, fresh_for, archive, clock
        self._shown_for, self._observe, self._now, self._is_shared = shown_for, observe, now, is_shared
        self._refreshed_at = datetime.min.replace(tzinfo=UTC)
        self.source_status = SourceStatus()
        self._outage = CircuitBreaker(clock, pause=PAUSE if self.live else 0)
        self._cache = AnswerCache()
        self._flights: SingleFlight[RatesQuery, RatesAnswer] = SingleFlight()
        self._saving: set[asyncio.Task[None]] = set()

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products for a query; raises RatesError if the source fails and has no earlier answer."""
        return await self._search(restricted(query))

    async def for_page(self, query: RatesQuery) -> RatesAnswer:
        """Return what a page shows for a query: the last list, as stale, in place of an empty answer for some time.

        Only a search says that nothing was found (specification 8). Raises RatesError.
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
        """Return the archived answer to a search; None where there is none that was read in the last `max_age`."""
        last = await self._archive.load(restricted(query)) if self._archive else None
        return last if last and timedelta(0) <= now - last.read_at <= max_age else None

    async def _search(self, query: RatesQuery) -> RatesAnswer:
        began, answered_by = self._clock(), "cache"
        answer = self._cache.find_fresh(query, began)
        if answer is None:
            answer = await self._asked(query)
            answered_by = "stale" if answer.stale else "source"
        self._observe(answered_by, self._clock() - began)
        return answer

    async def _asked(self, query: RatesQuery) -> RatesAnswer:
        """Return the answer of another worker or of the source, the last one while it fails; raises RatesError."""
        if refusal := self._outage.refusal(query):
            return await self._stale_or_raise(query, refusal)
        if found := await self._read_by_another(query):
            return found
        try:
            return await self._fetch_in_time(query)
        except RatesError as error:
            last = await self._stale_or_raise(query, error)
            log.warning("rates source failed, its last answer is shown: %s", error)
            return last

    async def _read_by_another(self, query: RatesQuery) -> RatesAnswer | None:
        """Return an answer that is fresh still, which another worker read and archived."""
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

        A live source has no call for one product, so it is looked for in the query's own answer, then in cached
        answers to other searches for the same loan: compared products may come from several searches.
        """
        query = restricted(query)
        if not self.live:
            return await self._source.product(query, product_id)
        answer = await self._search(query)
        others = (each for each in self._cache.latest_first() if _loan_terms(each.query) == _loan_terms(query))
        listed = (product for each in (answer, *others) for product in each.products)
        return next((product for product in listed if product.product_id == product_id), None)

    async def refresh(self) -> None:
        """Expire every answer that was read before, and fetch one at once; raises RatesError."""
        self._refreshed_at = self._now()
        self._cache.expire(self._clock())
        await self._flights.joined(PROBE_QUERY, partial(self._fetch, PROBE_QUERY))

    async def wait_until_saved(self) -> None:
        """Wait until every answer is in the archive; called when the process ends."""
        await asyncio.gather(*self._saving)

    async def _fetch_in_time(self, query: RatesQuery) -> RatesAnswer:
        """Return the source's answer, waiting only `OUTAGE_TIMEOUT` while it is away; raises RatesError."""
        away = self._outage.away
        flight = self._flights.joined(query, partial(self._fetch, query))
        if away is None:
            return await flight
        try:
            async with asyncio.timeout(OUTAGE_TIMEOUT):
                return await flight
        except TimeoutError:
            raise away.with_traceback(None) from None

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
            self._outage.failed(query, error, asked_at=started_at)
            self.source_status.failed(error)
            raise
        self._outage.answered(query)
        self.source_status.succeeded(left_out=answer.left_out)
        self._cache.store(answer, until=self._fresh_until(answer))
        if self._archive and not is_empty(answer):
            task = asyncio.create_task(self._archive.save(answer))
            self._saving.add(task)
            task.add_done_callback(self._saving.discard)
        return answer

    def _fresh_until(self, answer: RatesAnswer) -> float | None:
        """Return the moment until which an answer is fresh; None for always."""
        if self._fresh_for is None:
            return None
        fresh_for = min(self._fresh_for, EMPTY_FRESH_FOR) if is_empty(answer) else self._fresh_for
        return self._clock() + fresh_for.total_seconds()


def _loan_terms(query: RatesQuery) -> tuple[object, ...]:
    """Return the part of a query that a product's price depends on."""
    return query.customer, query.price, query.amount, query.term, query.repayment, query.residential, query.purchase
