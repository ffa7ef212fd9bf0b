"""Password hashes (Argon2), one-time codes (RFC 6238: SHA-1, 30 seconds, six digits) and recovery codes."""

import asyncio
import hashlib
import os
import re
import secrets
import sys
import threading
from base64 import b32encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Self, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type
from pyotp.totp import TOTP
from pyotp.utils import strings_equal

from broker.storage.encryption import Cipher

MAX_THREADS = 2
"""Hashes computed at the same time, which bounds memory."""

MAX_WAITING = 400
"""Length of the queue, some twenty seconds of work; further callers are refused."""

NICENESS = 10
"""Added to the `nice` value of the hashing threads, so that visitors' requests come first."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Cost of a hash: memory in KiB, passes over it, and lanes.

    It exceeds the minimum of OWASP's Password Storage Cheat Sheet (19 MiB twice, or 46 MiB once).
    """

    memory: int = 46 * 1024
    passes: int = 2
    lanes: int = 1


class HashingBusyError(RuntimeError):
    """The queue of hashes is full."""


class PasswordHashes:
    def __init__(self, cost: Cost | None = None) -> None:
        cost = cost or Cost()
        self._argon = PasswordHasher(
            time_cost=cost.passes, memory_cost=cost.memory, parallelism=cost.lanes, type=Type.ID
        )
        self._threads = ThreadPoolExecutor(
            max_workers=MAX_THREADS, thread_name_prefix="password", initializer=_lower_priority
        )
        self._unknown_account = self._argon.hash(secrets.token_urlsafe(32))
        self._waiting = 0
        self.compared = 0

    async def hash(self, password: str) -> str:
        """Return the salted hash of a password; raises HashingBusyError."""
        return await self._queued(lambda: self._argon.hash(password))

    async def matches(self, stored: str, password: str) -> bool:
        """Return whether a password matches a hash; raises HashingBusyError.

        An empty `stored` is that of an unknown account: it takes as long, and returns False.
        """
        return await self._queued(lambda: self._compare(stored, password)) and bool(stored)

    def is_outdated(self, stored: str) -> bool:
        """Return whether the cost of a hash differs from that of new ones."""
        return self._argon.check_needs_rehash(stored)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()

    def _compare(self, stored: str, password: str) -> bool:
        self.compared += 1
        try:
            return self._argon.verify(stored or self._unknown_account, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _queued(self, work: Callable[[], Result]) -> Result:
        if self._waiting >= MAX_WAITING:
            raise HashingBusyError("too many passwords wait to be checked")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _lower_priority() -> None:
    if sys.platform == "linux":  # elsewhere a thread's id may be another process's
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


PERIOD_SECONDS, DIGITS, WINDOW = 30, 6, 1
"""A code is also accepted one period before and after its own."""

SECRET_BYTES = 20
"""160 bits, as RFC 4226 recommends."""

RECOVERY_CODES = 10
_RECOVERY_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_RECOVERY_LENGTH = 16


class CodeSecrets:
    """Encrypts the secrets of one-time codes, each bound to its account."""

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher

    def encrypt(self, secret: bytes, account_id: int) -> bytes:
        return self._cipher.encrypt(f"{account_id} ".encode() + secret)

    def decrypt(self, encrypted: bytes, account_id: int) -> bytes:
        """Return a secret, empty for one of another account; raises DecryptionError."""
        owner, _, secret = self._cipher.decrypt(encrypted).partition(b" ")
        return secret if owner == str(account_id).encode() else b""


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def code_at(secret: bytes, step: int) -> str:
    """Return the code of a period, counted from 1970 (RFC 4226 5.3)."""
    return _totp(secret).generate_otp(step)


def step_at(moment: datetime) -> int:
    """Return the number of the period that holds a moment."""
    return int(moment.timestamp()) // PERIOD_SECONDS


def step_of(code: str, secret: bytes, *, now: datetime, after: int) -> int | None:
    """Return the period of a code; None for a wrong code, no secret, or a period up to `after`, the last that was used.

    Every period of the window is compared, each in constant time.
    """
    if not secret:
        return None
    middle, found = step_at(now), None
    for step in range(middle - WINDOW, middle + WINDOW + 1):
        if strings_equal(code_at(secret, step), code) and step > after:
            found = step
    return found


def digits_in(text: object) -> str:
    """Return the six digits of a typed code without spaces and dashes; empty for anything else."""
    typed = re.sub(r"[\s-]", "", text[:20]) if isinstance(text, str) else ""
    return typed if len(typed) == DIGITS and typed.isascii() and typed.isdigit() else ""


def secret_text(secret: bytes) -> str:
    """Return a secret for typing into an authenticator: base 32, in groups of four."""
    text = _base32(secret)
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))


def provisioning_address(secret: bytes, *, account: str, issuer: str) -> str:
    """Return the address that an authenticator scans (Google's Key Uri Format)."""
    return _totp(secret).provisioning_uri(name=account, issuer_name=issuer)


def new_recovery_codes() -> tuple[str, ...]:
    """Return single-use codes of 80 bits."""
    return tuple(
        "-".join("".join(secrets.choice(_RECOVERY_SIGNS) for _ in range(4)) for _ in range(_RECOVERY_LENGTH // 4))
        for _ in range(RECOVERY_CODES)
    )


def recovery_code_in(text: object) -> str:
    """Return a typed recovery code without its dashes; empty for anything else."""
    typed = re.sub(r"[\s-]", "", text[:60]).upper() if isinstance(text, str) else ""
    return typed if len(typed) == _RECOVERY_LENGTH and set(typed) <= set(_RECOVERY_SIGNS) else ""


def recovery_digest(code: str, account_id: int) -> str:
    """Return the stored form of a recovery code: 80 random bits need no slower hash."""
    return hashlib.sha256(f"{account_id} {recovery_code_in(code)}".encode()).hexdigest()


def _totp(secret: bytes) -> TOTP:
    return TOTP(_base32(secret), digits=DIGITS, interval=PERIOD_SECONDS)


def _base32(secret: bytes) -> str:
    return b32encode(secret).decode().rstrip("=")
