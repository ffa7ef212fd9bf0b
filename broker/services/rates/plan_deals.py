"""The search for the deal of a plan to buy, whose fee is part of the cash that the plan counts."""

import logging
from collections.abc import Mapping
from math import ceil

from broker.domain.rates.product import RatesError
from broker.lending.arithmetic import Amount
from broker.plans.buying import buying_plan
from broker.plans.buying_costs import LENDER_FEE
from broker.plans.buying_deal import FoundDeal, asked_deal, deal_key
from broker.plans.buying_limits import ALLOWED_FEE
from broker.services.rates.lower_band import Search, search_with_band

log = logging.getLogger(__name__)

MAX_SEARCHES = 4
"""Searches for a deal whose fee the plan allows: a larger fee takes a larger loan, for which another deal may win."""


async def find_plan_deal(search: Search, values: Mapping[str, Amount]) -> FoundDeal | None:
    """Return the deal of a plan's values; None where they need no loan. A failure of the source is part of it.

    A plan allows the usual fee; where the deal takes more, the plan is worked out again with that, and the deal is
    searched for its loan.
    """
    allowed, found = LENDER_FEE.allowed, None
    for _ in range(MAX_SEARCHES):
        plan = buying_plan({**values, ALLOWED_FEE: allowed})
        asked = asked_deal(deal_key(plan.price, plan.loan, term=values["term"], buyer=values["buyer"]))
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
