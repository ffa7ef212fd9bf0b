"""Delete unsent questionnaires after 30 days and enquiries after their months (decision 35).

What came due in the last day is deleted every hour. What is due for longer is kept until staff delete it: either the
server was off, or its clock is wrong, and then it would delete what it should keep.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker import tracing
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.audit import Act, AuditEntry
from broker.services.signed_tokens import utc_now
from broker.storage.enquiries.enquiries import EnquiryStore
from broker.storage.enquiries.journeys import JourneyStore
from broker.storage.staff.audit import AuditStore

INTERVAL = timedelta(hours=1)

UNASKED = timedelta(days=1)
"""How long something may have been due to be deleted without asking."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Counts of enquiries and unsent questionnaires."""

    enquiries: int
    journeys: int

    def __bool__(self) -> bool:
        return bool(self.enquiries or self.journeys)

    def __str__(self) -> str:
        return f"enquiries: {self.enquiries:,}, unsent questionnaires: {self.journeys:,}"


class Retention:
    """Deletes the rows whose own deletion date has passed."""

    def __init__(
        self,
        enquiries: EnquiryStore,
        journeys: JourneyStore,
        *,
        audit: AuditStore,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._enquiries, self._journeys, self._audit, self._clock = enquiries, journeys, audit, clock

    async def delete_due(self) -> Due:
        """Delete what came due in the last day, and return how much; raises StorageError."""
        now = self._clock()
        after = now - UNASKED - INTERVAL
        deleted = Due(
            enquiries=await self._enquiries.delete_due(now, after=after),
            journeys=await self._journeys.delete_due(now, after=after),
        )
        if deleted:
            log.info("deleted as their time is over: %s", deleted)
        if kept := await self.overdue():
            log.warning("due for over a day, and kept until staff delete them on their overview: %s", kept)
        return deleted

    async def overdue(self) -> Due:
        """Return what is due for longer than is deleted without asking; raises StorageError."""
        before = self._clock() - UNASKED - INTERVAL
        return Due(enquiries=await self._enquiries.count_due(before), journeys=await self._journeys.count_due(before))

    async def delete_overdue(self, *, who: str) -> Due:
        """Delete all that is due, at the wish of staff, and record it; raises StorageError."""
        now = self._clock()
        deleted = Due(enquiries=await self._enquiries.delete_due(now), journeys=await self._journeys.delete_due(now))
        await self._audit.add(AuditEntry(at=now, who=who, what=Act.OVERDUE_DELETED, detail=str(deleted)))
        return deleted

    async def delete_periodically(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Delete due rows forever, at once and every hour."""
        while True:
            try:
                with tracing.span("delete what is due"):
                    await self.delete_due()
            except StorageError as error:
                log.warning("nothing deleted, tried again in an hour: %s", error)
            await sleep(INTERVAL.total_seconds())
