"""Staff's work on an enquiry: states, assignment, notes and deadlines of calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broker.appointments.appointment import Appointment
from broker.enquiries.contact_details import ContactDetails, single_line, visible_text
from broker.enquiries.enquiry import EnquiryKind, EnquiryState, StoredEnquiry
from broker.mail.mail import ReturnedMail
from broker.site_search.index import without_accents
from broker.staff.audit import MAX_ACTOR_LENGTH

MAX_NOTE = 2_000
"""Characters of a note."""

NO_ACCOUNT = "Choose one of the accounts"

MOVES: Mapping[EnquiryState, tuple[EnquiryState, ...]] = {
    EnquiryState.NEW: (EnquiryState.CALLED, EnquiryState.CLOSED),
    EnquiryState.CALLED: (EnquiryState.BOOKED, EnquiryState.NEW, EnquiryState.CLOSED),
    EnquiryState.BOOKED: (EnquiryState.CALLED, EnquiryState.CLOSED),
    EnquiryState.CLOSED: (EnquiryState.NEW, EnquiryState.CALLED, EnquiryState.BOOKED),
}
"""Allowed transitions: a step forward or back, closed from any state, and from closed to any state."""


class DeleteReason(StrEnum):
    """Why staff delete an enquiry early; no free text, as the audit record is never deleted."""

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
    at: datetime
    who: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquirySummary:
    """A row of the list of enquiries: everything but the answers and notes.

    `contact` is None if it is encrypted with a lost key. `call_by` is the promised time of the call. `assigned` is the
    name of an account or empty. `changed_by` and `changed_at` are of staff's last change, empty and None
    before the first. `appointment` is the start of a booked one.
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
    appointment: datetime | None = None

    def is_overdue(self, now: datetime) -> bool:
        """Return whether the promised call is late."""
        return self.state is EnquiryState.NEW and self.call_by < now


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An enquiry in full: its summary, the stored enquiry, and the notes of staff, oldest first.

    `returned` is the mail to its address that came back, `appointment` the one booked with it, whatever its state.
    """

    head: EnquirySummary
    kept: StoredEnquiry
    notes: tuple[StaffNote, ...] = ()
    returned: ReturnedMail | None = None
    appointment: Appointment | None = None


class EnquiryOrder(StrEnum):
    """The order of a list: by promised call, enquiries already called last; or by age."""

    PROMISE = "promise"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryFilter:
    """A filter of enquiries; the default matches all.

    `text` is a reference, or words of a name, an email address or a telephone number. `assigned` is the name of an
    account; `unassigned` matches enquiries without one, `overdue` those whose call is late.
    """

    state: EnquiryState | None = None
    kind: EnquiryKind | None = None
    text: str = ""
    assigned: str = ""
    unassigned: bool = False
    overdue: bool = False

    @property
    def words(self) -> str:
        """Return the filter in words, without `text`, which may be a visitor's name."""
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
    """A page of a list, and the total count; not `complete` if older ones were not searched."""

    heads: tuple[EnquirySummary, ...]
    count: int
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryExport:
    """Enquiries in full; not `complete` if there are more than are exported at once.

    `sealed` are the references of those left out because their key is lost.
    """

    cases: tuple[Case, ...]
    complete: bool = True
    sealed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryCounts:
    by_state: Mapping[EnquiryState, int]
    overdue: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The enquiry after a change."""

    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """The enquiry as it is, where it has changed since it was read and nothing was done."""

    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """The enquiry no longer exists; for a deletion by staff, by whom and why."""

    by: str = ""
    at: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A refused action, with the reason for staff."""

    words: str


def move_problem(old: EnquiryState, new: EnquiryState) -> str:
    """Return why an enquiry cannot go from one state to another, empty if it can."""
    if new in MOVES[old]:
        return ""
    allowed = " or ".join(MOVES[old])
    return f"This enquiry is {old} already" if new is old else f"An enquiry that is {old} can become {allowed}"


def parse_note(value: object) -> str | Refused:
    """Return the text of a note without invisible characters, or why it is refused."""
    text = visible_text(value, MAX_NOTE)
    if text is None:
        return Refused(words=f"Write at most {MAX_NOTE:,} characters")
    return text or Refused(words="Write a note first")


def parse_account(value: object) -> str | Refused:
    """Return the name of an account to assign, empty to unassign, or why it is refused."""
    name = single_line(value, MAX_ACTOR_LENGTH)
    return Refused(words=NO_ACCOUNT) if name is None else name


def matches(text: str, head: EnquirySummary) -> bool:
    """Return whether every word of a text is in the name, email address or reference, or its digits in the number.

    Accents make no difference: `lukasz` finds Łukasz.
    """
    contact = head.contact
    if contact is None:
        return text.casefold().strip() in head.reference.casefold()
    national = "0" + contact.telephone.removeprefix("+44")
    digits = "".join(sign for sign in text if sign.isdigit())
    if len(digits) >= 3 and not any(sign.isalpha() for sign in text):
        return digits in f"{national} {contact.telephone} 00{contact.telephone[1:]}"
    held = without_accents(f"{contact.name}\n{contact.email}\n{head.reference}")
    return all(word in held for word in without_accents(text).split())
