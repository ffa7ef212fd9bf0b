"""Sliding-window rate limits per client, counted by `limits` in Redis or in memory.

While Redis is unavailable each worker counts by itself. An IPv6 address counts as its networks. Addresses are not
stored: each is counted under a digest of it and the day.
"""

import hashlib
import ipaddress
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from cachetools import TTLCache
from limits import RateLimitItem, RateLimitItemPerSecond, aio
from limits.aio.storage import RedisStorage
from limits.errors import StorageError

from broker.clock import utc_now

SITE_TIMES = 4
"""The limit of an IPv6 /48 network, as a multiple of that of a /64 network: providers give a customer either.

Source: RFC 6177, "IPv6 Address Assignment to End Sites".
"""

_MAX_KEYS = 20_000
"""Keys of a limit in memory; the least recent are dropped."""

_REDIS_TIMEOUT = 1.0
"""Seconds; a form does not wait longer for its limit."""


class RateLimits:
    """The limits of a process; with `redis_url` they count over all workers, which share a `secret`."""

    def __init__(
        self, redis_url: str = "", *, secret: bytes | None = None, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._secret, self._clock = secret or secrets.token_bytes(32), clock
        self._redis = _Redis(redis_url) if redis_url else None

    def limit(self, name: str, *, most: int, window: timedelta) -> "RateLimit":
        """Return a limit of `most` events in a window of whole seconds; the name must be unique."""
        seconds = int(window.total_seconds())
        items = {
            1: RateLimitItemPerSecond(most, seconds, namespace=name),
            SITE_TIMES: RateLimitItemPerSecond(SITE_TIMES * most, seconds, namespace=f"{name} of a site"),
        }
        return RateLimit(items, secret=self._secret, clock=self._clock, redis=self._redis and self._redis.limiter)

    async def is_redis_available(self) -> bool | None:
        """Return whether Redis responds now; None where there is none."""
        return await self._redis.storage.check() if self._redis else None

    async def aclose(self) -> None:
        if self._redis:
            await self._redis.connections.aclose()


class RateLimit:
    """Limit of the events of each client, which is an address or any other text, in a window."""

    def __init__(
        self,
        items: dict[int, RateLimitItemPerSecond],
        *,
        secret: bytes,
        clock: Callable[[], datetime],
        redis: aio.strategies.MovingWindowRateLimiter | None,
    ) -> None:
        """`items` has the limit of a network, and that of a site, by how many times the limit of one client each is."""
        self._items, self._secret, self._clock, self._redis = items, secret, clock, redis
        self._memory = _Memory(items[1].get_expiry(), lambda: clock().timestamp())

    async def reached(self, client: str) -> bool:
        """Return whether a client, or its site, has used up its limit."""
        counted = self._counted(client)
        if self._redis:
            with suppress(StorageError):
                return not all([await self._redis.test(*each) for each in counted])
        return not all(self._memory.test(*each) for each in counted)

    async def take(self, client: str) -> bool:
        """Count an event of a client; False for one too many, which does not count against its site."""
        counted = self._counted(client)
        if self._redis:
            with suppress(StorageError):
                for each in counted:
                    if not await self._redis.hit(*each):
                        return False
                return True
        return all(self._memory.hit(*each) for each in counted)

    async def forget(self, client: str) -> None:
        """Reset the count of a client."""
        for each in self._counted(client):
            if self._redis:
                with suppress(StorageError):
                    await self._redis.clear(*each)
            self._memory.clear(*each)

    def _counted(self, client: str) -> list[tuple[RateLimitItem, str]]:
        """Return the limit and the key of each network of a client, the smallest first."""
        return [(self._items[times], self._digest(network)) for network, times in client_networks(client).items()]

    def _digest(self, key: str) -> str:
        daily = f"{self._clock().date()} {key}".encode("utf-8", "replace")
        return hashlib.blake2b(daily, key=self._secret, digest_size=16).hexdigest()


class _Redis:
    """The counts of all workers; methods raise StorageError while Redis is unavailable."""

    def __init__(self, url: str) -> None:
        from redis.asyncio import ConnectionPool  # 4 MB, for servers with Redis alone

        self.connections = ConnectionPool.from_url(
            url, socket_timeout=_REDIS_TIMEOUT, socket_connect_timeout=_REDIS_TIMEOUT
        )
        self.storage = RedisStorage(
            "async+redis://",  # the address is that of the connections
            wrap_exceptions=True,
            implementation="redispy",
            key_prefix="limits",
            connection_pool=self.connections,  # pyright: ignore[reportArgumentType] - the annotation lacks it
        )
        self.limiter = aio.strategies.MovingWindowRateLimiter(self.storage)


class _Memory:
    """Times of events by key, bounded in number.

    The storages of `limits` itself grow without bound, or visit all keys at each event.
    """

    def __init__(self, window: int, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: TTLCache[str, deque[float]] = TTLCache(_MAX_KEYS, window, timer=clock)

    def test(self, item: RateLimitItem, client: str) -> bool:
        """Return whether a limit has room for an event."""
        return len(self._recent(item, client)) < item.amount

    def hit(self, item: RateLimitItem, client: str) -> bool:
        """Count an event; False for one too many."""
        times = self._recent(item, client)
        if len(times) >= item.amount:
            return False
        times.append(self._clock())
        self._times[item.key_for(client)] = times
        return True

    def clear(self, item: RateLimitItem, client: str) -> None:
        self._times.pop(item.key_for(client), None)

    def _recent(self, item: RateLimitItem, client: str) -> deque[float]:
        """Return the events in the window, without any later than now: the clock may have been set back since."""
        now, times = self._clock(), self._times.get(item.key_for(client)) or deque[float]()
        while times and times[0] <= now - item.get_expiry():
            times.popleft()
        while times and times[-1] > now:
            times.pop()
        return times


def client_network(address: str) -> str:
    """Return the key for counting a client: an IPv4 address, or the /64 network of an IPv6 subscriber."""
    return str(_network(address, 64))


def client_networks(address: str) -> dict[str, int]:
    """Return the networks that a client is counted in, each with its multiple of the limit of one client."""
    site = _network(address, 48)
    if isinstance(site, ipaddress.IPv6Network):
        return {client_network(address): 1, str(site): SITE_TIMES}
    return {str(site): 1}


def _network(address: str, length: int) -> ipaddress.IPv4Address | ipaddress.IPv6Network | str:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address):
        return known.ipv4_mapped or ipaddress.IPv6Network((known, length), strict=False)
    return known
