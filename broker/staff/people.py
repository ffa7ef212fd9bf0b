"""People with an account as an owner sees them, and the rules of invitations (values only)."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.enquiries.contact_details import MAX_EMAIL, email_problem, single_line
from broker.staff.accounts import MAX_NAME_LENGTH, staff_name
from broker.staff.roles import Role, parse_role

LINK_LIFETIME = timedelta(hours=48)
"""Time for which a one-time link works."""

HERE_NOW = timedelta(minutes=5)
"""Time after the last use of a session for which its owner is said to be at work."""

MAX_DISPLAY_NAME = 80

NAME, EMAIL, ROLE = "name", "email", "role"
"""Fields of the form that invites."""

LAST_OWNER = "This is the last owner, so nothing was changed. Make somebody else an owner first"
NO_PERSON = "There is no such account any longer. Load the page again"
NAME_TAKEN = "There is an account of this name already"


THEMES = ("", "light", "dark")
"""Themes that an account may choose; empty is that of the system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What an account chose for its pages: a theme, and whether single keys do nothing."""

    theme: str = ""
    keys_off: bool = False


DEFAULT_LOOK = Look()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSession:
    """A session that has not ended; `key` is that of its StaffSession, and `agent` names its browser and system."""

    id: int
    key: str
    agent: str
    started: datetime
    touched: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkey:
    id: int
    name: str
    added: datetime
    used: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLink:
    """A one-time link that was not used; its token is not stored."""

    is_reset: bool
    made_by: str
    expires: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """An account with what an owner decides by.

    `email` is empty for an account without one, or an unreadable one; `complaints` are the open ones.
    """

    id: int
    name: str
    shown_name: str
    email: str
    role: Role
    enabled: bool
    is_set_up: bool
    created: datetime
    signed_in_at: datetime | None
    disabled_at: datetime | None
    has_codes: bool
    sessions: tuple[OpenSession, ...] = ()
    passkeys: tuple[Passkey, ...] = ()
    open_cases: int = 0
    complaints: int = 0
    appointments: int = 0
    link: OpenLink | None = None

    @property
    def seen(self) -> datetime | None:
        """Return the last use of a session, else the last sign-in."""
        return max((each.touched for each in self.sessions), default=self.signed_in_at)

    def is_here(self, now: datetime) -> bool:
        return any(now - each.touched < HERE_NOW for each in self.sessions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Whom to invite: the person's name, the account's name made from it, the email address and the role."""

    shown_name: str
    account: str
    email: str
    role: Role


def parse_invitation(given: Mapping[str, object]) -> Invitation | dict[str, str]:
    """Return what a form invites, or the problems of its fields by name."""
    shown = single_line(given.get(NAME), MAX_DISPLAY_NAME) or ""
    address = single_line(given.get(EMAIL), MAX_EMAIL) or ""
    account, role = account_name(shown, address), parse_role(given.get(ROLE))
    problems = {
        NAME: "" if shown and account else "Enter the person’s name, at most 80 characters",
        EMAIL: email_problem(address) if address else "Enter the email address that gets the link",
        ROLE: "" if role else "Choose a role",
    }
    found = {field: words for field, words in problems.items() if words}
    if found or role is None:
        return found
    return Invitation(shown_name=shown, account=account, email=address, role=role)


def account_name(shown_name: str, email: str) -> str:
    """Return the account's name for a person: `ada.pattern`, from the email address for a name in no Latin letters."""
    for text in (shown_name, email.partition("@")[0]):
        plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
        name = re.sub(r"[^a-z0-9]+", ".", plain.replace("'", ""))[:MAX_NAME_LENGTH].strip(".")
        if staff_name(name):
            return name
    return ""
