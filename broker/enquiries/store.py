"""Enquiries in the database; each is stored once, together with the mail about it."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased
from sqlmodel import col

from broker.appointments.appointment import Appointment, Slot
from broker.appointments.booking import book, free_adviser
from broker.appointments.notices import Notice
from broker.appointments.visitor_mails import VisitorMails
from broker.cases.case import Outcome, Service, StaffNote
from broker.cases.origin import Origin, origin_of
from broker.clock import uk_date
from broker.duties.advice_store import advice_kept, advised, end_of, keep_advice_alone
from broker.duties.retention_rules import ADVICE_YEARS
from broker.duties.support_needs import read_needs
from broker.enquiries.confirmation import confirmation, mail_links
from broker.enquiries.enquiry import (
    REFERENCE_ALPHABET,
    REFERENCE_LENGTH,
    AdviceKept,
    Enquiry,
    EnquiryState,
    StoredEnquiry,
    format_reference,
)
from broker.enquiries.enquiry_cipher import EnquiryCipher
from broker.enquiries.rows import delete_merged, due_cases, in_case
from broker.mail.mail import MailKind, NewMail
from broker.mail.outbox_store import MailCipher, add_mail
from broker.questionnaire.journey_store import token_digest
from broker.staff.audit import VISITOR, Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.storage.database import BEGINNING, Database, first_value
from broker.storage.encryption import DecryptionError, SecretKeys
from broker.storage.errors import StorageError
from broker.storage.tables import DeskUndoRow, EnquiryRow, JourneyRow, NoteRow, OpenCaseRow

_MAX_ATTEMPTS = 5
"""Attempts to store an enquiry whose reference exists, or whose form is sent twice at once."""

_BATCH = 200
"""Rows that are filled in at once."""


class JourneyChangedError(StorageError):
    """The journey has changed since it was read; nothing was stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnteredByHand:
    """Who entered an enquiry, its origin as they said it, the first entries of its timeline, and what is to be done."""

    who: str
    origin: Origin
    notes: tuple[StaffNote, ...]
    next_action: str
    next_due: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEnquiry:
    """An enquiry to store.

    `submissions` are the digests that the same form may be stored under, the one to use first; `journey` is the token
    of the journey that it replaces, read at `journey_version`. `call_by` is when we promise to call, by default now;
    where a `slot` is booked with it, that is its start. `is_confirmed` is whether its sender gets a mail.

    `entered` is of an enquiry that staff enter by hand.
    """

    enquiry: Enquiry
    page: str
    submissions: Sequence[str]
    created: datetime
    delete_after: datetime
    journey: str = ""
    journey_version: int = 0
    call_by: datetime | None = None
    slot: Slot | None = None
    is_confirmed: bool = False
    entered: EnteredByHand | None = None


def new_reference() -> str:
    """Return a random reference of 37 bits."""
    return format_reference("".join(secrets.choice(REFERENCE_ALPHABET) for _ in range(REFERENCE_LENGTH)))


class EnquiryStore:
    """Enquiries by their reference; methods raise StorageError."""

    def __init__(
        self,
        database: Database,
        keys: SecretKeys,
        *,
        advice_years: int = ADVICE_YEARS,
        reference: Callable[[], str] = new_reference,
    ) -> None:
        self._database, self._advice_years = database, advice_years
        self._cipher, self._mail_cipher, self._links = EnquiryCipher(keys), MailCipher(keys), mail_links(keys)
        self._visitor_mails = VisitorMails(keys)
        self._reference = reference

    async def add(self, new: NewEnquiry, *, added: Callable[[], None] = lambda: None) -> str:
        """Store an enquiry, its appointment and its mail, delete its journey, and return the reference.

        It is idempotent for a form; `added` is called after it is stored the first time. Raises StorageError,
        JourneyChangedError, SlotTakenError.
        """
        values, same = self._cipher.values(new.enquiry), _by_submission(new.submissions)

        async def work(connection: AsyncConnection) -> tuple[str, bool]:
            known = (await connection.execute(same)).scalar()
            return (known, False) if known else (await self._add(connection, new, values), True)

        for _ in range(_MAX_ATTEMPTS):
            try:
                reference, is_new = await self._database.write(work, read_back=same)
            except IntegrityError:
                continue
            if is_new:
                added()
            return reference
        raise StorageError("the database refuses an enquiry as one that exists")

    async def reference_of(self, submissions: Sequence[str]) -> str:
        async def work(connection: AsyncConnection) -> str:
            return (await connection.execute(_by_submission(submissions))).scalar() or ""

        return await self._database.read(work)

    async def find(self, reference: str, *, today: date = date.min) -> StoredEnquiry | None:
        """Return an enquiry as its case is kept, or None; raises StorageError, DecryptionError.

        With advice whose time was over before `today`, `advice_until` is None.
        """
        case = aliased(EnquiryRow)
        own_case = col(case.id) == func.coalesce(col(EnquiryRow.merged_into), col(EnquiryRow.id))
        of_case = (col(case.id).label("case_id"), col(case.delete_after).label("case_until"))
        wanted = select(EnquiryRow, *of_case).join(case, own_case).where(col(EnquiryRow.reference) == reference)

        async def work(connection: AsyncConnection) -> StoredEnquiry | None:
            row: Any = (await connection.execute(wanted)).one_or_none()
            if row is None:
                return None
            until = await advice_kept(connection, in_case(row.case_id), today=today, years=self._advice_years)
            after = max(row.case_until, end_of(until)) if until else row.case_until
            stored = self._cipher.read(row)
            whole = replace(stored.enquiry, needs=read_needs(self._cipher.needs(row)))
            return replace(stored, enquiry=whole, delete_after=after, advice_until=until)

        return await self._database.read(work)

    async def delete(self, reference: str, *, at: datetime) -> bool | AdviceKept:
        """Delete an enquiry and its mail for its sender, with an audit entry; return whether it existed.

        Enquiries that staff merged are deleted together. Of those with advice who it is and the advice are left.
        Raises StorageError.
        """
        wanted = select(col(EnquiryRow.id), col(EnquiryRow.merged_into)).where(col(EnquiryRow.reference) == reference)

        async def work(connection: AsyncConnection) -> bool | AdviceKept:
            row = (await connection.execute(wanted)).one_or_none()
            if row is None:
                return False
            case_id = row.merged_into or row.id
            here = in_case(case_id)
            # locked, so that no advice is recorded meanwhile
            of_case = select(EnquiryRow).where(here).order_by(col(EnquiryRow.id)).with_for_update()
            rows = (await connection.execute(of_case)).all()
            ids = [each.id for each in rows]
            notes = (await connection.execute(select(NoteRow).where(col(NoteRow.enquiry_id).in_(ids)))).all()
            kept = advised(rows, notes, today=uk_date(at), years=self._advice_years)
            await self._visitor_mails.withdraw(connection, here, at=at, by_visitor=True)
            gone = [each for each in rows if each.id not in kept]
            await connection.execute(delete(EnquiryRow).where(col(EnquiryRow.id).in_([each.id for each in gone])))
            for deleted in sorted(each.reference for each in gone):
                await add_entry(connection, AuditEntry(at=at, who=VISITOR, what=Act.ENQUIRY_DELETED, about=deleted))
            if not kept:
                return True
            await keep_advice_alone(connection, rows, notes, kept, who=VISITOR, at=at)
            return AdviceKept(until=kept[case_id])

        return await self._database.erase(work)

    async def fill_in(self, *, every: bool = False) -> int:
        """Give rows what a migration could not, and return how many: digests, and the origin as the answers say it.

        `every`: also rows that have digests, which may be of a key that is no longer in use. A row that no key
        decrypts is left. Raises StorageError.
        """
        last, count = 0, 0
        missing = () if every else (col(EnquiryRow.phone_digest) == "",)
        while rows := await self._database.read(partial(_some_rows, last, missing)):
            values = {row.id: found for row in rows if (found := self._missing_values(row))}

            async def work(connection: AsyncConnection, values: Mapping[int, Mapping[str, object]] = values) -> None:
                for id_, found in values.items():
                    await connection.execute(update(EnquiryRow).where(col(EnquiryRow.id) == id_).values(found))

            if values:
                await self._database.write(work)
            last, count = rows[-1].id, count + len(values)
        return count

    def _missing_values(self, row: Row[Any]) -> Mapping[str, object]:
        try:
            enquiry = self._cipher.read(row).enquiry
        except DecryptionError:
            return {}
        digests = self._cipher.digest_values(enquiry.contact)
        if row.phone_digest:
            return digests
        origin = origin_of(enquiry, row.page)
        service = origin.service if row.service == Service.OTHER.value else Service(row.service)
        return {
            **digests,
            "service": service.value,
            "amount": row.amount or origin.amount,
            "deal_ends": row.deal_ends or origin.deal_ends,
        }

    async def count_due(self, now: datetime) -> int:
        """Count the enquiries past their deletion time; raises StorageError."""
        due = select(func.count()).select_from(EnquiryRow).where(due_cases(now, BEGINNING))
        return await self._database.read(first_value(due))

    async def delete_due(self, now: datetime, *, after: datetime = BEGINNING) -> int:
        """Delete enquiries due until now and `after` a time, and return how many; raises StorageError.

        One that is merged into another is kept and deleted with that one. What cannot be undone any more, and who had a
        case open, go too.
        """
        due = due_cases(now, after)
        over = (col(DeskUndoRow.at) <= now, col(OpenCaseRow.until) <= now)

        async def work(connection: AsyncConnection) -> int:
            for table, is_over in zip((DeskUndoRow, OpenCaseRow), over, strict=True):
                await connection.execute(delete(table).where(is_over))
            await self._visitor_mails.withdraw(connection, due, at=now)
            deleted = (await connection.execute(delete(EnquiryRow).where(due))).rowcount
            return deleted + await delete_merged(connection)

        return await self._database.erase(work)

    async def _add(self, connection: AsyncConnection, new: NewEnquiry, values: dict[str, object]) -> str:
        # before anything is written, as the slot may be taken
        adviser = await free_adviser(connection, new.slot, now=new.created) if new.slot else ""
        reference = self._reference()
        entered = new.entered
        origin = entered.origin if entered else origin_of(new.enquiry, new.page)
        row = {
            **values,
            "stage_since": new.created,
            "source": origin.source.value,
            "service": origin.service.value,
            "amount": origin.amount,
            "deal_ends": origin.deal_ends,
            "reference": reference,
            "submission": new.submissions[0],
            "state": EnquiryState.NEW.value,
            "version": 1,
            "created": new.created,
            "delete_after": new.delete_after,
            "page": new.page,
            "call_by": new.slot.start if new.slot else new.call_by or new.created,
        }
        row |= self._work_values(entered, new.created) if entered else {}
        added = await connection.execute(insert(EnquiryRow).returning(col(EnquiryRow.id)), row)
        id_ = added.scalar_one() or 0
        if entered:
            notes = [{**self._cipher.note_values(note), "enquiry_id": id_} for note in entered.notes]
            await connection.execute(insert(NoteRow), notes)
            entry = AuditEntry(at=new.created, who=entered.who, what=Act.CASE_ADDED, about=reference)
            await add_entry(connection, entry)
            return reference
        await add_mail(connection, self._mail_cipher, NewMail(kind=MailKind.NOTE, created=new.created, enquiry_id=id_))
        appointment = None
        if new.slot:
            appointment = await book(
                connection, new.slot, adviser=adviser, enquiry_id=id_, reference=reference, at=new.created
            )
        if new.is_confirmed:
            await self._confirm(connection, new, reference, id_, appointment)
        if new.journey:
            here = (col(JourneyRow.token) == token_digest(new.journey), col(JourneyRow.version) == new.journey_version)
            if not (await connection.execute(delete(JourneyRow).where(*here))).rowcount:
                raise JourneyChangedError("an answer was stored meanwhile")
        return reference

    def _work_values(self, entered: EnteredByHand, at: datetime) -> dict[str, object]:
        """Return the columns of a case that begins with a call that somebody answered."""
        return {
            "state": EnquiryState.CALLED.value,
            "assigned": entered.who,
            "changed_by": entered.who,
            "changed_at": at,
            "first_call_at": at,
            "outcome": Outcome.REACHED.value,
            "next_action": self._cipher.work(entered.next_action),
            "next_due": entered.next_due,
        }

    async def _confirm(
        self, connection: AsyncConnection, new: NewEnquiry, reference: str, id_: int, appointment: Appointment | None
    ) -> None:
        """Add the mail to the sender: that of the appointment where one is booked, else of the promised call."""
        if appointment:
            notice = Notice(enquiry_link=self._links.write(reference, made=new.created))
            address = new.enquiry.contact.email
            await self._visitor_mails.add_to(connection, address, appointment, notice, enquiry_id=id_, at=new.created)
            return
        confirming = confirmation(
            new.enquiry.contact,
            reference=reference,
            enquiry_id=id_,
            created=new.created,
            call_by=new.call_by or new.created,
            links=self._links,
        )
        await add_mail(connection, self._mail_cipher, confirming)


async def _some_rows(after: int, where: tuple[ColumnElement[bool], ...], connection: AsyncConnection) -> Sequence[Any]:
    wanted = select(EnquiryRow).where(col(EnquiryRow.id) > after, *where).order_by(col(EnquiryRow.id))
    return (await connection.execute(wanted.limit(_BATCH))).all()


def _by_submission(submissions: Sequence[str]) -> Select[str]:
    return select(col(EnquiryRow.reference)).where(col(EnquiryRow.submission).in_(submissions)).limit(1)
