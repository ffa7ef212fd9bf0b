"""Limits for sockets: how often something may happen in a window, and which errors a malformed packet raises."""

import logging
from collections.abc import Callable
from time import monotonic

from broker.services.rate_limit import client_networks

MAX_PER_SECOND = 30
"""Events of one browser tab in a second; a drag or a held key sends far fewer."""

MAX_TABS = 10_000
"""Tabs with a counter; beyond it expired counters are dropped."""

PACKET_ERRORS = (ValueError, TypeError, LookupError)
"""Errors that the socket library raises for a malformed packet; no others reach the edge."""

logger = logging.getLogger(__name__)


class WindowCounter:
    """Fixed-window counter per key; `clock` returns seconds."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, name: str) -> int:
        """Count a key, and return its count in the window."""
        now = self._clock()
        started, counted = self._windows.get(name, (now, 0))
        if now - started >= self._seconds:
            started, counted = now, 0
        if len(self._windows) >= MAX_TABS:
            self._drop_expired(now)
        self._windows[name] = (started, counted + 1)
        return counted + 1

    def allows(self, name: str, *, times: int = 1) -> bool:
        """Count a key, and return whether it is within its limit, or within so many times it."""
        return self.count(name) <= times * self._most

    def allows_client(self, address: str) -> bool:
        """Count a client under its networks, and return whether all of them are within their limits."""
        return all(self.allows(network, times=times) for network, times in client_networks(address).items())

    def _drop_expired(self, now: float) -> None:
        """Drop expired windows; all of them when none has expired."""
        self._windows = {name: held for name, held in self._windows.items() if now - held[0] < self._seconds}
        if len(self._windows) >= MAX_TABS:
            self._windows.clear()


def log_broken_packet(error: Exception) -> None:
    """Log that a malformed packet closed a socket, without the packet."""
    logger.warning("A socket was closed over a broken packet: %s", type(error).__name__)
