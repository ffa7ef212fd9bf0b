"""Background jobs: sources that are read periodically, and when each was last read."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from broker.clock import utc_now
from broker.rates.product import RatesError
from broker.staff.source_health import LastRead
from broker.storage.errors import StorageError

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")

MIN_RETRY_DELAY = 5.0
"""Seconds after a first failure; doubled by each further one, up to the period."""

MAX_PROBLEM = 300
"""Characters of the reason of a failure."""

log = logging.getLogger(__name__)


class SingleFlight(Generic[Key, Result]):
    """Joins concurrent calls of the same key into one."""

    def __init__(self) -> None:
        self._under_way: dict[Key, asyncio.Task[Result]] = {}

    def joined(self, key: Key, ask: Callable[[], Awaitable[Result]]) -> asyncio.Future[Result]:
        """Return the result of the current call of a key or of a new one; a cancelled caller leaves it running."""
        if key not in self._under_way:
            task = asyncio.create_task(self._fly(key, ask))
            # asyncio logs an error that no caller retrieves, as when all of them are cancelled
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._under_way[key] = task
        return asyncio.shield(self._under_way[key])

    async def _fly(self, key: Key, ask: Callable[[], Awaitable[Result]]) -> Result:
        try:
            return await ask()
        finally:
            del self._under_way[key]


class NextFlight(SingleFlight[Key, Result]):
    """Joins calls of the same key into one that begins after each of them was made; one call runs at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._turn = asyncio.Lock()

    async def _fly(self, key: Key, ask: Callable[[], Awaitable[Result]]) -> Result:
        async with self._turn:
            del self._under_way[key]
            return await ask()


class SourceStatus:
    """The latest success and failure of a source, for staff; in order even if the clock was set back between them."""

    def __init__(self, clock: Callable[[], datetime] = utc_now) -> None:
        self.last = LastRead()
        self._clock = clock

    def succeeded(self, *, left_out: int = 0) -> None:
        """Record a read, and how many products it left out if any."""
        now = self._clock()
        counted = {"left_out": left_out, "left_out_at": now} if left_out else {}
        self.last = replace(self.last, read_at=now, failed_at=_not_after(self.last.failed_at, now), **counted)

    def failed(self, problem: object) -> None:
        """Record a failure; the reason must hold nothing personal."""
        now = self._clock()
        read_at = _not_after(self.last.read_at, now - timedelta.resolution)
        self.last = replace(self.last, read_at=read_at, failed_at=now, problem=str(problem)[:MAX_PROBLEM])

    def record(self, problem: str) -> None:
        """Record a read, or a failure for a `problem`."""
        if problem:
            self.failed(problem)
        else:
            self.succeeded()


class Refresh:
    """A source that is read periodically in the background, and at once on request.

    `read` returns how many products were left out.
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


async def refresh_periodically(
    name: str,
    refresh: Callable[[], Awaitable[None]],
    *,
    every: timedelta,
    after: float = 0.0,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Refresh after `after` seconds and then every period, forever; log a failure and retry it sooner."""
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
        task.add_done_callback(_log_error)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _log_error(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("a background job has ended", exc_info=error)
