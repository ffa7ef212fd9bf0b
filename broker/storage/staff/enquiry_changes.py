"""Changes of enquiries by staff, each in one transaction with its audit entry.

Optimistic concurrency: a change of an outdated version returns Conflict with the current enquiry. Notes are only added,
so they never conflict.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.domain.enquiries.stored_records import EnquiryState
from broker.domain.staff.audit import Act, AuditEntry
from broker.domain.staff.enquiry_workflow import (
    REASONS,
    Case,
    Changed,
    Conflict,
    DeleteReason,
    Gone,
    Refused,
    StaffNote,
    move_problem,
)
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.enquiries.enquiry_rows import EnquiryCipher
from broker.storage.staff.audit import add_entry
from broker.storage.tables import AuditRow, EnquiryRow, NoteRow


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


Outcome = Changed | Conflict | Gone | Refused
Plan = Callable[[Row[Any]], RowChange | Refused]


class EnquiryChangeStore:
    """Changes of enquiries by reference; every method raises StorageError and DecryptionError."""

    def __init__(self, database: Database, keys: SecretKeys) -> None:
        self._database = database
        self._cipher = EnquiryCipher(keys)

    async def open(self, reference: str, *, who: str, at: datetime, again: bool = False) -> Case | Gone:
        """Return an enquiry in full and record that it was read, unless it is opened `again`."""

        async def work(connection: AsyncConnection) -> Case | Gone:
            row = await _row(connection, reference)
            if row is None:
                return await _gone(connection, reference)
            if not again:
                await add_entry(connection, AuditEntry(at=at, who=who, what=Act.ENQUIRY_READ, about=reference))
            return await self._case(connection, row)

        return await self._database.write(work)

    async def move(self, turn: EnquiryEdit, state: EnquiryState) -> Outcome:
        """Change the state of an enquiry."""

        def plan(row: Row[Any]) -> RowChange | Refused:
            if problem := move_problem(EnquiryState(row.state), state):
                return Refused(words=problem)
            return RowChange(values={"state": state.value}, what=Act.ENQUIRY_STATE, detail=f"{row.state} to {state}")

        return await self._change(turn, plan)

    async def assign(self, turn: EnquiryEdit, account: str) -> Outcome:
        """Assign an enquiry to an account, or to nobody for an empty name."""

        def plan(row: Row[Any]) -> RowChange | Refused:
            if row.assigned == account:
                return Refused(words=f"This enquiry is {account or 'nobody'}'s already")
            detail = f"to {account or 'nobody'}" + (f", before to {row.assigned}" if row.assigned else "")
            return RowChange(values={"assigned": account}, what=Act.ENQUIRY_ASSIGNED, detail=detail)

        return await self._change(turn, plan)

    async def add_note(self, reference: str, note: StaffNote) -> Changed | Gone:
        """Add a note to any version of an enquiry."""

        async def work(connection: AsyncConnection) -> Changed | Gone:
            row = await _row(connection, reference)
            if row is None:
                return await _gone(connection, reference)
            await connection.execute(insert(NoteRow).values({**self._cipher.note_values(note), "enquiry_id": row.id}))
            await add_entry(connection, AuditEntry(at=note.at, who=note.who, what=Act.ENQUIRY_NOTE, about=reference))
            return Changed(case=await self._case(connection, row))

        return await self._database.write(work)

    async def delete(self, turn: EnquiryEdit, reason: DeleteReason) -> Conflict | Gone:
        """Delete an enquiry with its notes and message; the audit entry has its reference and the reason."""

        async def work(connection: AsyncConnection) -> Conflict | Gone:
            row = await _row(connection, turn.reference)
            if row is None:
                return await _gone(connection, turn.reference)
            if row.version != turn.version:
                return Conflict(case=await self._case(connection, row))
            await connection.execute(delete(EnquiryRow).where(col(EnquiryRow.id) == row.id))
            await add_entry(connection, _entry(turn, Act.ENQUIRY_DELETED, REASONS[reason]))
            return Gone(by=turn.who, at=turn.at, reason=REASONS[reason])

        return await self._database.erase(work)

    async def _change(self, turn: EnquiryEdit, plan: Plan) -> Outcome:
        async def work(connection: AsyncConnection) -> Outcome:
            row = await _row(connection, turn.reference)
            if row is None:
                return await _gone(connection, turn.reference)
            if row.version != turn.version:
                return Conflict(case=await self._case(connection, row))
            change = plan(row)
            if isinstance(change, Refused):
                return change
            stamp = {"version": row.version + 1, "changed_by": turn.who, "changed_at": turn.at}
            changed = update(EnquiryRow).where(col(EnquiryRow.id) == row.id).values({**change.values, **stamp})
            await connection.execute(changed)
            await add_entry(connection, _entry(turn, change.what, change.detail))
            now = await _row(connection, turn.reference)
            return Changed(case=await self._case(connection, now or row))

        return await self._database.write(work)

    async def _case(self, connection: AsyncConnection, row: Row[Any]) -> Case:
        wanted = select(NoteRow).where(col(NoteRow.enquiry_id) == row.id).order_by(col(NoteRow.id))
        notes = tuple(self._cipher.note(each) for each in await connection.execute(wanted))
        return Case(head=self._cipher.head(row), kept=self._cipher.read(row), notes=notes)


async def _row(connection: AsyncConnection, reference: str) -> Row[Any] | None:
    """Return the row of an enquiry, locked until the transaction ends."""
    # SQLite has one writer and no such clause
    wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference).with_for_update()
    return (await connection.execute(wanted)).one_or_none()


async def _gone(connection: AsyncConnection, reference: str) -> Gone:
    """Return who deleted an enquiry, when and why, from the audit record."""
    deletion = (col(AuditRow.about) == reference, col(AuditRow.what) == Act.ENQUIRY_DELETED.value)
    wanted = select(AuditRow).where(*deletion).order_by(col(AuditRow.id).desc()).limit(1)
    row = (await connection.execute(wanted)).one_or_none()
    return Gone(by=row.who, at=row.at, reason=row.detail) if row else Gone()


def _entry(turn: EnquiryEdit, what: Act, detail: str) -> AuditEntry:
    return AuditEntry(at=turn.at, who=turn.who, what=what, about=turn.reference, detail=detail)
