"""The audit record of staff actions, which is append-only (decision 37).

It holds no personal data of visitors: an enquiry is named by its reference. It is never deleted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Self

from broker.clock import UK

MAX_ACTOR_LENGTH, MAX_SUBJECT_LENGTH, MAX_DETAIL_LENGTH = 80, 80, 400
"""Characters of each field; longer values are cut."""

UNKNOWN_ACTOR = "unknown"
"""The actor of a sign-in with an unknown name, which may be a mistyped password and is not stored."""

COMMAND_LINE = "command line"
"""The actor of `python -m broker.staff`."""

VISITOR = "the visitor"
"""The actor of a deletion by the sender of an enquiry."""


class ActKind(StrEnum):
    """A group of actions, for filtering."""

    SIGN_INS = "sign-ins"
    FAILURES = "failures"
    ACCOUNTS = "accounts"
    ENQUIRIES = "enquiries"
    LOGOS = "logos"
    WINDOWS = "windows"
    SOURCES = "sources"
    DIARY = "diary"
    DUTIES = "duties"


class Act(StrEnum):
    """An action, by its stored name, with its kind and its words after the name of its actor.

    In the words `{about}` is its object, and `{change}` what was undone.
    """

    kind: ActKind
    words: str

    def __new__(cls, name: str, kind: ActKind, words: str) -> Self:
        act = str.__new__(cls, name)
        act._value_, act.kind, act.words = name, kind, words
        return act

    SIGNED_IN = ("signed-in", ActKind.SIGN_INS, "signed in")
    SIGN_IN_FAILED = ("sign-in-failed", ActKind.FAILURES, "failed to sign in")
    LOCKED = ("locked", ActKind.FAILURES, "was locked out after too many failures")
    SIGNED_OUT = ("signed-out", ActKind.SIGN_INS, "signed out")
    SIGNED_OUT_EVERYWHERE = ("signed-out-everywhere", ActKind.SIGN_INS, "signed out everywhere")
    ACCOUNT_ADDED = ("account-added", ActKind.ACCOUNTS, "added the account {about}")
    ACCOUNT_RESET = ("account-reset", ActKind.ACCOUNTS, "gave the account {about} a new password")
    ACCOUNT_DISABLED = ("account-disabled", ActKind.ACCOUNTS, "disabled the account {about}")
    ACCOUNT_ENABLED = ("account-enabled", ActKind.ACCOUNTS, "enabled the account {about}")
    ACCOUNT_INVITED = ("account-invited", ActKind.ACCOUNTS, "invited {about}")
    LINK_MADE = ("link-made", ActKind.ACCOUNTS, "made {about} a link to set up signing in")
    LINK_WITHDRAWN = ("link-withdrawn", ActKind.ACCOUNTS, "withdrew the link of {about}")
    LINK_USED = ("link-used", ActKind.ACCOUNTS, "set up signing in by a link")
    ROLE_CHANGED = ("role-changed", ActKind.ACCOUNTS, "changed the role of {about}")
    SESSIONS_ENDED = ("sessions-ended", ActKind.ACCOUNTS, "signed {about} out")
    PASSKEY_ADDED = ("passkey-added", ActKind.ACCOUNTS, "added a passkey of {about}")
    PASSKEY_REMOVED = ("passkey-removed", ActKind.ACCOUNTS, "removed a passkey of {about}")
    PASSWORD_CHANGED = ("password-changed", ActKind.ACCOUNTS, "changed the password of {about}")
    CODE_SET_UP = ("code-set-up", ActKind.ACCOUNTS, "set up one-time codes for {about}")
    CODE_REMOVED = ("code-removed", ActKind.ACCOUNTS, "removed the one-time codes of {about}")
    RECOVERY_CODE_USED = ("recovery-code-used", ActKind.SIGN_INS, "signed in with a recovery code")
    LOGO_UPLOADED = ("logo-uploaded", ActKind.LOGOS, "uploaded a logo for {about}")
    LOGO_REPLACED = ("logo-replaced", ActKind.LOGOS, "replaced the logo of {about}")
    LOGO_REMOVED = ("logo-removed", ActKind.LOGOS, "removed the logo of {about}")
    LOGO_RESTORED = ("logo-restored", ActKind.LOGOS, "put an earlier logo of {about} back")
    LOGOS_REFRESHED = ("logos-refreshed", ActKind.SOURCES, "read the logos again")
    LOGOS_BULK = ("logos-bulk", ActKind.LOGOS, "uploaded many logos at once")
    WINDOW_CORRECTED = ("window-corrected", ActKind.WINDOWS, "corrected how early {about} lets its own borrowers book")
    WINDOW_WITHDRAWN = (
        "window-withdrawn",
        ActKind.WINDOWS,
        "withdrew the correction of how early {about} lets its own borrowers book",
    )
    LENDERS_REFRESHED = ("lenders-refreshed", ActKind.SOURCES, "read the list of lenders again")
    RATES_REFRESHED = ("rates-refreshed", ActKind.SOURCES, "read the rates again")
    QUESTIONNAIRE_REFRESHED = ("questionnaire-refreshed", ActKind.SOURCES, "read the questionnaire again")
    CONTENT_REFRESHED = ("content-refreshed", ActKind.SOURCES, "had the content published")
    ENQUIRY_READ = ("enquiry-read", ActKind.ENQUIRIES, "read enquiry {about}")
    ENQUIRY_STATE = ("enquiry-state", ActKind.ENQUIRIES, "moved enquiry {about} on")
    ENQUIRY_NOTE = ("enquiry-note", ActKind.ENQUIRIES, "wrote a note to enquiry {about}")
    ENQUIRY_ASSIGNED = ("enquiry-assigned", ActKind.ENQUIRIES, "assigned enquiry {about}")
    ENQUIRY_DELETED = ("enquiry-deleted", ActKind.ENQUIRIES, "deleted enquiry {about}")
    ADVICE_KEPT = ("advice-kept", ActKind.ENQUIRIES, "deleted all of enquiry {about} but the record of advice")
    CALL_RECORDED = ("call-recorded", ActKind.ENQUIRIES, "recorded a call of enquiry {about}")
    CASE_CLOSED = ("case-closed", ActKind.ENQUIRIES, "closed enquiry {about}")
    CASE_DUE = ("case-due", ActKind.ENQUIRIES, "set when enquiry {about} is due next")
    CASE_STAGE = ("case-stage", ActKind.ENQUIRIES, "set the stage of enquiry {about}")
    CONTACT_CORRECTED = ("contact-corrected", ActKind.ENQUIRIES, "corrected the contact details of enquiry {about}")
    CASE_FIGURES = ("case-figures", ActKind.ENQUIRIES, "corrected the figures of enquiry {about}")
    CASE_ADDED = ("case-added", ActKind.ENQUIRIES, "entered enquiry {about} by hand")
    CASE_MERGED = ("case-merged", ActKind.ENQUIRIES, "merged enquiry {about}")
    CHANGE_UNDONE = ("change-undone", ActKind.ENQUIRIES, "undid {change} of enquiry {about}")
    REPLY_SENT = ("reply-sent", ActKind.ENQUIRIES, "sent a reply about enquiry {about}")
    TEMPLATE_SAVED = ("template-saved", ActKind.ENQUIRIES, "saved the reply template {about}")
    TEMPLATE_DELETED = ("template-deleted", ActKind.ENQUIRIES, "deleted the reply template {about}")
    ENQUIRIES_EXPORTED = ("enquiries-exported", ActKind.ENQUIRIES, "exported enquiries")
    OVERDUE_DELETED = ("overdue-deleted", ActKind.ENQUIRIES, "deleted what was past its time")
    MAIL_RETRIED = ("mail-retried", ActKind.ENQUIRIES, "had waiting mail tried again")
    ADDRESS_LIFTED = ("address-lifted", ActKind.ENQUIRIES, "had mail sent again to an address that it came back from")
    APPOINTMENT_BOOKED = ("appointment-booked", ActKind.DIARY, "booked an appointment for enquiry {about}")
    APPOINTMENT_MOVED = ("appointment-moved", ActKind.DIARY, "moved the appointment of enquiry {about}")
    APPOINTMENT_CANCELLED = ("appointment-cancelled", ActKind.DIARY, "cancelled the appointment of enquiry {about}")
    APPOINTMENT_CLOSED = (
        "appointment-closed",
        ActKind.DIARY,
        "recorded the outcome of the appointment of enquiry {about}",
    )
    APPOINTMENT_TAKEN_OVER = ("appointment-taken-over", ActKind.DIARY, "took over the appointment of enquiry {about}")
    HOURS_CHANGED = ("hours-changed", ActKind.DIARY, "changed the hours of {about}")
    ABSENCE_ADDED = ("absence-added", ActKind.DIARY, "added an absence of {about}")
    ABSENCE_REMOVED = ("absence-removed", ActKind.DIARY, "removed an absence of {about}")
    FEED_MADE = ("feed-made", ActKind.DIARY, "made a calendar feed for {about}")
    FEED_REVOKED = ("feed-revoked", ActKind.DIARY, "ended the calendar feed of {about}")
    WATCHES_READ = ("watches-read", ActKind.ENQUIRIES, "read the watches of visitors who agreed to a call")
    COMPLAINT_ADDED = ("complaint-added", ActKind.DUTIES, "recorded complaint {about}")
    COMPLAINT_READ = ("complaint-read", ActKind.DUTIES, "read complaint {about}")
    COMPLAINT_CHANGED = ("complaint-changed", ActKind.DUTIES, "changed complaint {about}")
    COMPLAINT_LETTER = ("complaint-letter", ActKind.DUTIES, "recorded a letter of complaint {about}")
    COMPLAINT_CLOSED = ("complaint-closed", ActKind.DUTIES, "closed complaint {about}")
    COMPLAINTS_EXPORTED = ("complaints-exported", ActKind.DUTIES, "exported complaints")
    PERSON_ASKED = ("person-asked", ActKind.DUTIES, "recorded what a person asks for about their data")
    PERSON_ANSWERED = ("person-answered", ActKind.DUTIES, "answered what a person asked for about their data")
    PERSON_EXPORTED = ("person-exported", ActKind.DUTIES, "exported a person's data, with {about}")
    PERSON_CORRECTED = ("person-corrected", ActKind.DUTIES, "corrected a person's data in {about}")
    PERSON_DELETED = ("person-deleted", ActKind.DUTIES, "deleted a person's data, with {about}")
    PROMOTION_APPROVED = ("promotion-approved", ActKind.DUTIES, "approved what {about} shows")
    NEEDS_RECORDED = ("needs-recorded", ActKind.DUTIES, "recorded support needs of enquiry {about}")
    NEEDS_REMOVED = ("needs-removed", ActKind.DUTIES, "deleted the support needs of enquiry {about}")


UNDONE: Mapping[Act, str] = {
    Act.CALL_RECORDED: "the outcome of a call",
    Act.ENQUIRY_ASSIGNED: "a change of adviser",
    Act.CASE_CLOSED: "a close",
    Act.CASE_DUE: "a date of what is next",
    Act.CASE_STAGE: "a stage",
    Act.CONTACT_CORRECTED: "a correction of the contact details",
    Act.CASE_FIGURES: "a correction of the figures",
    Act.CASE_MERGED: "a merge",
}
"""The changes of a case that can be undone, in words; the entry of an undone one has its action as the detail."""


def undone_change(detail: str) -> str:
    """Return what was undone by the detail of an entry, "a change" where it is not known."""
    return next((words for what, words in UNDONE.items() if what.value == detail), "a change")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One entry of the audit record, without personal data of visitors.

    `at` has its time zone. `who` is an account's name, `UNKNOWN_ACTOR`, `COMMAND_LINE` or `VISITOR`. `about` is the
    object of the action: a reference, a lender's id or the name of an account. `number` is the entry's position in the
    record, 0 before it is stored.
    """

    at: datetime
    who: str
    what: Act
    about: str = ""
    detail: str = ""
    number: int = 0

    @property
    def sentence(self) -> str:
        """Return the action in words, after the actor: `moved enquiry HG-7K3M-Q2XD on (new to called)`.

        Times that are stored in UTC are in UK time.
        """
        words = self.what.words.replace("{about}", self.about)
        if self.what is Act.CHANGE_UNDONE:
            return words.replace("{change}", undone_change(self.detail))
        detail = _UTC.sub(_uk_words, self.detail)
        return f"{words} ({detail})" if detail else words


_UTC = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}) UTC")
"""A time in a detail, as `appointments.store` writes those of a former appointment."""


def uk_detail(at: datetime) -> str:
    """Return a time as a detail has it, in UK time: `4 November 2026 at 09:02`."""
    return f"{at.astimezone(UK):%-d %B %Y at %H:%M}"


def _uk_words(found: re.Match[str]) -> str:
    return uk_detail(datetime.fromisoformat(found[1]).replace(tzinfo=UTC))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """A filter of entries; the default matches all.

    `who` is the name of an account, `about` the object of the action. `before` limits the result to entries older than
    that number; 0 starts at the newest.
    """

    who: str = ""
    about: str = ""
    kind: ActKind | None = None
    before: int = 0

    @property
    def acts(self) -> tuple[Act, ...]:
        """Return the actions of the filter, none for all."""
        return tuple(act for act in Act if act.kind is self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Entries, newest first; `existing` are their references whose enquiries are still stored."""

    entries: tuple[AuditEntry, ...]
    has_more: bool
    existing: frozenset[str] = frozenset()
