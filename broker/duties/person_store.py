"""A person's data in every table: found by keyed hashes, exported with what was encrypted, corrected and deleted."""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.cases.case import REASONS, DeleteReason, Stage
from broker.clock import UK, uk_date
from broker.duties.advice_store import advice_until, advised, end_of, keep_advice_alone, kept_notes, with_advice
from broker.duties.complaint import complaint_label
from broker.duties.complaint_store import ComplaintCipher
from broker.duties.person_data import Correction, DataRequest, Held, Kind, Person, RequestKind, Wanted, folded
from broker.duties.retention_rules import ADVICE_YEARS
from broker.enquiries.contact_details import uk_format
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.mail.outbox_store import MailCipher
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore, add_entry
from broker.storage.connections import in_thread
from broker.storage.database import Database, all_rows, rows_changed
from broker.storage.encryption import DecryptionError, SecretKeys, decrypted_columns
from broker.storage.tables import (
    AppointmentRow,
    AuditRow,
    ComplaintLetterRow,
    ComplaintRow,
    DataRequestRow,
    DeskUndoRow,
    EnquiryRow,
    MailRow,
    NoteDraftRow,
    NoteRow,
    NumberedRow,
    SuppressedAddressRow,
    WatchRow,
)
from broker.watches.store import WatchCipher

PERSONAL: tuple[type[NumberedRow], ...] = (
    *(EnquiryRow, NoteRow, NoteDraftRow, AppointmentRow, DeskUndoRow, MailRow, WatchRow, ComplaintRow),
    *(ComplaintLetterRow, DataRequestRow, SuppressedAddressRow, AuditRow),
)
"""Each table that holds something of a visitor, in the order of the export."""

_SECRET = {"submission", "link", "stop", "digest", "address", "phone_digest", "email_digest", "key", "batch"}
"""Columns and encrypted values that are hashes, or open a page without signing in: they are not exported."""

_WITH_LENDER = (Stage.APPLICATION, Stage.VALUATION, Stage.OFFER, Stage.EXCHANGE)

_BATCH = 1_000
"""Rows that are read at once where all of a table are looked at."""

Rows = Mapping[type[NumberedRow], Sequence[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The rows of a person by table, the identifiers in them, and until when the advice of an enquiry is kept."""

    rows: Rows
    names: tuple[str, ...] = ()
    telephones: frozenset[str] = frozenset()
    emails: frozenset[str] = frozenset()
    advised: Mapping[int, date] = field(default_factory=dict)
    advice_years: int = ADVICE_YEARS
    complaints: Mapping[int, date] = field(default_factory=dict)
    """The day until which each complaint is kept that may not be deleted yet, by its number."""

    def ids(self, table: type[NumberedRow]) -> list[int]:
        return [row.id for row in self.rows[table]]


class PersonStore:
    """Everything under telephone numbers and email addresses; methods raise StorageError and DecryptionError."""

    def __init__(self, database: Database, keys: SecretKeys, *, advice_years: int = ADVICE_YEARS) -> None:
        self._database, self._keys, self._advice_years = database, keys, advice_years
        self._enquiries, self._mails = EnquiryCipher(keys), MailCipher(keys)
        self._watches, self._complaints = WatchCipher(keys), ComplaintCipher(keys)
        self._requests = keys.cipher_for("data request")

    async def find(self, wanted: Wanted, *, now: datetime, with_records: bool = False) -> Person:
        """Return what is held of a person, with the rows themselves where they are asked for."""
        found = await self._database.read(lambda connection: self._gather(connection, wanted, uk_date(now)))
        records = await asyncio.to_thread(self._records, found.rows) if with_records else {}
        return _person(found, wanted, now=now, records=records)

    async def delete(self, wanted: Wanted, *, who: str, at: datetime) -> Person:
        """Delete what need not be kept, in one transaction, and return what was held; the record keeps references.

        An enquiry with advice keeps who it is and the advice; everything else of it goes. Coming appointments go
        without a mail.
        """

        async def work(connection: AsyncConnection) -> Person:
            found = await self._gather(connection, wanted, uk_date(at), locked=True)
            person = _person(found, wanted, now=at)
            await self._delete_rows(connection, found, who=who, at=at)
            why = REASONS[DeleteReason.ASKED]
            for row in found.rows[EnquiryRow]:
                if row.id not in found.advised:
                    entry = AuditEntry(at=at, who=who, what=Act.ENQUIRY_DELETED, about=row.reference, detail=why)
                    await add_entry(connection, entry)
            detail = f"{person.deleted} deleted, {person.kept} kept"
            about = next(iter(person.references), "")
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.PERSON_DELETED, about=about, detail=detail))
            return person

        return await self._database.erase(work)

    async def correct(self, wanted: Wanted, correction: Correction, *, who: str, at: datetime) -> Person:
        """Correct name, telephone and email in enquiries and complaints, watches' telephone, and mail that waits.

        A watch keeps the email address that its owner has confirmed.
        """

        async def work(connection: AsyncConnection) -> Person:
            found = await self._gather(connection, wanted, uk_date(at), locked=True)
            for row in found.rows[EnquiryRow]:
                contact = self._enquiries.contact(row)
                changed = replace(contact, **_given(correction))
                stamp = {"version": row.version + 1, "changed_by": who, "changed_at": at}
                await _set(connection, EnquiryRow, row.id, {**self._enquiries.contact_values(changed), **stamp})
                entry = AuditEntry(at=at, who=who, what=Act.PERSON_CORRECTED, about=row.reference)
                await add_entry(connection, entry)
            for row in found.rows[ComplaintRow]:
                person = replace(self._complaints.person(row), **_given(correction))
                stamp = {"version": row.version + 1, "changed_by": who, "changed_at": at}
                await _set(connection, ComplaintRow, row.id, {**self._complaints.person_values(person), **stamp})
                entry = AuditEntry(at=at, who=who, what=Act.PERSON_CORRECTED, about=complaint_label(row.id))
                await add_entry(connection, entry)
            for row in found.rows[WatchRow] if correction.telephone else ():
                values = self._watches.with_telephone(row, correction.telephone)
                await _set(connection, WatchRow, row.id, {**values, "version": row.version + 1})
            for row in found.rows[MailRow] if correction.email else ():
                if row.recipient and not row.watch_id:
                    await _set(connection, MailRow, row.id, self._mails.recipient_values(correction.email))
            return _person(found, wanted, now=at)

        return await self._database.write(work)

    async def add_request(
        self, kind: RequestKind, wanted: Wanted, *, asked: date, due: date, who: str, at: datetime
    ) -> None:
        """Record what a person asks for."""
        phones = [digest for each in wanted.telephones for digest in self._enquiries.phone_digests(each)[:1]]
        emails = [digest for each in wanted.emails for digest in self._enquiries.email_digests(each)[:1]]
        words = json.dumps([*sorted(wanted.telephones), *sorted(wanted.emails)]).encode()
        row = {"kind": kind.value, "asked": asked, "due": due, "who": who, "person": self._requests.encrypt(words)}
        digests = {"phone_digest": next(iter(phones), ""), "email_digest": next(iter(emails), "")}

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(insert(DataRequestRow).values({**row, **digests}))
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.PERSON_ASKED, detail=kind.value))

        await self._database.write(work)

    async def close_request(self, id_: int, *, who: str, at: datetime) -> None:
        """Record that a request was answered."""

        async def work(connection: AsyncConnection) -> None:
            here = (col(DataRequestRow.id) == id_, col(DataRequestRow.done).is_(None))
            if (await connection.execute(update(DataRequestRow).where(*here).values(done=uk_date(at)))).rowcount:
                await add_entry(connection, AuditEntry(at=at, who=who, what=Act.PERSON_ANSWERED))

        await self._database.write(work)

    async def requests(self) -> tuple[DataRequest, ...]:
        """Return the requests that are not answered, the first due first."""
        wanted = select(DataRequestRow).where(col(DataRequestRow.done).is_(None)).order_by(col(DataRequestRow.due))
        return tuple(self._request(row) for row in await self._database.read(all_rows(wanted)))

    async def hold_advice(self, now: datetime) -> int:
        """Move the deletion of cases with advice to the end of its years; return of how many."""
        last, count = 0, 0
        while rows := await self._database.read(partial(_some_advised, last)):
            today = uk_date(now)
            moved = dict[int, datetime]()
            for row in rows:
                until = advice_until(row, row.noted, today, self._advice_years)
                if until and max(row.delete_after, moved.get(row.case_id, row.delete_after)) < end_of(until):
                    moved[row.case_id] = end_of(until)

            async def work(connection: AsyncConnection, moved: Mapping[int, datetime] = moved) -> None:
                for id_, end in moved.items():
                    here = (col(EnquiryRow.id) == id_, col(EnquiryRow.delete_after) < end)
                    await connection.execute(update(EnquiryRow).where(*here).values(delete_after=end))

            if moved:
                await self._database.write(work)
            last, count = rows[-1].id, count + len(moved)
        return count

    async def delete_requests(self, before: date) -> int:
        """Delete the requests that were answered before a day; return how many."""
        return await self._database.erase(rows_changed(delete(DataRequestRow).where(col(DataRequestRow.done) < before)))

    async def record_export(self, person: Person, *, form: str, who: str, at: datetime) -> None:
        """Add the audit entry of an export in a format."""
        detail = f"{sum(each.count for each in person.held)} records as {form}"
        about = next(iter(person.references), "")
        entry = AuditEntry(at=at, who=who, what=Act.PERSON_EXPORTED, about=about, detail=detail)
        await AuditStore(self._database).add(entry)

    def _request(self, row: Row[Any]) -> DataRequest:
        words = json.loads(self._requests.decrypt(row.person)) if row.person else []
        return DataRequest(
            id=row.id,
            kind=RequestKind(row.kind),
            asked=row.asked,
            due=row.due,
            done=row.done,
            words=tuple(uk_format(each) if each.startswith("+") else each for each in words),
            who=row.who,
        )

    async def _gather(self, connection: AsyncConnection, wanted: Wanted, today: date, *, locked: bool = False) -> Found:
        phones = [digest for each in wanted.telephones for digest in self._enquiries.phone_digests(each)]
        emails = [digest for each in wanted.emails for digest in self._enquiries.email_digests(each)]
        addresses = [digest for each in wanted.emails for digest in self._mails.digests(each)]
        enquiries = await self._find_enquiries(connection, wanted, phones, emails, locked=locked)
        ids, references = [row.id for row in enquiries], [row.reference for row in enquiries]
        watches = await self._find_watches(connection, wanted)
        own = await self._find_complaints(connection, wanted)
        here = or_(col(ComplaintRow.id).in_(own), col(ComplaintRow.reference).in_(references))
        complaints = await _all(connection, ComplaintRow, here)
        numbers = [row.id for row in complaints]
        of_enquiry = (NoteRow, NoteDraftRow, AppointmentRow, DeskUndoRow)
        mails = or_(
            col(MailRow.enquiry_id).in_(ids),
            col(MailRow.watch_id).in_([row.id for row in watches]),
            col(MailRow.digest).in_(addresses),
        )
        asked = or_(col(DataRequestRow.phone_digest).in_(phones), col(DataRequestRow.email_digest).in_(emails))
        about = [*references, *map(complaint_label, numbers)]
        rows: Rows = {
            EnquiryRow: enquiries,
            **{each: await _all(connection, each, col(each.enquiry_id).in_(ids)) for each in of_enquiry},
            MailRow: await _all(connection, MailRow, mails),
            WatchRow: watches,
            ComplaintRow: complaints,
            ComplaintLetterRow: await _all(
                connection, ComplaintLetterRow, col(ComplaintLetterRow.complaint_id).in_(numbers)
            ),
            DataRequestRow: await _all(connection, DataRequestRow, asked),
            SuppressedAddressRow: await _all(
                connection, SuppressedAddressRow, col(SuppressedAddressRow.digest).in_(addresses)
            ),
            AuditRow: await _all(connection, AuditRow, col(AuditRow.about).in_(about)) if about else [],
        }
        return await in_thread(connection, self._identified, rows, today)

    async def _find_enquiries(
        self, connection: AsyncConnection, wanted: Wanted, phones: list[str], emails: list[str], *, locked: bool
    ) -> list[Row[Any]]:
        """Return the enquiries by their hashes, those whose hash is missing by their contents, and merged ones."""
        by_hash = or_(col(EnquiryRow.phone_digest).in_(phones), col(EnquiryRow.email_digest).in_(emails))
        ids = set((await connection.execute(select(col(EnquiryRow.id)).where(by_hash))).scalars())

        def is_wanted(row: Row[Any]) -> bool:
            contact = self._enquiries.contact(row)
            return wanted.covers(contact.telephone, contact.email)

        unhashed = (EnquiryRow, (EnquiryRow.id, EnquiryRow.contact), col(EnquiryRow.phone_digest) == "")
        ids |= await _scan(connection, *unhashed, is_wanted=is_wanted)
        # chains of merges are short: follow them in both directions
        while ids:
            near = or_(col(EnquiryRow.merged_into).in_(ids), col(EnquiryRow.id).in_(ids))
            rows = (await connection.execute(select(col(EnquiryRow.id), col(EnquiryRow.merged_into)).where(near))).all()
            more = {each for row in rows for each in (row.id, row.merged_into) if each}
            if more <= ids:
                break
            ids |= more
        found = select(EnquiryRow).where(col(EnquiryRow.id).in_(ids)).order_by(col(EnquiryRow.id))
        return list(await connection.execute(found.with_for_update() if locked else found))

    async def _find_complaints(self, connection: AsyncConnection, wanted: Wanted) -> set[int]:
        """Return the complaints by their contents: they are few, and a hash of a key that was removed finds none."""

        def is_wanted(row: Row[Any]) -> bool:
            person = self._complaints.person(row)
            return wanted.covers(person.telephone, person.email)

        return await _scan(connection, ComplaintRow, (ComplaintRow.id, ComplaintRow.person), is_wanted=is_wanted)

    async def _find_watches(self, connection: AsyncConnection, wanted: Wanted) -> list[Row[Any]]:
        """Return the watches by their contents: a telephone has no hash, and one of a removed key finds none."""

        def is_wanted(row: Row[Any]) -> bool:
            contact = self._watches.contact(row.contact)
            return wanted.covers(contact["telephone"], contact["email"])

        ids = await _scan(connection, WatchRow, (WatchRow.id, WatchRow.contact), is_wanted=is_wanted)
        return await _all(connection, WatchRow, col(WatchRow.id).in_(ids))

    def _identified(self, rows: Rows, today: date) -> Found:
        """Return rows with the names, telephone numbers and addresses in them, and what is kept."""
        contacts = [self._enquiries.contact(row) for row in rows[EnquiryRow]]
        people = [self._complaints.person(row) for row in rows[ComplaintRow]]
        owners = [self._watches.contact(row.contact) for row in rows[WatchRow]]
        names = [*(each.name for each in contacts), *(each.name for each in people)]
        phones = [*(each.telephone for each in (*contacts, *people)), *(each["telephone"] for each in owners)]
        emails = [*(each.email for each in (*contacts, *people)), *(each["email"] for each in owners)]
        kept = (row for row in rows[ComplaintRow] if not row.closed or row.delete_after >= today)
        return Found(
            rows=rows,
            names=tuple(dict.fromkeys(names)),
            telephones=frozenset(phones) - {""},
            emails=frozenset(map(folded, emails)) - {""},
            advised=advised(rows[EnquiryRow], rows[NoteRow], today=today, years=self._advice_years),
            advice_years=self._advice_years,
            complaints={row.id: row.delete_after for row in kept},
        )

    def _records(self, rows: Rows) -> dict[str, tuple[Mapping[str, object], ...]]:
        """Return rows as values for a file: dates and times in ISO 8601, what was encrypted in the clear."""
        return {
            str(table.__tablename__): tuple(self._record(table, row) for row in rows[table])
            for table in PERSONAL
            if rows[table]
        }

    def _record(self, table: type[NumberedRow], row: Row[Any]) -> dict[str, object]:
        held = row._asdict()
        opened = {**held, **decrypted_columns(table, held, self._keys)}
        return {name: _plain(value) for name, value in opened.items() if name not in _SECRET}

    async def _delete_rows(self, connection: AsyncConnection, found: Found, *, who: str, at: datetime) -> None:
        enquiries = found.rows[EnquiryRow]
        await _drop(connection, MailRow, found.ids(MailRow))
        await _drop(connection, WatchRow, found.ids(WatchRow))
        await _drop(connection, EnquiryRow, [row.id for row in enquiries if row.id not in found.advised])
        await _drop(connection, ComplaintRow, [id_ for id_ in found.ids(ComplaintRow) if id_ not in found.complaints])
        await keep_advice_alone(connection, enquiries, found.rows[NoteRow], found.advised, who=who, at=at)
        blank = {"person": None, "phone_digest": "", "email_digest": "", "done": uk_date(at)}
        for row in found.rows[DataRequestRow]:
            await _set(connection, DataRequestRow, row.id, {**blank, "done": row.done or blank["done"]})


def _person(
    found: Found,
    wanted: Wanted,
    *,
    now: datetime,
    records: Mapping[str, tuple[Mapping[str, object], ...]] | None = None,
) -> Person:
    """Return what is held in words, with what a deletion keeps and why."""
    known = {*wanted.telephones, *map(folded, wanted.emails)}
    also = [each for each in (*sorted(found.telephones), *sorted(found.emails)) if each not in known]
    return Person(
        wanted=wanted,
        found_at=now,
        names=found.names,
        also=tuple(uk_format(each) if each.startswith("+") else each for each in also),
        references=tuple(row.reference for row in found.rows[EnquiryRow]),
        under_way=tuple(
            (row.reference, Stage(row.stage))
            for row in found.rows[EnquiryRow]
            if row.state != EnquiryState.CLOSED.value and row.merged_into is None and row.stage in _WITH_LENDER
        ),
        held=tuple(each for each in _held(found) if each.count),
        records=records or {},
    )


def _held(found: Found) -> Iterable[Held]:
    rows = found.rows
    with_advice_kept = [row for row in rows[EnquiryRow] if row.id in found.advised]
    enquiries = [row for row in rows[EnquiryRow] if row.id not in found.advised]
    notes = rows[NoteRow]
    record = kept_notes(rows[EnquiryRow], notes, found.advised)
    yield Held(kind=Kind.ENQUIRIES, count=len(enquiries), which=", ".join(row.reference for row in enquiries))
    yield Held(
        kind=Kind.NOTES,
        count=sum(row.id not in record for row in notes) + len(rows[DeskUndoRow]) + len(rows[NoteDraftRow]),
        which="what staff wrote and draft, and what can be undone",
    )
    waiting = sum(row.sent_at is None and row.given_up_at is None for row in rows[MailRow])
    yield Held(kind=Kind.MAILS, count=len(rows[MailRow]), which=f"{waiting} of them wait" if waiting else "")
    starts = (f"{row.starts.astimezone(UK):%-d %b %Y}" for row in rows[AppointmentRow])
    yield Held(kind=Kind.APPOINTMENTS, count=len(rows[AppointmentRow]), which=", ".join(starts))
    yield Held(kind=Kind.WATCHES, count=len(rows[WatchRow]), which="stops at once")
    for row in rows[ComplaintRow]:
        until = found.complaints.get(row.id)
        years = row.delete_after.year - row.received.year
        letters = sum(letter.complaint_id == row.id for letter in rows[ComplaintLetterRow])
        yield Held(
            kind=Kind.COMPLAINTS,
            count=1 + letters,
            which=f"{complaint_label(row.id)} with {letters} letters",
            is_kept=until is not None,
            until=until if row.closed else None,
            why=""
            if until is None
            else f"DISP 1.9: {years} years from receipt"
            if row.closed
            else "DISP 1.9: it is open",
        )
    for row in with_advice_kept:
        kept = sum(note.enquiry_id == row.id and note.id in record for note in notes)
        yield Held(
            kind=Kind.ADVICE,
            count=1 + kept,
            which=f"{row.reference}: who it is, needs and reasons",
            is_kept=True,
            until=found.advised[row.id],
            why=f"MCOB 4.7A.25R: {found.advice_years} years",
        )
    yield Held(
        kind=Kind.REQUESTS,
        count=len(rows[DataRequestRow]),
        which="what was asked for and when",
        is_kept=True,
        why="proof of the answer; without telephone and email",
    )
    yield Held(
        kind=Kind.SUPPRESSED,
        count=len(rows[SuppressedAddressRow]),
        which="a hash, no name",
        is_kept=True,
        why="so that nobody writes again",
    )
    yield Held(
        kind=Kind.RECORD,
        count=len(rows[AuditRow]),
        which="entries with references, no name",
        is_kept=True,
        why="the record of what staff did is never changed",
    )


async def _some_advised(last: int, connection: AsyncConnection) -> list[Any]:
    """Return some enquiries with advice after an id, each with its last note that says so."""
    return list(await connection.execute(with_advice(col(EnquiryRow.id) > last).limit(_BATCH)))


async def _all(connection: AsyncConnection, table: type[NumberedRow], *where: ColumnElement[bool]) -> list[Row[Any]]:
    return list(await connection.execute(select(table).where(*where).order_by(col(table.id))))


async def _scan(
    connection: AsyncConnection,
    table: type[NumberedRow],
    columns: tuple[Any, ...],
    *where: ColumnElement[bool],
    is_wanted: Callable[[Row[Any]], bool],
) -> set[int]:
    """Return the ids of the rows whose contents are wanted; those that no key decrypts are passed over."""

    def wanted(rows: Sequence[Any]) -> set[int]:
        found = set[int]()
        for row in rows:
            try:
                if is_wanted(row):
                    found.add(row.id)
            except DecryptionError:
                continue
        return found

    ids, last = set[int](), 0
    key = col(table.id)
    while True:
        batch = select(*map(col, columns)).where(key > last, *where).order_by(key).limit(_BATCH)
        rows = (await connection.execute(batch)).all()
        if not rows:
            return ids
        ids |= await in_thread(connection, wanted, rows)
        last = rows[-1].id


async def _drop(connection: AsyncConnection, table: type[NumberedRow], ids: Collection[int]) -> None:
    if ids:
        await connection.execute(delete(table).where(col(table.id).in_(ids)))


async def _set(connection: AsyncConnection, table: type[NumberedRow], id_: int, values: Mapping[str, Any]) -> None:
    await connection.execute(update(table).where(col(table.id) == id_).values(values))


def _given(correction: Correction) -> dict[str, str]:
    return {name: value for name, value in asdict(correction).items() if value}


def _plain(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if name not in _SECRET and not name.endswith("link")}
    return value
