"""Passwords become Argon2id hashes (RFC 9106), slow to make, in threads of their own and never many at once.

The figures are above the least that OWASP's Password Storage Cheat Sheet asks for (19 MiB twice, or 46 MiB once).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Self, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type

MAX_THREADS = 2
"""Hashes that are made at the same time: what bounds the memory."""

MAX_WAITING = 40
"""Hashes that may wait for their turn, two seconds of work; whoever comes then is asked to try again."""

NICENESS = 10
"""How much less than the requests of visitors the hashes press for a processor (`nice`)."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a hash costs: memory in KiB, passes over it, and lanes."""

    memory: int = 46 * 1024
    passes: int = 2
    lanes: int = 1


class HashingBusyError(RuntimeError):
    """Too many passwords wait to be checked already."""


class PasswordHashes:
    """Makes hashes and compares with them."""

    def __init__(self, cost: Cost | None = None) -> None:
        """Keep what new hashes cost, and make one of a password that nobody has."""
        cost = cost or Cost()
        self._argon = PasswordHasher(
            time_cost=cost.passes, memory_cost=cost.memory, parallelism=cost.lanes, type=Type.ID
        )
        self._threads = ThreadPoolExecutor(
            max_workers=MAX_THREADS, thread_name_prefix="password", initializer=_lower_priority
        )
        self._nobody = self._argon.hash(secrets.token_urlsafe(32))
        self._waiting = 0
        self.compared = 0

    async def hash(self, password: str) -> str:
        """Return the hash of a password, salted anew each time; raises HashingBusyError."""
        return await self._queued(lambda: self._argon.hash(password))

    async def matches(self, stored: str, password: str) -> bool:
        """Tell whether a password is the one of a hash; raises HashingBusyError.

        An empty `stored` is an account that there is not: the same work is done, and the answer is False.
        """
        return await self._queued(lambda: self._compare(stored, password)) and bool(stored)

    def is_outdated(self, stored: str) -> bool:
        """Tell whether a hash was made at another cost than new ones are."""
        return self._argon.check_needs_rehash(stored)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the threads, once what they do is done."""
        self._threads.shutdown()

    def _compare(self, stored: str, password: str) -> bool:
        self.compared += 1
        try:
            return self._argon.verify(stored or self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _queued(self, work: Callable[[], Found]) -> Found:
        if self._waiting >= MAX_WAITING:
            raise HashingBusyError("too many passwords wait to be checked")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _lower_priority() -> None:
    """Let everything else go first, so that guesses at passwords take no processor from visitors."""
    if sys.platform == "linux":  # elsewhere this would be another process's number
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
