"""The deal of a plan, in a visitor's tab: the one thing that a plan asks the server for."""

import reflex as rx

from broker.plans.buying_deal import values_of_key
from broker.plans.remortgage_search import question_of
from broker.rates.let_deals import LetDeals, asked_lets, let_deals
from broker.rates.plan_deal import NO_LOAN, PlanDeal, deal_of_plan
from broker.rates.plan_searches import find_lets, find_plan_deal, find_remortgage_deals
from broker.rates.remortgage_deals import RemortgageDeals, remortgage_deals
from broker.services import current


class LetDealsState(rx.State):
    """The deals of the tab's last key: a list of at most one, since every page loads the default values."""

    found: tuple[LetDeals, ...] = ()

    @rx.event(background=True, supersedes=True)
    async def find(self, key: str) -> None:
        """Find deals for a key, replacing a search under way; an invalid key is ignored."""
        asked = asked_lets(key)
        if asked is None:
            return
        services = current()
        deals = let_deals(await find_lets(services.rates.search, asked), logos=services.lenders.logos())
        async with self:
            self.found = (deals,)


class RemortgageDealsState(rx.State):
    """The deals of the plan's last question: a list of at most one, since every page loads the default values."""

    found: tuple[RemortgageDeals, ...] = ()

    @rx.event(background=True, supersedes=True)
    async def find(self, key: str) -> None:
        """Find deals for a key, replacing a search under way; an invalid key is ignored."""
        question = question_of(key) if isinstance(key, str) else None
        if question is None:
            return
        services = current()
        deals = remortgage_deals(
            await find_remortgage_deals(services.rates.search, question),
            logos=services.lenders.logos(),
            window=services.lenders.window(int(question.lender or 0)),
        )
        async with self:
            self.found = (deals,)


class PlanDealState(rx.State):
    """The tab's last deal; the page shows it while its key is that of the figures."""

    deal: PlanDeal = NO_LOAN

    @rx.event(background=True, supersedes=True)
    async def find(self, key: str) -> None:
        """Find deals for a key, replacing a search under way; an invalid key is ignored."""
        values = values_of_key(key)
        if values is None:
            return
        services = current()
        deal = deal_of_plan(key, await find_plan_deal(services.rates.search, values), logos=services.lenders.logos())
        async with self:
            self.deal = deal
