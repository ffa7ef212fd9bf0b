"""The deals of a remortgage plan in a visitor's tab."""

import reflex as rx

from broker.plans.remortgage_search import question_of
from broker.presenters.rates.search.remortgage_deals import RemortgageDeals, remortgage_deals
from broker.services import current
from broker.services.rates.remortgage_deals import find_deals


class RemortgageDealsState(rx.State):
    """The deals that one visitor's plan counts: those of its last question.

    A list of one, or of none: every page has the default values of every state in its scripts.
    """

    found: tuple[RemortgageDeals, ...] = ()

    @rx.event(background=True, supersedes=True)
    async def find(self, key: str) -> None:
        """Load the deals of a plan's question; a search under way is cancelled, and what is no question is ignored."""
        question = question_of(key) if isinstance(key, str) else None
        if question is None:
            return
        services = current()
        deals = remortgage_deals(await find_deals(services.rates.search, question), logos=services.lenders.logos())
        async with self:
            self.found = (deals,)
