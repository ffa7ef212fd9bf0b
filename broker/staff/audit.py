"""The audit record of staff actions, which is append-only (decision 37).

It holds no personal data of visitors: an enquiry is named by its reference. It is never deleted.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from broker.clock import UK

MAX_ACTOR_LENGTH, MAX_SUBJECT_LENGTH, MAX_DETAIL_LENGTH = 80, 80, 400
"""Characters of each field; longer values are cut."""

UNKNOWN_ACTOR = "unknown"
"""The actor of a sign-in with an unknown name, which may be a mistyped password and is not stored."""

COMMAND_LINE = "command line"
"""The actor of `python -m broker.staff`."""

VISITOR = "the visitor"
"""The actor of a deletion by the sender of an enquiry."""


class Act(StrEnum):
    """An action, by its stored name."""

    SIGNED_IN = "signed-in"
    SIGN_IN_FAILED = "sign-in-failed"
    LOCKED = "locked"
    SIGNED_OUT = "signed-out"
    SIGNED_OUT_EVERYWHERE = "signed-out-everywhere"
    ACCOUNT_ADDED = "account-added"
    ACCOUNT_RESET = "account-reset"
    ACCOUNT_DISABLED = "account-disabled"
    ACCOUNT_ENABLED = "account-enabled"
    ACCOUNT_INVITED = "account-invited"
    LINK_MADE = "link-made"
    LINK_WITHDRAWN = "link-withdrawn"
    LINK_USED = "link-used"
    ROLE_CHANGED = "role-changed"
    SESSIONS_ENDED = "sessions-ended"
    PASSKEY_ADDED = "passkey-added"
    PASSKEY_REMOVED = "passkey-removed"
    PASSWORD_CHANGED = "password-changed"
    CODE_SET_UP = "code-set-up"
    CODE_REMOVED = "code-removed"
    RECOVERY_CODE_USED = "recovery-code-used"
    LOGO_UPLOADED = "logo-uploaded"
    LOGO_REPLACED = "logo-replaced"
    LOGO_REMOVED = "logo-removed"
    LOGO_RESTORED = "logo-restored"
    LOGOS_REFRESHED = "logos-refreshed"
    LOGOS_BULK = "logos-bulk"
    WINDOW_CORRECTED = "window-corrected"
    WINDOW_WITHDRAWN = "window-withdrawn"
    LENDERS_REFRESHED = "lenders-refreshed"
    RATES_REFRESHED = "rates-refreshed"
    QUESTIONNAIRE_REFRESHED = "questionnaire-refreshed"
    CONTENT_REFRESHED = "content-refreshed"
    ENQUIRY_READ = "enquiry-read"
    ENQUIRY_STATE = "enquiry-state"
    ENQUIRY_NOTE = "enquiry-note"
    ENQUIRY_ASSIGNED = "enquiry-assigned"
    ENQUIRY_DELETED = "enquiry-deleted"
    ADVICE_KEPT = "advice-kept"
    CALL_RECORDED = "call-recorded"
    CASE_CLOSED = "case-closed"
    CASE_DUE = "case-due"
    CASE_STAGE = "case-stage"
    CONTACT_CORRECTED = "contact-corrected"
    CASE_FIGURES = "case-figures"
    CASE_ADDED = "case-added"
    CASE_MERGED = "case-merged"
    CHANGE_UNDONE = "change-undone"
    REPLY_SENT = "reply-sent"
    TEMPLATE_SAVED = "template-saved"
    TEMPLATE_DELETED = "template-deleted"
    ENQUIRIES_EXPORTED = "enquiries-exported"
    OVERDUE_DELETED = "overdue-deleted"
    MAIL_RETRIED = "mail-retried"
    ADDRESS_LIFTED = "address-lifted"
    APPOINTMENT_BOOKED = "appointment-booked"
    APPOINTMENT_MOVED = "appointment-moved"
    APPOINTMENT_CANCELLED = "appointment-cancelled"
    APPOINTMENT_CLOSED = "appointment-closed"
    APPOINTMENT_TAKEN_OVER = "appointment-taken-over"
    HOURS_CHANGED = "hours-changed"
    ABSENCE_ADDED = "absence-added"
    ABSENCE_REMOVED = "absence-removed"
    FEED_MADE = "feed-made"
    FEED_REVOKED = "feed-revoked"
    WATCHES_READ = "watches-read"
    COMPLAINT_ADDED = "complaint-added"
    COMPLAINT_READ = "complaint-read"
    COMPLAINT_CHANGED = "complaint-changed"
    COMPLAINT_LETTER = "complaint-letter"
    COMPLAINT_CLOSED = "complaint-closed"
    COMPLAINTS_EXPORTED = "complaints-exported"
    PERSON_ASKED = "person-asked"
    PERSON_ANSWERED = "person-answered"
    PERSON_EXPORTED = "person-exported"
    PERSON_CORRECTED = "person-corrected"
    PERSON_DELETED = "person-deleted"
    PROMOTION_APPROVED = "promotion-approved"
    NEEDS_RECORDED = "needs-recorded"
    NEEDS_REMOVED = "needs-removed"


DESCRIPTIONS: Mapping[Act, str] = {
    Act.SIGNED_IN: "signed in",
    Act.SIGN_IN_FAILED: "failed to sign in",
    Act.LOCKED: "was locked out after too many failures",
    Act.SIGNED_OUT: "signed out",
    Act.SIGNED_OUT_EVERYWHERE: "signed out everywhere",
    Act.ACCOUNT_ADDED: "added the account {about}",
    Act.ACCOUNT_RESET: "gave the account {about} a new password",
    Act.ACCOUNT_DISABLED: "disabled the account {about}",
    Act.ACCOUNT_ENABLED: "enabled the account {about}",
    Act.ACCOUNT_INVITED: "invited {about}",
    Act.LINK_MADE: "made {about} a link to set up signing in",
    Act.LINK_WITHDRAWN: "withdrew the link of {about}",
    Act.LINK_USED: "set up signing in by a link",
    Act.ROLE_CHANGED: "changed the role of {about}",
    Act.SESSIONS_ENDED: "signed {about} out",
    Act.PASSKEY_ADDED: "added a passkey of {about}",
    Act.PASSKEY_REMOVED: "removed a passkey of {about}",
    Act.PASSWORD_CHANGED: "changed the password of {about}",
    Act.CODE_SET_UP: "set up one-time codes for {about}",
    Act.CODE_REMOVED: "removed the one-time codes of {about}",
    Act.RECOVERY_CODE_USED: "signed in with a recovery code",
    Act.LOGO_UPLOADED: "uploaded a logo for {about}",
    Act.LOGO_REPLACED: "replaced the logo of {about}",
    Act.LOGO_REMOVED: "removed the logo of {about}",
    Act.LOGO_RESTORED: "put an earlier logo of {about} back",
    Act.LOGOS_REFRESHED: "read the logos again",
    Act.LOGOS_BULK: "uploaded many logos at once",
    Act.WINDOW_CORRECTED: "corrected how early {about} lets its own borrowers book",
    Act.WINDOW_WITHDRAWN: "withdrew the correction of how early {about} lets its own borrowers book",
    Act.LENDERS_REFRESHED: "read the list of lenders again",
    Act.RATES_REFRESHED: "read the rates again",
    Act.QUESTIONNAIRE_REFRESHED: "read the questionnaire again",
    Act.CONTENT_REFRESHED: "had the content published",
    Act.ENQUIRY_READ: "read enquiry {about}",
    Act.ENQUIRY_STATE: "moved enquiry {about} on",
    Act.ENQUIRY_NOTE: "wrote a note to enquiry {about}",
    Act.ENQUIRY_ASSIGNED: "assigned enquiry {about}",
    Act.ENQUIRY_DELETED: "deleted enquiry {about}",
    Act.ADVICE_KEPT: "deleted all of enquiry {about} but the record of advice",
    Act.CALL_RECORDED: "recorded a call of enquiry {about}",
    Act.CASE_CLOSED: "closed enquiry {about}",
    Act.CASE_DUE: "set when enquiry {about} is due next",
    Act.CASE_STAGE: "set the stage of enquiry {about}",
    Act.CONTACT_CORRECTED: "corrected the contact details of enquiry {about}",
    Act.CASE_FIGURES: "corrected the figures of enquiry {about}",
    Act.CASE_ADDED: "entered enquiry {about} by hand",
    Act.CASE_MERGED: "merged enquiry {about}",
    Act.CHANGE_UNDONE: "undid {change} of enquiry {about}",
    Act.REPLY_SENT: "sent a reply about enquiry {about}",
    Act.TEMPLATE_SAVED: "saved the reply template {about}",
    Act.TEMPLATE_DELETED: "deleted the reply template {about}",
    Act.ENQUIRIES_EXPORTED: "exported enquiries",
    Act.OVERDUE_DELETED: "deleted what was past its time",
    Act.MAIL_RETRIED: "had waiting mail tried again",
    Act.ADDRESS_LIFTED: "had mail sent again to an address that it came back from",
    Act.APPOINTMENT_BOOKED: "booked an appointment for enquiry {about}",
    Act.APPOINTMENT_MOVED: "moved the appointment of enquiry {about}",
    Act.APPOINTMENT_CANCELLED: "cancelled the appointment of enquiry {about}",
    Act.APPOINTMENT_CLOSED: "recorded the outcome of the appointment of enquiry {about}",
    Act.APPOINTMENT_TAKEN_OVER: "took over the appointment of enquiry {about}",
    Act.HOURS_CHANGED: "changed the hours of {about}",
    Act.ABSENCE_ADDED: "added an absence of {about}",
    Act.ABSENCE_REMOVED: "removed an absence of {about}",
    Act.FEED_MADE: "made a calendar feed for {about}",
    Act.FEED_REVOKED: "ended the calendar feed of {about}",
    Act.WATCHES_READ: "read the watches of visitors who agreed to a call",
    Act.COMPLAINT_ADDED: "recorded complaint {about}",
    Act.COMPLAINT_READ: "read complaint {about}",
    Act.COMPLAINT_CHANGED: "changed complaint {about}",
    Act.COMPLAINT_LETTER: "recorded a letter of complaint {about}",
    Act.COMPLAINT_CLOSED: "closed complaint {about}",
    Act.COMPLAINTS_EXPORTED: "exported complaints",
    Act.PERSON_ASKED: "recorded what a person asks for about their data",
    Act.PERSON_ANSWERED: "answered what a person asked for about their data",
    Act.PERSON_EXPORTED: "exported a person's data, with {about}",
    Act.PERSON_CORRECTED: "corrected a person's data in {about}",
    Act.PERSON_DELETED: "deleted a person's data, with {about}",
    Act.PROMOTION_APPROVED: "approved what {about} shows",
    Act.NEEDS_RECORDED: "recorded support needs of enquiry {about}",
    Act.NEEDS_REMOVED: "deleted the support needs of enquiry {about}",
}
"""Each action in words, after the name of its actor; `{about}` is its object."""


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
        words = DESCRIPTIONS[self.what].replace("{about}", self.about)
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


ACTS: Mapping[ActKind, tuple[Act, ...]] = {
    ActKind.SIGN_INS: (Act.SIGNED_IN, Act.RECOVERY_CODE_USED, Act.SIGNED_OUT, Act.SIGNED_OUT_EVERYWHERE),
    ActKind.FAILURES: (Act.SIGN_IN_FAILED, Act.LOCKED),
    ActKind.ACCOUNTS: (
        Act.ACCOUNT_ADDED,
        Act.ACCOUNT_RESET,
        Act.ACCOUNT_DISABLED,
        Act.ACCOUNT_ENABLED,
        Act.ACCOUNT_INVITED,
        Act.LINK_MADE,
        Act.LINK_WITHDRAWN,
        Act.LINK_USED,
        Act.ROLE_CHANGED,
        Act.SESSIONS_ENDED,
        Act.PASSKEY_ADDED,
        Act.PASSKEY_REMOVED,
        Act.PASSWORD_CHANGED,
        Act.CODE_SET_UP,
        Act.CODE_REMOVED,
    ),
    ActKind.ENQUIRIES: (
        Act.ENQUIRY_READ,
        Act.ENQUIRY_STATE,
        Act.ENQUIRY_NOTE,
        Act.ENQUIRY_ASSIGNED,
        Act.ENQUIRY_DELETED,
        Act.ADVICE_KEPT,
        Act.CALL_RECORDED,
        Act.CASE_CLOSED,
        Act.CASE_DUE,
        Act.CASE_STAGE,
        Act.CONTACT_CORRECTED,
        Act.CASE_FIGURES,
        Act.CASE_ADDED,
        Act.CASE_MERGED,
        Act.CHANGE_UNDONE,
        Act.REPLY_SENT,
        Act.TEMPLATE_SAVED,
        Act.TEMPLATE_DELETED,
        Act.ENQUIRIES_EXPORTED,
        Act.OVERDUE_DELETED,
        Act.MAIL_RETRIED,
        Act.ADDRESS_LIFTED,
        Act.WATCHES_READ,
    ),
    ActKind.LOGOS: (Act.LOGO_UPLOADED, Act.LOGO_REPLACED, Act.LOGO_REMOVED, Act.LOGO_RESTORED, Act.LOGOS_BULK),
    ActKind.WINDOWS: (Act.WINDOW_CORRECTED, Act.WINDOW_WITHDRAWN),
    ActKind.SOURCES: (
        *(Act.LENDERS_REFRESHED, Act.LOGOS_REFRESHED, Act.RATES_REFRESHED, Act.QUESTIONNAIRE_REFRESHED),
        Act.CONTENT_REFRESHED,
    ),
    ActKind.DIARY: (
        Act.APPOINTMENT_BOOKED,
        Act.APPOINTMENT_MOVED,
        Act.APPOINTMENT_CANCELLED,
        Act.APPOINTMENT_CLOSED,
        Act.APPOINTMENT_TAKEN_OVER,
        Act.HOURS_CHANGED,
        Act.ABSENCE_ADDED,
        Act.ABSENCE_REMOVED,
        Act.FEED_MADE,
        Act.FEED_REVOKED,
    ),
    ActKind.DUTIES: (
        Act.COMPLAINT_ADDED,
        Act.COMPLAINT_READ,
        Act.COMPLAINT_CHANGED,
        Act.COMPLAINT_LETTER,
        Act.COMPLAINT_CLOSED,
        Act.COMPLAINTS_EXPORTED,
        Act.PERSON_ASKED,
        Act.PERSON_ANSWERED,
        Act.PERSON_EXPORTED,
        Act.PERSON_CORRECTED,
        Act.PERSON_DELETED,
        Act.PROMOTION_APPROVED,
        Act.NEEDS_RECORDED,
        Act.NEEDS_REMOVED,
    ),
}
"""The actions of each kind; every action has exactly one kind."""


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
        return ACTS[self.kind] if self.kind else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Entries, newest first; `existing` are their references whose enquiries are still stored."""

    entries: tuple[AuditEntry, ...]
    has_more: bool
    existing: frozenset[str] = frozenset()
