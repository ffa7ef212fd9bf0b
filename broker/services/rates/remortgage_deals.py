"""The search for the deals of a remortgage plan, and for the follow-on rate of the lender of today."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import QueryError, RatesQuery
from broker.plans.remortgage_search import FoundDeals, HeldRate, Question, query_of

log = logging.getLogger(__name__)

Search = Callable[[RatesQuery], Awaitable[RatesAnswer]]


async def find_deals(search: Search, question: Question) -> FoundDeals:
    """Return the answer to a question; a failure of the source is part of it."""
    try:
        query = query_of(question)
        answer, held = await asyncio.gather(search(query), _held_rate(search, query, question.lender))
    except QueryError:
        return FoundDeals(question=question)
    except RatesError as error:
        log.warning("deals of a remortgage plan could not be read: %s", error)
        return FoundDeals(question=question, error=error)
    return FoundDeals(question=question, answer=answer, held=held)


async def _held_rate(search: Search, query: RatesQuery, lender: str) -> HeldRate | None:
    """Return the follow-on rate of a lender's first deal for a search."""
    if not lender:
        return None
    found = await search(replace(query, lender_id=int(lender)))
    first = next(iter(found.products[:1]), None)
    if first is None or not first.follow_on_rate:
        return None
    return HeldRate(lender=first.lender_name, rate=first.follow_on_rate, is_sample=found.sample)
