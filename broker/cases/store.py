"""Staff's lists and changes of enquiries in the database."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import Appointment, AppointmentState
from broker.appointments.rows import find_appointments
from broker.appointments.visitor_mails import VisitorMails
from broker.cases.case import (
    REASONS,
    Case,
    Changed,
    Conflict,
    DeleteReason,
    EnquiryCounts,
    EnquiryExport,
    EnquiryFilter,
    EnquiryOrder,
    EnquiryPage,
    EnquirySummary,
    Gone,
    Refused,
    StaffNote,
    matches,
    move_problem,
)
from broker.enquiries.enquiry import EnquiryState, parse_reference
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.mail.outbox_store import MailCipher, find_returned
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.tables import AppointmentRow, AuditRow, EnquiryRow, NoteRow

MAX_ROWS = 200
"""Enquiries on a page of a list."""

MAX_OPENED = 5_000
"""Enquiries that a search or an export decrypts, the first in the order of the list."""

MAX_SEARCH_LENGTH = 100
"""Characters of a search text."""

_NEW = col(EnquiryRow.state) == EnquiryState.NEW.value
_HEAD: tuple[Any, ...] = (
    EnquiryRow.reference,
    EnquiryRow.kind,
    EnquiryRow.state,
    EnquiryRow.version,
    EnquiryRow.created,
    EnquiryRow.delete_after,
    EnquiryRow.page,
    EnquiryRow.contact,
    EnquiryRow.call_by,
    EnquiryRow.assigned,
    EnquiryRow.changed_by,
    EnquiryRow.changed_at,
)
_LISTED: Select[*tuple[Any, ...]] = select(*_HEAD, col(AppointmentRow.starts)).outerjoin(
    AppointmentRow,
    and_(
        col(AppointmentRow.enquiry_id) == col(EnquiryRow.id), col(AppointmentRow.state) == AppointmentState.BOOKED.value
    ),
)
"""The summaries of enquiries, with the start of a booked appointment."""

_ORDERS = {
    EnquiryOrder.PROMISE: (
        case((_NEW, 0), else_=1),
        case((_NEW, col(EnquiryRow.call_by))),
        col(EnquiryRow.created).desc(),
        col(EnquiryRow.id).desc(),
    ),
    EnquiryOrder.NEWEST: (col(EnquiryRow.created).desc(), col(EnquiryRow.id).desc()),
    EnquiryOrder.OLDEST: (col(EnquiryRow.created), col(EnquiryRow.id)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryEdit:
    """Who edits which version of an enquiry, and when."""

    reference: str
    version: int
    who: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """New values of a row, with the act and detail of the audit entry."""

    values: dict[str, Any]
    what: Act
    detail: str


Rows = Sequence[Any]
Outcome = Changed | Conflict | Gone | Refused
Plan = Callable[[Row[Any]], RowChange | Refused]


class EnquiryChangeStore:
    """Changes of enquiries by reference; every method raises StorageError and DecryptionError.

    Optimistic concurrency: a change of an outdated version returns Conflict with the current enquiry. Notes are only
    added, so they never conflict.
    """

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database = database
        self._cipher, self._mail_cipher, self._visitor_mails = EnquiryCipher(keys), MailCipher(keys), VisitorMails(keys)

    async def open(self, reference: str, *, who: str, at: datetime, again: bool = False) -> Case | Gone:
        """Return an enquiry in full and record that it was read, unless it is opened `again`."""

        async def work(connection: AsyncConnection) -> Case | Gone:
            row = await _locked_row(connection, reference)
            if row is None:
                return await _deletion(connection, reference)
            if not again:
                await add_entry(connection, AuditEntry(at=at, who=who, what=Act.ENQUIRY_READ, about=reference))
            return await self._case(connection, row)

        return await self._database.write(work)

    async def move(self, edit: EnquiryEdit, state: EnquiryState) -> Outcome:
        def plan(row: Row[Any]) -> RowChange | Refused:
            if problem := move_problem(EnquiryState(row.state), state):
                return Refused(words=problem)
            return RowChange(values={"state": state.value}, what=Act.ENQUIRY_STATE, detail=f"{row.state} to {state}")

        return await self._change(edit, plan)

    async def assign(self, edit: EnquiryEdit, account: str) -> Outcome:
        """Assign an enquiry to an account; an empty name unassigns it."""

        def plan(row: Row[Any]) -> RowChange | Refused:
            if row.assigned == account:
                return Refused(words=f"This enquiry is {account or 'nobody'}’s already")
            detail = f"to {account or 'nobody'}" + (f", before to {row.assigned}" if row.assigned else "")
            return RowChange(values={"assigned": account}, what=Act.ENQUIRY_ASSIGNED, detail=detail)

        return await self._change(edit, plan)

    async def add_note(self, reference: str, note: StaffNote) -> Changed | Gone:
        """Add a note to any version of an enquiry."""

        async def work(connection: AsyncConnection) -> Changed | Gone:
            row = await _locked_row(connection, reference)
            if row is None:
                return await _deletion(connection, reference)
            await connection.execute(insert(NoteRow).values({**self._cipher.note_values(note), "enquiry_id": row.id}))
            await add_entry(connection, AuditEntry(at=note.at, who=note.who, what=Act.ENQUIRY_NOTE, about=reference))
            return Changed(case=await self._case(connection, row))

        return await self._database.write(work)

    async def delete(self, edit: EnquiryEdit, reason: DeleteReason) -> Conflict | Gone:
        """Delete an enquiry with its notes, mail and appointment; the audit entry has its reference and the reason."""

        async def work(connection: AsyncConnection) -> Conflict | Gone:
            row = await _locked_row(connection, edit.reference)
            if row is None:
                return await _deletion(connection, edit.reference)
            if row.version != edit.version:
                return Conflict(case=await self._case(connection, row))
            await self._visitor_mails.withdraw(connection, col(EnquiryRow.id) == row.id, at=edit.at)
            await connection.execute(delete(EnquiryRow).where(col(EnquiryRow.id) == row.id))
            await add_entry(connection, _audit_entry(edit, Act.ENQUIRY_DELETED, REASONS[reason]))
            return Gone(by=edit.who, at=edit.at, reason=REASONS[reason])

        return await self._database.erase(work)

    async def _change(self, edit: EnquiryEdit, plan: Plan) -> Outcome:
        async def work(connection: AsyncConnection) -> Outcome:
            row = await _locked_row(connection, edit.reference)
            if row is None:
                return await _deletion(connection, edit.reference)
            if row.version != edit.version:
                return Conflict(case=await self._case(connection, row))
            change = plan(row)
            if isinstance(change, Refused):
                return change
            stamp = {"version": row.version + 1, "changed_by": edit.who, "changed_at": edit.at}
            changed = update(EnquiryRow).where(col(EnquiryRow.id) == row.id).values({**change.values, **stamp})
            await connection.execute(changed)
            await add_entry(connection, _audit_entry(edit, change.what, change.detail))
            now = await _locked_row(connection, edit.reference)
            return Changed(case=await self._case(connection, now or row))

        return await self._database.write(work)

    async def _case(self, connection: AsyncConnection, row: Row[Any]) -> Case:
        wanted = select(NoteRow).where(col(NoteRow.enquiry_id) == row.id).order_by(col(NoteRow.id))
        notes = tuple(self._cipher.note(each) for each in await connection.execute(wanted))
        kept = self._cipher.read(row)
        returned = await find_returned(connection, self._mail_cipher, kept.enquiry.contact.email)
        appointment = (await find_appointments(connection, (row.id,))).get(row.id)
        booked = appointment.slot.start if appointment and appointment.is_live else None
        head = replace(self._cipher.head(row), appointment=booked)
        return Case(head=head, kept=kept, notes=notes, returned=returned, appointment=appointment)


async def _locked_row(connection: AsyncConnection, reference: str) -> Row[Any] | None:
    """Return the row of an enquiry, locked until the transaction ends."""
    # SQLite has one writer and no such clause
    wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference).with_for_update()
    return (await connection.execute(wanted)).one_or_none()


async def _deletion(connection: AsyncConnection, reference: str) -> Gone:
    """Return who deleted an enquiry, when and why, from the audit record."""
    deletion = (col(AuditRow.about) == reference, col(AuditRow.what) == Act.ENQUIRY_DELETED.value)
    wanted = select(AuditRow).where(*deletion).order_by(col(AuditRow.id).desc()).limit(1)
    row = (await connection.execute(wanted)).one_or_none()
    return Gone(by=row.who, at=row.at, reason=row.detail) if row else Gone()


def _audit_entry(edit: EnquiryEdit, what: Act, detail: str) -> AuditEntry:
    return AuditEntry(at=edit.at, who=edit.who, what=what, about=edit.reference, detail=detail)


class EnquiryListStore:
    """Lists of enquiries, filtered and sorted by the database; every method raises StorageError.

    A search for words decrypts the first `MAX_OPENED` enquiries, in a thread.
    """

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database = database
        self._cipher = EnquiryCipher(keys)

    async def page(
        self, wanted: EnquiryFilter, order: EnquiryOrder, *, now: datetime, offset: int = 0, limit: int = 50
    ) -> EnquiryPage:
        """Return a page of at most `MAX_ROWS` enquiries, and the number of all that match."""
        first, most = max(0, offset), max(0, min(limit, MAX_ROWS))
        where, words = _conditions(wanted, now), _search_words(wanted)
        ordered = _LISTED.where(*where).order_by(*_ORDERS[order])
        if words:
            found, complete = await self._search(ordered, words)
            return EnquiryPage(heads=found[first : first + most], count=len(found), complete=complete)

        async def work(connection: AsyncConnection) -> tuple[int, Rows]:
            counted = await connection.execute(select(func.count()).select_from(EnquiryRow).where(*where))
            return counted.scalar_one(), (await connection.execute(ordered.offset(first).limit(most))).all()

        count, rows = await self._database.read(work)
        heads = await asyncio.to_thread(lambda: tuple(map(self._head, rows)))
        return EnquiryPage(heads=heads, count=count)

    async def counts(self, now: datetime) -> EnquiryCounts:
        overdue = func.sum(case((and_(_NEW, col(EnquiryRow.call_by) < now), 1), else_=0))
        wanted = select(col(EnquiryRow.state), func.count(), overdue).group_by(col(EnquiryRow.state))

        async def work(connection: AsyncConnection) -> EnquiryCounts:
            rows = (await connection.execute(wanted)).all()
            held = {EnquiryState(state): count for state, count, _ in rows}
            by_state = {state: held.get(state, 0) for state in EnquiryState}
            return EnquiryCounts(by_state=by_state, overdue=sum(late for _, _, late in rows))

        return await self._database.read(work)

    async def existing(self, references: Collection[str]) -> frozenset[str]:
        """Return the references whose enquiries exist."""
        if not references:
            return frozenset()
        wanted = select(col(EnquiryRow.reference)).where(col(EnquiryRow.reference).in_(references))

        async def work(connection: AsyncConnection) -> frozenset[str]:
            return frozenset((await connection.execute(wanted)).scalars())

        return await self._database.read(work)

    async def export(self, wanted: EnquiryFilter, order: EnquiryOrder, *, now: datetime) -> EnquiryExport:
        """Return the first `MAX_OPENED` enquiries in full; with search words, those of them that match."""
        ordered = select(EnquiryRow).where(*_conditions(wanted, now)).order_by(*_ORDERS[order])

        async def work(connection: AsyncConnection) -> tuple[Rows, Rows, Mapping[int, Appointment]]:
            rows = (await connection.execute(ordered.limit(MAX_OPENED + 1))).all()
            ids = [row.id for row in rows]
            notes = select(NoteRow).where(col(NoteRow.enquiry_id).in_(ids)).order_by(col(NoteRow.id))
            return rows, (await connection.execute(notes)).all(), await find_appointments(connection, ids)

        rows, notes, appointments = await self._database.read(work)
        words = _search_words(wanted)
        opened = await asyncio.to_thread(self._decrypt_all, rows[:MAX_OPENED], notes, appointments, words=words)
        return EnquiryExport(
            cases=tuple(each for each in opened if isinstance(each, Case)),
            complete=len(rows) <= MAX_OPENED,
            sealed=tuple(each for each in opened if isinstance(each, str)),
        )

    async def _search(self, ordered: Select[*tuple[Any, ...]], words: str) -> tuple[tuple[EnquirySummary, ...], bool]:
        async def work(connection: AsyncConnection) -> Rows:
            return (await connection.execute(ordered.limit(MAX_OPENED + 1))).all()

        def matching(rows: Rows) -> tuple[EnquirySummary, ...]:
            return tuple(head for row in rows if matches(words, head := self._head(row)))

        rows = await self._database.read(work)
        return await asyncio.to_thread(matching, rows[:MAX_OPENED]), len(rows) <= MAX_OPENED

    def _head(self, row: Row[Any]) -> EnquirySummary:
        return replace(self._cipher.head(row), appointment=row.starts)

    def _decrypt_all(
        self, rows: Rows, notes: Rows, appointments: Mapping[int, Appointment], *, words: str
    ) -> list[Case | str]:
        """Return the enquiries of rows that match; only the reference of one that no key decrypts."""
        by_enquiry: dict[int, list[Row[Any]]] = defaultdict(list)
        for note in notes:
            by_enquiry[note.enquiry_id].append(note)
        heads = ((row, self._cipher.head(row)) for row in rows)
        return [
            self._decrypt(row, head, by_enquiry[row.id], appointments.get(row.id))
            for row, head in heads
            if not words or matches(words, head)
        ]

    def _decrypt(self, row: Row[Any], head: EnquirySummary, notes: Rows, appointment: Appointment | None) -> Case | str:
        try:
            kept, written = self._cipher.read(row), tuple(self._cipher.note(note) for note in notes)
            return Case(head=head, kept=kept, notes=written, appointment=appointment)
        except DecryptionError:
            return head.reference


def _conditions(wanted: EnquiryFilter, now: datetime) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.state:
        found.append(col(EnquiryRow.state) == wanted.state.value)
    if wanted.kind:
        found.append(col(EnquiryRow.kind) == wanted.kind.value)
    if wanted.assigned:
        found.append(col(EnquiryRow.assigned) == wanted.assigned)
    if wanted.unassigned:
        found.append(col(EnquiryRow.assigned) == "")
    if wanted.overdue:
        found.append(and_(_NEW, col(EnquiryRow.call_by) < now))
    if reference := parse_reference(wanted.text):
        found.append(col(EnquiryRow.reference) == reference)
    return found


def _search_words(wanted: EnquiryFilter) -> str:
    """Return the words to search for in decrypted enquiries; none if the text is a reference."""
    return "" if parse_reference(wanted.text) else wanted.text[:MAX_SEARCH_LENGTH].strip()
