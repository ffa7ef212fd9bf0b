"""Complaints in the database, with their letters."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.duties.complaint import (
    Complainant,
    Complaint,
    ComplaintOutcome,
    Ending,
    Letter,
    LetterKind,
    NewComplaint,
    NotDone,
    Overtaken,
    RootCause,
    Saved,
    Subject,
    kept_until,
)
from broker.duties.retention_rules import COMPLAINT_YEARS
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database, rows_changed
from broker.storage.encryption import SecretKeys
from broker.storage.tables import ComplaintLetterRow, ComplaintRow

UNKNOWN = "There is no such complaint"
CLOSED = "This complaint is closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplaintEdit:
    """Who edits which version of a complaint, and when."""

    number: int
    version: int
    who: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """New values of a row and a letter to add, with the act and detail of the audit entry."""

    what: Act
    values: Mapping[str, Any]
    letter: Letter | None = None
    detail: str = ""


Plan = Callable[[Complaint], RowChange | NotDone]


class ComplaintCipher:
    """Encryption of the rows of complaints and letters."""

    def __init__(self, keys: SecretKeys, years: int = COMPLAINT_YEARS) -> None:
        self._cipher, self._years = keys.cipher_for("complaint"), years

    def values(self, record: NewComplaint, *, remedy: str = "") -> dict[str, Any]:
        return {
            "subject": record.subject.value,
            "cause": record.cause.value,
            "received": record.received,
            "assigned": record.assigned,
            "reference": record.reference,
            "delete_after": kept_until(record.received, self._years),
            "words": self._encrypt({"about": record.about, "matter": record.matter, "remedy": remedy}),
            **self.person_values(record.person),
        }

    def person_values(self, person: Complainant) -> dict[str, Any]:
        """Return the columns that say who complains."""
        return {"person": self._encrypt(asdict(person))}

    def ending_values(self, record: NewComplaint, ending: Ending) -> dict[str, Any]:
        values = {"closed": ending.closed, "outcome": ending.outcome.value, "redress": ending.redress}
        return {**values, "words": self.values(record, remedy=ending.remedy)["words"]}

    def letter_values(self, letter: Letter) -> dict[str, Any]:
        words = self._cipher.encrypt(letter.words.encode())
        return {"kind": letter.kind.value, "sent": letter.sent, "who": letter.who, "words": words}

    def person(self, row: Row[Any]) -> Complainant:
        """Return who complains; raises DecryptionError."""
        return Complainant(**json.loads(self._cipher.decrypt(row.person)))

    def read(self, row: Row[Any], letters: Sequence[Row[Any]]) -> Complaint:
        """Return the complaint of a row and the rows of its letters; raises DecryptionError."""
        words = json.loads(self._cipher.decrypt(row.words))
        ending = None
        if row.closed:
            outcome = ComplaintOutcome(row.outcome)
            ending = Ending(outcome=outcome, closed=row.closed, redress=row.redress, remedy=words["remedy"])
        return Complaint(
            number=row.id,
            version=row.version,
            keep_until=row.delete_after,
            record=NewComplaint(
                subject=Subject(row.subject),
                cause=RootCause(row.cause),
                received=row.received,
                person=self.person(row),
                about=words["about"],
                matter=words["matter"],
                assigned=row.assigned,
                reference=row.reference,
            ),
            letters=tuple(self._letter(letter) for letter in letters),
            ending=ending,
            changed_by=row.changed_by,
            changed_at=row.changed_at,
        )

    def _letter(self, row: Row[Any]) -> Letter:
        words = self._cipher.decrypt(row.words).decode()
        return Letter(kind=LetterKind(row.kind), sent=row.sent, who=row.who, words=words)

    def _encrypt(self, values: Mapping[str, Any]) -> bytes:
        return self._cipher.encrypt(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode())


class ComplaintStore:
    """Complaints by number; methods raise StorageError and DecryptionError.

    Optimistic concurrency: a change of an outdated version returns Overtaken with the current complaint. `years` are
    those for which complaints are kept.
    """

    def __init__(self, database: Database, keys: SecretKeys, *, years: int = COMPLAINT_YEARS) -> None:
        self._database, self._cipher, self._years = database, ComplaintCipher(keys, years), years

    async def all(self) -> tuple[Complaint, ...]:
        """Return all complaints, the newest first."""
        return await self._database.read(lambda connection: find_complaints(connection, self._cipher))

    async def open_about(self, references: Collection[str]) -> tuple[Complaint, ...]:
        """Return the complaints about enquiries that are not closed, the newest first."""
        about = (col(ComplaintRow.reference).in_(references), col(ComplaintRow.closed).is_(None))

        return await self._database.read(lambda connection: find_complaints(connection, self._cipher, *about))

    async def add(self, record: NewComplaint, *, who: str, at: datetime) -> Saved:
        stamp = {"version": 1, "created": at, "changed_by": who, "changed_at": at, "outcome": "", "redress": 0}

        async def work(connection: AsyncConnection) -> Saved:
            values = self._cipher.values(record)
            new = insert(ComplaintRow).values({**values, **stamp}).returning(col(ComplaintRow.id))
            number = (await connection.execute(new)).scalar_one() or 0
            (added,) = await find_complaints(connection, self._cipher, col(ComplaintRow.id) == number)
            await add_entry(connection, AuditEntry(at=at, who=who, what=Act.COMPLAINT_ADDED, about=added.label))
            return Saved(complaint=added)

        return await self._database.write(work)

    async def open(self, number: int, *, who: str, at: datetime) -> Complaint | NotDone:
        """Return a complaint and record that it was read."""

        async def work(connection: AsyncConnection) -> Complaint | NotDone:
            found = await self._locked(connection, number)
            if found:
                entry = AuditEntry(at=at, who=who, what=Act.COMPLAINT_READ, about=found.label)
                await add_entry(connection, entry)
            return found or NotDone(words=UNKNOWN)

        return await self._database.write(work)

    async def change(self, edit: ComplaintEdit, record: NewComplaint) -> Saved | Overtaken | NotDone:
        """Replace what is recorded of a complaint, closed or not."""

        def plan(held: Complaint) -> RowChange:
            remedy = held.ending.remedy if held.ending else ""
            return RowChange(what=Act.COMPLAINT_CHANGED, values=self._cipher.values(record, remedy=remedy))

        return await self._change(edit, plan)

    async def add_letter(self, edit: ComplaintEdit, letter: Letter) -> Saved | Overtaken | NotDone:
        detail = f"{letter.kind}, {letter.sent.isoformat()}"

        def plan(_: Complaint) -> RowChange:
            return RowChange(what=Act.COMPLAINT_LETTER, values={}, letter=letter, detail=detail)

        return await self._change(edit, plan)

    async def close(self, edit: ComplaintEdit, ending: Ending) -> Saved | Overtaken | NotDone:
        def plan(held: Complaint) -> RowChange | NotDone:
            if held.ending:
                return NotDone(words=CLOSED)
            values = self._cipher.ending_values(held.record, ending)
            return RowChange(what=Act.COMPLAINT_CLOSED, values=values, detail=ending.outcome.value)

        return await self._change(edit, plan)

    async def hold(self) -> int:
        """Move the deletion of complaints that are kept for fewer years to the end of theirs; return of how many."""
        wanted = select(col(ComplaintRow.id), col(ComplaintRow.received), col(ComplaintRow.delete_after))

        async def work(connection: AsyncConnection) -> int:
            ends = {row: kept_until(row.received, self._years) for row in await connection.execute(wanted)}
            moved = {row.id: end for row, end in ends.items() if row.delete_after < end}
            for id_, end in moved.items():
                here = update(ComplaintRow).where(col(ComplaintRow.id) == id_)
                await connection.execute(here.values(delete_after=end))
            return len(moved)

        return await self._database.write(work)

    async def delete_due(self, today: date, *, after: date = date.min) -> int:
        """Delete closed complaints that were due after one day and before another; return how many."""
        ended = (col(ComplaintRow.closed).is_not(None), col(ComplaintRow.delete_after) < today)
        gone = delete(ComplaintRow).where(*ended, col(ComplaintRow.delete_after) > after)
        return await self._database.erase(rows_changed(gone))

    async def _change(self, edit: ComplaintEdit, plan: Plan) -> Saved | Overtaken | NotDone:
        async def work(connection: AsyncConnection) -> Saved | Overtaken | NotDone:
            held = await self._locked(connection, edit.number)
            if held is None:
                return NotDone(words=UNKNOWN)
            if held.version != edit.version:
                return Overtaken(complaint=held)
            change = plan(held)
            if isinstance(change, NotDone):
                return change
            stamp = {"version": held.version + 1, "changed_by": edit.who, "changed_at": edit.at}
            changed = update(ComplaintRow).where(col(ComplaintRow.id) == held.number)
            await connection.execute(changed.values({**change.values, **stamp}))
            if change.letter:
                values = {**self._cipher.letter_values(change.letter), "complaint_id": held.number}
                await connection.execute(insert(ComplaintLetterRow).values(values))
            entry = AuditEntry(at=edit.at, who=edit.who, what=change.what, about=held.label, detail=change.detail)
            await add_entry(connection, entry)
            return Saved(complaint=await self._locked(connection, edit.number) or held)

        return await self._database.write(work)

    async def _locked(self, connection: AsyncConnection, number: int) -> Complaint | None:
        # SQLite has one writer and no such clause
        locked = select(col(ComplaintRow.id)).where(col(ComplaintRow.id) == number).with_for_update()
        await connection.execute(locked)
        return next(iter(await find_complaints(connection, self._cipher, col(ComplaintRow.id) == number)), None)


async def find_complaints(connection: AsyncConnection, cipher: ComplaintCipher, *where: Any) -> tuple[Complaint, ...]:
    """Return the complaints that meet conditions, the newest first; raises DecryptionError."""
    wanted = select(ComplaintRow).where(*where).order_by(col(ComplaintRow.received).desc(), col(ComplaintRow.id).desc())
    rows = (await connection.execute(wanted)).all()
    if not rows:
        return ()
    of_these = col(ComplaintLetterRow.complaint_id).in_([row.id for row in rows])
    ordered = select(ComplaintLetterRow).where(of_these)
    ordered = ordered.order_by(col(ComplaintLetterRow.sent), col(ComplaintLetterRow.id))
    letters: dict[int, list[Row[Any]]] = defaultdict(list)
    for letter in await connection.execute(ordered):
        letters[letter.complaint_id].append(letter)
    return tuple(cipher.read(row, letters[row.id]) for row in rows)
