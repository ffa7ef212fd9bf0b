"""The searches of plans, of a rent and for one product.

A failure of the source is part of their result, so that the rest is shown.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from math import ceil

from broker.lending.arithmetic import Amount
from broker.plans.buying import ALLOWED_FEE, LENDER_FEE, buying_plan
from broker.plans.buying_deal import FoundDeal, deal_key, deal_search
from broker.plans.remortgage_search import FoundDeals, HeldRate, Question, query_of
from broker.rates.let_deals import AskedLets, FoundLets, passing_lets
from broker.rates.product import RatesError
from broker.rates.query import QueryError, RatesQuery
from broker.rates.rate_details import RateDetails, no_details, rate_details
from broker.rates.search import RatesService, Search, compared_products, search_with_band
from broker.rates.search_page import AWAY

log = logging.getLogger(__name__)


async def find_lets(search: Search, asked: AskedLets) -> FoundLets:
    """Return the deals whose rent test the rent passes."""
    try:
        answer = await search(asked.query)
    except RatesError as error:
        log.warning("deals for a rent could not be read: %s", error)
        return FoundLets(asked=asked, error=error)
    return passing_lets(asked, answer)


async def find_details(
    rates: RatesService, query: RatesQuery, product_id: str, *, logos: Mapping[int, str]
) -> RateDetails:
    """Return a product in full, priced for the loan of the query, or why it cannot be shown."""
    try:
        found = await compared_products(rates, query, ids=(product_id,))
    except RatesError as error:
        log.warning("product could not be read: %s", error)
        return no_details(product_id, error.words or AWAY)
    if not found:
        return no_details(product_id)
    [product] = found
    logo = logos.get(product.lender_id, "")
    return rate_details(product, logo=logo, unregulated=not query.residential, sample=not rates.live)


MAX_SEARCHES = 4
"""Searches for a deal whose fee the plan allows: a larger fee takes a larger loan, for which another deal may win."""


async def find_plan_deal(search: Search, values: Mapping[str, Amount]) -> FoundDeal | None:
    """Return the deal of a plan's values; None where they need no loan.

    A plan allows the usual fee; where the deal takes more, the plan is worked out again with that, and the deal is
    searched for its loan.
    """
    allowed, found = LENDER_FEE.allowed, None
    for _ in range(MAX_SEARCHES):
        plan = buying_plan({**values, ALLOWED_FEE: allowed})
        asked = deal_search(deal_key(plan.price, plan.loan, term=values["term"], buyer=values["buyer"]))
        if asked is None:
            return found
        try:
            answer, band = await search_with_band(search, asked.query)
        except RatesError as error:
            log.warning("deal of a plan could not be read: %s", error)
            return FoundDeal(asked=asked, allowed=allowed, error=error)
        found, product = FoundDeal(asked=asked, allowed=allowed, answer=answer, band=band), answer.winners.true
        if product is None or product.total_fees <= allowed:
            return found
        allowed = ceil(product.total_fees)
    return found


async def find_remortgage_deals(search: Search, question: Question) -> FoundDeals:
    """Return the deals for a remortgage, and the follow-on rate that a stated lender charges."""
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
