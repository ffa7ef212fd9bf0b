"""The rates that the pages are built with, read once before any page is drawn."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeVar

from broker.domain.rates.by_ltv import RatesByLtv
from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.deal_types import table_ltvs
from broker.domain.rates.lowest_rates import LowestRates
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery
from broker.services.rates.lowest_rates import Search, find_rates_by_ltv, lowest_rates
from broker.services.rates.search import RatesService

log = logging.getLogger(__name__)

MAX_SEARCHES = 6
"""Searches of a build under way at a time: it has one for each customer type, deal type and loan to value."""

MAX_AGE = timedelta(hours=6)
"""Age up to which a build uses an archived answer again. A changed text then waits for no feed, its rates are no older
than those that it replaces, and an open page asks for newer ones."""

PATIENCE_SECONDS, RETRY_SECONDS = 60.0, 2.0
"""How long a build asks again for what fails and was never read, and the time between two attempts."""

MAX_UNREAD = 20
"""Searches that a build may go without; where more fail, the source is away."""

Key = TypeVar("Key")
Asked = TypeVar("Asked")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerRates:
    """Lists and charts by customer type, and the lowest rates of those whose pages have tables."""

    opening: Mapping[str, RatesAnswer]
    by_ltv: Mapping[str, RatesByLtv]
    lowest: Mapping[str, LowestRates]


def build_search(rates: RatesService, *, now: datetime, patience: float = PATIENCE_SECONDS) -> Search:
    """Return the search of a build: some at a time, and the answers of the last hours from the archive.

    A search that fails is answered by the archive, whatever its age, and without that after `patience` seconds by an
    empty list, marked as stale. It raises RatesError after MAX_UNREAD of those.
    """
    turns, unread, until = asyncio.Semaphore(MAX_SEARCHES), list[RatesQuery](), monotonic() + patience

    async def search(query: RatesQuery) -> RatesAnswer:
        async with turns:
            if recent := await rates.archived(query, now=now, max_age=MAX_AGE):
                return recent
            try:
                return await _patient_search(rates, query, now=now, until=until)
            except RatesError as error:
                unread.append(query)
                if len(unread) > MAX_UNREAD:
                    raise
                log.warning("rates of lender %s were not read for the build: %s", query.lender_id or "any", error)
                return RatesAnswer.empty(query, read_at=now)

    return search


async def _patient_search(rates: RatesService, query: RatesQuery, *, now: datetime, until: float) -> RatesAnswer:
    """Return an answer of the source, or the archived one where it fails; without that, ask again until a moment."""
    while True:
        try:
            return await rates.for_page(query)
        except RatesError:
            if last := await rates.archived(query, now=now, max_age=timedelta.max):
                return replace(last, stale=True)
            if monotonic() >= until:
                raise
        await asyncio.sleep(RETRY_SECONDS)


async def customer_rates(search: Search, *, with_tables: Collection[str]) -> CustomerRates:
    """Search for every customer type, and for the tables of some; raises RatesError, which fails the build."""
    queries = {customer: default_query(customer) for customer in RULES}
    tabled = {customer: query for customer, query in queries.items() if customer in with_tables}

    async def lowest(query: RatesQuery) -> LowestRates:
        return await lowest_rates(search, query, ltvs=table_ltvs(query))

    return CustomerRates(
        opening=await _of_each(search, queries),
        by_ltv=await _of_each(partial(find_rates_by_ltv, search), queries),
        lowest=await _of_each(lowest, tabled),
    )


async def _of_each(read: Callable[[Asked], Awaitable[Found]], asked: Mapping[Key, Asked]) -> dict[Key, Found]:
    """Return what is read of each value, all at once."""
    found = await asyncio.gather(*map(read, asked.values()))
    return dict(zip(asked, found, strict=True))
