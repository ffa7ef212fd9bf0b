"""The firm's figures for staff, counted once a UK day in each process, and again when an owner asks for it."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from broker.cases.case import Refused
from broker.clock import uk_date, utc_now
from broker.enquiries.working_time import OFFICE_WEEK, WorkingWeek
from broker.figures.figures import Frames, Period, of_adviser
from broker.figures.figures_store import FiguresStore
from broker.figures.figures_view import DEFAULT_WEEKS, PERIODS, FigureTable, Stat, figure_tables, stats
from broker.storage.errors import StorageError

AWAY = "The figures cannot be read just now. Please try again in a minute"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FigureReport:
    """The figures of a period, of an adviser or of all; `advisers` may be chosen."""

    counted_at: datetime
    weeks: int
    adviser: str
    advisers: tuple[str, ...]
    stats: tuple[Stat, ...]
    tables: tuple[FigureTable, ...]


class FigureService:
    def __init__(
        self, store: FiguresStore, *, week: WorkingWeek = OFFICE_WEEK, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._store, self._week, self._clock = store, week, clock
        self._frames: tuple[datetime, Frames] | None = None
        self._reports: dict[tuple[int, str], FigureReport] = {}
        self._one_at_a_time = asyncio.Lock()

    async def report(self, *, weeks: int = DEFAULT_WEEKS, adviser: str = "") -> FigureReport | Refused:
        """Return the figures of the last weeks, one of `PERIODS`, and of one adviser or of all.

        The caller has checked whose figures the member of staff may see.
        """
        weeks = weeks if weeks in PERIODS else DEFAULT_WEEKS
        async with self._one_at_a_time:
            try:
                counted_at, frames = await self._counted()
            except StorageError as error:
                log.error("figures: %s", error)
                return Refused(words=AWAY)
            key = (weeks, adviser)
            if key not in self._reports:
                # a second for a large database, for which other requests do not wait
                self._reports[key] = await asyncio.to_thread(self._made, frames, counted_at, weeks, adviser)
            return self._reports[key]

    async def count_again(self) -> None:
        """Let the next report be counted anew."""
        async with self._one_at_a_time:
            self._forget()

    def _forget(self) -> None:
        self._frames, self._reports = None, {}

    async def _counted(self) -> tuple[datetime, Frames]:
        now = self._clock()
        if self._frames is None or uk_date(self._frames[0]) != uk_date(now):
            self._forget()
            self._frames = now, await self._store.frames(Period(weeks=max(PERIODS), now=now))
        return self._frames

    def _made(self, frames: Frames, counted_at: datetime, weeks: int, adviser: str) -> FigureReport:
        period = Period(weeks=weeks, now=counted_at)
        shown = of_adviser(frames, adviser) if adviser else frames
        return FigureReport(
            counted_at=counted_at,
            weeks=weeks,
            adviser=adviser,
            advisers=frames.advisers,
            stats=stats(shown, period, self._week),
            tables=figure_tables(shown, period, self._week),
        )
