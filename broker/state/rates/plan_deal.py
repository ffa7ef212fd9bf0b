"""The deal of a plan, in a visitor's tab: the one thing that a plan asks the server for."""

import reflex as rx

from broker.plans.buying_deal import values_of_key
from broker.presenters.rates.plan_deal import NO_LOAN, PlanDeal, deal_of_plan
from broker.services import current
from broker.services.rates.plan_deals import find_plan_deal


class PlanDealState(rx.State):
    """The last deal of a tab; the page shows it while its key is that of the figures."""

    deal: PlanDeal = NO_LOAN

    @rx.event(background=True, supersedes=True)
    async def find(self, key: str) -> None:
        """Look for the deal of a plan's key; a search under way is cancelled, and a key without sense is ignored."""
        values = values_of_key(key)
        if values is None:
            return
        services = current()
        deal = deal_of_plan(key, await find_plan_deal(services.rates.search, values), logos=services.lenders.logos())
        async with self:
            self.deal = deal
