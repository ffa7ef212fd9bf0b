"""Staff's list of cases in the database; enquiries that are merged into another are part of its case."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, case, func, select, true
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.appointment import Appointment, AppointmentState
from broker.appointments.rows import find_appointments
from broker.cases.case import Case, EnquiryExport, EnquirySummary, Stage, WaitingFor, appointment_shown
from broker.cases.case_list import (
    AMOUNTS,
    DEALS_WITHIN,
    ME,
    NOBODY,
    OFFERS_AFTER,
    PAGE_SIZE,
    AmountBand,
    CaseFilter,
    CasePage,
    Column,
    DayBounds,
    Due,
    Listing,
    Tab,
    day_bounds,
)
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.storage.database import Database, all_rows
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.tables import AppointmentRow, EnquiryRow, NoteRow

_MAX_IN = 500
"""Cases found by a search that a statement names; of more, every case of the list is read and then looked up."""

MAX_EXPORTED = 5_000
"""Cases of an export, the first in the order of the list."""

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

_DUE: ColumnElement[Any] = case(
    (
        and_(col(EnquiryRow.state) == EnquiryState.NEW.value, col(EnquiryRow.next_due).is_(None)),
        func.coalesce(col(EnquiryRow.call_by), col(EnquiryRow.created)),
    ),
    else_=col(EnquiryRow.next_due),
)
"""`EnquirySummary.due`."""

_OPEN = col(EnquiryRow.state) != EnquiryState.CLOSED.value
_WHOLE = col(EnquiryRow.merged_into).is_(None)

_SORTED: Mapping[Column, Any] = {
    Column.REFERENCE: col(EnquiryRow.reference),
    Column.KIND: col(EnquiryRow.service),
    Column.AMOUNT: col(EnquiryRow.amount),
    Column.STAGE: case({stage.value: place for place, stage in enumerate(Stage)}, value=col(EnquiryRow.stage)),
    Column.WAITS: col(EnquiryRow.waiting_for),
    Column.DUE: _DUE,
    Column.WHO: func.nullif(col(EnquiryRow.assigned), ""),
    Column.SOURCE: col(EnquiryRow.source),
    Column.CHANGED: func.coalesce(col(EnquiryRow.changed_at), col(EnquiryRow.created)),
}
"""What the database sorts a column by; what is empty is last in either order."""

Rows = Sequence[Any]
Sorter = Callable[[Iterable[int]], Sequence[int]]
"""Returns the ids of cases in the order of a column that is encrypted."""


class EnquiryListStore:
    """Lists of cases, filtered by the database; every method raises StorageError.

    `found` are the ids of the rows that a search found, None without a search; `who` is the account that looks.
    """

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database = database
        self._cipher = EnquiryCipher(keys)

    async def page(
        self, listing: Listing, *, found: Collection[int] | None, sorter: Sorter | None, who: str, now: datetime
    ) -> CasePage:
        """Return a page of a list; with a `sorter`, which sorts by what is encrypted, every id is read first."""
        few = found if found is None or len(found) <= _MAX_IN else None
        where = _conditions(listing.wanted, few, who=who, now=now)
        if sorter is None and found is few:
            ordered = LISTED.where(*where).order_by(*_order(listing)).offset(listing.offset).limit(PAGE_SIZE)
            counted = select(func.count()).select_from(EnquiryRow).where(*where)

            async def work(connection: AsyncConnection) -> tuple[int, Rows]:
                count = (await connection.execute(counted)).scalar_one()
                return count, (await connection.execute(ordered)).all()

            count, rows = await self._database.read(work)
        else:
            listed = await self._ids(where, _order(listing))
            ids = [each for each in listed if found is None or each in found]
            ids = sorter(ids) if sorter else ids
            count, wanted = len(ids), ids[listing.offset : listing.offset + PAGE_SIZE]
            rows = _in_places(await self._rows(LISTED.where(_in(EnquiryRow.id, wanted))), wanted)
        return CasePage(heads=await asyncio.to_thread(self._heads, rows), count=count)

    async def counts(self, filters: Sequence[CaseFilter], *, who: str, now: datetime) -> tuple[int, ...]:
        """Return the count of each filter, without its words, in one statement."""
        sums = [func.sum(case((and_(*_conditions(each, None, who=who, now=now)), 1), else_=0)) for each in filters]

        async def work(connection: AsyncConnection) -> tuple[int, ...]:
            row = (await connection.execute(select(*sums).select_from(EnquiryRow))).one()
            return tuple(count or 0 for count in row)

        return await self._database.read(work) if sums else ()

    async def heads(self, references: Collection[str]) -> tuple[EnquirySummary, ...]:
        """Return the cases of references that still are one."""
        wanted = LISTED.where(col(EnquiryRow.reference).in_(references), _WHOLE)
        rows = await self._rows(wanted) if references else ()
        return await asyncio.to_thread(self._heads, rows)

    async def existing(self, references: Collection[str]) -> frozenset[str]:
        """Return the references whose enquiries exist."""
        if not references:
            return frozenset()
        wanted = select(col(EnquiryRow.reference)).where(col(EnquiryRow.reference).in_(references))
        return frozenset(row.reference for row in await self._rows(wanted))

    async def export(
        self,
        listing: Listing,
        *,
        found: Collection[int] | None,
        sorter: Sorter | None,
        own: bool,
        who: str,
        now: datetime,
    ) -> EnquiryExport:
        """Return the first `MAX_EXPORTED` cases of a list in full; with `own`, only those of `who`."""
        where = _conditions(listing.wanted, found, who=who, now=now)
        if own:
            where.append(col(EnquiryRow.assigned) == who)
        ids = sorter(await self._ids(where, ())) if sorter else None
        ordered = select(EnquiryRow).where(*where).order_by(*_order(listing)).limit(MAX_EXPORTED + 1)
        if ids is not None:
            ordered = select(EnquiryRow).where(_in(EnquiryRow.id, ids[: MAX_EXPORTED + 1]))

        async def work(connection: AsyncConnection) -> tuple[Rows, Rows, Rows, Mapping[int, Appointment]]:
            rows = (await connection.execute(ordered)).all()
            parts = select(EnquiryRow).where(_in(EnquiryRow.merged_into, [row.id for row in rows]))
            merged = (await connection.execute(parts.order_by(col(EnquiryRow.id)))).all()
            ids = [row.id for row in (*rows, *merged)]
            notes = select(NoteRow).where(_in(NoteRow.enquiry_id, ids)).order_by(col(NoteRow.at), col(NoteRow.id))
            return rows, merged, (await connection.execute(notes)).all(), await find_appointments(connection, ids)

        rows, merged, notes, appointments = await self._database.read(work)
        rows = _in_places(rows, ids)
        shown = rows[:MAX_EXPORTED]
        opened = await asyncio.to_thread(self._decrypt_all, shown, merged, notes, appointments, now)
        return EnquiryExport(
            cases=tuple(each for each in opened if isinstance(each, Case)),
            complete=len(rows) <= MAX_EXPORTED,
            sealed=tuple(each for each in opened if isinstance(each, str)),
        )

    async def _ids(self, where: Sequence[ColumnElement[bool]], order: Sequence[ColumnElement[Any]]) -> Sequence[int]:
        wanted = select(col(EnquiryRow.id)).where(*where).order_by(*order)
        return [row.id for row in await self._rows(wanted)]

    async def _rows(self, wanted: Select[*tuple[Any, ...]]) -> Rows:
        return await self._database.read(all_rows(wanted))

    def _heads(self, rows: Rows) -> tuple[EnquirySummary, ...]:
        return tuple(replace(self._cipher.head(row), appointment=row.starts) for row in rows)

    def _decrypt_all(
        self, rows: Rows, merged: Rows, notes: Rows, appointments: Mapping[int, Appointment], now: datetime
    ) -> list[Case | str]:
        """Return the cases of rows, each with those merged into it; only the reference of one no key decrypts."""
        parts: dict[int, list[Row[Any]]] = defaultdict(list)
        for each in merged:
            parts[each.merged_into].append(each)
        home = {each.id: each.merged_into for each in merged}
        by_case: dict[int, list[Row[Any]]] = defaultdict(list)
        for note in notes:
            by_case[home.get(note.enquiry_id, note.enquiry_id)].append(note)
        return [self._decrypt(row, parts[row.id], by_case[row.id], appointments, now) for row in rows]

    def _decrypt(
        self, row: Row[Any], merged: Rows, notes: Rows, appointments: Mapping[int, Appointment], now: datetime
    ) -> Case | str:
        head, ids = self._cipher.head(row), [each.id for each in (row, *merged)]
        try:
            return Case(
                head=head,
                kept=self._cipher.read(row),
                notes=tuple(map(self._cipher.note, notes)),
                appointment=appointment_shown([appointments[id_] for id_ in ids if id_ in appointments], now),
                merged=tuple(map(self._cipher.read, merged)),
            )
        except DecryptionError:
            return head.reference


def _order(listing: Listing) -> tuple[ColumnElement[Any], ...]:
    by = _SORTED.get(listing.sort, _DUE)
    turned = by.desc() if listing.descending else by.asc()
    return by.is_(None), turned, col(EnquiryRow.id).desc()


def _in_places(rows: Rows, ids: Sequence[int] | None) -> Rows:
    """Return rows in the order of their ids; as they are without any."""
    if ids is None:
        return rows
    places = {case_id: place for place, case_id in enumerate(ids)}
    return sorted(rows, key=lambda row: places[row.id])


def _in(column: Any, ids: Collection[int]) -> ColumnElement[bool]:
    """Return the condition of any number of ids; they are written out, as databases bound the number of parameters."""
    return col(column).in_(bindparam(None, list(ids), expanding=True, literal_execute=True))


def _conditions(
    wanted: CaseFilter, found: Collection[int] | None, *, who: str, now: datetime
) -> list[ColumnElement[bool]]:
    """Return a filter as conditions, as `case_list.fits` decides it for a case; `found` are the ids of a search."""
    if wanted.references:
        return [_WHOLE, col(EnquiryRow.reference).in_(wanted.references)]
    day = day_bounds(now)
    pairs = (
        (EnquiryRow.state, wanted.state),
        (EnquiryRow.stage, wanted.stage),
        (EnquiryRow.source, wanted.source),
        (EnquiryRow.service, wanted.service),
    )
    where = [_WHOLE, _tab(wanted.tab, day), *(col(column) == value.value for column, value in pairs if value)]
    if wanted.adviser:
        where.append(col(EnquiryRow.assigned) == {ME: who, NOBODY: ""}.get(wanted.adviser, wanted.adviser))
    if wanted.due:
        where.append(_due(wanted.due, day))
    if wanted.amount:
        where.append(_amount(wanted.amount))
    if found is not None:
        where.append(_in(EnquiryRow.id, found))
    return where


def _tab(tab: Tab, day: DayBounds) -> ColumnElement[bool]:
    offered = and_(col(EnquiryRow.stage) == Stage.OFFER.value, col(EnquiryRow.stage_since) <= day.now - OFFERS_AFTER)
    conditions: Mapping[Tab, ColumnElement[bool]] = {
        Tab.OPEN: _OPEN,
        Tab.TODAY: day.tomorrow > _DUE,
        Tab.NOBODY: and_(_OPEN, col(EnquiryRow.assigned) == ""),
        Tab.LENDERS: and_(_OPEN, col(EnquiryRow.waiting_for) == WaitingFor.LENDER.value),
        Tab.OFFERS: and_(_OPEN, offered),
        Tab.DEALS: col(EnquiryRow.deal_ends).between(day.today, day.today + DEALS_WITHIN),
        Tab.CLOSED: col(EnquiryRow.state) == EnquiryState.CLOSED.value,
    }
    return conditions[tab]


def _due(due: Due, day: DayBounds) -> ColumnElement[bool]:
    conditions: Mapping[Due, ColumnElement[bool]] = {
        Due.LATE: day.now > _DUE,
        Due.TODAY: and_(day.now <= _DUE, day.tomorrow > _DUE),
        Due.WEEK: and_(day.now <= _DUE, day.week > _DUE),
        Due.LATER: day.week <= _DUE,
        Due.NONE: _DUE.is_(None),
    }
    return conditions[due]


def _amount(band: AmountBand) -> ColumnElement[bool]:
    if band is AmountBand.UNKNOWN:
        return col(EnquiryRow.amount).is_(None)
    low, high = AMOUNTS[band]
    return and_(col(EnquiryRow.amount) >= low, true() if high is None else col(EnquiryRow.amount) < high)
