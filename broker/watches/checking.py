"""Check all watches: after each refresh of the market and at least once an hour, by one process at a time.

A check reads the market for all watches at once, remembers what it finds, and adds a mail to a watch's owner once the
next reading finds the same and the search of the watch's own plan confirms it. The sample market, an empty answer, a
stale one and a failure change no finding, so no news of prices follows from them; dates need no market.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from broker.background import refresh_periodically
from broker.clock import utc_now
from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import QueryError, RatesQuery
from broker.storage.database import BEGINNING
from broker.watches.checks import Decision, Record, decide, holds, with_told, without_findings
from broker.watches.figures import PlanFigures, Search, WatchPlan, plan_figures, search_of, watch_plan
from broker.watches.market_prices import Band, BandDeals, WatchPlans
from broker.watches.news_text import news_context
from broker.watches.service import UNCONFIRMED_FOR
from broker.watches.store import CheckedWatch, News, OutboxFullError, WatchStore
from broker.watches.watch import DATE_TELLS, PRICE_TELLS, Watch, counted_on

REMINDED_AFTER = timedelta(days=3)
"""How long a watch is unconfirmed before its one reminder."""

MAX_INTERVAL = timedelta(hours=1)
"""The longest time between two checks; shorter where the market is read more often."""

MAX_SEARCHES = 500
"""Plans that one check searches for, each for a mail; the next check goes on."""

MAX_CONCURRENT = 4
"""Concurrent searches of a check."""

_MAILS_AT_ONCE = 50
"""Mails that are added in one transaction."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Counts of a check: watches that were read, findings that changed, and mails that were added."""

    watches: int = 0
    findings: int = 0
    mails: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """A check under way: the deals of bands that were read, None where there are none to trust, and windows."""

    now: datetime
    deals: dict[Band, BandDeals | None] = field(default_factory=dict)
    windows: dict[int, TransferWindow] = field(default_factory=dict)

    @property
    def today(self) -> date:
        return self.now.date()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Due:
    """A watch whose owner is to be told something."""

    checked: CheckedWatch
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The record to store of a watch, with the values of the mail that tells its owner, if any."""

    checked: CheckedWatch
    record: Record
    context: Mapping[str, str] | None = None


class WatchChecks:
    """Checks the watches of one database."""

    def __init__(
        self,
        store: WatchStore,
        *,
        search: Search,
        is_live: bool,
        window: Callable[[int], TransferWindow] = lambda _: USUAL_WINDOW,
        every: timedelta = MAX_INTERVAL,
        notify: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`search` is that of the market, which is a sample unless it `is_live`; `window` is that of a lender's id."""
        self._store, self._search, self._is_live, self._window = store, search, is_live, window
        self._every = min(every, MAX_INTERVAL) if is_live else MAX_INTERVAL
        self._notify, self._clock = notify, clock
        self._turns = asyncio.Semaphore(MAX_CONCURRENT)

    async def check_periodically(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Check forever, at once and at every interval."""
        await refresh_periodically("watches", self._check_due, every=self._every, sleep=sleep)

    async def check(self) -> Checked | None:
        """Check all watches, or return None where another process has; raises StorageError."""
        run = _Run(now=self._clock())
        if not await self._store.claim_check(run.now, every=self._every):
            return None
        await self._store.delete_unconfirmed(run.now - UNCONFIRMED_FOR)
        added = await self._store.remind(run.now, after=REMINDED_AFTER)
        counts, due = Checked(), list[_Due]()
        async for batch in self._store.active():
            plans = await asyncio.to_thread(self._plans, run, batch)
            await self._read_market(run, plans.bands)
            decided = await asyncio.to_thread(_decided, run, batch, plans)
            changed = [each for each in decided if each.decision.record is not each.checked.record]
            due.extend(each for each in decided if each.decision.tells)
            silent = [(each.checked, each.decision.record) for each in changed if not each.decision.tells]
            await self._store.save_records(silent)
            counts = Checked(watches=counts.watches + len(batch), findings=counts.findings + len(silent))
        counts = Checked(watches=counts.watches, findings=counts.findings, mails=await self._tell(run, due))
        if counts.mails or added:
            self._notify()
        log.info("watches checked: %d, findings: %d, mails added: %d", counts.watches, counts.findings, counts.mails)
        return counts

    async def _check_due(self) -> None:
        await self.check()

    def _plans(self, run: _Run, batch: Sequence[CheckedWatch]) -> WatchPlans:
        watches = [counted_on(each.watch, run.today) for each in batch]
        windows = [self._window_of(run, each.lender_id) for each in watches]
        return WatchPlans(watches, today=run.today, windows=windows)

    def _plan(self, run: _Run, watch: Watch) -> WatchPlan:
        window = self._window_of(run, watch.lender_id)
        return watch_plan(counted_on(watch, run.today), today=run.today, window=window)

    def _window_of(self, run: _Run, lender_id: int | None) -> TransferWindow:
        key = lender_id or 0
        if key not in run.windows:
            run.windows[key] = self._window(key)
        return run.windows[key]

    async def _read_market(self, run: _Run, bands: Iterable[Band]) -> None:
        """Read the deals of bands that were not read before."""
        if not self._is_live:
            return
        wanted = [band for band in bands if band not in run.deals]
        found = await asyncio.gather(*(self._answer(band.query) for band in wanted))
        for band, answer in zip(wanted, found, strict=True):
            run.deals[band] = await asyncio.to_thread(BandDeals, answer) if answer else None

    async def _answer(self, query: RatesQuery) -> RatesAnswer | None:
        """Return the answer to a search; None for one that fails, is stale, of a sample, or empty."""
        async with self._turns:
            try:
                answer = await self._search(query)
            except RatesError as error:
                log.warning("the market could not be read for watches: %s", error)
                return None
        return answer if answer.products and not answer.stale and not answer.sample else None

    async def _tell(self, run: _Run, due: Sequence[_Due]) -> int:
        """Add the mails of what is due, as far as the plans confirm it, the oldest findings first; return how many."""
        added, due = 0, sorted(due, key=_found_at)
        for start in range(0, min(len(due), MAX_SEARCHES), _MAILS_AT_ONCE):
            some = due[start : min(start + _MAILS_AT_ONCE, MAX_SEARCHES)]
            plans = [self._plan(run, each.checked.watch) for each in some]
            answers = await asyncio.gather(*map(self._own_answer, plans))
            written = await asyncio.to_thread(_written, run, some, plans, answers)
            silent = [(each.checked, each.record) for each in written if each.context is None]
            await self._store.save_records([each for each in silent if each[1] is not each[0].record])
            news = [
                News(checked=each.checked, record=each.record, context=each.context)
                for each in written
                if each.context is not None
            ]
            try:
                added += await self._store.tell(news, run.now)
            except OutboxFullError:
                log.error("news of %d watches waits for the next check: the outbox is full", len(due) - start)
                break
        if len(due) > MAX_SEARCHES:
            log.warning("news of %d watches waits for the next check", len(due) - MAX_SEARCHES)
        return added

    async def _own_answer(self, planned: WatchPlan) -> RatesAnswer | None:
        """Return the deals of a watch's own plan, None for none to trust."""
        if not self._is_live:
            return None
        try:
            return await self._answer(search_of(planned))
        except QueryError:
            return None


def _found_at(due: _Due) -> datetime:
    """Return the time of the oldest finding that is due; a date is due before any."""
    return min((due.decision.record.found.get(tell, BEGINNING) for tell in due.decision.tells), default=BEGINNING)


def _decided(run: _Run, batch: Sequence[CheckedWatch], plans: WatchPlans) -> list[_Due]:
    found = zip(batch, plans.opens, plans.prices(run.deals), strict=True)
    return [
        _Due(checked=each, decision=decide(each.watch, each.record, opens=opens, now=run.now, prices=prices))
        for each, opens, prices in found
    ]


def _written(
    run: _Run, due: Sequence[_Due], plans: Sequence[WatchPlan], answers: Sequence[RatesAnswer | None]
) -> list[_Written]:
    return [
        _write(run, each, planned, plan_figures(planned, answer))
        for each, planned, answer in zip(due, plans, answers, strict=True)
    ]


def _write(run: _Run, due: _Due, planned: WatchPlan, found: PlanFigures) -> _Written:
    """Return the mail of a watch with the tells that its plan confirms; a price that the plan has not is no finding.

    Where the plan has no prices now, the finding stays for the next check.
    """
    watch, tells, record = due.checked.watch, due.decision.tells, due.decision.record
    prices = found.prices
    refuted = tuple(each for each in tells if each in PRICE_TELLS and prices and not holds(watch, each, prices))
    kept = tuple(each for each in tells if each in DATE_TELLS or (prices and each not in refuted))
    if refuted:
        record = without_findings(record, refuted)
    if not kept:
        return _Written(checked=due.checked, record=record)
    context = news_context(planned, found, kept)
    return _Written(checked=due.checked, record=with_told(record, kept, run.now), context=context)
