"""What staff do with an enquiry: how far it has come, whose it is, what they note, and when they must call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broker.domain.enquiries.contact_details import ContactDetails, single_line, visible_text
from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.enquiries.stored_records import EnquiryState, StoredEnquiry
from broker.domain.staff.audit import MAX_ACTOR_LENGTH

MAX_NOTE = 2_000
"""Characters of a note."""

NO_ACCOUNT = "Choose one of the accounts"

MOVES: Mapping[EnquiryState, tuple[EnquiryState, ...]] = {
    EnquiryState.NEW: (EnquiryState.CALLED, EnquiryState.CLOSED),
    EnquiryState.CALLED: (EnquiryState.BOOKED, EnquiryState.NEW, EnquiryState.CLOSED),
    EnquiryState.BOOKED: (EnquiryState.CALLED, EnquiryState.CLOSED),
    EnquiryState.CLOSED: (EnquiryState.NEW, EnquiryState.CALLED, EnquiryState.BOOKED),
}
"""Where an enquiry may go from each state: a step on, a step back, closed from anywhere, and from there anywhere.

Closing needs nothing else to be done first.
"""


class DeleteReason(StrEnum):
    """Why staff delete an enquiry before its time; no free words, as the audit record keeps it for ever."""

    ASKED = "asked"
    DUPLICATE = "duplicate"
    SPAM = "spam"
    MISTAKE = "mistake"
    TEST = "test"


REASONS: Mapping[DeleteReason, str] = {
    DeleteReason.ASKED: "they asked us to",
    DeleteReason.DUPLICATE: "it is there twice",
    DeleteReason.SPAM: "it is spam",
    DeleteReason.MISTAKE: "it was sent by mistake",
    DeleteReason.TEST: "it was a test",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffNote:
    """What a member of staff wrote to an enquiry, and when."""

    at: datetime
    who: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquirySummary:
    """What a list shows of an enquiry: everything but its answers and its notes.

    `contact` is None where it is sealed with a key that we no longer have. `call_by` is the moment by which we promised
    to call. `assigned` is the name of an account, empty for nobody. `changed_by` and `changed_at` tell of the last
    change by staff, empty and None before the first.
    """

    reference: str
    kind: EnquiryKind
    state: EnquiryState
    version: int
    created: datetime
    delete_after: datetime
    page: str
    contact: ContactDetails | None
    call_by: datetime
    assigned: str = ""
    changed_by: str = ""
    changed_at: datetime | None = None

    def is_overdue(self, now: datetime) -> bool:
        """Tell whether nobody has called though we promised to have called by now."""
        return self.state is EnquiryState.NEW and self.call_by < now


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An enquiry in full: `head` as in the list, what the visitor sent, and the notes of staff, oldest first."""

    head: EnquirySummary
    kept: StoredEnquiry
    notes: tuple[StaffNote, ...] = ()


class EnquiryOrder(StrEnum):
    """How a list is sorted: by what is to be called first, those already called after them; or by age."""

    PROMISE = "promise"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryFilter:
    """Which enquiries are wanted, all of them where nothing is said.

    `text` is a reference, or words that are in a name, an email address or a telephone number. `assigned` is the name
    of an account, `unassigned` those that are nobody's, `overdue` those that should have been called by now.
    """

    state: EnquiryState | None = None
    kind: EnquiryKind | None = None
    text: str = ""
    assigned: str = ""
    unassigned: bool = False
    overdue: bool = False

    @property
    def words(self) -> str:
        """Return what a list was narrowed to, without the text, which may be somebody's name."""
        parts = (
            f"state {self.state}" if self.state else "",
            f"kind {self.kind}" if self.kind else "",
            f"assigned to {self.assigned}" if self.assigned else "",
            "assigned to nobody" if self.unassigned else "",
            "overdue" if self.overdue else "",
            "by words" if self.text.strip() else "",
        )
        return ", ".join(part for part in parts if part) or "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryPage:
    """A page of a list, and how many there are in all; not `complete` where older ones were not looked through."""

    heads: tuple[EnquirySummary, ...]
    count: int
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryExport:
    """Enquiries in full; not `complete` where there are more than are exported at once.

    `sealed` are the references of those that are left out, as they were sealed with a key that we no longer have.
    """

    cases: tuple[Case, ...]
    complete: bool = True
    sealed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryCounts:
    """How many enquiries there are in each state, and how many of the new ones are overdue."""

    by_state: Mapping[EnquiryState, int]
    overdue: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A change was made: the enquiry as it is now."""

    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Nothing was changed, as somebody else has changed the enquiry since it was read: the enquiry as it is now.

    Who it was, and when, is in its head.
    """

    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """There is no such enquiry: deleted by staff, who and why as far as the record tells, by its sender, or in time."""

    by: str = ""
    at: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was done, and why, in a sentence for staff."""

    words: str


def move_problem(old: EnquiryState, new: EnquiryState) -> str:
    """Say why an enquiry cannot go from one state to another, or return an empty text."""
    if new in MOVES[old]:
        return ""
    allowed = " or ".join(MOVES[old])
    return f"This enquiry is {old} already" if new is old else f"An enquiry that is {old} can become {allowed}"


def parse_note(value: object) -> str | Refused:
    """Return the text of a note without invisible characters, its line breaks kept; or why it cannot be taken."""
    text = visible_text(value, MAX_NOTE)
    if text is None:
        return Refused(words=f"Write at most {MAX_NOTE:,} characters")
    return text or Refused(words="Write a note first")


def parse_account(value: object) -> str | Refused:
    """Return the name of an account that may be assigned, empty for nobody; or why it cannot be one."""
    name = single_line(value, MAX_ACTOR_LENGTH)
    return Refused(words=NO_ACCOUNT) if name is None else name


def matches(text: str, head: EnquirySummary) -> bool:
    """Tell whether every word of a text is in a name, an email address or a reference; or it is part of a number."""
    contact = head.contact
    if contact is None:
        return text.casefold().strip() in head.reference.casefold()
    national = "0" + contact.telephone.removeprefix("+44")
    digits = "".join(sign for sign in text if sign.isdigit())
    if len(digits) >= 3 and not any(sign.isalpha() for sign in text):
        return digits in f"{national} {contact.telephone} 00{contact.telephone[1:]}"
    held = f"{contact.name}\n{contact.email}\n{head.reference}".casefold()
    return all(word in held for word in text.casefold().split())
