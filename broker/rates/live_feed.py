"""The live feed while the server runs: saved rates in memory, refreshed in the background with lenders and logos.

Saved rates are by customer type, and by lender and loan to value (calls 3, 4, 6 and 11 of specification 7).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sized
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeAlias, TypeVar

from broker.background import Refresh, in_background, refresh_periodically
from broker.clock import uk_date, utc_now
from broker.lenders.directory import LenderDirectory
from broker.rates.customers import RULES, default_query
from broker.rates.daily_lowest import DailyLowestFile, lowest_of
from broker.rates.deal_types import BEST_LTV, DEAL_TYPES, HOME_LTVS, LET_LTVS, of_every_type
from broker.rates.feed.client import SAVED_LTV_RATES, SAVED_RATES, FeedClient
from broker.rates.feed.errors import FeedError, FeedFaultError, FeedParseError, FeedTooLargeError
from broker.rates.feed.saved_rates import (
    SavedLtvRates,
    SavedRates,
    SavedRatesRequest,
    fetch_saved_lenders,
    fetch_saved_ltv_rates,
    fetch_saved_rates,
    merged,
    request_saved_rates,
)
from broker.rates.product import RateProduct, RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.ranking import BEST_PER_LENDER, answer_of
from broker.rates.search import SHOWN_FOR, Archive, RatesService, is_empty
from broker.staff.source_health import LENDERS_INTERVAL

Key = TypeVar("Key")

LenderLists: TypeAlias = Mapping[int, Mapping[int, RatesAnswer]]
"""Lists by lender id, and by loan to value in percent."""

PAGE_LTVS = tuple(sorted({BEST_LTV, *HOME_LTVS, *LET_LTVS}))
"""The loans to value, in percent, that lender pages show; others are dropped."""

ORDER_INTERVAL = timedelta(days=1)

MAX_ORDERS = 250
"""Lists in one order: PHP reads 1,000 fields of a form, and each list has four."""

MAX_CONCURRENT = 4
"""Concurrent calls, of orders and of lists that are read lender by lender."""

log = logging.getLogger(__name__)


class LiveFeed:
    """A live feed's client and its refreshed data; `saved` is empty until the feed runs.

    `by_customer` and `by_lender` refresh the saved rates, at intervals of `every`.
    """

    def __init__(
        self,
        client: FeedClient,
        directory: LenderDirectory,
        *,
        every: timedelta,
        lenders: Callable[[], Awaitable[None]],
        archive: Archive | None = None,
        shown_for: timedelta = SHOWN_FOR,
        daily: DailyLowestFile | None = None,
    ) -> None:
        """Set up the refreshes; `lenders` fetches lenders and logos, and raises RatesError or StorageError.

        `daily` stores the lowest rates of each day.
        """
        self.client = client
        lists = partial(SavedLists, client, lender_ids=lambda: directory.ids, archive=archive, shown_for=shown_for)
        self.saved = lists(daily=daily)
        self._refresh_lenders = lenders
        self.by_customer, self.by_lender = Refresh(self.saved.refresh_customers), Refresh(self.saved.refresh_lenders)
        self.every = every

    @asynccontextmanager
    async def running(self, rates: RatesService) -> AsyncIterator[None]:
        """Refresh while the server runs; then finish writing to the archive and close the connections."""
        await self.saved.restore()
        jobs = (
            refresh_periodically("rates by customer type", self.by_customer.read, every=self.every),
            refresh_periodically("rates by lender", self.by_lender.read, every=self.every),
            refresh_periodically("lenders and logos", self._refresh_lenders, every=LENDERS_INTERVAL),
        )
        try:
            async with in_background(*jobs):
                yield
        finally:
            await rates.wait_until_saved()
            await self.client.aclose()


class SavedLists:
    """The saved lists. Refreshes run in the background; `of_customer` and `of_lender` only read memory."""

    def __init__(
        self,
        client: FeedClient,
        *,
        lender_ids: Callable[[], Iterable[int]],
        archive: Archive | None = None,
        shown_for: timedelta = SHOWN_FOR,
        clock: Callable[[], float] = monotonic,
        daily: DailyLowestFile | None = None,
    ) -> None:
        """`lender_ids` are the lenders to order rates for; a list outlives an empty answer by `shown_for`."""
        self.shown_for = shown_for
        self._client, self._lender_ids, self._archive, self._clock = client, lender_ids, archive, clock
        self._daily = daily
        self._by_customer: dict[str, RatesAnswer] = {}
        self._by_lender: LenderLists = {}
        self._ordered_at: float | None = None
        self.version = 0
        """Grows with each change of the lists by lender."""

    def of_customer(self, customer: str) -> RatesAnswer | None:
        """Return the saved list of a customer type; None if there is none, or it is empty."""
        return self._by_customer.get(customer)

    def of_lender(self, lender_id: int) -> Mapping[int, RatesAnswer]:
        """Return a lender's lists by loan to value in percent: products of every deal type in rate order, at least one.

        Each answers `of_every_type` of the lender's search for homes.
        """
        return self._by_lender.get(lender_id, {})

    @property
    def lenders(self) -> Iterable[int]:
        return self._by_lender.keys()

    @property
    def held(self) -> tuple[int, int]:
        """Return the number of lists, and how many of them are stale."""
        of_lenders = (answer for lists in self._by_lender.values() for answer in lists.values())
        lists = (*self._by_customer.values(), *of_lenders)
        return len(lists), sum(answer.stale for answer in lists)

    async def restore(self) -> None:
        if self._archive is None:
            return
        for found in await self._archive.load_all(map(default_query, RULES)):
            self._by_customer[found.query.customer] = replace(found, stale=True)
        held: dict[int, dict[int, RatesAnswer]] = {}
        places = {_lender_query(lender, ltv): (lender, ltv) for lender in self._lender_ids() for ltv in PAGE_LTVS}
        for found in await self._archive.load_all(places):
            lender, ltv = places[found.query]
            held.setdefault(lender, {})[ltv] = replace(found, stale=True)
        self._set_lender_lists(held)

    async def refresh_customers(self) -> int:
        """Read call 3; a type whose own list failed, or is empty now, keeps its previous one. Raises FeedError.

        Return the number of rows that had to be left out.
        """
        before = {customer: replace(answer, stale=True) for customer, answer in self._by_customer.items()}
        try:
            found = await fetch_saved_rates(self._client)
        except FeedError:
            self._by_customer = before
            raise
        for customer, problem in found.problems.items():
            log.warning("saved rates of %s not refreshed: %s", customer, problem)
        read = dict(_customers(found))
        failed = {customer: answer for customer, answer in before.items() if customer in found.problems}
        self._by_customer = self._still_shown(before, found.read_at) | failed | read
        await self._archive_all(read.values())
        _check_not_empty(SAVED_RATES.name, before, read)
        return sum(products.unusable for products in found.by_type.values())

    async def refresh_lenders(self) -> int:
        """Send the order of call 6 if it is due, read call 4, and log the answer of call 11. Raises FeedError.

        Return the number of rows that had to be left out.
        """
        await self._order()
        before = {
            lender: {ltv: replace(answer, stale=True) for ltv, answer in lists.items()}
            for lender, lists in self._by_lender.items()
        }
        try:
            found = await self._read_lenders()
        except FeedError:
            self._set_lender_lists(before)
            raise
        read = await asyncio.to_thread(_lender_lists, found)
        self._set_lender_lists(self._with_last(before, read, found))
        if self._daily:
            lists = ((ltv, answer.products) for each in read.values() for ltv, answer in each.items())
            await asyncio.to_thread(self._daily.record, uk_date(found.read_at), lowest_of(lists))
        log.info("saved rates of %d lenders; %d of their lists are faults", len(read), found.faults)
        await self._archive_all(answer for lists in read.values() for answer in lists.values())
        _check_not_empty(SAVED_LTV_RATES.name, before, read)
        await self._count()
        return found.unusable

    async def _read_lenders(self) -> SavedLtvRates:
        """Read call 4 for all lenders at once, else for one after the other where the service wants a lender."""
        try:
            whole = await fetch_saved_ltv_rates(self._client)
        except (FeedFaultError, FeedTooLargeError) as error:
            log.warning("saved rates are read lender by lender: %s", error)
        else:
            if whole.by_lender:
                return whole
        return await self._read_each()

    async def _read_each(self) -> SavedLtvRates:
        """Read call 4 for each lender, a few at a time; a lender whose call fails counts as a fault.

        Raises FeedError where none was read. Any error but a fault of the service ends the calls.
        """
        turns, failed, broken = asyncio.Semaphore(MAX_CONCURRENT), list[FeedError](), False

        async def read(lender_id: int) -> SavedLtvRates | None:
            nonlocal broken
            async with turns:
                if broken:
                    return None
                try:
                    return await fetch_saved_ltv_rates(self._client, lender_id=lender_id)
                except FeedError as error:
                    broken = broken or not isinstance(error, FeedFaultError)
                    failed.append(error)
                    return None

        found = [each for each in await asyncio.gather(*map(read, self._lender_ids())) if each]
        if failed and not found:
            raise failed[0]
        return merged(found, faults=len(failed), read_at=utc_now())

    def _set_lender_lists(self, lists: LenderLists) -> None:
        self._by_lender = lists
        self.version += 1

    def _with_last(self, before: LenderLists, read: LenderLists, found: SavedLtvRates) -> LenderLists:
        """Return the lists that were read, and earlier ones where the source has none now.

        A lender that has any list keeps no earlier one, unless some lists were faults: lenders withdraw deals.
        """
        kept = {
            lender: self._still_shown(lists, found.read_at)
            for lender, lists in before.items()
            if found.faults or lender not in read
        }
        whole = {lender: {**kept.get(lender, {}), **read.get(lender, {})} for lender in {**kept, **read}}
        return {lender: lists for lender, lists in whole.items() if lists}

    def _still_shown(self, lists: Mapping[Key, RatesAnswer], now: datetime) -> dict[Key, RatesAnswer]:
        """Return the lists that are young enough to replace an empty answer."""
        return {key: answer for key, answer in lists.items() if now - answer.read_at <= self.shown_for}

    async def _archive_all(self, answers: Iterable[RatesAnswer]) -> None:
        if self._archive:
            for answer in tuple(answers):
                await self._archive.save(answer)

    async def _order(self) -> None:
        """Order every lender's rates at first and then daily; a failure is only logged (specification 7)."""
        now = self._clock()
        if self._ordered_at is not None and now - self._ordered_at < ORDER_INTERVAL.total_seconds():
            return
        orders = [
            SavedRatesRequest(lender_id=lender_id, value=kind.slug, ltv=ltv, count=BEST_PER_LENDER)
            for lender_id in self._lender_ids()
            for ltv in PAGE_LTVS
            for kind in DEAL_TYPES
        ]
        turns, failed = asyncio.Semaphore(MAX_CONCURRENT), list[FeedError]()

        async def order(first: int) -> None:
            async with turns:
                if failed:
                    return
                try:
                    await request_saved_rates(self._client, orders[first : first + MAX_ORDERS])
                except FeedError as error:
                    failed.append(error)

        await asyncio.gather(*map(order, range(0, len(orders), MAX_ORDERS)))
        if failed:
            log.warning("saved rates not ordered: %s", failed[0])
        else:
            self._ordered_at = now

    async def _count(self) -> None:
        """Log how many lenders have saved rates, by call 11 (specification 7)."""
        try:
            log.info("%d lenders have saved rates", len(await fetch_saved_lenders(self._client)))
        except FeedError as error:
            log.warning("lenders with saved rates not counted: %s", error)


def _check_not_empty(call: str, before: Sized, read: Sized) -> None:
    """Raise FeedParseError for an answer without any list where there were some."""
    if before and not read:
        raise FeedParseError(call, "no list at all, where there were some before")


def _customers(found: SavedRates) -> Iterable[tuple[str, RatesAnswer]]:
    for customer, reading in found.by_type.items():
        if customer in RULES and reading.products:
            yield (
                customer,
                replace(_answer(default_query(customer), reading.products, found), fee_free=reading.fee_free),
            )


def _lender_lists(found: SavedLtvRates) -> LenderLists:
    of_pages = {
        lender_id: {
            ltv: _answer(_lender_query(lender_id, ltv), products, found)
            for ltv, products in lists.items()
            if ltv in PAGE_LTVS
        }
        for lender_id, lists in found.by_lender.items()
    }
    return {lender_id: lists for lender_id, lists in of_pages.items() if lists}


def _lender_query(lender_id: int, ltv: int) -> RatesQuery:
    return of_every_type(RatesQuery(lender_id=lender_id), ltv=ltv)


def _answer(query: RatesQuery, products: tuple[RateProduct, ...], found: SavedRates | SavedLtvRates) -> RatesAnswer:
    return answer_of(query, products, fee_free=0, read_at=found.read_at, sample=False)


class BestRates:
    """Saved lists of a live feed, else the result of a search."""

    def __init__(self, rates: RatesService, saved: SavedLists | None = None) -> None:
        self._rates, self._saved = rates, saved

    async def of_customer(self, customer: str) -> RatesAnswer:
        """Return the list that a customer type's page opens with; raises RatesError.

        That is the saved list while it is not stale, else a search's answer, or the later of two stale ones. For some
        time a stale list also replaces an empty answer.
        """
        saved = self._saved.of_customer(customer) if self._saved else None
        if saved and not saved.stale:
            return saved
        try:
            found = await self._rates.for_page(default_query(customer))
        except RatesError:
            if saved is None:
                raise
            return saved
        if self._saved and saved and is_empty(found):
            return saved if found.read_at - saved.read_at <= self._saved.shown_for else found
        return saved if saved and found.stale and saved.read_at > found.read_at else found
