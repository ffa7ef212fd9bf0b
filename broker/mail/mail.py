"""A mail: its kinds, as it is added to the outbox, as a sender claims it, and what came back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class MailKind(StrEnum):
    """What a mail says, by the name of its templates."""

    NOTE = "enquiry-note"
    CONFIRMATION = "enquiry-confirmation"
    APPOINTMENT_BOOKED = "appointment-booked"
    APPOINTMENT_MOVED = "appointment-moved"
    APPOINTMENT_CANCELLED = "appointment-cancelled"
    APPOINTMENT_REMINDER = "appointment-reminder"
    APPOINTMENT_NOTE = "appointment-note"
    WATCH_CONFIRM = "watch-confirm"
    WATCH_REMINDER = "watch-confirm-reminder"
    WATCH_NEWS = "watch-news"
    STAFF_LINK = "staff-link"
    CASE_REPLY = "case-reply"
    TEST = "test"


KIND_WORDS: Mapping[MailKind, str] = {
    MailKind.NOTE: "Note of an enquiry, to staff",
    MailKind.CONFIRMATION: "Confirmation of an enquiry, to its sender",
    MailKind.APPOINTMENT_BOOKED: "Confirmation of an enquiry with an appointment, to its sender",
    MailKind.APPOINTMENT_MOVED: "Appointment moved, to the visitor",
    MailKind.APPOINTMENT_CANCELLED: "Appointment cancelled, to the visitor",
    MailKind.APPOINTMENT_REMINDER: "Reminder of an appointment, to the visitor",
    MailKind.APPOINTMENT_NOTE: "Note of a change by a visitor, to staff",
    MailKind.WATCH_CONFIRM: "Confirmation of a watch, to its owner",
    MailKind.WATCH_REMINDER: "Reminder to confirm a watch, to its owner",
    MailKind.WATCH_NEWS: "News of a watch, to its owner",
    MailKind.STAFF_LINK: "Link to set up signing in, to a member of staff",
    MailKind.CASE_REPLY: "Reply of an adviser, to the visitor",
    MailKind.TEST: "Test",
}


WAITS = "waits: no mail server is set up"
MAIL_WAITS = f"The mail to the visitor {WAITS}."
"""What staff are told of a mail where the site sends none (`Settings.sends_mail`)."""

MAIL_RETURNED = "Mail to this address comes back, so we send none."

SUPPRESSED, LATE, NO_KEY, UNWRITTEN = "suppressed", "too late", "no key", "not written"
"""Problems of a mail that no server refused; any other is the code of an answer, or why there was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMail:
    """A mail to add; an empty `recipient` is the mailbox of staff.

    `context` holds the values of its templates, none for a note, which is written from its enquiry. It is deleted with
    the enquiry of `enquiry_id` or the watch of `watch_id`, and given up at `expires` if it has not been sent by then.
    """

    kind: MailKind
    created: datetime
    recipient: str = ""
    context: Mapping[str, str] = field(default_factory=dict)
    enquiry_id: int | None = None
    expires: datetime | None = None
    watch_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedMail:
    """A mail to send; `key` is the left part of its Message-ID, and `attempts` includes this one."""

    id: int
    kind: MailKind
    key: str
    created: datetime
    attempts: int
    recipient: str = field(default="", repr=False)
    context: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsentMail:
    """A mail that waits, or was given up at `given_up_at`; `problem` is the reason or the last error code."""

    kind: MailKind
    created: datetime
    due: datetime
    attempts: int
    problem: str
    given_up_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsentMails:
    """The oldest mails that wait and the latest that were given up, with the counts of all."""

    waiting: tuple[UnsentMail, ...]
    given_up: tuple[UnsentMail, ...]
    count_waiting: int
    count_given_up: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedMail:
    """How many mails to an address came back or were reported as spam, and when the last was."""

    count: int
    last_at: datetime
    is_complaint: bool


class ReportOutcome(StrEnum):
    """What became of a report of a returned mail."""

    RECORDED = "recorded"
    REPEATED = "repeated"
    UNKNOWN = "unknown"
