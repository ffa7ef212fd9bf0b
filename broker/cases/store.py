"""Staff's lists of enquiries in the database; those that are merged into another are part of its case."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import Appointment, AppointmentState
from broker.appointments.rows import find_appointments
from broker.cases.case import (
    Case,
    EnquiryCounts,
    EnquiryExport,
    EnquiryFilter,
    EnquiryOrder,
    EnquiryPage,
    EnquirySummary,
    matches,
)
from broker.enquiries.enquiry import EnquiryState, parse_reference
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.storage.database import Database
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.tables import AppointmentRow, EnquiryRow, NoteRow

MAX_ROWS = 200
"""Enquiries on a page of a list."""

MAX_OPENED = 5_000
"""Enquiries that a search or an export decrypts, the first in the order of the list."""

MAX_SEARCH_LENGTH = 100
"""Characters of a search text."""

_NEW = col(EnquiryRow.state) == EnquiryState.NEW.value
_HEAD: tuple[Any, ...] = (
    EnquiryRow.id,
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
    EnquiryRow.stage,
    EnquiryRow.stage_since,
    EnquiryRow.waiting_for,
    EnquiryRow.waiting_note,
    EnquiryRow.next_action,
    EnquiryRow.next_due,
    EnquiryRow.amount,
    EnquiryRow.service,
    EnquiryRow.source,
    EnquiryRow.outcome,
    EnquiryRow.close_reason,
    EnquiryRow.attempts,
    EnquiryRow.first_call_at,
    EnquiryRow.deal_ends,
    EnquiryRow.needs,
)
"""The columns of a summary."""

LISTED: Select[*tuple[Any, ...]] = select(*_HEAD, col(AppointmentRow.starts)).outerjoin(
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


Rows = Sequence[Any]


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
        ordered = LISTED.where(*where).order_by(*_ORDERS[order])
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
        each = select(col(EnquiryRow.state), func.count(), overdue).where(col(EnquiryRow.merged_into).is_(None))
        wanted = each.group_by(col(EnquiryRow.state))

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
    found: list[ColumnElement[bool]] = [col(EnquiryRow.merged_into).is_(None)]
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
