"""The broker's API's saved rates, in memory: by customer type, and by lender (calls 3, 4, 6 and 11).

After a failed refresh, or a restart with an archive, the lists before it are used, marked `stale`.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from time import monotonic
from typing import TypeVar

from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.deal_types import BEST_LTV, TWO_YEARS_FIXED
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import BEST_PER_LENDER, answer_of
from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SAVED_LTV_RATES, SAVED_RATES
from broker.feeds.errors import FeedError, FeedParseError
from broker.feeds.saved_lenders import fetch_saved_lenders
from broker.feeds.saved_ltv_rates import SavedLtvRates, fetch_saved_ltv_rates
from broker.feeds.saved_rates import SavedRates, fetch_saved_rates
from broker.feeds.saved_rates_service import SavedRatesRequest, request_saved_rates
from broker.services.rates.search import SHOWN_FOR, Archive

Key = TypeVar("Key")

ORDER_INTERVAL = timedelta(days=1)

log = logging.getLogger(__name__)


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
    ) -> None:
        """`lender_ids` are the lenders to order rates for; a list outlives an empty answer by `shown_for`."""
        self._shown_for = shown_for
        self._client, self._lender_ids, self._archive, self._clock = client, lender_ids, archive, clock
        self._by_customer: dict[str, RatesAnswer] = {}
        self._by_lender: dict[int, RatesAnswer] = {}
        self._ordered_at: float | None = None

    def of_customer(self, customer: str) -> RatesAnswer | None:
        """Return the saved list of a customer type; None if there is none, or it is empty."""
        return self._by_customer.get(customer)

    def of_lender(self, lender_id: int) -> RatesAnswer | None:
        """Return a lender's first three products at the 50 key (specification 4), or None."""
        return self._by_lender.get(lender_id)

    @property
    def held(self) -> tuple[int, int]:
        """Return the number of lists, and how many of them are stale."""
        lists = (*self._by_customer.values(), *self._by_lender.values())
        return len(lists), sum(answer.stale for answer in lists)

    async def restore(self) -> None:
        """Load the lists from the archive."""
        if self._archive is None:
            return
        for customer in RULES:
            if found := await self._archive.load(default_query(customer)):
                self._by_customer[customer] = replace(found, stale=True)
        for lender_id in self._lender_ids():
            if found := await self._archive.load(RatesQuery(lender_id=lender_id)):
                self._by_lender[lender_id] = replace(found, stale=True)

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
        await self._keep(read.values())
        _check_not_empty(SAVED_RATES.name, before, read)
        return sum(products.unusable for products in found.by_type.values())

    async def refresh_lenders(self) -> int:
        """Send the order of call 6 if it is due, read call 4, and log the answer of call 11. Raises FeedError.

        Return the number of rows that had to be left out.
        """
        await self._order()
        before = {lender: replace(answer, stale=True) for lender, answer in self._by_lender.items()}
        try:
            found = await fetch_saved_ltv_rates(self._client)
        except FeedError:
            self._by_lender = before
            raise
        read = dict(_lenders(found))
        self._by_lender = self._still_shown(before, found.read_at) | read
        log.info("saved rates of %d lenders; %d of their lists are faults", len(read), found.faults)
        await self._keep(read.values())
        _check_not_empty(SAVED_LTV_RATES.name, before, read)
        await self._count()
        return found.unusable

    def _still_shown(self, lists: Mapping[Key, RatesAnswer], now: datetime) -> dict[Key, RatesAnswer]:
        """Return the lists that are young enough to stand where the source has none now."""
        return {key: answer for key, answer in lists.items() if now - answer.read_at <= self._shown_for}

    async def _keep(self, answers: Iterable[RatesAnswer]) -> None:
        if self._archive:
            for answer in tuple(answers):
                await self._archive.save(answer)

    async def _order(self) -> None:
        """Order every lender's rates at first and then daily; a failure is only logged (specification 7)."""
        now = self._clock()
        if self._ordered_at is not None and now - self._ordered_at < ORDER_INTERVAL.total_seconds():
            return
        orders = [
            SavedRatesRequest(lender_id=lender_id, value=TWO_YEARS_FIXED.slug, ltv=BEST_LTV, count=BEST_PER_LENDER)
            for lender_id in self._lender_ids()
        ]
        try:
            await request_saved_rates(self._client, orders)
        except FeedError as error:
            log.warning("saved rates not ordered: %s", error)
        else:
            self._ordered_at = now

    async def _count(self) -> None:
        """Log how many lenders have saved rates, by call 11 (specification 7)."""
        try:
            log.info("%d lenders have saved rates", len(await fetch_saved_lenders(self._client)))
        except FeedError as error:
            log.warning("lenders with saved rates not counted: %s", error)


def _check_not_empty(call: str, before: Mapping[Key, RatesAnswer], read: Mapping[Key, RatesAnswer]) -> None:
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


def _lenders(found: SavedLtvRates) -> Iterable[tuple[int, RatesAnswer]]:
    for lender_id in found.by_lender:
        if best := found.best(lender_id):
            yield lender_id, _answer(RatesQuery(lender_id=lender_id), best, found)


def _answer(query: RatesQuery, products: tuple[RateProduct, ...], found: SavedRates | SavedLtvRates) -> RatesAnswer:
    return answer_of(query, products, fee_free=0, read_at=found.read_at, sample=False)
