"""Log of requests that failed unexpectedly: each fault once a minute, with its count and without words of a visitor."""

import logging
import traceback
from collections import Counter
from collections.abc import Callable
from math import inf
from time import monotonic

WINDOW_SECONDS = 60.0
"""Time in which a fault is logged once."""

MAX_FAULTS = 100
"""Faults that are told apart; beyond it all counts begin anew."""

logger = logging.getLogger(__name__)


class ErrorLog:
    """Logs errors with their traceback; `clock` returns seconds."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._logged_at: dict[str, float] = {}
        self._repeats: Counter[str] = Counter()

    def log(self, error: BaseException) -> None:
        """Log the type and the traceback of an error; its message may hold what a visitor sent, and is left out."""
        frames = traceback.format_tb(error.__traceback__)
        fault = f"{type(error).__name__} {frames[-1] if frames else ''}"
        now = self._clock()
        if now - self._logged_at.get(fault, -inf) < WINDOW_SECONDS:
            self._repeats[fault] += 1
            return
        if len(self._logged_at) >= MAX_FAULTS:
            self._logged_at.clear()
            self._repeats.clear()
        self._logged_at[fault] = now
        repeats = self._repeats.pop(fault, 0)
        more = f" ({repeats} times more since it was last logged)" if repeats else ""
        logger.error("A request failed: %s%s\n%s", type(error).__name__, more, "".join(frames).rstrip())
