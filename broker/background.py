"""Background jobs of a running server."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Generic, TypeVar

from broker.rates.product import RatesError
from broker.storage.errors import StorageError

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
