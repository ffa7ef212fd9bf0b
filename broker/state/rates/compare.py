"""Products side by side. The browser keeps the selection, the URL holds the comparison."""

import logging
from collections.abc import Mapping

import reflex as rx

from broker import routes
from broker.domain.rates.product import RatesError
from broker.domain.rates.query import QueryError
from broker.presenters.rates import search_params
from broker.presenters.rates.comparison import NO_COMPARISON, Comparison, compared_ids, comparison
from broker.presenters.rates.search_params import known_lender
from broker.services import current
from broker.services.rates.compared import compared_products
from broker.state.rates.search import Next, lender_names

log = logging.getLogger(__name__)


class CompareState(rx.State):
    """The comparison on screen in one visitor's tab."""

    shown: Comparison = NO_COMPARISON
    alone: str = ""

    @rx.event(background=True, supersedes=True)
    async def open(self, customer: str) -> None:
        """Show the comparison in the page's URL, priced for the search in it; the one before stays until it is there.

        `alone` becomes the URL of the search without the comparison.
        """
        customer = search_params.known_customer(customer)
        async with self:
            given = self._given(customer)
            self.alone = routes.with_query(routes.deals(customer), self._searched(customer))
        shown = await _comparison(customer, given)
        async with self:
            if given == self._given(customer):
                self.shown = shown

    @rx.event
    def compare(self, customer: str, picked: list[str]) -> Next:
        """Go to the URL of the comparison of the selected products, two or more; a refused search has none."""
        ids = (
            compared_ids(",".join(each for each in picked if isinstance(each, str))) if isinstance(picked, list) else []
        )
        if len(ids) < 2:
            return None
        customer = search_params.known_customer(customer)
        try:
            search_params.query_in(customer, self._given(customer))
        except QueryError:
            return None
        parameters = {**self._searched(customer), search_params.COMPARE: ",".join(ids)}
        return rx.redirect(routes.with_query(routes.deals(customer), parameters))

    def _searched(self, customer: str) -> dict[str, str]:
        return search_params.parameters_of(search_params.query_or_default(customer, self._given(customer)))

    def _given(self, customer: str) -> dict[str, object]:
        """Return the parameters of the URL, without a lender that is not offered."""
        return known_lender(routes.parameters_in(self.router.url.query), lender_names(customer))


async def _comparison(customer: str, given: Mapping[str, object]) -> Comparison:
    """Return the comparison of the products that a URL names; an empty one of fewer than two, or where it fails."""
    if not (ids := compared_ids(given.get(search_params.COMPARE, ""))):
        return NO_COMPARISON
    try:
        products = await compared_products(current().rates, search_params.query_in(customer, given), ids=ids)
    except (QueryError, RatesError) as error:
        log.warning("comparison could not be made: %s", type(error).__name__)
        return NO_COMPARISON
    if len(products) < 2:
        return NO_COMPARISON
    logos = current().lenders.logos()
    return comparison(products, logos=[logos.get(product.lender_id, "") for product in products])
