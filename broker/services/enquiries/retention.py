"""Delete unsent questionnaires after 30 days and enquiries after their months (decision 35)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from broker.domain.enquiries.stored_records import StorageError
from broker.services.signed_tokens import utc_now
from broker.storage.enquiries.enquiries import EnquiryStore
from broker.storage.enquiries.journeys import JourneyStore

INTERVAL = timedelta(hours=1)

log = logging.getLogger(__name__)


class Retention:
    """Deletes the rows whose own deletion date has passed."""

    def __init__(
        self, enquiries: EnquiryStore, journeys: JourneyStore, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._enquiries = enquiries
        self._journeys = journeys
        self._clock = clock

    async def delete_due(self) -> tuple[int, int]:
        """Delete due rows and return the counts of enquiries and journeys; raises StorageError."""
        now = self._clock()
        gone = (await self._enquiries.delete_due(now), await self._journeys.delete_due(now))
        if any(gone):
            log.info("deleted as their time is over: %d enquiries, %d unsent questionnaires", *gone)
        return gone

    async def delete_periodically(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Delete due rows forever, at once and every hour."""
        while True:
            try:
                await self.delete_due()
            except StorageError as error:
                log.warning("nothing deleted, tried again in an hour: %s", error)
            await sleep(INTERVAL.total_seconds())
