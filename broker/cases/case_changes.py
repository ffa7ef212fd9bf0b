"""What changes of cases as others make them: which cases have changed, and who has one open."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.clock import utc_now
from broker.enquiries.enquiry import parse_reference
from broker.staff.audit import Act
from broker.storage.database import Database, all_rows, rows_changed
from broker.storage.errors import StorageError
from broker.storage.tables import AuditRow, EnquiryRow, OpenCaseRow

POLL_SECONDS = 1.0
"""Longest age of what a process knows of changes."""

OPEN_TIME = timedelta(minutes=2)
"""Time for which a case counts as open since its page last said so."""

_SAY_AGAIN = timedelta(seconds=30)

_REMEMBERED = 2_000
"""Changes that a process remembers; whoever has not asked for longer reads everything again."""

_OVERLAP = 100
"""Numbers before the newest that are looked at again on PostgreSQL, where a lower number may be committed later."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The references of the cases changed since a position, and the position to ask from next.

    `everything`: too much has changed, or the position is that of another process, so all has to be read again.
    """

    position: int
    references: frozenset[str] = frozenset()
    everything: bool = False


class _Numbers:
    """Rows of a table by their number, each once: what has been added since the last look."""

    def __init__(self, number: Any, reference: Any, *where: Any) -> None:
        self._newest = select(func.max(number))
        self._number, self._wanted = number, select(number.label("number"), reference.label("reference")).where(*where)
        self._last = 0
        self._seen: frozenset[int] = frozenset()

    async def begin(self, connection: AsyncConnection, overlap: int) -> None:
        """Take what there is for known."""
        self._last = await connection.scalar(self._newest) or 0
        await self.added(connection, overlap)

    async def added(self, connection: AsyncConnection, overlap: int) -> list[str]:
        """Return the references of the rows that were added since the last look."""
        rows = (await connection.execute(self._wanted.where(self._number > self._last - overlap))).all()
        fresh = [row.reference for row in rows if row.number not in self._seen]
        self._last = max((self._last, *(row.number for row in rows)))
        self._seen = frozenset(row.number for row in rows if row.number > self._last - overlap)
        return fresh


class CaseChanges:
    """The changes of cases, one poll a second for all tabs of a process; methods raise StorageError.

    Every change by staff adds an audit entry with the reference of its case; a new enquiry has a number of its own.
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = monotonic) -> None:
        self._database, self._clock = database, clock
        self._lock = asyncio.Lock()
        self._polled_at: float | None = None
        is_read = col(AuditRow.what) == Act.ENQUIRY_READ.value
        self._tables = (
            _Numbers(col(AuditRow.id), col(AuditRow.about), ~is_read),
            _Numbers(col(EnquiryRow.id), col(EnquiryRow.reference)),
        )
        self._changed: deque[str] = deque(maxlen=_REMEMBERED)
        self._count = 0

    @property
    def position(self) -> int:
        """Return the position up to which changes are known."""
        return self._count

    async def since(self, position: int | None = None) -> Changes:
        """Return what has changed since a position of this process, or the present position for None."""
        async with self._lock:
            now = self._clock()
            if self._polled_at is None or now - self._polled_at >= POLL_SECONDS:
                await self._poll()
                self._polled_at = now
        if position is None:
            return Changes(position=self._count)
        missed = self._count - position
        if not 0 <= missed <= len(self._changed):
            return Changes(position=self._count, everything=True)
        changed = list(self._changed)[len(self._changed) - missed :]
        return Changes(position=self._count, references=frozenset(changed))

    async def follow(self) -> AsyncIterator[frozenset[str]]:
        """Yield what has changed since the last poll, each second and mostly nothing, for as long as it is asked.

        After a pause of the database the changes of the meantime follow.
        """
        position: int | None = None
        while True:
            try:
                found = await self.since(position)
            except StorageError as error:
                log.warning("changes of cases cannot be read: %s", error)
            else:
                position = found.position
                yield found.references
            await asyncio.sleep(POLL_SECONDS)

    async def _poll(self) -> None:
        overlap = 0 if self._database.is_file else _OVERLAP

        is_first = self._polled_at is None

        async def work(connection: AsyncConnection) -> list[str]:
            if is_first:
                for table in self._tables:
                    await table.begin(connection, overlap)
                return []
            added = [each for table in self._tables for each in await table.added(connection, overlap)]
            references = [each for each in added if each and parse_reference(each) == each]
            return references + (await _cases_of(connection, references) if references else [])

        references = await self._database.read(work)
        self._changed.extend(references)
        self._count += len(references)


async def _cases_of(connection: AsyncConnection, references: list[str]) -> list[str]:
    """Return the references of the cases that enquiries are merged into."""
    merged = select(col(EnquiryRow.merged_into)).where(col(EnquiryRow.reference).in_(references))
    wanted = select(col(EnquiryRow.reference)).where(col(EnquiryRow.id).in_(merged))
    return list((await connection.execute(wanted)).scalars())


class OpenCases:
    """Who has a case open, in the database; methods raise StorageError."""

    def __init__(self, database: Database, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._database, self._clock = database, clock
        self._said: dict[tuple[str, str], datetime] = {}

    async def others(self, reference: str, who: str) -> tuple[str, ...]:
        """Return the names of the accounts other than `who` that have a case open, sorted."""
        wanted = (
            select(col(OpenCaseRow.who))
            .join(EnquiryRow, col(EnquiryRow.id) == col(OpenCaseRow.enquiry_id))
            .where(col(EnquiryRow.reference) == reference, col(OpenCaseRow.who) != who)
            .where(col(OpenCaseRow.until) > self._clock())
            .order_by(col(OpenCaseRow.who))
        )
        return tuple(row.who for row in await self._database.read(all_rows(wanted)))

    async def keep(self, reference: str, who: str) -> None:
        """Say that an account has a case open, for `OPEN_TIME`, and forget what is no longer so.

        It may be said every second: the database is told every half minute.
        """
        now = self._clock()
        self._said = {key: at for key, at in self._said.items() if at <= now < at + _SAY_AGAIN}
        if (reference, who) in self._said:
            return
        self._said[reference, who] = now
        wanted = select(col(EnquiryRow.id)).where(col(EnquiryRow.reference) == reference)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(OpenCaseRow).where(col(OpenCaseRow.until) <= now))
            id_ = await connection.scalar(wanted)
            if id_ is None:
                return
            here = (col(OpenCaseRow.enquiry_id) == id_, col(OpenCaseRow.who) == who)
            until = {"until": now + OPEN_TIME}
            if not (await connection.execute(update(OpenCaseRow).where(*here).values(until))).rowcount:
                await connection.execute(insert(OpenCaseRow).values(enquiry_id=id_, who=who, **until))

        try:
            await self._database.write(work)
        except IntegrityError:  # another tab of the account has just said so
            return

    async def leave(self, reference: str, who: str) -> None:
        """Say that an account has closed a case."""
        self._said.pop((reference, who), None)
        ids = select(col(EnquiryRow.id)).where(col(EnquiryRow.reference) == reference)
        here = (col(OpenCaseRow.enquiry_id).in_(ids), col(OpenCaseRow.who) == who)
        await self._database.write(rows_changed(delete(OpenCaseRow).where(*here)))
