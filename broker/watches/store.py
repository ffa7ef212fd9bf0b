"""Watches in the database, with the mail about each."""

import asyncio
import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, func, insert, not_, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.clock import UK
from broker.duties.retention_rules import WATCH_MONTHS
from broker.enquiries.service import months_after
from broker.lending.days import day_number, month_of
from broker.mail.mail import MailKind, NewMail
from broker.mail.outbox_store import MailCipher, add_mail, find_returned, suppressed
from broker.storage.database import BEGINNING, Database, all_rows, first_row, first_value, rows_changed
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import MailRow, WatchCheckRow, WatchRow
from broker.watches.checks import Record, changed
from broker.watches.consent import VERSION, words
from broker.watches.watch import DealKind, StaffWatch, StoredWatch, Tell, Told, Watch, WatchContact, WatchState

_TOKEN_BYTES = 24
"""Random bytes of a token: 32 characters."""

_BATCH = 2_000
"""Watches that are read at once."""

_MAX_REMINDERS = 500
"""Reminders of one transaction."""

MAX_LISTED = 1_000
"""Watches of the list for staff."""

_MAX_ATTEMPTS = 3
"""Attempts to store a watch whose form is sent twice at once."""

_UNCONFIRMED = col(WatchRow.state) == WatchState.UNCONFIRMED.value
_ACTIVE = col(WatchRow.state) == WatchState.ACTIVE.value
_CHECKED = (WatchRow.id, WatchRow.version, WatchRow.figures, WatchRow.record)

log = logging.getLogger(__name__)


class OutboxFullError(StorageError):
    """So many mails wait that none is added; nothing was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWatch:
    """A watch to store, under the first of the digests in `submissions` that its form may have."""

    contact: WatchContact
    submissions: Sequence[str]
    created: datetime
    delete_after: datetime
    consent_text: str
    consent_words: str
    consent_page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedWatch:
    """A confirmed watch as a check reads it; `version` counts changes, so that one check of several tells its owner."""

    id: int
    version: int
    watch: Watch
    record: Record


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A mail to the owner of a watch, by its values without address and links, and the record to store with it."""

    checked: CheckedWatch
    record: Record
    context: Mapping[str, str] = field(repr=False)


class WatchCipher:
    """Encryption of the rows of watches; staff's list decrypts both columns, a check the figures alone."""

    def __init__(self, keys: SecretKeys) -> None:
        self._contact, self._figures = keys.cipher_for("watch contact"), keys.cipher_for("watch figures")
        self._hash_keys = keys.derive("watch address")

    def values(self, contact: WatchContact, *, link: str, stop: str) -> dict[str, Any]:
        """Return the columns of a watch that its owner's form decides; `link` and `stop` are its tokens."""
        watch = contact.watch
        details = {"email": contact.email, "telephone": contact.telephone, "link": link, "stop": stop}
        return {
            "contact": self._contact.encrypt(_json(details)),
            "figures": self._figures.encrypt(_json(_watch_values(watch))),
            "may_call": watch.may_call,
            "deal_month": month_of(day_number(watch.deal_end)),
        }

    def row(self, new: NewWatch, address: str) -> dict[str, Any]:
        """Return the row of a new watch, with new tokens; `address` is the digest of its email address."""
        link, stop = (secrets.token_urlsafe(_TOKEN_BYTES) for _ in range(2))
        return {
            **self.values(new.contact, link=link, stop=stop),
            "link": token_digest(link),
            "stop": token_digest(stop),
            "submission": new.submissions[0],
            "address": address,
            "state": WatchState.UNCONFIRMED.value,
            "version": 1,
            "created": new.created,
            "delete_after": new.delete_after,
            "record": write_record(Record(since=new.created.date())),
            "consent_text": new.consent_text,
            "consent_words": new.consent_words,
            "consent_at": new.created,
            "consent_page": new.consent_page,
        }

    def contact(self, encrypted: bytes) -> dict[str, str]:
        """Return email address, telephone number and tokens; raises DecryptionError."""
        return json.loads(self._contact.decrypt(encrypted))

    def with_telephone(self, row: Row[Any], telephone: str) -> dict[str, Any]:
        """Return the columns of a watch with another telephone number, where it has one; raises DecryptionError."""
        details = self.contact(row.contact)
        changed = {**details, "telephone": telephone if details["telephone"] else ""}
        return {"contact": self._contact.encrypt(_json(changed))}

    def watch(self, encrypted: bytes) -> Watch:
        """Return the watch of a row's figures; raises DecryptionError."""
        return _read_watch(json.loads(self._figures.decrypt(encrypted)))

    def read(self, row: Row[Any]) -> StoredWatch:
        """Return the watch of a row; raises DecryptionError."""
        details, record = self.contact(row.contact), read_record(row.record)
        return StoredWatch(
            watch=self.watch(row.figures),
            state=WatchState(row.state),
            email=details["email"],
            telephone=details["telephone"],
            created=row.created,
            confirmed_at=row.confirmed_at,
            delete_after=row.delete_after,
            told=_told(record),
            consent_text=row.consent_text,
            consent_words=row.consent_words,
            consent_at=row.consent_at,
            consent_page=row.consent_page,
        )

    def for_staff(self, row: Row[Any]) -> StaffWatch:
        """Return the watch of a row; raises DecryptionError."""
        details = self.contact(row.contact)
        return StaffWatch(
            watch=self.watch(row.figures),
            state=WatchState(row.state),
            email=details["email"],
            telephone=details["telephone"],
            told=_told(read_record(row.record)),
        )

    def digests(self, address: str) -> tuple[str, ...]:
        """Return the hash of an address with each key, the current one first; upper and lower case are the same."""
        known = address.casefold().encode()
        return tuple(hmac.new(key, known, hashlib.sha256).hexdigest() for key in self._hash_keys)


class WatchStore:
    """Watches by the tokens of their links; methods raise StorageError."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database = database
        self._cipher, self._mail_cipher = WatchCipher(keys), MailCipher(keys)

    async def is_known(self, submissions: Sequence[str]) -> bool:
        """Return whether a form was stored."""

        async def work(connection: AsyncConnection) -> bool:
            wanted = select(col(WatchRow.id)).where(col(WatchRow.submission).in_(submissions)).limit(1)
            return (await connection.execute(wanted)).first() is not None

        return await self._database.read(work)

    async def add(self, new: NewWatch, *, max_unconfirmed: int) -> bool:
        """Store a watch and the mail that confirms it; False where its form is stored, or its address has too many.

        Raises StorageError, OutboxFullError.
        """

        async def work(connection: AsyncConnection) -> bool:
            digests = self._cipher.digests(new.contact.email)
            mine = (col(WatchRow.address).in_(digests), _UNCONFIRMED)
            # one after the other for one address: the next counts the watch that this one adds
            await connection.execute(select(col(WatchRow.id)).where(*mine).with_for_update())
            count = await connection.scalar(select(func.count()).select_from(WatchRow).where(*mine))
            if (count or 0) >= max_unconfirmed:
                return False
            await self._add(connection, new, digests[0])
            return True

        for _ in range(_MAX_ATTEMPTS):
            if await self.is_known(new.submissions):
                return False
            try:
                return await self._database.write(work)
            except IntegrityError:
                continue
        raise StorageError("the database refuses a watch as one that exists")

    async def find(self, link: str) -> StoredWatch | None:
        """Return the watch of a link, or None; raises StorageError, DecryptionError."""
        wanted = select(WatchRow).where(col(WatchRow.link) == token_digest(link))
        row = await self._database.read(first_row(wanted))
        return self._cipher.read(row) if row else None

    async def confirm(self, link: str, now: datetime) -> StoredWatch | None:
        """Begin an unconfirmed watch, and return the watch of a link, or None; raises StorageError, DecryptionError."""

        def begin(row: Row[Any]) -> dict[str, Any]:
            if row.state != WatchState.UNCONFIRMED or row.delete_after <= now:
                return {}
            return {
                "state": WatchState.ACTIVE.value,
                "confirmed_at": now,
                "delete_after": deletion_time(self._cipher.watch(row.figures)),
                "record": write_record(Record(since=now.date())),
            }

        return await self._change(link, begin)

    async def change(self, link: str, watch: Watch, *, telephone: str, now: datetime) -> StoredWatch | None:
        """Replace figures and telephone number, and return the watch, or None for an unknown link.

        A call that is agreed to, or no longer, changes the wording of the consent.
        Raises StorageError, DecryptionError.
        """

        def replaced(row: Row[Any]) -> dict[str, Any]:
            details, before = self._cipher.contact(row.contact), self._cipher.watch(row.figures)
            contact = WatchContact(watch=watch, email=details["email"], telephone=telephone)
            record = changed(read_record(row.record), before, watch, today=now.date())
            values = self._cipher.values(contact, link=details["link"], stop=details["stop"])
            if row.state != WatchState.UNCONFIRMED:
                values["delete_after"] = deletion_time(watch)
            if watch.may_call != before.may_call:
                values |= {"consent_text": VERSION, "consent_words": words(watch), "consent_at": now}
            return {**values, "record": write_record(record)}

        return await self._change(link, replaced)

    async def pause(self, link: str) -> StoredWatch | None:
        """Pause an active watch and delete its mail that waits; return the watch, or None for an unknown link."""
        return await self._change(link, partial(_moved, WatchState.ACTIVE, WatchState.PAUSED), forgets_mail=True)

    async def resume(self, link: str) -> StoredWatch | None:
        """Resume a paused watch; return the watch, or None for an unknown link."""
        return await self._change(link, partial(_moved, WatchState.PAUSED, WatchState.ACTIVE))

    async def delete(self, *, link: str = "", stop: str = "") -> bool:
        """Delete the watch of a link or of a one-click address, with its mail; return whether it existed."""
        name, token = (WatchRow.link, link) if link else (WatchRow.stop, stop)
        gone = delete(WatchRow).where(col(name) == token_digest(token))
        return bool(await self._database.erase(rows_changed(gone)))

    async def callable_watches(self) -> tuple[StaffWatch, ...]:
        """Return the confirmed watches whose owner agreed to a call, by the end of the deal.

        One that no key decrypts is left out, and logged.
        """
        wanted = select(WatchRow).where(col(WatchRow.may_call), not_(_UNCONFIRMED))
        wanted = wanted.order_by(col(WatchRow.deal_month), col(WatchRow.id)).limit(MAX_LISTED)
        found = list[StaffWatch]()
        for row in await self._database.read(all_rows(wanted)):
            with _left_out(row.id):
                found.append(self._cipher.for_staff(row))
        emails = {each.email for each in found}
        returned = await self._database.read(lambda one: suppressed(one, self._mail_cipher, emails))
        marked = [replace(each, is_returned=each.email in returned) for each in found]
        return tuple(sorted(marked, key=lambda each: each.watch.deal_end))

    async def count_due(self, now: datetime) -> int:
        """Count the watches past their deletion time."""
        due = select(func.count()).select_from(WatchRow).where(col(WatchRow.delete_after) <= now)
        return await self._database.read(first_value(due))

    async def delete_due(self, now: datetime, *, after: datetime = BEGINNING) -> int:
        """Delete watches due until now and `after` a time, and return how many."""
        return await self._delete(col(WatchRow.delete_after) <= now, col(WatchRow.delete_after) > after)

    async def delete_unconfirmed(self, created_before: datetime) -> int:
        """Delete the watches that were not confirmed in time, and return how many."""
        return await self._delete(_UNCONFIRMED, col(WatchRow.created) <= created_before)

    async def remind(self, now: datetime, *, after: timedelta) -> int:
        """Add the one reminder of each address with a watch that is unconfirmed so long; return how many.

        All unconfirmed watches of the address count as reminded of. One that no key decrypts gets no mail, and is
        logged. Raises OutboxFullError.
        """
        waits = (_UNCONFIRMED, col(WatchRow.reminded_at).is_(None))
        late = select(WatchRow).where(*waits, col(WatchRow.created) <= now - after).order_by(col(WatchRow.created))

        async def work(connection: AsyncConnection) -> int:
            reminded, mails = set[str](), 0
            for row in (await connection.execute(late.limit(_MAX_REMINDERS).with_for_update())).all():
                if row.address in reminded:
                    continue
                reminded.add(row.address)
                of_address = (*waits, col(WatchRow.address) == row.address)
                await connection.execute(update(WatchRow).where(*of_address).values(reminded_at=now))
                context = {"delete_on": uk_day(row.delete_after)}
                with _left_out(row.id):
                    await self._add_mail(
                        connection, row.id, row.contact, kind=MailKind.WATCH_REMINDER, now=now, context=context
                    )
                    mails += 1
            return mails

        return await self._database.write(work)

    async def claim_check(self, now: datetime, *, every: timedelta) -> bool:
        """Return whether a check is due and this process makes it: none was begun in the last `every`.

        One that was begun later than any from now does not count: the clock was ahead.
        """
        at = col(WatchCheckRow.at)
        due = update(WatchCheckRow).where(col(WatchCheckRow.id) == 1, or_(at <= now - every, at > now + every))

        async def work(connection: AsyncConnection) -> bool:
            if (await connection.execute(due.values(at=now))).rowcount:
                return True
            if (await connection.execute(select(col(WatchCheckRow.id)))).first():
                return False
            await connection.execute(insert(WatchCheckRow).values(id=1, at=now))
            return True

        try:
            return await self._database.write(work)
        except IntegrityError:  # another process has just made the first check
            return False

    async def active(self) -> AsyncIterator[list[CheckedWatch]]:
        """Yield the active watches in batches of one or more; one that no key decrypts is left out, and logged."""
        last = 0
        while rows := await self._database.read(partial(_active_rows, last)):
            if opened := await asyncio.to_thread(self._opened, rows):
                yield opened
            last = rows[-1].id

    async def save_records(self, records: Sequence[tuple[CheckedWatch, Record]]) -> None:
        """Store what a check has found of watches that have not changed since it read them."""
        unchanged = (col(WatchRow.id) == bindparam("id_"), col(WatchRow.version) == bindparam("version_"))
        saved = update(WatchRow).where(*unchanged, _ACTIVE)
        saved = saved.values(record=bindparam("record_"), version=bindparam("version_") + 1)
        values = [
            {"id_": checked.id, "version_": checked.version, "record_": write_record(record)}
            for checked, record in records
        ]

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(saved, values)

        if values:
            await self._database.write(work)

    async def tell(self, news: Sequence[News], now: datetime) -> int:
        """Add mails with news, each once whatever other processes do; return how many.

        A watch gets none that has changed since it was read or was stopped, that no key decrypts, or to whose address
        mail comes back. Raises OutboxFullError, and then none is stored.
        """

        async def work(connection: AsyncConnection) -> int:
            told = 0
            for each in news:
                with _left_out(each.checked.id):
                    told += await self._tell(connection, each, now)
            return told

        return await self._database.write(work) if news else 0

    async def _tell(self, connection: AsyncConnection, news: News, now: datetime) -> bool:
        checked = news.checked
        unchanged = (col(WatchRow.id) == checked.id, col(WatchRow.version) == checked.version, _ACTIVE)
        told = update(WatchRow).where(*unchanged)
        told = told.values(record=write_record(news.record), version=checked.version + 1)
        wanted = select(col(WatchRow.contact)).where(*unchanged).with_for_update()
        row = (await connection.execute(wanted)).one_or_none()
        if row is None:
            return False
        if await find_returned(connection, self._mail_cipher, self._cipher.contact(row.contact)["email"]):
            return False
        await connection.execute(told)
        await self._add_mail(
            connection, checked.id, row.contact, kind=MailKind.WATCH_NEWS, now=now, context=news.context
        )
        return True

    async def _add(self, connection: AsyncConnection, new: NewWatch, address: str) -> None:
        row = self._cipher.row(new, address)
        added = (await connection.execute(insert(WatchRow).values(row).returning(col(WatchRow.id)))).scalar_one()
        context = {"delete_on": uk_day(new.delete_after)}
        await self._add_mail(
            connection, added or 0, row["contact"], kind=MailKind.WATCH_CONFIRM, now=new.created, context=context
        )

    async def _add_mail(
        self,
        connection: AsyncConnection,
        id_: int,
        contact: bytes,
        *,
        kind: MailKind,
        now: datetime,
        context: Mapping[str, str],
    ) -> None:
        """Add a mail to the owner of a watch, with its links; raises DecryptionError, OutboxFullError."""
        details = self._cipher.contact(contact)
        values = {**context, "link": details["link"], "stop": details["stop"]}
        mail = NewMail(kind=kind, created=now, recipient=details["email"], context=values, watch_id=id_)
        if not await add_mail(connection, self._mail_cipher, mail):
            raise OutboxFullError("too many mails wait")

    async def _change(
        self, link: str, change: Callable[[Row[Any]], dict[str, Any]], *, forgets_mail: bool = False
    ) -> StoredWatch | None:
        """Set what `change` returns for the row of a link, and return the watch, or None for an unknown link."""
        wanted = select(WatchRow).where(col(WatchRow.link) == token_digest(link))

        async def work(connection: AsyncConnection) -> StoredWatch | None:
            row = (await connection.execute(wanted.with_for_update())).one_or_none()
            if row is None:
                return None
            if values := change(row):
                values["version"] = row.version + 1
                await connection.execute(update(WatchRow).where(col(WatchRow.id) == row.id).values(values))
                if forgets_mail:
                    waits = (col(MailRow.watch_id) == row.id, col(MailRow.sent_at).is_(None))
                    await connection.execute(delete(MailRow).where(*waits))
            return self._cipher.read((await connection.execute(wanted)).one())

        return await self._database.write(work)

    async def _delete(self, *which: ColumnElement[bool]) -> int:
        return await self._database.erase(rows_changed(delete(WatchRow).where(*which)))

    def _opened(self, rows: Sequence[Row[Any]]) -> list[CheckedWatch]:
        found = list[CheckedWatch]()
        for row in rows:
            with _left_out(row.id):
                watch = self._cipher.watch(row.figures)
                found.append(CheckedWatch(id=row.id, version=row.version, watch=watch, record=read_record(row.record)))
        return found


@contextmanager
def _left_out(id_: int) -> Iterator[None]:
    """Leave out a watch that no key decrypts, and log its id."""
    try:
        yield
    except DecryptionError:
        log.error("watch %d is encrypted with a key that the server no longer has", id_)


def token_digest(token: str) -> str:
    """Return the SHA-256 of a token, which needs no salt since tokens are random."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def deletion_time(watch: Watch) -> datetime:
    """Return when a confirmed watch is deleted: some months after the end of its deal."""
    return months_after(datetime.combine(watch.deal_end, time(), tzinfo=UTC), WATCH_MONTHS)


def uk_day(moment: datetime) -> str:
    """Return the day of a moment: `25 March 2027`."""
    return f"{moment.astimezone(UK):%-d %B %Y}"


def write_record(record: Record) -> str:
    times = {name: {tell.value: at.isoformat() for tell, at in found.items()} for name, found in _times(record)}
    values = {"since": record.since.isoformat(), **times, "mailed": [at.isoformat() for at in record.mailed]}
    return json.dumps(values, separators=(",", ":"))


def read_record(text: str) -> Record:
    values = json.loads(text)
    told, found = (
        {Tell(tell): datetime.fromisoformat(at) for tell, at in values[name].items()} for name in ("told", "found")
    )
    mailed = tuple(map(datetime.fromisoformat, values["mailed"]))
    return Record(since=date.fromisoformat(values["since"]), told=told, found=found, mailed=mailed)


def _times(record: Record) -> tuple[tuple[str, Mapping[Tell, datetime]], ...]:
    return ("told", record.told), ("found", record.found)


def _told(record: Record) -> tuple[Told, ...]:
    return tuple(Told(tell=tell, at=at) for tell, at in sorted(record.told.items(), key=lambda item: item[1]))


def _moved(before: WatchState, after: WatchState, row: Row[Any]) -> dict[str, Any]:
    return {"state": after.value} if row.state == before else {}


async def _active_rows(last: int, connection: AsyncConnection) -> Sequence[Any]:
    wanted = select(*map(col, _CHECKED)).where(_ACTIVE, col(WatchRow.id) > last)
    return (await connection.execute(wanted.order_by(col(WatchRow.id)).limit(_BATCH))).all()


def _watch_values(watch: Watch) -> dict[str, Any]:
    return {
        **asdict(watch),
        "given": watch.given.isoformat(),
        "deal_end": watch.deal_end.isoformat(),
        "offer_end": watch.offer_end.isoformat() if watch.offer_end else None,
        "tells": sorted(watch.tells),
    }


def _read_watch(values: dict[str, Any]) -> Watch:
    values["given"] = date.fromisoformat(values["given"])
    values["deal_end"] = date.fromisoformat(values["deal_end"])
    values["offer_end"] = date.fromisoformat(values["offer_end"]) if values["offer_end"] else None
    values["tells"], values["kind"] = frozenset(map(Tell, values["tells"])), DealKind(values["kind"])
    return Watch(**values)


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
