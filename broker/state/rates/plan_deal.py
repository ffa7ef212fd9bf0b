"""The deal of a plan, in a visitor's tab: the one thing that a plan asks the server for."""

import logging

import reflex as rx

from broker.domain.plans.buying_deal import asked_deal
from broker.domain.rates.product import RatesError
from broker.presenters.rates.plan_deal import NO_LOAN, PlanDeal, failed_deal, found_deal
from broker.services import current
from broker.services.rates.lower_band import search_with_band

log = logging.getLogger(__name__)


class PlanDealState(rx.State):
    """The last deal of a tab; the page shows it while its key is that of the figures."""

    deal: PlanDeal = NO_LOAN

    @rx.event(background=True, supersedes=True)
    async def find(self, key: str) -> None:
        """Look for the deal of a key; one under way is cancelled, and a key without sense is ignored."""
        asked = asked_deal(key)
        if asked is None:
            return
        services = current()
        try:
            answer, band = await search_with_band(services.rates.search, asked.query)
        except RatesError as error:
            log.warning("deal of a plan could not be read: %s", error)
            deal = failed_deal(asked, error.words)
        else:
            deal = found_deal(asked, answer, band=band, logos=services.lenders.logos())
        async with self:
            self.deal = deal
