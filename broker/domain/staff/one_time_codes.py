"""One-time codes of an authenticator (RFC 6238: SHA-1, 30 seconds, six digits), and the recovery codes beside them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from datetime import datetime
from urllib.parse import quote

PERIOD, DIGITS, WINDOW = 30, 6, 1
"""Seconds that a code lasts, its digits, and the periods before and after its own in which it is still taken."""

SECRET_BYTES = 20
"""160 bits, as RFC 4226 recommends."""

RECOVERY_CODES = 10
_RECOVERY_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_RECOVERY_LENGTH = 16


def new_secret() -> bytes:
    """Return a secret that nobody can guess."""
    return secrets.token_bytes(SECRET_BYTES)


def code_at(secret: bytes, step: int) -> str:
    """Return the code of a period, which `step` counts from 1970 (RFC 4226 5.3)."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def step_at(moment: datetime) -> int:
    """Return the number of the period that a moment is in."""
    return int(moment.timestamp()) // PERIOD


def step_of(code: str, secret: bytes, *, now: datetime, after: int) -> int | None:
    """Return the period whose code this is; None for a wrong one, and for one up to the period `after`, used before.

    Every period of the window is compared, and each in constant time.
    """
    middle, found = step_at(now), None
    for step in range(middle - WINDOW, middle + WINDOW + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), code.encode()) and step > after:
            found = step
    return found


def digits_in(text: object) -> str:
    """Return the six digits that somebody typed, spaces between them or not; empty for anything else."""
    typed = re.sub(r"[\s-]", "", text[:20]) if isinstance(text, str) else ""
    return typed if len(typed) == DIGITS and typed.isascii() and typed.isdigit() else ""


def secret_shown(secret: bytes) -> str:
    """Return a secret as authenticators take it by hand: base 32, in groups of four."""
    text = base64.b32encode(secret).decode().rstrip("=")
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))


def provisioning_address(secret: bytes, *, account: str, issuer: str) -> str:
    """Return the address that an authenticator reads from a picture (Google's Key Uri Format)."""
    label = quote(f"{issuer}:{account}", safe="")
    plain = secret_shown(secret).replace(" ", "")
    return f"otpauth://totp/{label}?secret={plain}&issuer={quote(issuer, safe='')}"


def new_recovery_codes() -> tuple[str, ...]:
    """Return codes of 80 bits, each to be used once where the authenticator is gone."""
    return tuple(
        "-".join("".join(secrets.choice(_RECOVERY_SIGNS) for _ in range(4)) for _ in range(_RECOVERY_LENGTH // 4))
        for _ in range(RECOVERY_CODES)
    )


def recovery_code_in(text: object) -> str:
    """Return a recovery code without its dashes, as somebody typed it; empty for anything else."""
    typed = re.sub(r"[\s-]", "", text[:60]).upper() if isinstance(text, str) else ""
    return typed if len(typed) == _RECOVERY_LENGTH and set(typed) <= set(_RECOVERY_SIGNS) else ""


def recovery_digest(code: str, account_id: int) -> str:
    """Return what is kept of a recovery code: 80 random bits need no slower hash."""
    return hashlib.sha256(f"{account_id} {recovery_code_in(code)}".encode()).hexdigest()
