"""Staff's work on enquiries: lists, one in full, and its changes, each with an entry in the audit record."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import TypeVar

from broker.cases.case import (
    NO_ACCOUNT,
    Case,
    Changed,
    Conflict,
    DeleteReason,
    EnquiryCounts,
    EnquiryExport,
    EnquiryFilter,
    EnquiryOrder,
    EnquiryPage,
    Gone,
    Refused,
    StaffNote,
    parse_account,
    parse_note,
)
from broker.cases.store import EnquiryChangeStore, EnquiryEdit, EnquiryListStore, Outcome
from broker.clock import utc_now
from broker.enquiries.contact_details import parse_word
from broker.enquiries.enquiry import EnquiryState, parse_reference
from broker.staff.account_store import StaffStore
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage.encryption import DecryptionError
from broker.storage.errors import StorageError

AWAY = "The enquiries cannot be reached just now, and nothing was changed. Please try again in a minute"
KEY_LOST = (
    "This enquiry is encrypted with a key that the server no longer has. Please tell whoever looks after the server"
)
NO_STATE = "Choose one of the states"
NO_REASON = "Choose why this enquiry is deleted"

MAX_HISTORY = 300
"""Entries of the audit record in the history of an enquiry."""

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class CaseService:
    """The enquiries of a database, for staff; failures are values, never exceptions.

    `who` is the account that acts, authenticated by the caller. All other arguments come from a page, and are checked.
    """

    def __init__(
        self,
        cases: EnquiryChangeStore,
        lists: EnquiryListStore,
        *,
        audit: AuditStore,
        accounts: StaffStore,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._cases, self._lists, self._audit = cases, lists, audit
        self._accounts, self._clock = accounts, clock

    @property
    def now(self) -> datetime:
        return self._clock()

    async def page(
        self,
        wanted: EnquiryFilter | None = None,
        order: EnquiryOrder = EnquiryOrder.PROMISE,
        *,
        offset: int = 0,
        limit: int = 50,
    ) -> EnquiryPage | Refused:
        filters = wanted or EnquiryFilter()
        return await _or_refused(self._lists.page(filters, order, now=self._clock(), offset=offset, limit=limit))

    async def counts(self) -> EnquiryCounts | Refused:
        return await _or_refused(self._lists.counts(self._clock()))

    async def accounts(self) -> tuple[str, ...] | Refused:
        """Return the names of the accounts that enquiries may be assigned to."""

        async def work() -> tuple[str, ...]:
            return tuple(account.name for account in await self._accounts.all() if account.enabled)

        return await _or_refused(work())

    async def open(self, reference: object, *, who: str, again: bool = False) -> Case | Gone | Refused:
        """Return an enquiry in full; the audit record lists the read, unless it is opened `again`."""
        return await _or_refused(self._cases.open(parse_reference(reference), who=who, at=self._clock(), again=again))

    async def history(self, reference: object) -> tuple[AuditEntry, ...] | Refused:
        """Return the audit entries of an enquiry, newest first, at most `MAX_HISTORY`."""
        known = parse_reference(reference)
        return await _or_refused(self._audit.latest(MAX_HISTORY, about=known)) if known else ()

    async def existing(self, references: Iterable[str]) -> frozenset[str] | Refused:
        """Return those references whose enquiries exist."""
        return await _or_refused(self._lists.existing(frozenset(references)))

    async def change_state(self, reference: object, state: object, *, version: int, who: str) -> Outcome:
        """Change the state of an enquiry; Conflict where its version is another by now."""
        wanted = parse_word(state, EnquiryState)
        if wanted is None:
            return Refused(words=NO_STATE)
        return await _or_refused(self._cases.move(self._edit(reference, version, who), wanted))

    async def assign(self, reference: object, account: object, *, version: int, who: str) -> Outcome:
        """Assign an enquiry to an enabled account; an empty name unassigns it."""
        name, known = parse_account(account), await self.accounts()
        if isinstance(name, Refused):
            return name
        if isinstance(known, Refused):
            return known
        if name and name not in known:
            return Refused(words=NO_ACCOUNT)
        return await _or_refused(self._cases.assign(self._edit(reference, version, who), name))

    async def add_note(self, reference: object, text: object, *, who: str) -> Changed | Gone | Refused:
        """Add a note to any version of an enquiry."""
        note = parse_note(text)
        if isinstance(note, Refused):
            return note
        written = StaffNote(at=self._clock(), who=who, text=note)
        return await _or_refused(self._cases.add_note(parse_reference(reference), written))

    async def delete(self, reference: object, reason: object, *, version: int, who: str) -> Conflict | Gone | Refused:
        """Delete an enquiry with its notes and message; the audit record keeps the reason."""
        why = parse_word(reason, DeleteReason)
        if why is None:
            return Refused(words=NO_REASON)
        return await _or_refused(self._cases.delete(self._edit(reference, version, who), why))

    async def export(
        self, wanted: EnquiryFilter, order: EnquiryOrder = EnquiryOrder.NEWEST, *, form: str, who: str
    ) -> EnquiryExport | Refused:
        """Return enquiries in full for a file of a format (`CSV`, `JSON`), once the audit record lists the export."""

        async def work() -> EnquiryExport:
            exported = await self._lists.export(wanted, order, now=self._clock())
            detail = f"{len(exported.cases)} as {form}: {wanted.words}"
            entry = AuditEntry(at=self._clock(), who=who, what=Act.ENQUIRIES_EXPORTED, detail=detail)
            await self._audit.add(entry)
            return exported

        return await _or_refused(work())

    def _edit(self, reference: object, version: int, who: str) -> EnquiryEdit:
        return EnquiryEdit(reference=parse_reference(reference), version=version, who=who, at=self._clock())


async def _or_refused(work: Awaitable[Result]) -> Result | Refused:
    """Return a result, or Refused where the database is unavailable or no key decrypts an enquiry."""
    try:
        return await work
    except DecryptionError as error:
        log.error("enquiries: %s", error)
        return Refused(words=KEY_LOST)
    except StorageError as error:
        log.error("enquiries: %s", error)
        return Refused(words=AWAY)
