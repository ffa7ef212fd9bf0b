"""The audit record as it is read: by whom, about what, and which kind of act, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from broker.domain.staff.audit import Act, AuditEntry


class ActKind(StrEnum):
    """A group of acts that staff look for together."""

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
    ),
    ActKind.LOGOS: (Act.LOGO_UPLOADED, Act.LOGO_REPLACED, Act.LOGO_REMOVED, Act.LOGO_RESTORED, Act.LOGOS_BULK),
    ActKind.SOURCES: (Act.LENDERS_REFRESHED, Act.LOGOS_REFRESHED, Act.RATES_REFRESHED, Act.CONTENT_REFRESHED),
}
"""The acts of each kind: every act is of one kind, and of one alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Which lines are wanted, all of them where nothing is said.

    `who` is the name of an account, `about` what it was done to, as the record has it. `before` is the number of a line
    that is known, for older ones; 0 begins with the newest.
    """

    who: str = ""
    about: str = ""
    kind: ActKind | None = None
    before: int = 0

    @property
    def acts(self) -> tuple[Act, ...]:
        """Return the acts that are wanted, none for all of them."""
        return ACTS[self.kind] if self.kind else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Lines of the record, newest first; `existing` are the references in them whose enquiries are still there."""

    entries: tuple[AuditEntry, ...]
    has_more: bool
    existing: frozenset[str] = frozenset()
