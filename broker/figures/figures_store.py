"""Rows of the figures as frames; nothing personal is read, and nothing is decrypted."""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

import pandas as pd
from sqlalchemy import and_, or_, select
from sqlmodel import col

from broker.analytics.count_store import CountStore
from broker.appointments.slots import BUFFER, NOTICE, free_slots
from broker.appointments.store import AdviserDiary, AppointmentStore
from broker.cases.outcomes import STAGES
from broker.clock import uk_midnight
from broker.enquiries.enquiry import EnquiryState
from broker.figures.figures import Frame, Frames, Period, merged
from broker.lending.mortgage import MONTHS
from broker.staff.audit import Act
from broker.staff.roles import RIGHTS, Right
from broker.storage.database import Database, all_rows
from broker.storage.tables import AppointmentRow, AuditRow, EnquiryRow, NoteRow, StaffRow, WatchRow
from broker.watches.watch import WatchState

SLOT_MINUTES = 20
"""Minutes of the slots that are counted, those of a first call."""

_CASE_COLUMNS = (
    *("id", "created", "source", "page", "service", "assigned", "call_by", "first_call_at", "stage", "stage_since"),
    *("amount", "deal_ends", "state", "merged_into"),
)
_RENAMED = {"id": "number", "assigned": "adviser"}
_TIMES = ("created", "call_by", "first_call_at", "stage_since", "at", "starts")
_FORMER = re.compile(
    r"after one (?P<state>\w+), (?P<starts>[\d :-]+) UTC, (?P<adviser>.+), booked (?P<created>[\d :-]+) UTC"
)
"""A former appointment in the audit record: how `appointments.store` writes it, after the time of the new one."""

_ADVISING = [role.value for role, rights in RIGHTS.items() if Right.CASES in rights]
_ACCOUNTS = select(col(StaffRow.name)).where(col(StaffRow.enabled), col(StaffRow.role).in_(_ADVISING))


class FiguresStore:
    """Methods raise StorageError."""

    def __init__(self, database: Database, diary: AppointmentStore) -> None:
        self._database, self._diary, self._counts = database, diary, CountStore(database)

    async def frames(self, longest: Period) -> Frames:
        """Return the frames of the longest period; cases, what they reached, and watches of any time are in them."""
        since = longest.start
        outcomes = _frame(await self._rows(_outcome_rows()), ("number", "at", "adviser", "outcome"))
        watches = await self._rows(
            select(col(WatchRow.deal_month)).where(
                col(WatchRow.may_call), col(WatchRow.state) != WatchState.UNCONFIRMED.value
            )
        )
        read = Frames(
            cases=_cases(await self._rows(select(*(getattr(EnquiryRow, name) for name in _CASE_COLUMNS)))),
            outcomes=outcomes,
            stages=_stages(outcomes, await self._rows(_stage_rows())),
            appointments=_appointments(
                await self._rows(_appointment_rows(since)), await self._rows(_former_rows()), since=since
            ),
            slots=_slots(await self._diary.diaries(), longest),
            counts=pd.DataFrame(await self._counts.since(longest.mondays[0]), columns=["day", "kind", "count"]),
            watches=pd.DataFrame({"deal_ends": [_first_day(row.deal_month) for row in watches]}),
            advisers=tuple(row.name for row in await self._rows(_ACCOUNTS)),
        )
        return merged(read)

    async def _rows(self, wanted: Any) -> Sequence[Any]:
        return await self._database.read(all_rows(wanted))


def _outcome_rows() -> Any:
    columns = (NoteRow.enquiry_id, NoteRow.at, NoteRow.who, NoteRow.outcome)
    return select(*map(col, columns)).where(col(NoteRow.outcome) != "")


def _stage_rows() -> Any:
    """Return the stages set by hand, and that one of them was undone, in the order of time."""
    is_undone = and_(col(AuditRow.what) == Act.CHANGE_UNDONE.value, col(AuditRow.detail) == Act.CASE_STAGE.value)
    is_wanted = or_(col(AuditRow.what) == Act.CASE_STAGE.value, is_undone)
    of_case = and_(col(EnquiryRow.reference) == col(AuditRow.about), is_wanted)
    columns = (col(EnquiryRow.id), col(AuditRow.at), col(AuditRow.detail))
    return select(*columns).join(EnquiryRow, of_case).order_by(col(AuditRow.id))


def _appointment_rows(since: datetime) -> Any:
    rows = AppointmentRow
    columns = (rows.enquiry_id, rows.adviser, rows.created, rows.starts, rows.state)
    return select(*map(col, columns)).where(or_(col(rows.starts) >= since, col(rows.created) >= since))


def _former_rows() -> Any:
    """Return the bookings of cases that had an appointment before, whose row the new one has."""
    of_case = and_(col(EnquiryRow.reference) == col(AuditRow.about), col(AuditRow.what) == Act.APPOINTMENT_BOOKED.value)
    return (
        select(col(EnquiryRow.id), col(AuditRow.detail))
        .join(EnquiryRow, of_case)
        .where(col(AuditRow.detail).contains("after one "))
    )


def _appointments(rows: Sequence[Any], booked_again: Sequence[Any], *, since: datetime) -> Frame:
    """Return the appointments of rows, and the former ones that the audit record lists."""
    former = list[tuple[int, str, datetime, datetime, str]]()
    for id_, found in ((row.id, found) for row in booked_again if (found := _FORMER.search(row.detail))):
        created, starts = (datetime.fromisoformat(f"{found[name]}Z") for name in ("created", "starts"))
        if max(created, starts) >= since:
            former.append((id_, found["adviser"], created, starts, found["state"]))
    return _frame([*map(tuple, rows), *former], ("number", "adviser", "created", "starts", "state"))


def _frame(rows: Sequence[Any], columns: Sequence[str]) -> Frame:
    table = pd.DataFrame([tuple(row) for row in rows], columns=list(columns))
    return table.assign(**{name: pd.to_datetime(table[name], utc=True) for name in columns if name in _TIMES})


def _cases(rows: Sequence[Any]) -> Frame:
    table = _frame(rows, _CASE_COLUMNS)
    is_open = (table["state"] != EnquiryState.CLOSED.value).astype(bool)
    kept = table.drop(columns="state").rename(columns=_RENAMED)
    return kept.assign(amount=kept["amount"].astype("Float64"), is_open=is_open)


def _stages(outcomes: Frame, rows: Sequence[Any]) -> Frame:
    """Return the stages that cases reach: by outcomes of calls, and by hand, which the audit record lists."""
    by_outcome = outcomes.assign(stage=outcomes["outcome"].map(STAGES)).dropna(subset="stage")
    by_hand = defaultdict[int, list[tuple[int, datetime, str]]](list)
    for row in rows:
        set_before = by_hand[row.id]
        if row.detail != Act.CASE_STAGE.value:
            # `advice, waiting for us`: how `cases.changes` writes it
            set_before.append((row.id, row.at, row.detail.partition(",")[0]))
        elif set_before:
            set_before.pop()
    columns = ("number", "at", "stage")
    entered = _frame([stage for stages in by_hand.values() for stage in stages], columns)
    return pd.concat([by_outcome[list(columns)], entered], ignore_index=True)


def _slots(diaries: Sequence[AdviserDiary], period: Period) -> Frame:
    """Return the slots that advisers have by their present hours and absences, whether booked or not, without overlap.

    They reach to the end of the next week.
    """
    mondays = [*period.mondays, period.last + timedelta(weeks=1)]
    rows = [(each.adviser, start) for each in diaries if each.hours.ranges for start in _starts(each, mondays)]
    return _frame(rows, ("adviser", "starts"))


def _starts(diary: AdviserDiary, mondays: Sequence[date]) -> list[datetime]:
    length, found = timedelta(minutes=SLOT_MINUTES) + BUFFER, list[datetime]()
    for monday in mondays:
        begin, end = uk_midnight(monday), uk_midnight(monday + timedelta(weeks=1))
        starts = free_slots(diary.hours, diary.absences, frozenset(), now=begin - NOTICE, minutes=SLOT_MINUTES)
        for start in starts:
            if start >= end:
                break
            if not found or start - found[-1] >= length:
                found.append(start)
    return found


def _first_day(month: int) -> date:
    """Return the first day of a month as `lending.days` counts them."""
    return date(month // MONTHS, month % MONTHS + 1, 1)
