"""Sliding-window rate limit per address: in Redis where workers share one, else in the memory of the process.

While Redis does not answer, each worker counts by itself. An IPv6 address counts as its networks. Addresses are not
stored: each is counted under a digest whose salt changes every day.
"""

import hashlib
import ipaddress
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta

from broker.services.signed_tokens import utc_now
from broker.storage.shared_limits import SharedLimit, SharedLimitError, SharedLimits

SITE_TIMES = 4
"""How many times as much as one /64 network of IPv6 the /48 network around it may do: providers give a customer either.

Source: RFC 6177, "IPv6 Address Assignment to End Sites".
"""

MAX_KNOWN = 20_000
"""Addresses counted at once; the least recent are dropped."""


class RateLimits:
    """Makes the limits of a process; with `shared` they count over all workers."""

    def __init__(self, shared: SharedLimits | None = None, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._shared, self._clock = shared, clock

    def limit(self, name: str, *, most: int, window: timedelta) -> "RateLimit":
        """Return the limit of a name, which no other has."""

        def counted(name: str, most: int) -> RateLimit:
            shared = self._shared.limit(name, most=most, window=window) if self._shared else None
            return RateLimit(most, window, clock=self._clock, shared=shared)

        limit = counted(name, most)
        limit.of_sites = counted(f"{name} of a site", SITE_TIMES * most)
        return limit

    async def redis_answers(self) -> bool | None:
        """Return whether Redis answers at the moment; None where there is none."""
        return await self._shared.answers() if self._shared else None

    async def aclose(self) -> None:
        """Close the connections to Redis, where there are any."""
        if self._shared:
            await self._shared.aclose()


class RateLimit:
    """At most so many events in a window for each address, or any other key; `of_sites` counts the sites of IPv6."""

    of_sites: "RateLimit | None" = None

    def __init__(
        self, most: int, window: timedelta, *, clock: Callable[[], datetime], shared: SharedLimit | None = None
    ) -> None:
        self._most = most
        self._window = window
        self._clock = clock
        self._shared = shared
        self._times: OrderedDict[bytes, deque[datetime]] = OrderedDict()
        self._day: date | None = None
        self._salt = b""

    async def reached(self, address: str) -> bool:
        """Return whether an address, or its site, has used up its limit."""
        if self.of_sites and (site := client_site(address)) and await self.of_sites.reached(site):
            return True
        if self._shared:
            with suppress(SharedLimitError):
                return await self._shared.reached(client_network(address), self._clock())
        return len(self._recent(self._digest(address))) >= self._most

    async def take(self, address: str) -> bool:
        """Count an event of an address; False, counting nothing, where its limit or that of its site is used up."""
        site = client_site(address) if self.of_sites else ""
        if self.of_sites and site and await self.of_sites.reached(site):
            return False
        is_taken = await self._take(address)
        if self.of_sites and site and is_taken:
            await self.of_sites.take(site)
        return is_taken

    async def _take(self, address: str) -> bool:
        if self._shared:
            with suppress(SharedLimitError):
                return await self._shared.take(client_network(address), self._clock())
        digest = self._digest(address)
        times = self._recent(digest)
        if len(times) >= self._most:
            return False
        times.append(self._clock())
        self._times[digest] = times
        self._times.move_to_end(digest)
        while len(self._times) > MAX_KNOWN:
            self._times.popitem(last=False)
        return True

    async def forget(self, address: str) -> None:
        """Count an address from nothing again."""
        if self._shared:
            with suppress(SharedLimitError):
                await self._shared.forget(client_network(address), self._clock())
        self._times.pop(self._digest(address), None)

    def _recent(self, digest: bytes) -> deque[datetime]:
        """Return the events in the window; none that is later than now, as the clock has been set back since."""
        now = self._clock()
        return deque(time for time in self._times.get(digest, ()) if now - self._window < time <= now)

    def _digest(self, address: str) -> bytes:
        today = self._clock().date()
        if today != self._day:
            self._day, self._salt = today, secrets.token_bytes(16)
            self._times.clear()
        return hashlib.blake2b(
            client_network(address).encode("utf-8", "replace"), key=self._salt, digest_size=16
        ).digest()


def client_network(address: str) -> str:
    """Return the key for counting a client: an IPv4 address, or the /64 network of an IPv6 subscriber."""
    return str(_network(address, 64))


def client_site(address: str) -> str:
    """Return the /48 network of an IPv6 address, in which a customer may have 65,536 networks; empty for others."""
    network = _network(address, 48)
    return str(network) if isinstance(network, ipaddress.IPv6Network) else ""


def client_networks(address: str) -> dict[str, int]:
    """Return the networks that a client is counted in, each with how many times the limit of one client it has."""
    site = client_site(address)
    return {client_network(address): 1} | ({site: SITE_TIMES} if site else {})


def _network(address: str, length: int) -> ipaddress.IPv4Address | ipaddress.IPv6Network | str:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address):
        return known.ipv4_mapped or ipaddress.IPv6Network((known, length), strict=False)
    return known
