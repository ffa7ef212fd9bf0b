"""Staff accounts and sessions: rules for names and passwords, and session timeouts (decision 36).

Passwords follow NIST SP 800-63B and OWASP ASVS 6.2: a minimum length, no required kinds of character, and a list of
common passwords that are refused.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.staff.roles import Right, Role, may

MAX_NAME_LENGTH = 40
MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 12, 128
"""Characters of a password."""

MIN_CONTAINED_NAME_LENGTH = 4
"""Length of a name from which a password may not contain it; shorter names are part of many words."""

MIN_DISTINCT_CHARACTERS = 5
"""Distinct characters of a password; fewer is a repetition."""

IDLE_TIMEOUT = timedelta(minutes=30)
"""A session ends after this time without use."""

MAX_SESSION = timedelta(hours=12)
"""A session ends this long after its sign-in, used or not."""

MAX_FAILURES = 10
"""Failures in a row after which an account is locked."""

LOCKOUT = timedelta(minutes=15)
"""How long an account stays locked."""

NAME_RULE = "A name has 2 to 40 characters: lower-case letters, digits, and . or - between them"

_NAME = re.compile(rf"[a-z0-9](?:[a-z0-9.-]{{0,{MAX_NAME_LENGTH - 2}}}[a-z0-9])")
_STEPS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "01234567890123456789")

_WORDS = """
password pass word passwort passw0rd p@ssword p@ssw0rd pa55word letmein welcome administrator admin changeme monkey
dragon iloveyou sunshine princess football baseball superman batman liverpool arsenal chelsea manchester starwars
computer internet whatever trustno1 master secret default guest login access temporary mortgage mortgages
mortgagebroker broker hearthgate hearthgatemortgages london england charlie michael jennifer jordan hunter shadow
correcthorsebatterystaple correcthorse
"""
COMMON_WORDS = frozenset(_WORDS.split())
"""Words of common passwords; combinations of them with digits are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffSession:
    """The session of a signed-in member of staff.

    `key` identifies it in memory and in the database: the digest of its token. `name` and `role` are the account's. It
    ends at `until` at the latest, or `IDLE_TIMEOUT` after `touched`. `has_codes` is whether the account has one-time
    codes, `by_passkey` whether a passkey began the session.
    """

    key: str
    account_id: int
    name: str
    role: Role
    started: datetime
    touched: datetime
    has_codes: bool = False
    by_passkey: bool = False

    @property
    def has_two_factors(self) -> bool:
        """Return whether more than a password is behind the session.

        A passkey with user verification is two: what somebody has, and what they know or are (WebAuthn Level 3, 6.2.3).
        """
        return self.has_codes or self.by_passkey

    @property
    def until(self) -> datetime:
        """Return the latest end of the session."""
        return self.started + MAX_SESSION

    def may(self, right: Right) -> bool:
        return may(self.role, right)

    def has_ended(self, now: datetime) -> bool:
        return now >= self.until or now >= self.touched + IDLE_TIMEOUT


def staff_name(text: object) -> str:
    """Return the normalised name of an account; empty for an invalid one."""
    typed = text.strip().lower() if isinstance(text, str) and len(text) <= 4 * MAX_NAME_LENGTH else ""
    return typed if _NAME.fullmatch(typed) else ""


def initials(name: str) -> str:
    """Return two capitals for an account: of the first and the last word of its name, or the first two letters."""
    words = re.findall(r"\w+", name)
    letters = f"{words[0][0]}{words[-1][0]}" if len(words) > 1 else name[:2]
    return letters.upper()


def account_tone(name: str) -> str:
    """Return the class of the colour behind an account's initials, the same for every viewer; empty for nobody."""
    return f"a{sum(map(ord, name)) % 4 + 1}" if name else ""


def normalised_password(password: object) -> str:
    """Return a password in Unicode form NFKC (NIST SP 800-63B); empty for anything but a text.

    A text that is too long is cut to one character over the limit, so it never matches.
    """
    if not isinstance(password, str):
        return ""
    return unicodedata.normalize("NFKC", password[: 2 * MAX_PASSWORD_LENGTH])[: MAX_PASSWORD_LENGTH + 1]


def password_problem(password: str, name: str) -> str:
    """Return why a password is refused, empty for an accepted one."""
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
        return (
            f"Choose a password of {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters, a few words for example"
        )
    plain = password.casefold()
    if plain == name or (len(name) >= MIN_CONTAINED_NAME_LENGTH and name in plain):
        return "Choose a password that does not hold the name of the account"
    if len(set(plain)) < MIN_DISTINCT_CHARACTERS or _is_common(plain):
        return "Choose another password: this is one of the first that anybody would try"
    return ""


def _is_common(plain: str) -> bool:
    """Return whether a password is only common words and digits, or mostly runs of the keyboard."""
    threes = [plain[at : at + 3] for at in range(len(plain) - 2)]
    return bool(_COMMON.fullmatch(plain)) or sum(three in _RUNS for three in threes) > 0.6 * len(threes)


_COMMON = re.compile(rf"(?:[\W\d_]*(?:{'|'.join(map(re.escape, sorted(COMMON_WORDS)))}))+[\W\d_]*")
_RUNS = frozenset(line[at : at + 3] for steps in _STEPS for line in (steps, steps[::-1]) for at in range(len(line) - 2))
"""Three consecutive characters of the alphabet, the keyboard or the digits."""
