"""The outbox of all mail in the database: a mail is claimed by one sender at a time until it is sent or given up."""

import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.clock import UK
from broker.duties.retention_rules import MAIL_DAYS, SUPPRESSED_DAYS
from broker.mail.mail import (
    LATE,
    NO_KEY,
    SUPPRESSED,
    ClaimedMail,
    MailKind,
    NewMail,
    ReportOutcome,
    ReturnedMail,
    UnsentMail,
    UnsentMails,
)
from broker.staff.source_health import OutboxStanding
from broker.storage.database import Database, rows_changed
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import AppointmentRow, EnquiryRow, MailRow, SuppressedAddressRow

MAX_WAITING = 20_000
"""Mails that wait, above which none to visitors is added."""

LIFETIME = timedelta(days=5)
"""Age at which a mail is given up: one to a visitor at once, as it would be late news, one to staff once it failed."""

MAX_LISTED = 100
"""Mails of each list for staff."""

_MAX_SKIPPED = 100
"""Mails that a claim gives up or postpones before it returns none."""

_WAITS = and_(col(MailRow.sent_at).is_(None), col(MailRow.given_up_at).is_(None))
_WITHOUT_CONTENT: Mapping[str, Any] = {"recipient": None, "context": None}
_UNCLAIMED: Mapping[str, Any] = {"claimed_by": None, "claimed_until": None}

_T = TypeVar("_T")

log = logging.getLogger(__name__)


class MailCipher:
    """Encryption of recipients and contexts, and the keyed hash of an address."""

    def __init__(self, keys: SecretKeys) -> None:
        self._cipher = keys.cipher_for("mail")
        self._hash_keys = keys.derive("mail address")

    def values(self, mail: NewMail) -> dict[str, Any]:
        context = json.dumps(dict(mail.context), ensure_ascii=False).encode()
        return {
            **self.recipient_values(mail.recipient),
            "context": self._cipher.encrypt(context) if mail.context else None,
        }

    def recipient_values(self, address: str) -> dict[str, Any]:
        """Return the columns of a recipient; an empty address is staff."""
        if not address:
            return {"recipient": None, "digest": None}
        return {"recipient": self._cipher.encrypt(address.encode()), "digest": self.digests(address)[0]}

    def recipient(self, row: Row[Any]) -> str:
        """Return the recipient of a row, empty for staff; raises DecryptionError."""
        return self._cipher.decrypt(row.recipient).decode() if row.recipient else ""

    def context(self, row: Row[Any]) -> dict[str, str]:
        """Return the context of a row; raises DecryptionError."""
        return json.loads(self._cipher.decrypt(row.context)) if row.context else {}

    def digests(self, address: str) -> tuple[str, ...]:
        """Return the hash of an address with each key, the current one first; upper and lower case are the same."""
        known = address.strip().casefold().encode()
        return tuple(hmac.new(key, known, hashlib.sha256).hexdigest() for key in self._hash_keys)


async def add_mail(connection: AsyncConnection, cipher: MailCipher, mail: NewMail) -> str:
    """Add a mail in the caller's transaction, and return its key; empty if it is to a visitor and MAX_WAITING wait."""
    if mail.recipient and await _count(connection, _WAITS) >= MAX_WAITING:
        log.error("a mail was not added: %d wait already", MAX_WAITING)
        return ""
    key = secrets.token_hex(16)
    values = {
        **cipher.values(mail),
        "kind": mail.kind.value,
        "key": key,
        "enquiry_id": mail.enquiry_id,
        "expires": mail.expires,
        "watch_id": mail.watch_id,
        "created": mail.created,
        "due": mail.created,
        "attempts": 0,
        "problem": "",
    }
    await connection.execute(insert(MailRow), values)
    return key


async def drop_waiting(connection: AsyncConnection, kind: MailKind, *, enquiry_id: int) -> None:
    """Remove the mails of a kind about an enquiry that wait and that no sender has claimed."""
    idle = (_WAITS, col(MailRow.claimed_by).is_(None))
    here = (col(MailRow.enquiry_id) == enquiry_id, col(MailRow.kind) == kind.value)
    await connection.execute(delete(MailRow).where(*here, *idle))


async def find_returned(connection: AsyncConnection, cipher: MailCipher, address: str) -> ReturnedMail | None:
    """Return what came back from an address; None for nothing, and for no address."""
    if not address:
        return None
    wanted = select(SuppressedAddressRow).where(col(SuppressedAddressRow.digest).in_(cipher.digests(address)))
    row = (await connection.execute(wanted.limit(1))).one_or_none()
    return ReturnedMail(count=row.times, last_at=row.last_at, is_complaint=row.is_complaint) if row else None


async def suppressed(connection: AsyncConnection, cipher: MailCipher, addresses: Iterable[str]) -> frozenset[str]:
    """Return those of some addresses that mail comes back from, read in one statement."""
    known = {digest: address for address in addresses for digest in cipher.digests(address)}
    digest = col(SuppressedAddressRow.digest)
    found = (await connection.execute(select(digest).where(digest.in_(known)))).scalars()
    return frozenset(known[each] for each in found)


class OutboxStore:
    """The outbox for one sender, which releases only its own claims; methods raise StorageError."""

    def __init__(self, database: Database, keys: SecretKeys, sender: str) -> None:
        self._database = database
        self._cipher = MailCipher(keys)
        self._sender = sender

    async def claim(self, now: datetime, *, lease: timedelta, longest: timedelta) -> ClaimedMail | None:
        """Claim the mail that has been due longest, or return None; raises StorageError.

        Another sender may claim it once the lease is over: the first one has died. `longest` is the longest delay of a
        retry. A mail that is due or claimed later than any delay from now, or was never tried, is claimed at once:
        the clock was ahead when it was stored. One to a suppressed address is given up, and so is one to a visitor
        after LIFETIME or once it expires.
        """
        due, claimed_until = col(MailRow.due), col(MailRow.claimed_until)
        is_due = or_(due <= now, due > now + longest, col(MailRow.attempts) == 0)
        is_unclaimed = or_(claimed_until.is_(None), claimed_until <= now)
        free = (_WAITS, or_(and_(is_due, is_unclaimed), claimed_until > now + lease))
        # PostgreSQL skips rows that are being claimed; SQLite has one writer and no such clause
        first = select(MailRow).where(*free).order_by(due, col(MailRow.id)).limit(1)
        first = first.with_for_update(skip_locked=True)
        claimed = {"claimed_by": self._sender, "claimed_until": now + lease, "attempts": col(MailRow.attempts) + 1}

        async def work(connection: AsyncConnection) -> ClaimedMail | None:
            for _ in range(_MAX_SKIPPED):
                row = (await connection.execute(first)).one_or_none()
                if row is None:
                    return None
                await _set(connection, row.id, claimed)
                try:
                    mail = await self._open(connection, row)
                except DecryptionError:
                    log.error("mail %d is encrypted with a key that the server no longer has", row.id)
                    await _set(connection, row.id, {**_UNCLAIMED, "due": now + longest, "problem": NO_KEY})
                    continue
                reason = await self._reason_to_give_up(connection, mail, now, expires=row.expires)
                if not reason:
                    return mail
                log.warning("mail %d was given up: %s", mail.id, reason)
                await _set(connection, mail.id, _given_up(now, reason))
            return None

        return await self._database.write(work)

    async def mark_sent(self, mail: ClaimedMail, now: datetime) -> None:
        """Record that a mail was sent, and forget to whom and what it said."""
        await self._release(mail, {"sent_at": now, "problem": "", **_WITHOUT_CONTENT})

    async def give_up(self, mail: ClaimedMail, now: datetime, *, problem: str, is_returned: bool = False) -> None:
        """Record that a mail is not sent, and forget to whom and what it said; one that `is_returned` came back."""
        ours = select(MailRow).where(*self._ours(mail)).with_for_update()

        async def work(connection: AsyncConnection) -> None:
            row = (await connection.execute(ours)).one_or_none()
            if row is None:
                return
            await _set(connection, row.id, _given_up(now, problem))
            if is_returned and row.returned_at is None:
                await _return(connection, row, is_complaint=False, at=now)

        await self._suppressing(work)

    async def reschedule(self, mail: ClaimedMail, *, due: datetime, problem: str) -> None:
        """Retry a mail at `due`; `problem` is an error code of the mail server. Raises StorageError."""
        await self._release(mail, {"due": due, "problem": problem})

    async def empty_log(self) -> None:
        """Remove what was forgotten from SQLite's write-ahead log."""
        await self._database.empty_log()

    async def retry(self, now: datetime) -> int:
        """Make every mail that waits and is not being sent due; return how many. Raises StorageError."""
        idle = (_WAITS, or_(col(MailRow.claimed_until).is_(None), col(MailRow.claimed_until) <= now))
        return await self._database.write(rows_changed(update(MailRow).where(*idle).values(due=now)))

    async def status(self) -> OutboxStanding:
        """Return counts, ages and the last problem of mails; raises StorageError."""
        failed = and_(_WAITS, col(MailRow.problem) != "")
        counts = select(
            func.count().filter(_WAITS).label("waiting"),
            func.count().filter(failed).label("failed"),
            func.count().filter(col(MailRow.given_up_at).is_not(None)).label("given_up"),
            func.min(col(MailRow.created)).filter(_WAITS).label("oldest"),
            func.max(col(MailRow.sent_at)).label("last_sent"),
        )
        latest = select(col(MailRow.problem)).where(failed).order_by(col(MailRow.due).desc()).limit(1)

        async def work(connection: AsyncConnection) -> OutboxStanding:
            row = (await connection.execute(counts)).one()
            problem = (await connection.execute(latest)).scalar() or ""
            return OutboxStanding(
                waiting=row.waiting,
                failed=row.failed,
                given_up=row.given_up,
                oldest=row.oldest,
                problem=problem,
                last_sent=row.last_sent,
            )

        return await self._database.read(work)

    async def unsent(self) -> UnsentMails:
        """Return the oldest mails that wait and the latest that were given up; raises StorageError."""
        given_up = col(MailRow.given_up_at).is_not(None)
        lists = ((_WAITS, col(MailRow.created)), (given_up, col(MailRow.given_up_at).desc()))

        async def work(connection: AsyncConnection) -> UnsentMails:
            waiting, ended = [
                tuple(
                    map(_unsent, await connection.execute(select(MailRow).where(those).order_by(by).limit(MAX_LISTED)))
                )
                for those, by in lists
            ]
            count_waiting, count_given_up = [await _count(connection, those) for those, _ in lists]
            return UnsentMails(
                waiting=waiting, given_up=ended, count_waiting=count_waiting, count_given_up=count_given_up
            )

        return await self._database.read(work)

    async def record_return(self, key: str, *, is_complaint: bool, at: datetime) -> ReportOutcome:
        """Suppress the address that a returned mail was sent to, once for each mail; raises StorageError.

        `key` is the left part of its Message-ID. A mail to staff suppresses nothing.
        """

        async def work(connection: AsyncConnection) -> ReportOutcome:
            wanted = select(MailRow).where(col(MailRow.key) == key).with_for_update()
            row = (await connection.execute(wanted)).one_or_none()
            if row is None:
                return ReportOutcome.UNKNOWN
            if row.returned_at is not None:
                return ReportOutcome.REPEATED
            await _return(connection, row, is_complaint=is_complaint, at=at)
            return ReportOutcome.RECORDED

        return await self._suppressing(work)

    async def lift(self, address: str) -> bool:
        """Send mail to a suppressed address again; return whether it was suppressed. Raises StorageError."""
        known = col(SuppressedAddressRow.digest).in_(self._cipher.digests(address))
        return bool(await self._database.write(rows_changed(delete(SuppressedAddressRow).where(known))))

    async def delete_old(self, now: datetime) -> None:
        """Delete the records of mails and of suppressed addresses whose time is over; raises StorageError."""
        done_at = func.coalesce(col(MailRow.sent_at), col(MailRow.given_up_at))
        old = (
            delete(MailRow).where(done_at <= now - timedelta(days=MAIL_DAYS)),
            delete(SuppressedAddressRow).where(
                col(SuppressedAddressRow.last_at) <= now - timedelta(days=SUPPRESSED_DAYS)
            ),
        )

        async def work(connection: AsyncConnection) -> None:
            for each in old:
                await connection.execute(each)

        await self._database.write(work)

    async def _open(self, connection: AsyncConnection, row: Row[Any]) -> ClaimedMail:
        kind = MailKind(row.kind)
        return ClaimedMail(
            id=row.id,
            kind=kind,
            key=row.key,
            created=row.created,
            attempts=row.attempts + 1,
            recipient=self._cipher.recipient(row),
            context=await _note_context(connection, row.enquiry_id)
            if kind is MailKind.NOTE
            else self._cipher.context(row),
        )

    async def _reason_to_give_up(
        self, connection: AsyncConnection, mail: ClaimedMail, now: datetime, *, expires: datetime | None
    ) -> str:
        if not mail.recipient:
            return ""
        if await find_returned(connection, self._cipher, mail.recipient):
            return SUPPRESSED
        return LATE if now - mail.created >= LIFETIME or (expires and now >= expires) else ""

    async def _release(self, mail: ClaimedMail, values: Mapping[str, Any]) -> None:
        ours = update(MailRow).where(*self._ours(mail))
        await self._database.write(rows_changed(ours.values({**values, **_UNCLAIMED})))

    def _ours(self, mail: ClaimedMail) -> tuple[ColumnElement[bool], ...]:
        return col(MailRow.id) == mail.id, col(MailRow.claimed_by) == self._sender

    async def _suppressing(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Run a transaction that may suppress an address, once more where another has just suppressed it."""
        for _ in range(2):
            try:
                return await self._database.write(work)
            except IntegrityError:
                continue
        raise StorageError("the database refuses an address as one that exists")


async def _note_context(connection: AsyncConnection, enquiry_id: int) -> dict[str, str]:
    """Return the values of a note, which has nothing personal."""
    columns: tuple[Any, ...] = (
        *(EnquiryRow.reference, EnquiryRow.kind, EnquiryRow.page, EnquiryRow.created, EnquiryRow.call_by),
        *(AppointmentRow.starts, AppointmentRow.minutes, AppointmentRow.medium, AppointmentRow.adviser),
    )
    wanted = select(*map(col, columns)).where(col(EnquiryRow.id) == enquiry_id)
    booked = wanted.join(AppointmentRow, col(AppointmentRow.enquiry_id) == col(EnquiryRow.id), isouter=True)
    row = (await connection.execute(booked)).one()
    return {
        "reference": row.reference,
        "kind": row.kind,
        "page": row.page,
        "sent": _uk_time(row.created),
        "call_by": _uk_time(row.call_by or row.created),
        "appointment": _uk_time(row.starts) if row.starts else "",
        "minutes": str(row.minutes or ""),
        "medium": row.medium or "",
        "adviser": row.adviser or "",
    }


def _uk_time(moment: datetime) -> str:
    """Return a moment as `14:02 on 31 March 2026`."""
    return f"{moment.astimezone(UK):%H:%M on %-d %B %Y}"


async def _return(connection: AsyncConnection, row: Row[Any], *, is_complaint: bool, at: datetime) -> None:
    """Record that the mail of a row came back, and suppress its address unless that is of staff."""
    await _set(connection, row.id, {"returned_at": at})
    if row.digest and row.kind != MailKind.STAFF_LINK:
        await _suppress(connection, row.digest, is_complaint=is_complaint, at=at)


async def _suppress(connection: AsyncConnection, digest: str, *, is_complaint: bool, at: datetime) -> None:
    known = col(SuppressedAddressRow.digest) == digest
    more = {"times": col(SuppressedAddressRow.times) + 1, "last_at": at}
    if is_complaint:
        more["is_complaint"] = True
    if not (await connection.execute(update(SuppressedAddressRow).where(known).values(more))).rowcount:
        first = {"digest": digest, "times": 1, "last_at": at, "is_complaint": is_complaint}
        await connection.execute(insert(SuppressedAddressRow).values(first))


def _given_up(now: datetime, problem: str) -> dict[str, Any]:
    return {"given_up_at": now, "problem": problem, **_WITHOUT_CONTENT, **_UNCLAIMED}


def _unsent(row: Row[Any]) -> UnsentMail:
    return UnsentMail(
        kind=MailKind(row.kind),
        created=row.created,
        due=row.due,
        attempts=row.attempts,
        problem=row.problem,
        given_up_at=row.given_up_at,
    )


async def _set(connection: AsyncConnection, id_: int, values: Mapping[str, Any]) -> None:
    await connection.execute(update(MailRow).where(col(MailRow.id) == id_).values(dict(values)))


async def _count(connection: AsyncConnection, which: ColumnElement[bool]) -> int:
    return (await connection.execute(select(func.count()).select_from(MailRow).where(which))).scalar_one()
