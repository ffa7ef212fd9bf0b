"""The rates that a page opens with: a customer type's list, and a lender's three best (specification 4)."""

from dataclasses import replace

from broker.domain.rates.customers import default_query
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import BEST_PER_LENDER
from broker.services.rates.saved_rates import SavedLists
from broker.services.rates.search import RatesService


class BestRates:
    """Saved lists of a live feed, else the result of a search."""

    def __init__(self, rates: RatesService, saved: SavedLists | None = None) -> None:
        self._rates, self._saved = rates, saved

    async def of_customer(self, customer: str) -> RatesAnswer:
        """Return the list that a customer type's page opens with; raises RatesError."""
        saved = self._saved.of_customer(customer) if self._saved else None
        return await self._fresh(saved, default_query(customer))

    async def of_lender(self, lender_id: int, *, residential: bool = True) -> RatesAnswer:
        """Return a lender's three best products, two years fixed, £200,000 at 50% LTV; raises RatesError.

        Lists are saved for homes; those of buy-to-let lenders are searched for.
        """
        saved = self._saved.of_lender(lender_id) if self._saved and residential else None
        answer = await self._fresh(saved, RatesQuery(lender_id=lender_id, residential=residential))
        return replace(answer, products=tuple(answer.products[:BEST_PER_LENDER]))

    async def _fresh(self, saved: RatesAnswer | None, query: RatesQuery) -> RatesAnswer:
        """Return the saved list while it is not stale, else a search's answer, or the later of two stale ones."""
        if saved and not saved.stale:
            return saved
        try:
            found = await self._rates.for_page(query)
        except RatesError:
            if saved is None:
                raise
            return saved
        return saved if saved and found.stale and saved.read_at > found.read_at else found
