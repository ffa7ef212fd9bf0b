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
from broker.state.rates.search import lender_names

log = logging.getLogger(__name__)


class CompareState(rx.State):
    """The comparison on screen in one visitor's tab."""

    shown: Comparison = NO_COMPARISON
    compared: str = ""
    """The parameter of the address that `shown` answers."""

    @rx.event(background=True, supersedes=True)
    async def open(self, customer: str) -> None:
        """Show the comparison in the page's URL, priced for the search in it."""
        customer = search_params.known_customer(customer)
        async with self:
            given = self._given(customer)
        shown = await _comparison(customer, given)
        async with self:
            if given == self._given(customer):
                self.shown, self.compared = shown, str(given.get(search_params.COMPARE, ""))

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
