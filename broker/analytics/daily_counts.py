"""Counts by UK day, in memory until they are added to the database."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import date, datetime
from typing import TYPE_CHECKING

from broker.analytics.counted import Counted
from broker.clock import uk_date, utc_now
from broker.storage.errors import StorageError

if TYPE_CHECKING:  # the command line starts without a database
    from broker.analytics.count_store import CountStore

_INTERVAL_SECONDS = 60.0

log = logging.getLogger(__name__)


class DailyCounts:
    """Counts of this process that are not stored yet: one number for each kind and day, however much is counted.

    A process that is killed loses those of a minute. A commit whose answer is lost is counted twice.
    """

    def __init__(self, clock: Callable[[], datetime] = utc_now) -> None:
        self._clock = clock
        self._waiting = Counter[tuple[date, Counted]]()

    def add(self, kind: Counted) -> None:
        self._waiting[uk_date(self._clock()), kind] += 1

    async def store(self, counts: CountStore) -> None:
        """Add what waits to the database; while that is away it waits on, and a warning is logged.

        A cancelled write is finished by the database, so what it has does not wait.
        """
        waiting, self._waiting = self._waiting, Counter()
        try:
            if waiting:
                await counts.add(waiting)
        except StorageError as error:
            self._waiting.update(waiting)
            log.warning("daily counts are not stored yet: %s", error)

    async def store_periodically(
        self, counts: CountStore, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """Add what waits to the database forever, every minute."""
        while True:
            await sleep(_INTERVAL_SECONDS)
            await self.store(counts)
