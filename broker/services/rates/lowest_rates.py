"""Finding the lowest rate of each deal type at each loan to value: a search a place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from broker.domain.rates.deal_types import DealType, narrowed
from broker.domain.rates.lowest_rates import LowestRates
from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import RatesQuery

AT_ONCE = 4
"""Searches under way at a time: a live feed has other visitors to answer."""

Search: TypeAlias = Callable[[RatesQuery], Awaitable[RatesAnswer]]


async def lowest_rates(
    search: Search, query: RatesQuery, *, kinds: Iterable[DealType], ltvs: Iterable[int]
) -> LowestRates:
    """Search at each place, `AT_ONCE` at a time; raises RatesError when one of the searches does.

    There must be one place at least.
    """
    turns = asyncio.Semaphore(AT_ONCE)

    async def ask(kind: DealType, ltv: int) -> RatesAnswer:
        async with turns:
            return await search(narrowed(query, kind, ltv=ltv))

    places = [(kind, ltv) for ltv in ltvs for kind in kinds]
    answers = await asyncio.gather(*(ask(*place) for place in places))
    return LowestRates(
        query=query,
        found={place: answer.products[0] for place, answer in zip(places, answers, strict=True) if answer.products},
        read_at=min(answer.read_at for answer in answers),
        sample=any(answer.sample for answer in answers),
        stale=any(answer.stale for answer in answers),
    )
