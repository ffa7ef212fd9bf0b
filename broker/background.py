"""Background jobs: sources that are read periodically, and when each was last read."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from broker.enquiries.records import StorageError
from broker.rates.product import RatesError
from broker.staff.source_health import LastRead
from broker.storage.signed_tokens import utc_now

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class SingleFlight(Generic[Key, Found]):
    """Calls under way, by key."""

    def __init__(self) -> None:
        self._under_way: dict[Key, asyncio.Task[Found]] = {}

    def joined(self, key: Key, ask: Callable[[], Awaitable[Found]]) -> asyncio.Future[Found]:
        """Return the result of the call under way for a key, started with `ask` where there is none.

        A caller who is cancelled does not cancel the call for the others.
        """
        if key not in self._under_way:
            task = asyncio.create_task(self._fly(key, ask))
            # Where every caller is cancelled nobody retrieves the error: asyncio would log it.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._under_way[key] = task
        return asyncio.shield(self._under_way[key])

    async def _fly(self, key: Key, ask: Callable[[], Awaitable[Found]]) -> Found:
        try:
            return await ask()
        finally:
            del self._under_way[key]


MIN_RETRY_DELAY = 5.0
"""Seconds after a first failure; doubled by each further one, up to the period."""

Sleep = Callable[[float], Awaitable[None]]

log = logging.getLogger(__name__)


async def refresh_periodically(
    name: str,
    refresh: Callable[[], Awaitable[None]],
    *,
    every: timedelta,
    after: float = 0.0,
    sleep: Sleep = asyncio.sleep,
) -> None:
    """Refresh `after` so many seconds and then every period, forever; a failure is logged and retried sooner."""
    period, wait = every.total_seconds(), MIN_RETRY_DELAY
    if after:
        await sleep(after)
    while True:
        try:
            await refresh()
        except (RatesError, StorageError) as error:
            wait = min(wait, period)
            log.warning("%s not refreshed, tried again in %.0f s: %s", name, wait, error)
            await sleep(wait)
            wait *= 2
        else:
            wait = MIN_RETRY_DELAY
            await sleep(period)


@asynccontextmanager
async def in_background(*jobs: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run jobs for the duration of the block; log a job that ends by an unexpected error."""
    tasks = [asyncio.create_task(job) for job in jobs]
    for task in tasks:
        task.add_done_callback(_tell)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _tell(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("a background job has ended", exc_info=error)


MAX_PROBLEM = 300
"""Characters of a failure's reason."""


class SourceStatus:
    """Outcome of the latest reads of one source, in their order also where the clock has been set back between them."""

    def __init__(self, clock: Callable[[], datetime] = utc_now) -> None:
        self.last = LastRead()
        self._clock = clock

    def succeeded(self, *, left_out: int = 0) -> None:
        """Record a read; of `left_out`, the products that it had to leave out, the last count above 0 is kept."""
        now = self._clock()
        counted = {"left_out": left_out, "left_out_at": now} if left_out else {}
        self.last = replace(self.last, read_at=now, failed_at=_not_after(self.last.failed_at, now), **counted)

    def failed(self, problem: object) -> None:
        """Record a failure; its reason is logged too, and holds nothing personal."""
        now = self._clock()
        read_at = _not_after(self.last.read_at, now - timedelta.resolution)
        self.last = replace(self.last, read_at=read_at, failed_at=now, problem=str(problem)[:MAX_PROBLEM])

    def came(self, problem: str) -> None:
        """Record a read, or a failure where there is a problem."""
        if problem:
            self.failed(problem)
        else:
            self.succeeded()


class Refresh:
    """A source that is read periodically in the background, and at once on request.

    Its function returns how many products it had to leave out.
    """

    def __init__(self, read: Callable[[], Awaitable[int]], *, clock: Callable[[], datetime] = utc_now) -> None:
        self.source_status = SourceStatus(clock)
        self._source = read
        self._flights: SingleFlight[str, None] = SingleFlight()

    async def now(self) -> None:
        """Read the source, once for concurrent callers; raises RatesError."""
        await self._flights.joined("", self.read)

    async def read(self) -> None:
        """Read the source; raises RatesError."""
        try:
            left_out = await self._source()
        except RatesError as error:
            self.source_status.failed(error)
            raise
        self.source_status.succeeded(left_out=left_out)


def _not_after(moment: datetime | None, latest: datetime) -> datetime | None:
    return min(moment, latest) if moment else None
