"""Notes to staff in the database: each is claimed by one sender at a time, and kept until it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.staff.source_health import OutboxStanding
from broker.storage.database import Database
from broker.storage.tables import EnquiryRow, OutboxRow


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxMessage:
    """A note that is claimed: of which enquiry, and how often it was tried, this time included."""

    id: int
    reference: str
    kind: EnquiryKind
    page: str
    created: datetime
    attempts: int


class OutboxStore:
    """The notes; `sender` names the process, so that it settles only what it claimed itself."""

    def __init__(self, database: Database, sender: str) -> None:
        """Keep where they are, and the name that notes are claimed under."""
        self._database = database
        self._sender = sender

    async def claim(self, now: datetime, *, lease: timedelta) -> OutboxMessage | None:
        """Claim the note that has been due longest, for as long as a lease; None where none is; raises StorageError.

        A claim outlives its lease only where the sender died: then the note is another's.
        """
        free = (
            col(OutboxRow.sent_at).is_(None),
            col(OutboxRow.due) <= now,
            or_(col(OutboxRow.claimed_until).is_(None), col(OutboxRow.claimed_until) <= now),
        )
        # PostgreSQL passes over rows that others are claiming; SQLite has one writer, and no such clause
        first = select(col(OutboxRow.id)).where(*free).order_by(col(OutboxRow.due), col(OutboxRow.id)).limit(1)
        first = first.with_for_update(skip_locked=True)
        claim = {"claimed_by": self._sender, "claimed_until": now + lease, "attempts": col(OutboxRow.attempts) + 1}

        async def work(connection: AsyncConnection) -> OutboxMessage | None:
            id_ = (await connection.execute(first)).scalar()
            if id_ is None:
                return None
            await connection.execute(update(OutboxRow).where(col(OutboxRow.id) == id_).values(claim))
            return await _note(connection, id_)

        return await self._database.write(work)

    async def sent(self, note: OutboxMessage, now: datetime) -> None:
        """Note that a note was taken by the mail server; raises StorageError."""
        await self._settle(note, {"sent_at": now, "problem": ""})

    async def reschedule(self, note: OutboxMessage, *, due: datetime, problem: str) -> None:
        """Have a note tried again later; `problem` is a code of the mail server's, nothing personal."""
        await self._settle(note, {"due": due, "problem": problem})

    async def waiting(self) -> int:
        """Return how many notes are not sent yet; raises StorageError."""

        async def work(connection: AsyncConnection) -> int:
            found = await connection.execute(select(func.count()).where(col(OutboxRow.sent_at).is_(None)))
            return found.scalar_one()

        return await self._database.read(work)

    async def standing(self) -> OutboxStanding:
        """Return how the outbox stands; raises StorageError."""
        waits, failed = col(OutboxRow.sent_at).is_(None), col(OutboxRow.problem) != ""
        counts = select(
            func.count().filter(waits).label("waiting"),
            func.count().filter(and_(waits, failed)).label("failed"),
            func.min(col(OutboxRow.created)).filter(waits).label("oldest"),
            func.max(col(OutboxRow.sent_at)).label("last_sent"),
        )
        latest = select(col(OutboxRow.problem)).where(waits, failed).order_by(col(OutboxRow.due).desc()).limit(1)

        async def work(connection: AsyncConnection) -> OutboxStanding:
            row = (await connection.execute(counts)).one()
            problem = (await connection.execute(latest)).scalar() or ""
            return OutboxStanding(
                waiting=row.waiting, failed=row.failed, oldest=row.oldest, problem=problem, last_sent=row.last_sent
            )

        return await self._database.read(work)

    async def _settle(self, note: OutboxMessage, values: dict[str, object]) -> None:
        ours = (col(OutboxRow.id) == note.id, col(OutboxRow.claimed_by) == self._sender)
        released = {**values, "claimed_by": None, "claimed_until": None}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(update(OutboxRow).where(*ours).values(released))

        await self._database.write(work)


async def _note(connection: AsyncConnection, id_: int) -> OutboxMessage:
    told = select(
        col(EnquiryRow.reference),
        col(EnquiryRow.kind),
        col(EnquiryRow.page),
        col(EnquiryRow.created),
        col(OutboxRow.attempts),
    )
    joined = told.join(OutboxRow, col(OutboxRow.enquiry_id) == col(EnquiryRow.id))
    row = (await connection.execute(joined.where(col(OutboxRow.id) == id_))).one()
    return OutboxMessage(
        id=id_,
        reference=row.reference,
        kind=EnquiryKind(row.kind),
        page=row.page,
        created=row.created,
        attempts=row.attempts,
    )
