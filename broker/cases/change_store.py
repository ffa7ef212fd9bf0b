"""Staff's changes of cases in the database, each with its entry in the audit record, and undo for ten minutes."""

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.appointments.booking import uncovered
from broker.appointments.rows import IS_ADVISER, find_appointments
from broker.appointments.visitor_mails import VisitorMails
from broker.cases.case import (
    ONLY_ADVICE,
    REASONS,
    Case,
    Changed,
    Conflict,
    DeleteReason,
    EnquirySummary,
    Gone,
    MailState,
    ManyChanged,
    NoteKind,
    Outcome,
    Refused,
    StaffNote,
    Undone,
    appointment_shown,
    deletion_refused,
)
from broker.cases.changes import CaseChange, merged
from broker.cases.replies import NO_EMAIL, RETURNED, ReplyTemplate
from broker.clock import uk_date, utc_now
from broker.duties.advice_store import advice_kept
from broker.duties.retention_rules import ADVICE_YEARS
from broker.enquiries.confirmation import mail_links
from broker.enquiries.contact_details import ContactDetails
from broker.enquiries.enquiry import EnquiryState
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.rows import delete_merged, in_case, only_advice_since
from broker.mail.mail import MailKind, NewMail
from broker.mail.outbox_store import MailCipher, add_mail, find_returned
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.tables import AuditRow, DeskUndoRow, EnquiryRow, MailRow, NoteRow, StaffRow

UNDO_TIME = timedelta(minutes=10)
"""Time in which a change can be undone."""

NOTHING_TO_UNDO = "You have changed nothing in the last ten minutes"
OUTBOX_FULL = "Too many mails wait to be sent. Please tell whoever looks after the server"
SAME_CASE = "This is the same case already"
CHANGED_SINCE = "{who} has changed this case since, so your change stays"
CHANGED_MYSELF = "You have changed this case since, in the diary or another window, so your change stays"

_SEALED = ("waiting_note", "next_action")
"""Fields of a summary that are encrypted."""

Done = Changed | Conflict | Gone | Refused
Plan = Callable[[EnquirySummary], CaseChange | Refused]
"""Returns the change of a case from what it is, or why there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryEdit:
    """Who edits which version of an enquiry, and when; None for any version."""

    reference: str
    version: int | None = None
    who: str
    at: datetime


class EnquiryChangeStore:
    """Changes of cases by the reference of any of their enquiries; every method raises StorageError, DecryptionError.

    Optimistic concurrency: a change of an outdated version returns Conflict with the current case. Notes are only
    added, so they never conflict.
    """

    def __init__(
        self,
        database: Database,
        keys: SecretKeys,
        *,
        advice_years: int = ADVICE_YEARS,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._database, self._advice_years, self._clock = database, advice_years, clock
        self._cipher, self._mail_cipher, self._visitor_mails = EnquiryCipher(keys), MailCipher(keys), VisitorMails(keys)
        self._undo, self._links = keys.cipher_for("desk undo"), mail_links(keys)

    async def open(self, reference: str, *, who: str, at: datetime, again: bool = False) -> Case | Gone:
        """Return a case in full and record that it was read, unless it is opened `again`."""

        async def work(connection: AsyncConnection) -> Case | Gone:
            row = await locked_row(connection, reference)
            if row is None:
                return await _deletion(connection, reference)
            if not again:
                await add_entry(connection, AuditEntry(at=at, who=who, what=Act.ENQUIRY_READ, about=row.reference))
            return await self._case(connection, row)

        return await self._database.write(work)

    async def change(self, edit: EnquiryEdit, plan: Plan, *, note: StaffNote | None = None) -> Done:
        """Change a case by a plan; `note` is added where the version is outdated, so that what was typed is kept."""

        async def work(connection: AsyncConnection) -> Done:
            row = await locked_row(connection, edit.reference)
            if row is None:
                return await _deletion(connection, edit.reference)
            if edit.version is not None and row.version != edit.version:
                if note:
                    await self._add_note(connection, row, note)
                return Conflict(case=await self._case(connection, row))
            change = plan((await self._case(connection, row)).head)
            if isinstance(change, Refused):
                return change
            await self._apply(connection, row, change, edit=edit, batch=secrets.token_hex(16))
            changed = await locked_row(connection, edit.reference)
            return Changed(case=await self._case(connection, changed or row))

        return await self._database.write(work)

    async def change_many(self, references: Sequence[str], plan: Plan, *, who: str, at: datetime) -> ManyChanged:
        """Change each case by a plan, all in one transaction; those that cannot be changed are left, with why."""

        async def work(connection: AsyncConnection) -> ManyChanged:
            changed: list[str] = []
            left: dict[str, str] = {}
            batch = secrets.token_hex(16)
            for reference in sorted(
                set(references)
            ):  # one order for all, so that two of them cannot wait for each other
                row = await locked_row(connection, reference)
                change = plan(await self._head(connection, row)) if row else Refused(words="It is deleted")
                if isinstance(change, Refused) or row is None:
                    left[reference] = change.words if isinstance(change, Refused) else ""
                    continue
                edit = EnquiryEdit(reference=row.reference, who=who, at=at)
                await self._apply(connection, row, change, edit=edit, batch=batch)
                changed.append(row.reference)
            return ManyChanged(references=tuple(changed), left=left)

        return await self._database.write(work)

    async def merge(self, reference: str, into: str, *, who: str, at: datetime) -> Changed | Gone | Refused:
        """Merge a case into another: both references lead to that one, with the notes, mail and appointment of both.

        Rows stay where they are, so that undo parts them again. The other case's version is above that of both, so
        that whoever has the merged one open changes nothing unseen.
        """

        async def work(connection: AsyncConnection) -> Changed | Gone | Refused:
            rows = {each: await locked_row(connection, each) for each in sorted({reference, into})}
            for each, row in rows.items():
                if row is None:
                    return await _deletion(connection, each)
            other, kept = rows[reference], rows[into]
            if other is None or kept is None or other.id == kept.id:
                return Refused(words=SAME_CASE)
            edit = EnquiryEdit(reference=kept.reference, who=who, at=at)
            batch = secrets.token_hex(16)
            before, after = self._cipher.head(kept), self._cipher.head(other)
            for row in (other, *(await connection.execute(_merged_rows(other.id))).all()):
                change = CaseChange(
                    values={"merged_into": kept.id}, what=Act.CASE_MERGED, detail=f"into {kept.reference}"
                )
                await self._apply(connection, row, change, edit=edit, batch=batch)
            values = merged(before, after)
            if other.needs and not kept.needs:
                values["needs"] = other.needs
            version = max(kept.version, other.version)
            taken_over = ", email address taken over" if "contact" in values else ""
            change = CaseChange(values=values, what=Act.CASE_MERGED, detail=f"with {other.reference}{taken_over}")
            await self._apply(connection, kept, change, edit=edit, batch=batch, version=version)
            changed = await locked_row(connection, into)
            return Changed(case=await self._case(connection, changed or kept))

        return await self._database.write(work)

    async def add_note(self, reference: str, note: StaffNote) -> Changed | Gone:
        """Add a note to any version of a case."""

        async def work(connection: AsyncConnection) -> Changed | Gone:
            row = await locked_row(connection, reference)
            if row is None:
                return await _deletion(connection, reference)
            await self._add_note(connection, row, note)
            return Changed(case=await self._case(connection, row))

        return await self._database.write(work)

    async def reply(
        self, reference: str, text: str, *, template: ReplyTemplate | None, who: str, at: datetime
    ) -> Changed | Gone | Refused:
        """Send a reply to the address of a case, and keep it in the timeline."""

        async def work(connection: AsyncConnection) -> Changed | Gone | Refused:
            row = await locked_row(connection, reference)
            if row is None:
                return await _deletion(connection, reference)
            if await only_advice_since(connection, row):
                return Refused(words=ONLY_ADVICE)
            email = self._cipher.contact(row).email
            if not email:
                return Refused(words=NO_EMAIL)
            if await find_returned(connection, self._mail_cipher, email):
                return Refused(words=RETURNED)
            link = self._links.write(row.reference, made=at)
            about = {"about": template.subject} if template and template.subject else {}
            mail = NewMail(
                kind=MailKind.CASE_REPLY,
                created=at,
                recipient=email,
                context={"text": text, "link": link, "reference": row.reference, **about},
                enquiry_id=row.id,
            )
            key = await add_mail(connection, self._mail_cipher, mail)
            if not key:
                return Refused(words=OUTBOX_FULL)
            note = StaffNote(at=at, who=who, text=text, kind=NoteKind.REPLY, mail=key)
            await self._insert_note(connection, row, note)
            detail = f"template {template.name}" if template else ""
            entry = AuditEntry(at=at, who=who, what=Act.REPLY_SENT, about=row.reference, detail=detail)
            await add_entry(connection, entry)
            return Changed(case=await self._case(connection, row))

        return await self._database.write(work)

    async def undo(self, who: str, at: datetime) -> Undone | Refused:
        """Undo the last change of an account, of one case or of many at once; a case changed since is left."""
        recent = (col(DeskUndoRow.who) == who, col(DeskUndoRow.at) > at - UNDO_TIME)
        last = select(col(DeskUndoRow.batch)).where(*recent).order_by(col(DeskUndoRow.id).desc()).limit(1)

        async def work(connection: AsyncConnection) -> Undone | Refused:
            batch = await connection.scalar(last)
            if batch is None:
                return Refused(words=NOTHING_TO_UNDO)
            here = col(DeskUndoRow.batch) == batch
            steps = (await connection.execute(select(DeskUndoRow).where(here).order_by(col(DeskUndoRow.id)))).all()
            rows = [(step, row) for step in steps if (row := await _locked_by_id(connection, step.enquiry_id))]
            left = {row.reference: _changed_since(row, who) for step, row in rows if row.version != step.version}
            is_whole = steps[0].what == Act.CASE_MERGED.value
            if len(left) == len(rows) or (left and is_whole):
                return Refused(words=next(iter(left.values()), NOTHING_TO_UNDO))
            undone = [(step, row) for step, row in rows if row.reference not in left]
            is_still_booked = False
            to_nobody: list[str] = []
            for step, row in undone:
                await self._take_back(connection, row, step, who=who, at=at)
                if await _is_taken_from_disabled(connection, row, who=who, at=at):
                    to_nobody.append(row.reference)
                if step.what == Act.CALL_RECORDED.value and row.outcome == Outcome.APPOINTMENT.value:
                    coming = (await self._case(connection, row)).head.appointment
                    is_still_booked = is_still_booked or (coming is not None and coming > at)
            await connection.execute(delete(DeskUndoRow).where(here))
            references = tuple(row.reference for _, row in undone)
            what = Act(steps[0].what)
            return Undone(
                what=what, references=references, left=left, to_nobody=tuple(to_nobody), is_still_booked=is_still_booked
            )

        return await self._database.write(work)

    async def contact(self, reference: str) -> ContactDetails | None:
        """Return the contact details of a case, None where it does not exist."""
        wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference)

        async def work(connection: AsyncConnection) -> ContactDetails | None:
            row = (await connection.execute(wanted)).one_or_none()
            return self._cipher.contact(row) if row else None

        return await self._database.read(work)

    async def delete(
        self, edit: EnquiryEdit, reason: DeleteReason, *, is_owner: bool = False
    ) -> Conflict | Gone | Refused:
        """Delete a case with its notes, mail and appointment; the audit entry has its reference and the reason."""

        async def work(connection: AsyncConnection) -> Conflict | Gone | Refused:
            row = await locked_row(connection, edit.reference)
            if row is None:
                return await _deletion(connection, edit.reference)
            if row.version != edit.version:
                return Conflict(case=await self._case(connection, row))
            today, years = uk_date(edit.at), self._advice_years
            until = await advice_kept(connection, in_case(row.id), today=today, years=years)
            refused = deletion_refused(
                reason, who=edit.who, is_owner=is_owner, assigned=row.assigned or "", kept_until=until, years=years
            )
            if refused:
                return refused
            await self._visitor_mails.withdraw(connection, in_case(row.id), at=edit.at)
            await connection.execute(delete(EnquiryRow).where(col(EnquiryRow.id) == row.id))
            await delete_merged(connection)
            await add_entry(connection, _audit_entry(edit, row, Act.ENQUIRY_DELETED, REASONS[reason]))
            return Gone(by=edit.who, at=edit.at, reason=REASONS[reason])

        return await self._database.erase(work)

    async def _apply(
        self,
        connection: AsyncConnection,
        row: Row[Any],
        change: CaseChange,
        *,
        edit: EnquiryEdit,
        batch: str,
        version: int | None = None,
    ) -> None:
        """Store a change of a locked row, its note, what it was before, and the audit entry.

        What can no longer be undone is deleted. `version` is the one that it had at most, by default its own.
        """
        values = {name: self._column(name, value) for name, value in change.values.items() if name != "contact"}
        if contact := change.values.get("contact"):
            values |= self._cipher.contact_values(contact)
        following: int = (version or row.version) + 1
        stamp = {"version": following, "changed_by": edit.who, "changed_at": edit.at}
        here = col(EnquiryRow.id) == row.id
        await connection.execute(update(EnquiryRow).where(here).values({**values, **stamp}))
        note = await self._insert_note(connection, row, change.note) if change.note else None
        await connection.execute(delete(DeskUndoRow).where(col(DeskUndoRow.at) <= edit.at - UNDO_TIME))
        before = {name: _plain(getattr(row, name)) for name in (*values, "changed_by", "changed_at")}
        undo = {
            "batch": batch,
            "enquiry_id": row.id,
            "who": edit.who,
            "at": edit.at,
            "what": change.what.value,
            "version": following,
            "before": self._undo.encrypt(json.dumps({"values": before, "note": note}).encode()),
        }
        await connection.execute(insert(DeskUndoRow).values(undo))
        await add_entry(connection, _audit_entry(edit, row, change.what, change.detail))

    def _column(self, name: str, value: Any) -> Any:
        """Return the value of a column by the field of a summary."""
        if name in _SEALED:
            return self._cipher.work(value)
        if isinstance(value, StrEnum):
            return value.value
        return "" if value is None and name in ("outcome", "close_reason") else value

    async def _take_back(
        self, connection: AsyncConnection, row: Row[Any], step: Row[Any], *, who: str, at: datetime
    ) -> None:
        """Give a case what it was before a change; of the note of a call the text stays, if it has any."""
        held = json.loads(self._undo.decrypt(step.before))
        values = {name: _value(plain) for name, plain in held["values"].items()}
        here = col(EnquiryRow.id) == row.id
        await connection.execute(update(EnquiryRow).where(here).values({**values, "version": row.version + 1}))
        if held["note"] is not None:
            await self._withdraw_note(connection, held["note"])
        entry = AuditEntry(at=at, who=who, what=Act.CHANGE_UNDONE, about=row.reference, detail=Act(step.what).value)
        await add_entry(connection, entry)

    async def _withdraw_note(self, connection: AsyncConnection, id_: int) -> None:
        here = col(NoteRow.id) == id_
        row = (await connection.execute(select(NoteRow).where(here))).one_or_none()
        if row and self._cipher.note(row).text:
            await connection.execute(update(NoteRow).where(here).values(kind=NoteKind.NOTE.value, outcome=""))
        else:
            await connection.execute(delete(NoteRow).where(here))

    async def _add_note(self, connection: AsyncConnection, row: Row[Any], note: StaffNote) -> None:
        await self._insert_note(connection, row, note)
        await add_entry(connection, AuditEntry(at=note.at, who=note.who, what=Act.ENQUIRY_NOTE, about=row.reference))

    async def _insert_note(self, connection: AsyncConnection, row: Row[Any], note: StaffNote) -> int:
        values = {**self._cipher.note_values(note), "enquiry_id": row.id}
        return (await connection.execute(insert(NoteRow).values(values).returning(col(NoteRow.id)))).scalar_one() or 0

    async def _head(self, connection: AsyncConnection, row: Row[Any]) -> EnquirySummary:
        return replace(self._cipher.head(row), only_advice_since=await only_advice_since(connection, row))

    async def _case(self, connection: AsyncConnection, row: Row[Any]) -> Case:
        merged = (await connection.execute(_merged_rows(row.id))).all()
        ids = (row.id, *(each.id for each in merged))
        wanted = select(NoteRow).where(col(NoteRow.enquiry_id).in_(ids)).order_by(col(NoteRow.at), col(NoteRow.id))
        notes = await _with_mail(connection, [self._cipher.note(each) for each in await connection.execute(wanted)])
        kept = self._cipher.read(row)
        returned = await find_returned(connection, self._mail_cipher, kept.enquiry.contact.email)
        appointments = await find_appointments(connection, ids)
        appointment = appointment_shown([appointments[id_] for id_ in ids if id_ in appointments], self._clock())
        booked = appointment.slot.start if appointment and appointment.is_live else None
        return Case(
            head=replace(await self._head(connection, row), appointment=booked),
            kept=kept,
            notes=notes,
            returned=returned,
            appointment=appointment,
            is_uncovered=bool(booked and appointment and await uncovered(connection, [appointment])),
            merged=tuple(map(self._cipher.read, merged)),
            needs=self._cipher.needs(row),
        )


async def _with_mail(connection: AsyncConnection, notes: Sequence[StaffNote]) -> tuple[StaffNote, ...]:
    """Return notes with the states of their mails."""
    keys = [note.mail for note in notes if note.mail]
    wanted = select(MailRow).where(col(MailRow.key).in_(keys))
    states = {row.key: _mail_state(row) for row in await connection.execute(wanted)} if keys else {}
    return tuple(
        replace(note, mail_state=states.get(note.mail, MailState.UNKNOWN)) if note.mail else note for note in notes
    )


def _mail_state(row: Row[Any]) -> MailState:
    if row.returned_at:
        return MailState.RETURNED
    if row.given_up_at:
        return MailState.GIVEN_UP
    return MailState.SENT if row.sent_at else MailState.WAITING


async def _is_taken_from_disabled(connection: AsyncConnection, row: Row[Any], *, who: str, at: datetime) -> bool:
    """Make an open case nobody's whose account can work on cases no longer, and return whether it was."""
    here, of_account = col(EnquiryRow.id) == row.id, col(StaffRow.name) == col(EnquiryRow.assigned)
    is_open = (col(EnquiryRow.state) != EnquiryState.CLOSED.value, col(EnquiryRow.merged_into).is_(None))
    wanted = select(col(StaffRow.name)).join(EnquiryRow, of_account).where(here, *is_open, ~IS_ADVISER)
    former = await connection.scalar(wanted)
    if former is None:
        return False
    await connection.execute(update(EnquiryRow).where(here).values(assigned=""))
    detail = f"to nobody, before to {former}, whose account is disabled"
    await add_entry(
        connection, AuditEntry(at=at, who=who, what=Act.ENQUIRY_ASSIGNED, about=row.reference, detail=detail)
    )
    return True


def _changed_since(row: Row[Any], who: str) -> str:
    return CHANGED_MYSELF if row.changed_by == who else CHANGED_SINCE.format(who=row.changed_by)


async def locked_row(connection: AsyncConnection, reference: str) -> Row[Any] | None:
    """Return the row of the case that an enquiry is of, locked until the transaction ends."""
    # SQLite has one writer and no such clause
    wanted = select(EnquiryRow).where(col(EnquiryRow.reference) == reference).with_for_update()
    row = (await connection.execute(wanted)).one_or_none()
    return await _locked_by_id(connection, row.merged_into) if row and row.merged_into else row


async def _locked_by_id(connection: AsyncConnection, id_: int) -> Row[Any] | None:
    wanted = select(EnquiryRow).where(col(EnquiryRow.id) == id_).with_for_update()
    return (await connection.execute(wanted)).one_or_none()


def _merged_rows(id_: int) -> Any:
    return select(EnquiryRow).where(col(EnquiryRow.merged_into) == id_).order_by(col(EnquiryRow.id))


async def _deletion(connection: AsyncConnection, reference: str) -> Gone:
    """Return who deleted an enquiry, when and why, from the audit record."""
    deletion = (col(AuditRow.about) == reference, col(AuditRow.what) == Act.ENQUIRY_DELETED.value)
    wanted = select(AuditRow).where(*deletion).order_by(col(AuditRow.id).desc()).limit(1)
    row = (await connection.execute(wanted)).one_or_none()
    return Gone(by=row.who, at=row.at, reason=row.detail) if row else Gone()


def _audit_entry(edit: EnquiryEdit, row: Row[Any], what: Act, detail: str) -> AuditEntry:
    return AuditEntry(at=edit.at, who=edit.who, what=what, about=row.reference, detail=detail)


def _plain(value: Any) -> Any:
    """Return the value of a column as JSON takes it."""
    if isinstance(value, datetime):
        return {"moment": value.isoformat()}
    if isinstance(value, date):
        return {"day": value.isoformat()}
    return {"bytes": value.decode("ascii")} if isinstance(value, bytes) else value


def _value(plain: Any) -> Any:
    """Return the value of a column from `_plain`."""
    match plain:
        case {"moment": text}:
            return datetime.fromisoformat(text)
        case {"day": text}:
            return date.fromisoformat(text)
        case {"bytes": text}:
            return text.encode("ascii")
    return plain
