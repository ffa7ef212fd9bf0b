"""Delete unsent questionnaires after 30 days, enquiries after their months (decision 35), and watches after theirs.

Hourly runs delete what has been due for a day, so a clock that is hours ahead deletes nothing early. After a longer gap
between two runs the server was off, or the clock was set ahead: what came due before the end of the gap is kept until
staff delete it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.clock import utc_now
from broker.enquiries.store import EnquiryStore
from broker.mail.outbox_store import OutboxStore
from broker.questionnaire.journey_store import JourneyStore
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, first_row
from broker.storage.errors import StorageError
from broker.storage.tables import RetentionRow

_INTERVAL = timedelta(hours=1)

_GRACE = timedelta(days=1)
"""Time from due to deletion, and the longest gap between two runs over which the clock is trusted."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionRun:
    """A run: its time, and the time since which there was no long gap between runs."""

    at: datetime
    since: datetime


class RetentionRunStore:
    """Methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def last(self) -> RetentionRun | None:
        latest = select(RetentionRow).order_by(col(RetentionRow.id).desc()).limit(1)
        row = await self._database.read(first_row(latest))
        return RetentionRun(at=row.at, since=row.since) if row else None

    async def record(self, run: RetentionRun) -> None:
        """Store a run, replacing earlier ones."""

        async def work(connection: AsyncConnection) -> None:
            added = await connection.execute(
                insert(RetentionRow).values(at=run.at, since=run.since).returning(col(RetentionRow.id))
            )
            await connection.execute(delete(RetentionRow).where(col(RetentionRow.id) < added.scalar_one()))

        await self._database.write(work)


class Expiring(Protocol):
    """Rows that each have a deletion date; methods raise StorageError."""

    async def count_due(self, now: datetime, /) -> int: ...

    async def delete_due(self, now: datetime, /, *, after: datetime = ...) -> int:
        """Delete what is due until now and `after` a time, and return how much."""
        ...


class Duties(Protocol):
    """What the duties keep; methods raise StorageError."""

    async def hold(self, now: datetime, /) -> int:
        """Keep cases with advice for as long as the law asks, before any enquiry is deleted."""
        ...

    async def delete_due(self, until: datetime, /, *, after: datetime) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Counts of enquiries, unsent questionnaires and watches."""

    enquiries: int
    journeys: int
    watches: int

    def __bool__(self) -> bool:
        return bool(self.enquiries or self.journeys or self.watches)

    def __str__(self) -> str:
        kept = f"enquiries: {self.enquiries:,}, unsent questionnaires: {self.journeys:,}"
        return f"{kept}, watches: {self.watches:,}"


class Retention:
    """Deletes the rows whose own deletion date has passed."""

    def __init__(
        self,
        enquiries: EnquiryStore,
        journeys: JourneyStore,
        watches: Expiring,
        *,
        outbox: OutboxStore,
        runs: RetentionRunStore,
        audit: AuditStore,
        duties: Duties | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._enquiries, self._journeys, self._watches = enquiries, journeys, watches
        self._outbox, self._runs, self._audit, self._clock = outbox, runs, audit, clock
        self._duties = duties

    async def delete_due(self) -> Due:
        """Delete what has been due for a day, and since the last gap; return how much. Raises StorageError."""
        now = self._clock()
        since, until = _followed_since(await self._runs.last(), now), now - _GRACE
        if self._duties:
            await self._duties.hold(now)
        deleted = Due(
            enquiries=await self._enquiries.delete_due(until, after=since),
            journeys=await self._journeys.delete_due(until, after=since),
            watches=await self._watches.delete_due(until, after=since),
        )
        if since < until:
            await self._outbox.delete_old(until)
            if self._duties:
                await self._duties.delete_due(until, after=since)
        await self._runs.record(RetentionRun(at=now, since=since))
        if deleted:
            log.info("deleted as their time is over: %s", deleted)
        if kept := await self.overdue():
            log.warning("due for over a day, and kept until staff delete them on their overview: %s", kept)
        return deleted

    async def overdue(self) -> Due:
        """Count what is overdue and kept until staff delete it; raises StorageError."""
        before = self._clock() - _GRACE - _INTERVAL
        return Due(
            enquiries=await self._enquiries.count_due(before),
            journeys=await self._journeys.count_due(before),
            watches=await self._watches.count_due(before),
        )

    async def delete_overdue(self, *, who: str) -> Due:
        """Delete all that is due for a member of staff, with an audit entry; raises StorageError."""
        now = self._clock()
        if self._duties:
            await self._duties.hold(now)
        deleted = Due(
            enquiries=await self._enquiries.delete_due(now),
            journeys=await self._journeys.delete_due(now),
            watches=await self._watches.delete_due(now),
        )
        await self._audit.add(AuditEntry(at=now, who=who, what=Act.OVERDUE_DELETED, detail=str(deleted)))
        return deleted

    async def delete_periodically(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Delete due rows forever, at once and every hour."""
        while True:
            try:
                await self.delete_due()
            except StorageError as error:
                log.warning("nothing deleted, tried again in an hour: %s", error)
            await sleep(_INTERVAL.total_seconds())


def _followed_since(last: RetentionRun | None, now: datetime) -> datetime:
    """Return the time since which runs had no long gap; the first run trusts the clock for a day and an hour."""
    if last is None:
        return now - _GRACE - _INTERVAL
    return now if now - last.at > _GRACE else min(last.since, now)
