"""The rates that a page opens with: the list of a customer type (specification 4)."""

from broker.domain.rates.customers import default_query
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.services.rates.answer_cache import is_empty
from broker.services.rates.saved_rates import SavedLists
from broker.services.rates.search import RatesService


class BestRates:
    """Saved lists of a live feed, else the result of a search."""

    def __init__(self, rates: RatesService, saved: SavedLists | None = None) -> None:
        self._rates, self._saved = rates, saved

    async def of_customer(self, customer: str) -> RatesAnswer:
        """Return the list that a customer type's page opens with; raises RatesError.

        That is the saved list while it is not stale, else a search's answer, or the later of two stale ones. A stale
        list stands for some time in place of an empty answer too.
        """
        saved = self._saved.of_customer(customer) if self._saved else None
        if saved and not saved.stale:
            return saved
        try:
            found = await self._rates.for_page(default_query(customer))
        except RatesError:
            if saved is None:
                raise
            return saved
        if self._saved and saved and is_empty(found):
            return saved if found.read_at - saved.read_at <= self._saved.shown_for else found
        return saved if saved and found.stale and saved.read_at > found.read_at else found
