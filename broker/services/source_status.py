"""When a source was read last, and what went wrong last: kept in memory for staff, the log has the rest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

from broker.domain.rates.product import RatesError
from broker.domain.staff.source_health import Reading
from broker.services.signed_tokens import utc_now
from broker.services.single_flight import SingleFlight

MAX_PROBLEM = 300
"""Characters that are kept of what went wrong."""


class SourceStatus:
    """What came of the tries to read one source."""

    def __init__(self, clock: Callable[[], datetime] = utc_now) -> None:
        """Begin with a source that was never read."""
        self.last = Reading()
        self._clock = clock

    def succeeded(self) -> None:
        """Note that the source was read."""
        self.last = replace(self.last, read_at=self._clock())

    def failed(self, problem: object) -> None:
        """Note that the source failed; a problem is words without anything personal, as they stand in the log."""
        self.last = replace(self.last, failed_at=self._clock(), problem=str(problem)[:MAX_PROBLEM])

    def came(self, problem: str) -> None:
        """Note how a try ended: well where there is no problem."""
        if problem:
            self.failed(problem)
        else:
            self.succeeded()


class Refresh:
    """A source that is read again and again in the background, and at once when staff say so."""

    def __init__(self, read: Callable[[], Awaitable[None]], *, clock: Callable[[], datetime] = utc_now) -> None:
        """Keep what reads it."""
        self.readings = SourceStatus(clock)
        self._source = read
        self._flights: SingleFlight[str, None] = SingleFlight()

    async def now(self) -> None:
        """Read the source once for all who ask meanwhile; raises RatesError."""
        await self._flights.joined("", self.read)

    async def read(self) -> None:
        """Read the source; raises RatesError."""
        try:
            await self._source()
        except RatesError as error:
            self.readings.failed(error)
            raise
        self.readings.succeeded()
