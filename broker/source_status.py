"""When a source was last read and why it last failed, in memory, for staff; the log has the rest."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

from broker.background import SingleFlight
from broker.rates.product import RatesError
from broker.staff.source_health import LastRead
from broker.storage.signed_tokens import utc_now

MAX_PROBLEM = 300
"""Characters of a failure's reason."""


class SourceStatus:
    """Outcome of the latest reads of one source, in their order also where the clock has been set back between them."""

    def __init__(self, clock: Callable[[], datetime] = utc_now) -> None:
        self.last = LastRead()
        self._clock = clock

    def succeeded(self, *, left_out: int = 0) -> None:
        """Record a read; of `left_out`, the products that it had to leave out, the last count above 0 is kept."""
        now = self._clock()
        counted = {"left_out": left_out, "left_out_at": now} if left_out else {}
        self.last = replace(self.last, read_at=now, failed_at=_not_after(self.last.failed_at, now), **counted)

    def failed(self, problem: object) -> None:
        """Record a failure; its reason is logged too, and holds nothing personal."""
        now = self._clock()
        read_at = _not_after(self.last.read_at, now - timedelta.resolution)
        self.last = replace(self.last, read_at=read_at, failed_at=now, problem=str(problem)[:MAX_PROBLEM])

    def came(self, problem: str) -> None:
        """Record a read, or a failure where there is a problem."""
        if problem:
            self.failed(problem)
        else:
            self.succeeded()


class Refresh:
    """A source that is read periodically in the background, and at once on request.

    Its function returns how many products it had to leave out.
    """

    def __init__(self, read: Callable[[], Awaitable[int]], *, clock: Callable[[], datetime] = utc_now) -> None:
        self.source_status = SourceStatus(clock)
        self._source = read
        self._flights: SingleFlight[str, None] = SingleFlight()

    async def now(self) -> None:
        """Read the source, once for concurrent callers; raises RatesError."""
        await self._flights.joined("", self.read)

    async def read(self) -> None:
        """Read the source; raises RatesError."""
        try:
            left_out = await self._source()
        except RatesError as error:
            self.source_status.failed(error)
            raise
        self.source_status.succeeded(left_out=left_out)


def _not_after(moment: datetime | None, latest: datetime) -> datetime | None:
    return min(moment, latest) if moment else None
