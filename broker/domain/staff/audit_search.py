"""Filters and pages of the audit record."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from broker.domain.staff.audit import Act, AuditEntry


class ActKind(StrEnum):
    """A group of actions, for filtering."""

    SIGN_INS = "sign-ins"
    FAILURES = "failures"
    ACCOUNTS = "accounts"
    ENQUIRIES = "enquiries"
    LOGOS = "logos"
    SOURCES = "sources"


ACTS: Mapping[ActKind, tuple[Act, ...]] = {
    ActKind.SIGN_INS: (Act.SIGNED_IN, Act.RECOVERY_CODE_USED, Act.SIGNED_OUT, Act.SIGNED_OUT_EVERYWHERE),
    ActKind.FAILURES: (Act.SIGN_IN_FAILED, Act.LOCKED),
    ActKind.ACCOUNTS: (
        Act.ACCOUNT_ADDED,
        Act.ACCOUNT_RESET,
        Act.ACCOUNT_DISABLED,
        Act.ACCOUNT_ENABLED,
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
        Act.ENQUIRIES_EXPORTED,
        Act.OVERDUE_DELETED,
    ),
    ActKind.LOGOS: (Act.LOGO_UPLOADED, Act.LOGO_REPLACED, Act.LOGO_REMOVED, Act.LOGO_RESTORED, Act.LOGOS_BULK),
    ActKind.SOURCES: (
        *(Act.LENDERS_REFRESHED, Act.LOGOS_REFRESHED, Act.RATES_REFRESHED, Act.QUESTIONNAIRE_REFRESHED),
        Act.CONTENT_REFRESHED,
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
