"""Counts of events over all workers, in Redis, by a window that slides.

No address is stored: each key is counted under a digest whose secret changes every day.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from limits import RateLimitItemPerSecond
from limits.aio.storage import RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError as LimitsError

ANSWER_SECONDS = 1.0
"""Time that Redis has to answer: a form does not wait longer for its limit."""


class SharedLimitError(Exception):
    """The count in Redis cannot be read or written at the moment."""


class SharedLimits:
    """The limits of an installation; `secret` is the same in all its workers."""

    def __init__(self, redis_url: str, *, secret: bytes) -> None:
        from redis.asyncio import ConnectionPool  # 4 MB, which a server's supervisor has no use for

        self._connections = ConnectionPool.from_url(
            redis_url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS
        )
        storage = RedisStorage(
            "async+redis://",  # the address is that of the connections
            wrap_exceptions=True,
            implementation="redispy",
            key_prefix="limits",
            connection_pool=self._connections,  # pyright: ignore[reportArgumentType] - the annotation lacks it
        )
        self._storage, self._limiter = storage, MovingWindowRateLimiter(storage)
        self._secret = secret

    async def aclose(self) -> None:
        await self._connections.aclose()

    async def answers(self) -> bool:
        """Return whether Redis answers at the moment."""
        return await self._storage.check()

    def limit(self, name: str, *, most: int, window: timedelta) -> "SharedLimit":
        item = RateLimitItemPerSecond(most, int(window.total_seconds()), namespace=name)
        return SharedLimit(self._limiter, item, secret=self._secret)


class SharedLimit:
    """At most so many events in a window for each key; every method raises SharedLimitError."""

    def __init__(self, limiter: MovingWindowRateLimiter, item: RateLimitItemPerSecond, *, secret: bytes) -> None:
        self._limiter, self._item, self._secret = limiter, item, secret

    async def reached(self, key: str, now: datetime) -> bool:
        with _typed_errors():
            return not await self._limiter.test(self._item, self._digest(key, now))

    async def take(self, key: str, now: datetime) -> bool:
        with _typed_errors():
            return await self._limiter.hit(self._item, self._digest(key, now))

    async def forget(self, key: str, now: datetime) -> None:
        with _typed_errors():
            await self._limiter.clear(self._item, self._digest(key, now))

    def _digest(self, key: str, now: datetime) -> str:
        daily = f"{now.date()} {key}".encode("utf-8", "replace")
        return hashlib.blake2b(daily, key=self._secret, digest_size=16).hexdigest()


@contextmanager
def _typed_errors() -> Iterator[None]:
    try:
        yield
    except LimitsError as error:
        raise SharedLimitError from error
