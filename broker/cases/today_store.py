"""An adviser's day in the database: its appointments, and the cases that are due."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.rows import TAKES_TIME, appointment_of, with_enquiry
from broker.cases.case import EnquirySummary
from broker.cases.store import LISTED
from broker.cases.today import MAX_OF_A_KIND, DayAppointment, Today, day_of
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.storage.database import Database, all_rows
from broker.storage.encryption import SecretKeys
from broker.storage.tables import AppointmentRow, EnquiryRow
from broker.watches.watch import StaffWatch

_NEW = and_(col(EnquiryRow.merged_into).is_(None), col(EnquiryRow.state) == EnquiryState.NEW.value)
_WORKED_ON = and_(col(EnquiryRow.merged_into).is_(None), col(EnquiryRow.state) != EnquiryState.NEW.value)
_CALL_AT = func.coalesce(col(EnquiryRow.next_due), col(EnquiryRow.call_by))
_NOBODYS = col(EnquiryRow.assigned) == ""
_CHANGED_AT, _CREATED = col(EnquiryRow.changed_at), col(EnquiryRow.created)

Rows = Sequence[Any]


class TodayStore:
    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database, self._cipher = database, EnquiryCipher(keys)

    async def find(self, reference: str) -> EnquirySummary | None:
        """Return the case that an enquiry is of; raises StorageError."""
        wanted: Any = select(col(EnquiryRow.id)).where(col(EnquiryRow.reference) == reference)

        async def work(connection: AsyncConnection) -> Row[Any] | None:
            id_ = await connection.scalar(wanted)
            return (await _cases_of(connection, [id_])).get(id_) if id_ else None

        row = await self._database.read(work)
        return self._head(row) if row is not None else None

    async def known_by(self, telephone: str, email: str) -> tuple[EnquirySummary, ...]:
        """Return the cases of a telephone number of +44 and digits, or of an email address, newest first."""
        phones = self._cipher.phone_digests(telephone) if telephone else ()
        emails = self._cipher.email_digests(email) if email else ()
        same = or_(col(EnquiryRow.phone_digest).in_(phones), col(EnquiryRow.email_digest).in_(emails))
        wanted = LISTED.where(col(EnquiryRow.merged_into).is_(None), same)
        wanted = wanted.order_by(col(EnquiryRow.id).desc()).limit(MAX_OF_A_KIND)
        return tuple(map(self._head, await self._database.read(all_rows(wanted))))

    async def uncalled(self, watches: Sequence[StaffWatch]) -> tuple[StaffWatch, ...]:
        """Return the watches whose owner has had no case since the watch last told something."""
        digests = {each.telephone: self._cipher.phone_digests(each.telephone.partition(" ")[0]) for each in watches}
        wanted: Any = select(col(EnquiryRow.phone_digest), func.max(func.coalesce(_CHANGED_AT, _CREATED)).label("at"))
        wanted = wanted.where(col(EnquiryRow.phone_digest).in_([each for known in digests.values() for each in known]))
        wanted = wanted.group_by(col(EnquiryRow.phone_digest))
        rows = await self._database.read(all_rows(wanted)) if watches else ()
        worked_on = {row.phone_digest: row.at for row in rows}

        def is_open(watch: StaffWatch) -> bool:
            told = max(each.at for each in watch.told)
            return all(worked_on.get(digest, told) <= told for digest in digests[watch.telephone])

        return tuple(filter(is_open, watches))

    async def read(self, who: str, now: datetime, *, everyone: bool) -> Today:
        """Return the day of an account, or of all, without watches; raises StorageError.

        Enquiries that nobody has are of everybody's day: those without an account and without an appointment on this
        day or later, which its adviser has. A case with an appointment on this day is listed there alone until that was
        held or missed.
        """
        begin, end = day_of(now)
        booked = with_enquiry(TAKES_TIME, col(AppointmentRow.starts) >= begin, col(AppointmentRow.starts) < end)
        promised = LISTED.where(_NEW, ~_NOBODYS, end > _CALL_AT).order_by(_CALL_AT)
        due = LISTED.where(_WORKED_ON, col(EnquiryRow.next_due) < end).order_by(col(EnquiryRow.next_due))
        if not everyone:
            booked = booked.where(col(AppointmentRow.adviser) == who)
            promised, due = (wanted.where(col(EnquiryRow.assigned) == who) for wanted in (promised, due))
        not_booked = or_(col(AppointmentRow.starts).is_(None), col(AppointmentRow.starts) < begin)
        lists = (promised, due, LISTED.where(_NEW, _NOBODYS, not_booked).order_by(_CALL_AT))

        async def work(connection: AsyncConnection) -> tuple[Rows, Mapping[int, Row[Any]], list[Rows]]:
            appointments = (await connection.execute(booked.order_by(col(AppointmentRow.starts)))).all()
            cases = await _cases_of(connection, [row.enquiry_id for row in appointments])
            found = [(await connection.execute(wanted.limit(MAX_OF_A_KIND))).all() for wanted in lists]
            return appointments, cases, found

        return await asyncio.to_thread(self._today, *await self._database.read(work))

    def _today(self, appointments: Rows, cases: Mapping[int, Row[Any]], lists: Sequence[Rows]) -> Today:
        heads = {id_: self._head(row) for id_, row in cases.items()}
        of_day = tuple(
            DayAppointment(case=heads[row.enquiry_id], booked=appointment_of(row))
            for row in appointments
            if row.enquiry_id in heads
        )
        live = {each.case.reference for each in of_day if each.booked.is_live}
        promised, due, new = (tuple(self._head(row) for row in rows if row.reference not in live) for rows in lists)
        return Today(appointments=of_day, calls=promised, due=due, new=new)

    def _head(self, row: Row[Any]) -> EnquirySummary:
        return replace(self._cipher.head(row), appointment=row.starts)


async def _cases_of(connection: AsyncConnection, ids: Sequence[int]) -> dict[int, Row[Any]]:
    """Return the rows of cases by the ids of their enquiries; an enquiry that is merged has the row of the other."""
    own = func.coalesce(col(EnquiryRow.merged_into), col(EnquiryRow.id))
    places: Select[*tuple[Any, ...]] = select(col(EnquiryRow.id), own.label("case_id"))
    case_ids = {row.id: row.case_id for row in await connection.execute(places.where(col(EnquiryRow.id).in_(ids)))}
    rows = await connection.execute(LISTED.where(col(EnquiryRow.id).in_(set(case_ids.values()))))
    by_id = {row.id: row for row in rows}
    return {id_: by_id[case_id] for id_, case_id in case_ids.items() if case_id in by_id}
