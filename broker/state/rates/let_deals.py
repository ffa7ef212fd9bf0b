"""The deals that a rent passes, in a visitor's tab."""

import reflex as rx

from broker.domain.rates.let_deals import asked_lets
from broker.presenters.rates.search.let_deals import LetDeals, let_deals
from broker.services import current
from broker.services.rates.let_deals import find_lets


class LetDealsState(rx.State):
    """The deals of the last key of a tab: a list of one, or of none, since every page has the default values."""

    found: tuple[LetDeals, ...] = ()

    @rx.event(background=True, supersedes=True)
    async def find(self, key: str) -> None:
        """Look for the deals of a key; a search under way is cancelled, and a key without sense is ignored."""
        asked = asked_lets(key)
        if asked is None:
            return
        services = current()
        deals = let_deals(await find_lets(services.rates.search, asked), logos=services.lenders.logos())
        async with self:
            self.found = (deals,)
