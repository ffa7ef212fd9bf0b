"""Find the lowest rate at each loan to value, of one search or of each deal type, by one search each."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from broker.domain.rates.by_ltv import RatesByLtv, rates_by_ltv, searches_by_ltv
from broker.domain.rates.deal_types import DEAL_TYPES, DealType, narrowed
from broker.domain.rates.lowest_rates import LowestRates
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery

log = logging.getLogger(__name__)

MAX_CONCURRENT = 4
"""Searches under way at a time, so that a live feed can answer other visitors meanwhile."""

Search: TypeAlias = Callable[[RatesQuery], Awaitable[RatesAnswer]]


async def lowest_rates(search: Search, query: RatesQuery, *, ltvs: Iterable[int]) -> LowestRates:
    """Search for every deal type at every loan to value, one at least; raises RatesError where all of them fail.

    Those that fail are left out, and the others are marked as stale.
    """
    turns = asyncio.Semaphore(MAX_CONCURRENT)

    async def ask(kind: DealType, ltv: int) -> RatesAnswer | RatesError:
        async with turns:
            return await _answer(search, narrowed(query, kind, ltv=ltv))

    places = [(kind, ltv) for ltv in ltvs for kind in DEAL_TYPES]
    answers = dict(zip(places, await asyncio.gather(*(ask(*place) for place in places)), strict=True))
    read = {place: answer for place, answer in answers.items() if not isinstance(answer, RatesError)}
    if not read:
        raise next(answer for answer in answers.values() if isinstance(answer, RatesError))
    return LowestRates(
        query=query,
        found={place: answer.products[0] for place, answer in read.items() if answer.products},
        read_at=min(answer.read_at for answer in read.values()),
        sample=any(answer.sample for answer in read.values()),
        stale=len(read) < len(answers) or any(answer.stale for answer in read.values()),
    )


async def _answer(search: Search, query: RatesQuery) -> RatesAnswer | RatesError:
    try:
        return await search(query)
    except RatesError as error:
        log.warning("rates of a page are shown without those of one search: %s", error)
        return error


async def find_rates_by_ltv(search: Search, query: RatesQuery) -> RatesByLtv:
    """Return a query's lowest rate at each loan to value of its chart; raises RatesError when a search fails.

    A loan to value that the source refuses in its own words is left out, unless it refuses all of them.
    """
    turns = asyncio.Semaphore(MAX_CONCURRENT)
    refusals: list[RatesError] = []

    async def in_turn(one: RatesQuery) -> RatesAnswer | None:
        async with turns:
            try:
                return await search(one)
            except RatesError as error:
                if not error.words:
                    raise
                refusals.append(error)
                return None

    searches = searches_by_ltv(query)
    answers = await asyncio.gather(*(in_turn(one) for one in searches.values()))
    found = {ltv: answer for ltv, answer in zip(searches, answers, strict=True) if answer is not None}
    if not found:
        raise refusals[0]
    return rates_by_ltv(query, found)
