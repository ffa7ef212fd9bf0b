"""Staff and their sessions: what a name and a password may be, and how long a session lasts (decision 36).

Passwords follow NIST SP 800-63B and OWASP ASVS 6.2: length counts, no sort of character is asked for, and the ones that
everybody tries first are refused.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

MAX_NAME_LENGTH = 40
MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 12, 128
"""Characters that each may have."""

MIN_NAME_HELD_LENGTH = 4
"""Characters of an account's name from which on no password may hold it; shorter ones stand in many words."""

MIN_DISTINCT_CHARACTERS = 5
"""Different characters that a password has at least: fewer is one that repeats itself."""

IDLE_TIMEOUT = timedelta(minutes=30)
"""A session ends when nothing was done in it for so long."""

MAX_SESSION = timedelta(hours=12)
"""A session ends so long after its sign-in, whatever was done in it."""

MAX_FAILURES = 10
"""Failures in a row after which an account is locked."""

LOCKOUT = timedelta(minutes=15)
"""How long an account is locked then."""

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
"""Words that the commonest passwords are made of: one with a year behind it, or one twice, is no password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffSession:
    """Somebody of staff who is signed in.

    `key` stands for the session in memory and in the database: the digest of its token, which opens nothing. `name` is
    the account's. The session ends at `until` at the latest, and at `touched` + IDLE when nothing is done in it.
    """

    key: str
    account_id: int
    name: str
    started: datetime
    touched: datetime

    @property
    def until(self) -> datetime:
        """Return the end that nothing can put off."""
        return self.started + MAX_SESSION

    def has_ended(self, now: datetime) -> bool:
        """Tell whether the session is over by the clock."""
        return now >= self.until or now >= self.touched + IDLE_TIMEOUT


def staff_name(text: object) -> str:
    """Return a name as accounts have it, from what was typed; empty for what cannot be one."""
    typed = text.strip().lower() if isinstance(text, str) and len(text) <= 4 * MAX_NAME_LENGTH else ""
    return typed if _NAME.fullmatch(typed) else ""


def normalised_password(password: object) -> str:
    """Return a password in one form, whatever keyboard it was typed on (NIST SP 800-63B: NFKC); empty for none.

    What is longer than any password is cut short behind its last possible character, and so never matches one.
    """
    if not isinstance(password, str):
        return ""
    return unicodedata.normalize("NFKC", password[: 2 * MAX_PASSWORD_LENGTH])[: MAX_PASSWORD_LENGTH + 1]


def password_problem(password: str, name: str) -> str:
    """Return in a sentence why a password cannot be that of an account, empty for one that can."""
    if not MIN_PASSWORD_LENGTH <= len(password) <= MAX_PASSWORD_LENGTH:
        return (
            f"Choose a password of {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters, a few words for example"
        )
    plain = password.casefold()
    if plain == name or (len(name) >= MIN_NAME_HELD_LENGTH and name in plain):
        return "Choose a password that does not hold the name of the account"
    if len(set(plain)) < MIN_DISTINCT_CHARACTERS or _is_common(plain):
        return "Choose another password: this is one of the first that anybody would try"
    return ""


def _is_common(plain: str) -> bool:
    """Tell whether a password is nothing but common words and digits, or runs along the keyboard for the most part."""
    threes = [plain[at : at + 3] for at in range(len(plain) - 2)]
    return bool(_COMMON.fullmatch(plain)) or sum(three in _RUNS for three in threes) > 0.6 * len(threes)


_COMMON = re.compile(rf"(?:[\W\d_]*(?:{'|'.join(map(re.escape, sorted(COMMON_WORDS)))}))+[\W\d_]*")
_RUNS = frozenset(line[at : at + 3] for steps in _STEPS for line in (steps, steps[::-1]) for at in range(len(line) - 2))
"""Three characters that follow each other in the alphabet, on the keyboard or in a count."""
