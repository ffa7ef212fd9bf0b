"""One search asked again at eight loans to value, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from broker.domain.rates.by_ltv import RatesByLtv, rates_by_ltv, searches_by_ltv
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery

AT_ONCE = 4
"""Most searches under way for one chart: a visitor's own list must not wait behind another's chart."""


async def find_rates_by_ltv(ask: Callable[[RatesQuery], Awaitable[RatesAnswer]], query: RatesQuery) -> RatesByLtv:
    """Return the lowest rate at each loan to value, by `ask`; raises RatesError where one of the searches fails.

    A loan to value that the source refuses in words of its own is left out, unless it refuses them all.
    """
    turns = asyncio.Semaphore(AT_ONCE)
    refusals: list[RatesError] = []

    async def in_turn(one: RatesQuery) -> RatesAnswer | None:
        async with turns:
            try:
                return await ask(one)
            except RatesError as error:
                if not error.words:
                    raise
                refusals.append(error)
                return None

    searches = searches_by_ltv(query)
    answers = await asyncio.gather(*(in_turn(one) for one in searches.values()))
    given = {ltv: answer for ltv, answer in zip(searches, answers, strict=True) if answer is not None}
    if not given:
        raise refusals[0]
    return rates_by_ltv(query, given)
