"""A search with the next lower band of loan to value, found by a second search of the same source."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from broker.domain.rates.ltv_band import LowerBand, lower_band, lower_band_search
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery

log = logging.getLogger(__name__)

MAX_WAIT = 1.0
"""Seconds that a list waits for the next lower band."""

Search = Callable[[RatesQuery], Awaitable[RatesAnswer]]


async def search_with_band(search: Search, query: RatesQuery) -> tuple[RatesAnswer, LowerBand | None]:
    """Return the answer to a search, and the next lower band where that has a lower rate.

    Both searches go out at once; the second is waited for only `MAX_WAIT` longer than the first. Raises RatesError
    where the search itself fails.
    """
    near = lower_band_search(query)
    if near is None:
        return await search(query), None
    lower = asyncio.create_task(_or_none(search, near[1]))
    try:
        answer = await search(query)
        done, _ = await asyncio.wait([lower], timeout=MAX_WAIT)
    finally:
        lower.cancel()
    below = lower.result() if done else None
    if below is None or below.stale != answer.stale:
        return answer, None
    return answer, lower_band(answer, near[0], below=below)


async def _or_none(search: Search, query: RatesQuery) -> RatesAnswer | None:
    try:
        return await search(query)
    except RatesError as error:
        log.warning("lower band could not be read: %s", error)
        return None
