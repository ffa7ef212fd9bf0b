"""Staff's work on enquiries: lists, one in full, and its changes, each with an entry in the audit record."""

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeAlias, TypeVar

from broker.cases.caller import caller_enquiry, parse_caller
from broker.cases.case import (
    NO_ACCOUNT,
    Case,
    Changed,
    CloseReason,
    Conflict,
    DeleteReason,
    EnquirySummary,
    Gone,
    ManyChanged,
    Refused,
    StaffNote,
    Stage,
    Undone,
    WaitingFor,
    parse_account,
    parse_note,
)
from broker.cases.case_changes import CaseChanges, OpenCases
from broker.cases.change_store import Done, EnquiryChangeStore, EnquiryEdit, Plan
from broker.cases.changes import (
    CallRecord,
    CaseChange,
    CaseFigures,
    assigned,
    call_recorded,
    closed,
    contact_corrected,
    due_set,
    figures_set,
    staged,
    taken,
)
from broker.cases.outcomes import MAX_NEXT_ACTION
from broker.cases.progress import progress_lines, progress_of
from broker.cases.replies import ReplyTemplate, TemplateConflict, filled, parse_reply, parse_template
from broker.cases.store import EnquiryListStore
from broker.cases.template_store import TemplateStore
from broker.cases.today import Today, is_to_call
from broker.cases.today_store import TodayStore
from broker.clock import utc_now
from broker.enquiries.contact_details import (
    MAX_EMAIL,
    ContactDetails,
    Problem,
    email_problem,
    parse_word,
    single_line,
    uk_telephone,
)
from broker.enquiries.enquiry import parse_reference
from broker.enquiries.service import months_after
from broker.enquiries.store import EnquiryStore
from broker.enquiries.working_time import OFFICE_WEEK, WorkingWeek
from broker.questionnaire.answers import Line
from broker.staff.account_store import StaffStore
from broker.staff.audit import AuditEntry
from broker.staff.audit_log import AuditStore
from broker.staff.roles import Right, may
from broker.storage.encryption import DecryptionError
from broker.storage.errors import StorageError
from broker.watches.watch import StaffWatch

AWAY = "The enquiries cannot be reached just now, and nothing was changed. Please try again in a minute"
KEY_LOST = (
    "This enquiry is encrypted with a key that the server no longer has. Please tell whoever looks after the server"
)
NO_REASON = "Choose why this enquiry is deleted"
NO_CLOSE_REASON = "Choose why it is closed"
NO_STAGE = "Choose one of the stages, and whom we wait for"
TOO_LONG = f"Write at most {MAX_NEXT_ACTION} characters"

MAX_AT_ONCE = 200
"""Cases that one change is for at most; more are refused."""

TOO_MANY = f"Choose at most {MAX_AT_ONCE} cases at once"

WATCHES_KEPT = timedelta(minutes=1)
"""Longest age of the watches of a day, each of which has to be decrypted."""

CHANGED_MEANWHILE = "somebody has changed it since it was ticked"

MAX_HISTORY = 300
"""Entries of the audit record in the history of an enquiry."""

log = logging.getLogger(__name__)

Result = TypeVar("Result")

References: TypeAlias = Sequence[object] | Mapping[str, int]
"""Cases to change at once; those with a version are left out if they have another one by then."""


async def _no_watches() -> tuple[StaffWatch, ...]:
    return ()


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
        enquiries: EnquiryStore,
        day: TodayStore,
        changes: CaseChanges,
        opened: OpenCases,
        templates: TemplateStore,
        notify: Callable[[], None] = lambda: None,
        watches: Callable[[], Awaitable[tuple[StaffWatch, ...]]] = _no_watches,
        week: WorkingWeek = OFFICE_WEEK,
        months: int = 12,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`watches` returns those whose owners agreed to a call; `months` is how long enquiries are stored.

        `notify` is called after a mail is added.
        """
        self._enquiries, self._months = enquiries, months
        self._templates, self._notify = templates, notify
        self._cases, self._lists, self._audit = cases, lists, audit
        self._day, self._opened, self._watches = day, opened, watches
        self._read_watches: tuple[datetime | None, tuple[StaffWatch, ...]] = (None, ())
        self._accounts, self._week, self._clock = accounts, week, clock
        self.changes = changes

    @property
    def now(self) -> datetime:
        return self._clock()

    async def accounts(self) -> tuple[str, ...] | Refused:
        """Return the names of the accounts that enquiries may be assigned to."""

        async def work() -> tuple[str, ...]:
            return tuple(
                account.name
                for account in await self._accounts.all()
                if account.enabled and may(account.role, Right.CASES)
            )

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

    @property
    def week(self) -> WorkingWeek:
        """Return the firm's hours, for the times that an outcome proposes."""
        return self._week

    async def record(self, reference: object, call: CallRecord, *, version: int, who: str) -> Done:
        """Record a call: its outcome, note and next action at once; a case that nobody has becomes that of `who`.

        Where its version is another by now, the note alone is added, and Conflict returned.
        """
        text = parse_note(call.note) if call.note.strip() else ""
        action = single_line(call.next_action, MAX_NEXT_ACTION)
        if isinstance(text, Refused):
            return text
        if action is None:
            return Refused(words=TOO_LONG)
        now = self._clock()
        checked = CallRecord(outcome=call.outcome, note=text, due=call.due, reason=call.reason, next_action=action)
        kept = StaffNote(at=now, who=who, text=text) if text else None

        def plan(case: EnquirySummary) -> CaseChange | Refused:
            return call_recorded(case, checked, who=who, now=now, week=self._week)

        return await _or_refused(self._cases.change(self._edit(reference, version, who), plan, note=kept))

    async def assign(self, reference: object, account: object, *, version: int, who: str) -> Done:
        """Assign a case to an enabled account; an empty name unassigns it."""
        name = await self._known(account)
        if isinstance(name, Refused):
            return name
        edit = self._edit(reference, version, who)
        return await _or_refused(self._cases.change(edit, lambda case: assigned(case, name)))

    async def take(self, reference: object, *, who: str) -> Done:
        """Take a case that nobody has; refused where a colleague has it."""
        return await _or_refused(self._cases.change(self._edit(reference, None, who), lambda case: taken(case, who)))

    async def hand_over(self, references: References, to: object, *, who: str) -> ManyChanged | Refused:
        """Give cases to an enabled account, or to nobody by an empty name."""
        name = await self._known(to)
        if isinstance(name, Refused):
            return name
        return await self._change_many(references, lambda case: assigned(case, name), who=who)

    async def close(self, references: References, reason: object, *, who: str) -> ManyChanged | Refused:
        """Close cases for a reason; nothing is due of them then."""
        why = parse_word(reason, CloseReason)
        if why is None:
            return Refused(words=NO_CLOSE_REASON)
        return await self._change_many(references, lambda case: closed(case, why), who=who)

    async def set_due(
        self, references: References, at: datetime, *, who: str, action: object = ""
    ) -> ManyChanged | Refused:
        """Set when cases are due next, and what is to be done; an empty `action` is the one there is."""
        words, now = single_line(action, MAX_NEXT_ACTION), self._clock()
        if words is None:
            return Refused(words=TOO_LONG)
        return await self._change_many(references, lambda case: due_set(case, at, words, now), who=who)

    async def set_stage(
        self, reference: object, stage: object, *, waiting_for: object, note: object = "", version: int, who: str
    ) -> Done:
        """Set the stage of a case, whom we wait for, and in a few words for what."""
        to, whom, what = (
            parse_word(stage, Stage),
            parse_word(waiting_for, WaitingFor),
            single_line(note, MAX_NEXT_ACTION),
        )
        if to is None or whom is None:
            return Refused(words=NO_STAGE)
        if what is None:
            return Refused(words=TOO_LONG)
        now, edit = self._clock(), self._edit(reference, version, who)

        def plan(case: EnquirySummary) -> CaseChange | Refused:
            return staged(case, to, waiting_for=whom, waiting_note=what, now=now)

        return await _or_refused(self._cases.change(edit, plan))

    async def correct_contact(self, reference: object, contact: ContactDetails, *, version: int, who: str) -> Done:
        """Correct the contact details of a case; they are as `parse_contact_details` returns them."""
        edit = self._edit(reference, version, who)
        return await _or_refused(self._cases.change(edit, lambda case: contact_corrected(case, contact)))

    async def correct_figures(self, reference: object, figures: CaseFigures, *, version: int, who: str) -> Done:
        """Correct what a case is about, its loan and the end of its deal; they are as `parse_figures` returns them."""
        now, edit = self._clock(), self._edit(reference, version, who)

        def plan(case: EnquirySummary) -> CaseChange | Refused:
            return figures_set(case, figures, now=now, week=self._week)

        return await _or_refused(self._cases.change(edit, plan))

    async def add_caller(self, given: Mapping[str, object], *, who: str) -> Changed | Refused | tuple[Problem, ...]:
        """Enter somebody who telephones, whose consent was spoken to `who` now; the problem of each invalid field.

        The fields are those of contact details and of `cases.caller`. The same form, sent twice, is one case.
        """
        caller, now = parse_caller(given), self._clock()
        if isinstance(caller, tuple):
            return caller
        delete_after = months_after(now, self._months)
        new = caller_enquiry(caller, who=who, now=now, delete_after=delete_after, week=self._week)

        async def work() -> Changed | Refused:
            reference = await self._enquiries.add(new)
            found = await self._cases.open(reference, who=who, at=now, again=True)
            return Changed(case=found) if isinstance(found, Case) else Refused(words=AWAY)

        return await _or_refused(work())

    async def merge(self, reference: object, into: object, *, who: str) -> Changed | Gone | Refused:
        """Merge a case into another; from then on both references lead to that one."""
        known = [parse_reference(each) for each in (reference, into)]
        return await _or_refused(self._cases.merge(*known, who=who, at=self._clock()))

    async def templates(self) -> tuple[ReplyTemplate, ...] | Refused:
        """Return the templates of replies by name."""
        return await _or_refused(self._templates.all())

    async def save_template(
        self, name: object, text: object, *, subject: object = "", seen: ReplyTemplate | None = None, who: str
    ) -> ReplyTemplate | TemplateConflict | Refused:
        """Add a template, or change the one that was `seen`, unless it has changed since."""
        template = parse_template(name, text, subject)
        if isinstance(template, Refused):
            return template
        return await _or_refused(self._templates.save(template, seen=seen, who=who, at=self._clock()))

    async def delete_template(self, seen: ReplyTemplate, *, who: str) -> bool | TemplateConflict | Refused:
        """Delete the template that was `seen`, unless it has changed since; return whether there was one."""
        return await _or_refused(self._templates.delete(seen, who=who, at=self._clock()))

    async def filled(self, reference: object, text: str, *, who: str) -> str:
        """Return a reply with its fields filled in from a case, as it is where the case cannot be read."""
        found = await self.open(reference, who=who, again=True)
        return filled(text, found, adviser=await self._name_of(who)) if isinstance(found, Case) else text

    async def reply(
        self, reference: object, template: ReplyTemplate | None, text: object, *, who: str
    ) -> Changed | Gone | Refused:
        """Send a reply by mail, with the subject of its template if it has one, and keep it in the timeline."""
        words = parse_reply(text)
        if isinstance(words, Refused):
            return words
        known = parse_reference(reference)
        sent = await _or_refused(self._cases.reply(known, words, template=template, who=who, at=self._clock()))
        if isinstance(sent, Changed):
            self._notify()
        return sent

    async def undo(self, *, who: str) -> Undone | Refused:
        """Undo the last change of an account within ten minutes; a case that was changed since stays as it is."""
        return await _or_refused(self._cases.undo(who, self._clock()))

    async def add_note(self, reference: object, text: object, *, who: str) -> Changed | Gone | Refused:
        """Add a note to any version of an enquiry."""
        note = parse_note(text)
        if isinstance(note, Refused):
            return note
        written = StaffNote(at=self._clock(), who=who, text=note)
        return await _or_refused(self._cases.add_note(parse_reference(reference), written))

    async def today(self, who: str, *, everyone: bool = False) -> Today | Refused:
        """Return what is due today, of an account or of all; what nobody has is always there."""

        async def work() -> Today:
            now = self._clock()
            today = await self._day.read(who, now, everyone=everyone)
            told = [each for each in await self._callable(now) if is_to_call(each, now)]
            return replace(today, watches=await self._day.uncalled(told))

        return await _or_refused(work())

    async def progress(self, reference: str) -> tuple[Line, ...]:
        """Return how far a case is, for its visitor; nothing where it cannot be read."""

        async def work() -> tuple[Line, ...]:
            case = await self._day.find(reference)
            if case is None:
                return ()
            adviser = await self._name_of(case.assigned) if case.assigned else ""
            return progress_lines(progress_of(case, adviser=adviser), now=self._clock())

        found = await _or_refused(work())
        return () if isinstance(found, Refused) else found

    async def known_by(self, typed: object) -> tuple[EnquirySummary, ...] | Refused:
        """Return the cases of a telephone number or an email address as somebody types it, newest first."""
        telephone, _ = uk_telephone(typed)
        email = "" if telephone else single_line(typed, MAX_EMAIL) or ""
        if not telephone and (not email or email_problem(email)):
            return ()
        return await _or_refused(self._day.known_by(telephone, email))

    async def duplicates(self, reference: object) -> tuple[EnquirySummary, ...] | Refused:
        """Return the other cases with the telephone number or the email address of a case, newest first."""
        known = parse_reference(reference)

        async def work() -> tuple[EnquirySummary, ...]:
            contact = await self._cases.contact(known)
            if contact is None:
                return ()
            found = await self._day.known_by(contact.telephone, contact.email)
            return tuple(each for each in found if each.reference != known)

        return await _or_refused(work())

    async def opened_by(self, reference: object, *, who: str) -> tuple[str, ...] | Refused:
        """Return who else has a case open, and say that `who` has it open for the next two minutes."""
        known = parse_reference(reference)

        async def work() -> tuple[str, ...]:
            await self._opened.keep(known, who)
            return await self._opened.others(known, who)

        return await _or_refused(work())

    async def delete(
        self, reference: object, reason: object, *, version: int, who: str, is_owner: bool = False
    ) -> Conflict | Gone | Refused:
        """Delete an enquiry with its notes and message; the audit record keeps the reason.

        Only an owner deletes one that another has, and one with advice while it must be kept, as a test.
        """
        why = parse_word(reason, DeleteReason)
        if why is None:
            return Refused(words=NO_REASON)
        return await _or_refused(self._cases.delete(self._edit(reference, version, who), why, is_owner=is_owner))

    async def _name_of(self, who: str) -> str:
        """Return the name of the person of an account, empty for none."""

        async def work() -> str:
            account = await self._accounts.find(who)
            return account.display_name if account else ""

        found = await _or_refused(work())
        return "" if isinstance(found, Refused) else found

    async def _callable(self, now: datetime) -> tuple[StaffWatch, ...]:
        """Return the watches whose owners agreed to a call, read at most once a minute."""
        read_at, found = self._read_watches
        if read_at is None or not timedelta() <= now - read_at < WATCHES_KEPT:
            found = await self._watches()
            self._read_watches = (now, found)
        return found

    async def _known(self, account: object) -> str | Refused:
        """Return the name of an enabled account, or empty for nobody."""
        name, known = parse_account(account), await self.accounts()
        if isinstance(name, Refused):
            return name
        if isinstance(known, Refused):
            return known
        return name if not name or name in known else Refused(words=NO_ACCOUNT)

    async def _change_many(self, references: References, plan: Plan, *, who: str) -> ManyChanged | Refused:
        if len(references) > MAX_AT_ONCE:
            return Refused(words=TOO_MANY)
        known = [parse_reference(each) for each in references]
        seen = references if isinstance(references, Mapping) else {}

        def unless_changed(case: EnquirySummary) -> CaseChange | Refused:
            is_as_seen = case.version == seen.get(case.reference, case.version)
            return plan(case) if is_as_seen else Refused(words=CHANGED_MEANWHILE)

        return await _or_refused(self._cases.change_many(known, unless_changed, who=who, at=self._clock()))

    def _edit(self, reference: object, version: int | None, who: str) -> EnquiryEdit:
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
