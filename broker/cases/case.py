"""Staff's work on an enquiry: states, assignment, notes and deadlines of calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from broker.appointments.appointment import Appointment, AppointmentState
from broker.enquiries.contact_details import ContactDetails, single_line, visible_text
from broker.enquiries.enquiry import EnquiryKind, EnquiryState, StoredEnquiry
from broker.mail.mail import ReturnedMail
from broker.staff.audit import MAX_ACTOR_LENGTH, Act

MAX_NOTE = 2_000
"""Characters of a note."""

NO_ACCOUNT = "Choose one of the accounts"


class Stage(StrEnum):
    """How far a case is, in the order of a mortgage."""

    ENQUIRY = "enquiry"
    ADVICE = "advice"
    PRINCIPLE = "principle"
    """The lender's decision in principle."""
    APPLICATION = "application"
    VALUATION = "valuation"
    OFFER = "offer"
    EXCHANGE = "exchange"
    COMPLETION = "completion"
    REVIEW = "review"


class WaitingFor(StrEnum):
    """Whose turn it is in a case."""

    US = "us"
    CLIENT = "client"
    LENDER = "lender"
    SOLICITOR = "solicitor"
    VALUER = "valuer"


class Outcome(StrEnum):
    """What came of a call, in the order of the keys 1 to 9."""

    REACHED = "reached"
    NO_ANSWER = "no-answer"
    APPOINTMENT = "appointment"
    ADVICE_GIVEN = "advice-given"
    APPLICATION = "application"
    OFFER = "offer"
    COMPLETED = "completed"
    NOT_NOW = "not-now"
    NOT_OURS = "not-ours"


class CloseReason(StrEnum):
    """Why a case is closed."""

    COMPLETED = "completed"
    NO_CONTACT = "no-contact"
    ELSEWHERE = "elsewhere"
    CHANGED_MIND = "changed-mind"
    DECLINED = "declined"
    NOT_ADVISED = "not-advised"
    DUPLICATE = "duplicate"
    SPAM = "spam"


CLOSE_REASONS: Mapping[CloseReason, str] = {
    CloseReason.COMPLETED: "the mortgage has completed",
    CloseReason.NO_CONTACT: "we could not reach them",
    CloseReason.ELSEWHERE: "they went elsewhere",
    CloseReason.CHANGED_MIND: "their plans changed",
    CloseReason.DECLINED: "no lender accepts it",
    CloseReason.NOT_ADVISED: "it is nothing that we advise on",
    CloseReason.DUPLICATE: "it is there twice",
    CloseReason.SPAM: "it is spam",
}

NOT_OURS_REASONS = (
    CloseReason.NOT_ADVISED,
    *(reason for reason in CloseReason if reason not in {CloseReason.NOT_ADVISED, CloseReason.COMPLETED}),
)
"""Reasons to choose from where the outcome of a call is "not ours", the usual one first."""


class Source(StrEnum):
    """Where an enquiry came from: the kind of its page, or how else."""

    RATES = "rates"
    PLANS = "plans"
    GUIDES = "guides"
    TOWNS = "towns"
    CALCULATORS = "calculators"
    CONTACT = "contact"
    QUESTIONNAIRE = "questionnaire"
    WATCH = "watch"
    TELEPHONE = "telephone"
    OTHER = "other"


class Service(StrEnum):
    """What an enquiry is about."""

    FIRST_HOME = "first-home"
    MOVING = "moving"
    REMORTGAGE = "remortgage"
    LANDLORD = "landlord"
    OTHER = "other"


class NoteKind(StrEnum):
    """An entry of a case's timeline: written, a call, a reply by mail, an answer by mail, or made by the system."""

    NOTE = "note"
    CALL = "call"
    REPLY = "reply"
    ANSWER = "answer"
    SYSTEM = "system"


class MailState(StrEnum):
    """What became of a mail; a record is kept for 60 days, after which nothing is known."""

    WAITING = "waiting"
    SENT = "sent"
    GIVEN_UP = "given-up"
    RETURNED = "returned"
    UNKNOWN = "unknown"


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

OF_ANOTHER = "This case is {who}’s. They delete it, or an owner does"
ONLY_ADVICE = (
    "Their data was deleted and only the record of advice is kept, so nobody works on this case. "
    "If they ask again, enter them as a new caller"
)
ADVICE_KEPT = (
    "Advice was given, so this case must be kept until {until} (MCOB 4.7A.25R: {years} years). "
    "An owner may delete it if it was a test, and the rest of the person’s data on the page Duties"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffNote:
    """An entry of a case's timeline; `outcome` is of a call, `mail` of a reply: the key and the state of its mail.

    `text` may be empty in a call.
    """

    at: datetime
    who: str
    text: str
    kind: NoteKind = NoteKind.NOTE
    outcome: Outcome | None = None
    mail: str = ""
    mail_state: MailState | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquirySummary:
    """A row of the list of enquiries: everything but the answers and notes.

    `contact` is None if it is encrypted with a lost key. `call_by` is the promised time of the call. `assigned` is the
    name of an account or empty. `changed_by` and `changed_at` are of staff's last change, empty and None
    before the first. `appointment` is the start of a booked one.

    `next_action` is to be done at `next_due`; both are empty for a new enquiry, which is to be called at `call_by`.
    `waiting_note` says what we wait for, and is empty, as is `next_action`, where no key decrypts it. `amount` is the
    loan in pounds. `attempts` counts the calls without an answer since the last answer. `only_advice_since` is when all
    of a case but the record of advice was deleted, None for any other; lists do not read it.
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
    stage: Stage = Stage.ENQUIRY
    stage_since: datetime | None = None
    waiting_for: WaitingFor = WaitingFor.US
    waiting_note: str = ""
    next_action: str = ""
    next_due: datetime | None = None
    amount: int | None = None
    service: Service = Service.OTHER
    source: Source = Source.OTHER
    outcome: Outcome | None = None
    close_reason: CloseReason | None = None
    attempts: int = 0
    first_call_at: datetime | None = None
    deal_ends: date | None = None
    has_needs: bool = False
    only_advice_since: datetime | None = None

    @property
    def due(self) -> datetime | None:
        """Return when something is to be done next: the promised call of a new enquiry, else the next action."""
        return self.call_by if self.state is EnquiryState.NEW and not self.next_due else self.next_due

    def is_late(self, now: datetime) -> bool:
        """Return whether the promised call or the next action is late."""
        return bool(self.due and self.due < now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An enquiry in full: its summary, the stored enquiry, and the notes of staff, oldest first.

    `returned` is the mail to its address that came back, `appointment` the one booked with it, whatever its state.
    `merged` are the other enquiries of the case, whose notes are among `notes`. `needs` is what was stored of support
    needs, or empty. `is_uncovered` is whether the appointment's adviser is absent then, or works on cases no longer.
    """

    head: EnquirySummary
    kept: StoredEnquiry
    notes: tuple[StaffNote, ...] = ()
    returned: ReturnedMail | None = None
    appointment: Appointment | None = None
    is_uncovered: bool = False
    merged: tuple[StoredEnquiry, ...] = ()
    needs: str = field(default="", repr=False)

    @property
    def sent(self) -> tuple[StoredEnquiry, ...]:
        """Return the case's own enquiry, and those merged into it."""
        return (self.kept, *self.merged)

    @property
    def references(self) -> tuple[str, ...]:
        """Return the reference of the case, and those of the enquiries merged into it."""
        return tuple(each.reference for each in self.sent)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryExport:
    """Enquiries in full; not `complete` if there are more than are exported at once.

    `sealed` are the references of those left out because their key is lost.
    """

    cases: tuple[Case, ...]
    complete: bool = True
    sealed: tuple[str, ...] = ()


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
class ManyChanged:
    """The references of the cases changed at once; `left` are those that were not, each with why."""

    references: tuple[str, ...]
    left: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """The change that was undone, and of which cases; `left` are those that somebody has changed since.

    `to_nobody` are those that would be again an account's that is disabled by now. `is_still_booked`: the outcome of an
    appointment is undone, and the appointment stays in the diary.
    """

    what: Act
    references: tuple[str, ...]
    left: Mapping[str, str] = field(default_factory=dict)
    to_nobody: tuple[str, ...] = ()
    is_still_booked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A refused action, with the reason for staff."""

    words: str


def appointment_shown(appointments: Sequence[Appointment], now: datetime) -> Appointment | None:
    """Return the appointment of a case by those of its enquiries: the next to come, else the latest.

    A cancelled one is shown where there is no other.
    """
    coming = (each for each in appointments if each.is_live and not each.is_over(now))
    shown = min(coming, key=lambda each: each.slot.start, default=None)
    past = ((each.state is not AppointmentState.CANCELLED, each.slot.start, each) for each in appointments)
    return shown or max(past, key=lambda one: one[:2], default=(False, now, None))[2]


def deletion_refused(
    reason: DeleteReason, *, who: str, is_owner: bool, assigned: str, kept_until: date | None, years: int
) -> Refused | None:
    """Return why an account may not delete a case, None where it may.

    Only an owner deletes one that another has. One with advice is kept for its `years`, to `kept_until`, unless an
    owner says that it was a test: then nobody was advised.
    """
    if not is_owner and assigned not in {"", who}:
        return Refused(words=OF_ANOTHER.format(who=assigned))
    if kept_until and not (is_owner and reason is DeleteReason.TEST):
        return Refused(words=ADVICE_KEPT.format(until=f"{kept_until:%-d %B %Y}", years=years))
    return None


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
