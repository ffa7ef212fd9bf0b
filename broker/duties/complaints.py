"""Staff's work on complaints: the register, one complaint, and its changes, each with an entry in the audit record."""

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import date, datetime
from typing import TypeVar

from broker.clock import uk_date, utc_now
from broker.duties.complaint import Complaint, NotDone, Overtaken, Saved, parse_complaint, parse_ending, parse_letter
from broker.duties.complaint_store import ComplaintEdit, ComplaintStore
from broker.enquiries.contact_details import Problem
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage.encryption import DecryptionError
from broker.storage.errors import StorageError

AWAY = "The database cannot be reached just now, and nothing was changed. Please try again in a minute"
KEY_LOST = "Something here is encrypted with a key that the server no longer has. Please tell whoever looks after it"
CORRECT = "Correct what is marked"

Outcome = Saved | Overtaken | NotDone
Result = TypeVar("Result")
Form = Mapping[str, object]

log = logging.getLogger(__name__)


class ComplaintService:
    """Complaints, for staff; failures are values, never exceptions.

    `who` is the account that acts, authenticated by the caller. All other arguments come from a page, and are checked.
    """

    def __init__(self, store: ComplaintStore, *, audit: AuditStore, clock: Callable[[], datetime] = utc_now) -> None:
        self._store, self._audit, self._clock = store, audit, clock

    @property
    def now(self) -> datetime:
        return self._clock()

    @property
    def today(self) -> date:
        """Return the day in the UK."""
        return uk_date(self._clock())

    async def all(self) -> tuple[Complaint, ...] | NotDone:
        """Return all complaints, the newest first."""
        return await or_not_done(self._store.all())

    async def open_about(self, references: Collection[str]) -> tuple[Complaint, ...] | NotDone:
        """Return the complaints about enquiries that are not closed, the newest first."""
        return await or_not_done(self._store.open_about(references))

    async def open(self, number: int, *, who: str) -> Complaint | NotDone:
        """Return a complaint; the audit record lists the read."""
        return await or_not_done(self._store.open(number, who=who, at=self._clock()))

    async def add(self, form: Form, *, who: str) -> Saved | NotDone:
        record = parse_complaint(form, today=self.today)
        if isinstance(record, tuple):
            return _invalid(record)
        return await or_not_done(self._store.add(record, who=who, at=self._clock()))

    async def change(self, number: int, form: Form, *, version: int, who: str) -> Outcome:
        """Replace what is recorded; Overtaken where its version is another by now."""
        record = parse_complaint(form, today=self.today)
        if isinstance(record, tuple):
            return _invalid(record)
        return await or_not_done(self._store.change(self._edit(number, version, who), record))

    async def add_letter(self, complaint: Complaint, form: Form, *, who: str) -> Outcome:
        """Record a letter that was sent."""
        letter = parse_letter(form, complaint=complaint, who=who, today=self.today)
        if isinstance(letter, tuple):
            return _invalid(letter)
        edit = self._edit(complaint.number, complaint.version, who)
        return await or_not_done(self._store.add_letter(edit, letter))

    async def close(self, complaint: Complaint, form: Form, *, who: str) -> Outcome:
        ending = parse_ending(form, complaint=complaint, today=self.today)
        if isinstance(ending, tuple):
            return _invalid(ending)
        return await or_not_done(self._store.close(self._edit(complaint.number, complaint.version, who), ending))

    async def export(self, *, who: str) -> tuple[Complaint, ...] | NotDone:
        """Return all complaints for a file, once the audit record lists the export."""

        async def work() -> tuple[Complaint, ...]:
            found = await self._store.all()
            detail = f"{len(found)} as CSV"
            await self._audit.add(AuditEntry(at=self._clock(), who=who, what=Act.COMPLAINTS_EXPORTED, detail=detail))
            return found

        return await or_not_done(work())

    def _edit(self, number: int, version: int, who: str) -> ComplaintEdit:
        return ComplaintEdit(number=number, version=version, who=who, at=self._clock())


async def or_not_done(work: Awaitable[Result]) -> Result | NotDone:
    """Return a result, or NotDone where the database is unavailable or no key decrypts a row."""
    try:
        return await work
    except DecryptionError as error:
        log.error("duties: %s", error)
        return NotDone(words=KEY_LOST)
    except StorageError as error:
        log.error("duties: %s", error)
        return NotDone(words=AWAY)


def _invalid(problems: tuple[Problem, ...]) -> NotDone:
    return NotDone(words=CORRECT, problems=problems)
