"""The chart by loan to value in a visitor's tab, and the search of the page that it belongs to."""

import logging

import reflex as rx

from broker import routes
from broker.domain.rates.product import RatesError
from broker.domain.rates.query import RatesQuery
from broker.presenters.rates import search_params
from broker.presenters.rates.rates_by_ltv import NO_CHART, ByLtvView, by_ltv_view, key_of
from broker.presenters.rates.rates_csv import download_address
from broker.presenters.rates.search_params import filters_words, known_lender
from broker.services import current
from broker.services.rates.lowest_rates import find_rates_by_ltv
from broker.state.rates.search import AWAY, FAILED, IDLE, LOADED, LOADING, lender_names

log = logging.getLogger(__name__)

UNREAD = "-"
"""The customer type before the server has read the URL."""


class ByLtvState(rx.State):
    """The chart of one visitor's tab. `view` may answer an earlier search; it is shown if its key is `searched`."""

    customer: str = UNREAD
    searched: str = ""
    download: str = ""
    page_address: str = ""
    live: bool = False
    status: str = IDLE
    problem: str = ""
    view: ByLtvView = NO_CHART

    _query: RatesQuery = RatesQuery()

    @rx.event
    def open(self, customer: str) -> None:
        """Read the search in the address of a customer type's page; figures that make no sense are the page's own."""
        customer = search_params.known_customer(customer)
        given = known_lender(routes.parameters_in(self.router.url.query), lender_names(customer))
        query = search_params.query_or_default(customer, given)
        if query != self._query:
            self.status = IDLE
        self._query, self.customer, self.searched = query, customer, key_of(query)
        self.download = download_address(query)
        self.page_address = str(self.router.url)
        self.live = current().rates.live

    @rx.event(background=True, supersedes=True)
    async def find(self) -> None:
        """Load the chart of the search on the page; a request under way is cancelled."""
        async with self:
            query = self._query
            self.status = LOADING
        try:
            found = await find_rates_by_ltv(current().rates.search, query)
        except RatesError as error:
            log.warning("rates by loan to value could not be read: %s", error)
            async with self:
                if query == self._query:
                    self.status, self.problem = FAILED, error.words or AWAY
            return
        view = by_ltv_view(found, filters=filters_words(query, lender_names(query.customer)))
        async with self:
            if query == self._query:
                self.status, self.view = LOADED, view
