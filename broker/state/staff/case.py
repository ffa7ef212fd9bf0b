"""State of an enquiry's page: optimistic locking by version.

Every change names the version that the page showed. On a conflict nothing is changed: the page shows the newest version
with who changed what, and keeps what was typed.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from broker.cases.case import REASONS, Case, Changed, Conflict, DeleteReason, Gone, Refused
from broker.cases.case_view import (
    EnquiryView,
    HistoryLine,
    Meanwhile,
    changes,
    enquiry_view,
    gone_words,
    history_lines,
    newest_number,
    refused_meanwhile,
    seen_meanwhile,
    stamp_in,
)
from broker.cases.export import STATE_WORDS
from broker.enquiries.contact_details import parse_word
from broker.enquiries.enquiry import EnquiryState, parse_reference
from broker.services import current
from broker.staff.audit import AuditEntry
from broker.staff.roles import Right
from broker.staff.times import clock
from broker.state.staff.access import FAILED, GONE, IDLE, LOADED, LOADING, StaffState

STATE, ACCOUNT, NOTE, REASON, STAMP = "state", "account", "note", "reason", "stamp"
"""The fields of the page's forms, and the parts of it in which something may be refused."""

LOOK = "look"
"""Where it is said that the enquiry could not be read again: what was read before stays."""

ANOTHER = "This page shows another enquiry by now, and nothing was changed. Look at it, and do it again if it is right"

Outcome = Changed | Conflict | Gone | Refused


class EnquiryPageState(StaffState):
    """The enquiry on screen.

    `result` says what was done, `refused` why something was not, in the part of the page `refused_at`; `meanwhile` what
    others did. `note_stamp` changes once a note is kept: what was typed belongs to the one before. `asked` is the
    reason for which the enquiry is to be deleted, if it is so confirmed.
    """

    right: ClassVar[Right] = Right.CASES
    status: str = IDLE
    problem: str = ""
    found: EnquiryView = EnquiryView()
    history: tuple[HistoryLine, ...] = ()
    accounts: tuple[str, ...] = ()
    meanwhile: Meanwhile = Meanwhile()
    result: str = ""
    refused: str = ""
    refused_at: str = ""
    note_stamp: str = ""
    asked: str = ""
    asked_words: str = ""
    gone_title: str = ""
    gone_words: str = ""
    read_at: str = ""

    _reference: str = ""
    _seen: int = 0
    _noted: rx.Field[dict[str, int]] = rx.field(default_factory=dict)

    @rx.event
    async def open(self) -> Any:
        """Read the enquiry whose reference is in the page's address; the audit log records it."""
        self._reference = parse_reference(self.router.url.query_parameters.get("reference", ""))
        self.status, self.found, self.history, self.meanwhile = LOADING, EnquiryView(), (), Meanwhile()
        self._clear_messages()
        self.note_stamp = ""
        yield
        history = await self._history()
        found = await current().cases.open(self._reference, who=self.staff_name)
        accounts = await current().cases.accounts()
        self.accounts = () if isinstance(accounts, Refused) else accounts
        if isinstance(found, Case):
            self._noted[self._reference] = sum(note.who == self.staff_name for note in found.notes)
        self.note_stamp = self._stamp_of_notes()
        self._take(found, history)

    @rx.event
    async def look_again(self) -> None:
        """Read the enquiry again, and say what others did to it since; typed text stays."""
        if self.status != LOADED:
            return
        history = await self._history()
        found = await current().cases.open(self._reference, who=self.staff_name, again=True)
        if isinstance(found, Refused):
            self.refused, self.refused_at = found.words, LOOK
            return
        if self.refused_at == LOOK:
            self.refused = self.refused_at = ""
        lines = self._changes(history)
        self._take(found, history)
        if self.status == LOADED and lines:
            self.meanwhile = seen_meanwhile(lines)

    @rx.event
    async def move(self, to: str, stamp: str) -> None:
        self._clear_messages()
        if version := self._version(stamp, STATE):
            admin, wanted = current().cases, parse_word(to, EnquiryState)
            words = STATE_WORDS[wanted] if wanted else "another state"
            outcome = await admin.change_state(self._reference, to, version=version, who=self.staff_name)
            await self._settle(outcome, STATE, done=f"This enquiry is {words.lower()} now", wanted=f"State: {words}")

    @rx.event
    async def assign(self, form: dict[str, Any]) -> None:
        await self._assign(_field(form, ACCOUNT), _field(form, STAMP))

    @rx.event
    async def take(self, stamp: str) -> None:
        await self._assign(self.staff_name, stamp)

    @rx.event
    async def add_note(self, form: dict[str, Any]) -> None:
        """Add a note, whatever others do meanwhile."""
        self._clear_messages()
        if self._version(_field(form, STAMP), NOTE):
            admin = current().cases
            outcome = await admin.add_note(self._reference, _field(form, NOTE), who=self.staff_name)
            if isinstance(outcome, Changed):
                self._noted[self._reference] = self._noted.get(self._reference, 0) + 1
                self.note_stamp = self._stamp_of_notes()
            await self._settle(outcome, NOTE, done="Your note is kept", wanted="")

    @rx.event
    def ask(self, form: dict[str, Any]) -> None:
        """Ask for confirmation before the enquiry is deleted for a reason."""
        self._clear_messages()
        reason = parse_word(_field(form, REASON), DeleteReason)
        if reason is None:
            self.refused, self.refused_at = "Choose why this enquiry is deleted", REASON
        else:
            self.asked, self.asked_words = reason.value, REASONS[reason]

    @rx.event
    def keep(self) -> None:
        self._clear_messages()
        self.result = "Nothing was deleted"

    @rx.event
    async def delete(self, stamp: str) -> None:
        """Delete the enquiry for the confirmed reason."""
        reason, words = self.asked, self.asked_words
        self._clear_messages()
        if version := self._version(stamp, REASON):
            admin = current().cases
            outcome = await admin.delete(self._reference, reason, version=version, who=self.staff_name)
            await self._settle(outcome, REASON, done="", wanted=f"Delete it, because {words}")

    async def _assign(self, account: str, stamp: str) -> None:
        self._clear_messages()
        if version := self._version(stamp, ACCOUNT):
            admin = current().cases
            outcome = await admin.assign(self._reference, account, version=version, who=self.staff_name)
            name = "You have" if account == self.staff_name else f"{account or 'Nobody'} has"
            await self._settle(
                outcome, ACCOUNT, done=f"{name} this enquiry now", wanted=f"Give it to {account or 'nobody'}"
            )

    def _clear_messages(self) -> None:
        """Clear the messages of the last action."""
        self.result = self.refused = self.refused_at = self.asked = self.asked_words = ""

    def _version(self, stamp: str, part: str) -> int:
        """Return the version that the page showed; 0, with a refusal, where it showed another enquiry."""
        reference, version = stamp_in(stamp)
        if self.status == LOADED and version and reference == self._reference:
            return version
        self.refused, self.refused_at = ANOTHER, part
        return 0

    async def _settle(self, outcome: Outcome, part: str, *, done: str, wanted: str) -> None:
        if isinstance(outcome, Refused):
            self.refused, self.refused_at = outcome.words, part
            return
        history = await self._history()
        if isinstance(outcome, Conflict):
            lines, head = self._changes(history), outcome.case.head
            self.meanwhile = refused_meanwhile(head, lines, who=self.staff_name, wanted=wanted, now=self._now())
        elif isinstance(outcome, Changed):
            self.result, self.meanwhile = done, seen_meanwhile(self._changes(history, mine=False))
        self._take(outcome.case if isinstance(outcome, Changed | Conflict) else outcome, history)

    def _take(self, found: Case | Gone | Refused, history: tuple[AuditEntry, ...]) -> None:
        if isinstance(found, Refused):
            self.status, self.problem = FAILED, found.words
            return
        if isinstance(found, Gone):
            self.status, self.found, self.meanwhile = GONE, EnquiryView(), Meanwhile()
            self.gone_title, self.gone_words = gone_words(self._reference, found, who=self.staff_name, now=self._now())
            return
        self._seen = max(self._seen, newest_number(history)) if self.status == LOADED else newest_number(history)
        self.found = enquiry_view(found, who=self.staff_name, now=self._now())
        self.history = history_lines(history, who=self.staff_name, now=self._now())
        self.status, self.read_at = LOADED, clock(self._now())

    def _changes(self, history: tuple[AuditEntry, ...], *, mine: bool = True) -> tuple[str, ...]:
        return changes(history, after=self._seen, who=self.staff_name, now=self._now(), mine=mine)

    async def _history(self) -> tuple[AuditEntry, ...]:
        history = await current().cases.history(self._reference)
        return () if isinstance(history, Refused) else history

    def _stamp_of_notes(self) -> str:
        """Return the stamp that tells a draft note from stored notes of the same account."""
        return f"{self._reference}:{self.staff_name}:{self._noted.get(self._reference, 0)}"

    @staticmethod
    def _now() -> Any:
        return current().cases.now


def _field(form: object, name: str) -> str:
    """Return the text of a form's field; what a page sends may be anything."""
    value = form.get(name) if isinstance(form, Mapping) else None
    return value if isinstance(value, str) else ""
