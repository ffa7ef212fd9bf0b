"""Argon2id password hashes (RFC 9106), computed in a small pool of low-priority threads.

The cost exceeds the minimum of OWASP's Password Storage Cheat Sheet (19 MiB twice, or 46 MiB once).
"""

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
"""Hashes computed at the same time, which bounds memory."""

MAX_WAITING = 400
"""Length of the queue, some twenty seconds of work; further callers are refused."""

NICENESS = 10
"""Added to the `nice` value of the threads, so that guesses take no processor time from visitors."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Cost of a hash: memory in KiB, passes over it, and lanes."""

    memory: int = 46 * 1024
    passes: int = 2
    lanes: int = 1


class HashingBusyError(RuntimeError):
    """The queue of hashes is full."""


class PasswordHashes:
    """Computes and verifies hashes."""

    def __init__(self, cost: Cost | None = None) -> None:
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
        """Return whether a password matches a hash; raises HashingBusyError.

        An empty `stored` stands for an unknown account: the same work is done, and the answer is False.
        """
        return await self._queued(lambda: self._compare(stored, password)) and bool(stored)

    def is_outdated(self, stored: str) -> bool:
        """Return whether a hash has another cost than new ones."""
        return self._argon.check_needs_rehash(stored)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
    if sys.platform == "linux":  # elsewhere this would be another process's number
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
