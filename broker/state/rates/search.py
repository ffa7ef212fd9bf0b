"""The rates search of a visitor's tab: its answer, and the product that is open."""

import logging
from collections.abc import Mapping
from typing import Any, TypeAlias

import reflex as rx

from broker import routes
from broker.domain.rates.customers import default_query
from broker.domain.rates.product import RatesError
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import MAX_PAGES
from broker.presenters.rates import search_params
from broker.presenters.rates.rate_details import RateDetails, rate_details
from broker.presenters.rates.results import RatesList, rates_list
from broker.presenters.rates.search_params import filters_words, known_lender, offered_lenders, unfiltered
from broker.services import current

log = logging.getLogger(__name__)

MAX_ID_LENGTH = 80

IDLE, LOADING, LOADED, EMPTY, FAILED = "idle", "loading", "loaded", "empty", "failed"
"""Values of `RatesState.status`; idle means that the page shows the list that it was built with."""

Next: TypeAlias = Any
"""The event that Reflex runs after a handler, or None; Reflex has no public type for it."""

AWAY = "The rates service did not answer. Your search is kept."


class RatesState(rx.State):
    """The search of one visitor's tab, read from the address of the page."""

    customer: str = ""
    status: str = IDLE
    problem: str = ""
    searched: dict[str, str] = {}  # noqa: RUF012 - Reflex copies a class default for every visitor
    found: RatesList = RatesList()
    filters: str = ""
    unfiltered: str = ""
    detail: RateDetails = RateDetails()

    _query: RatesQuery = RatesQuery()
    _pages: int = 1
    _product: str = ""
    _opened: tuple[object, ...] = ()

    @rx.event
    def open(self, customer: str) -> Next:
        """Read the search from the URL of a customer type's page and run it.

        If only the open product changed, the list stays as it is.
        """
        customer = search_params.known_customer(customer)
        given = known_lender(self.router.url.query_parameters, lender_names(customer))
        address = (customer, *((name, given[name]) for name in search_params.FIELDS if name in given))
        before, self._product = self._product, _product_in(given)
        if address == self._opened and (before or self._product):
            return RatesState.find if self.status in (LOADING, FAILED) or current().rates.live else None
        self._opened, self._pages, self.detail = address, 1, RateDetails()
        return self._begin(search_params.query_or_default(customer, given))

    def _begin(self, query: RatesQuery) -> Next:
        """Start the search; the built-in list answers the page's default search, unless the source is live."""
        self._query, self.customer = query, query.customer
        self.searched = search_params.form_of(query)
        self.filters = filters_words(query, lender_names(query.customer))
        self.unfiltered = routes.with_query(
            routes.deals(query.customer), search_params.parameters_of(unfiltered(query))
        )
        if query == default_query(query.customer):
            self.status = IDLE
            return RatesState.find if current().rates.live else None
        self.status = LOADING
        return RatesState.find

    @rx.event(background=True, supersedes=True)
    async def find(self) -> None:
        """Run the current query; a search under way is cancelled."""
        async with self:
            query, pages = self._query, self._pages
        try:
            answer = await current().rates.search(query)
        except RatesError as error:
            log.warning("rates search failed: %s", error)
            async with self:
                # The built-in list stays, with its time, unless the source names the error or the visitor asked for
                # more.
                if query == self._query and (self.status != IDLE or error.words or pages > 1):
                    self._fail(error)
            return
        words = filters_words(query, lender_names(query.customer))
        view = rates_list(answer, pages, logos=current().lenders.logos(), filters=words)
        async with self:
            if query == self._query:
                self.status, self.problem, self.found = LOADED if view.cards else EMPTY, "", view

    @rx.event
    def see_more(self) -> Next:
        """Show five more cards (specification 4)."""
        self._pages = min(self._pages + 1, MAX_PAGES)
        return RatesState.find

    @rx.event
    def try_again(self) -> Next:
        self.status = LOADING
        return RatesState.find

    @rx.event
    async def show_details(self) -> None:
        """Load the product in the URL, priced for the search's loan; an unknown one opens nothing."""
        if not self._product:
            return
        services = current()
        try:
            product = await services.rates.product(self._query, self._product)
        except RatesError as error:
            log.warning("product could not be read: %s", error)
            if self.status == IDLE:
                self._fail(error)
            return
        if product is not None:
            self.detail = rate_details(
                product,
                logo=services.lenders.logos().get(product.lender_id, ""),
                unregulated=not self._query.residential,
                sample=not services.rates.live,
            )

    def _fail(self, error: RatesError) -> None:
        """Show the failure in place of the list (decision 24)."""
        self.status, self.problem, self.found = FAILED, error.words or AWAY, RatesList()


def lender_names(customer: str) -> dict[int, str]:
    """Return the names of the lenders that a customer type may search for, by id."""
    return offered_lenders(customer, current().lenders.lenders)


def _product_in(given: Mapping[str, object]) -> str:
    product = given.get(search_params.PRODUCT)
    return product if isinstance(product, str) and len(product) <= MAX_ID_LENGTH else ""
