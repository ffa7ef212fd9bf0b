"""Messages to staff in the database, each claimed by one sender at a time until it is sent."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.enquiries.enquiry import EnquiryKind
from broker.staff.source_health import OutboxStanding
from broker.storage.database import Database
from broker.storage.tables import EnquiryRow, OutboxRow


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxMessage:
    """A claimed message about an enquiry; `attempts` includes this one."""

    id: int
    reference: str
    kind: EnquiryKind
    page: str
    created: datetime
    call_by: datetime
    attempts: int


class OutboxStore:
    """The outbox for one sender, which releases only its own claims; methods raise StorageError."""

    def __init__(self, database: Database, sender: str) -> None:
        self._database = database
        self._sender = sender

    async def claim(self, now: datetime, *, lease: timedelta, longest: timedelta) -> OutboxMessage | None:
        """Claim the message that has been due longest, or return None; raises StorageError.

        Another sender may claim it once the lease is over: the first one has died. `longest` is the longest delay of a
        retry. A message that is due or claimed later than any delay from now, or was never tried, is claimed at once:
        the clock was ahead when it was stored.
        """
        due, claimed_until = col(OutboxRow.due), col(OutboxRow.claimed_until)
        is_due = or_(due <= now, due > now + longest, col(OutboxRow.attempts) == 0)
        is_unclaimed = or_(claimed_until.is_(None), claimed_until <= now)
        free = (col(OutboxRow.sent_at).is_(None), or_(and_(is_due, is_unclaimed), claimed_until > now + lease))
        # PostgreSQL skips rows that are being claimed; SQLite has one writer and no such clause
        first = select(col(OutboxRow.id)).where(*free).order_by(col(OutboxRow.due), col(OutboxRow.id)).limit(1)
        first = first.with_for_update(skip_locked=True)
        claim = {"claimed_by": self._sender, "claimed_until": now + lease, "attempts": col(OutboxRow.attempts) + 1}

        async def work(connection: AsyncConnection) -> OutboxMessage | None:
            id_ = (await connection.execute(first)).scalar()
            if id_ is None:
                return None
            await connection.execute(update(OutboxRow).where(col(OutboxRow.id) == id_).values(claim))
            return await _message(connection, id_)

        return await self._database.write(work)

    async def mark_sent(self, message: OutboxMessage, now: datetime) -> None:
        await self._release(message, {"sent_at": now, "problem": ""})

    async def reschedule(self, message: OutboxMessage, *, due: datetime, problem: str) -> None:
        """Retry a message at `due`; `problem` is an error code of the mail server. Raises StorageError."""
        await self._release(message, {"due": due, "problem": problem})

    async def status(self) -> OutboxStanding:
        """Return counts, ages and the last problem of messages; raises StorageError."""
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

    async def _release(self, message: OutboxMessage, values: dict[str, object]) -> None:
        ours = (col(OutboxRow.id) == message.id, col(OutboxRow.claimed_by) == self._sender)
        released = {**values, "claimed_by": None, "claimed_until": None}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(update(OutboxRow).where(*ours).values(released))

        await self._database.write(work)


async def _message(connection: AsyncConnection, id_: int) -> OutboxMessage:
    columns = select(
        col(EnquiryRow.reference),
        col(EnquiryRow.kind),
        col(EnquiryRow.page),
        col(EnquiryRow.created),
        col(EnquiryRow.call_by),
        col(OutboxRow.attempts),
    )
    joined = columns.join(OutboxRow, col(OutboxRow.enquiry_id) == col(EnquiryRow.id))
    row = (await connection.execute(joined.where(col(OutboxRow.id) == id_))).one()
    return OutboxMessage(
        id=id_,
        reference=row.reference,
        kind=EnquiryKind(row.kind),
        page=row.page,
        created=row.created,
        call_by=row.call_by,
        attempts=row.attempts,
    )
