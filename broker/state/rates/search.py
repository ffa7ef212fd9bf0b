"""The rates search of a visitor's tab: its answer, and the product that is open."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import reflex as rx

from broker import routes
from broker.rates import search_params
from broker.rates.comparison import NO_COMPARISON, Comparison, compared_ids, comparison
from broker.rates.customers import default_query
from broker.rates.plan_searches import find_details
from broker.rates.product import RatesError
from broker.rates.query import QueryError, RatesQuery
from broker.rates.rate_details import RateDetails
from broker.rates.results import RatesList, rates_list
from broker.rates.search import compared_products, search_with_band
from broker.rates.search_page import (
    AWAY,
    EMPTY,
    FAILED,
    IDLE,
    LOADED,
    LOADING,
    REFUSAL,
    REFUSED,
    REFUSED_SUMMARY,
    refusal_words,
    search_summary,
)
from broker.rates.search_params import (
    filters_words,
    known_lender,
    lender_note,
    offered_lenders,
    page_in,
    search_address,
)
from broker.services import current

log = logging.getLogger(__name__)

UNREAD = "-"
"""The customer type before the server has read the URL."""

Next: TypeAlias = Any
"""The event that Reflex runs after a handler, or None; Reflex has no public type for it."""


class RatesState(rx.State):
    """The search of one visitor's tab, read from the address of the page."""

    customer: str = UNREAD
    status: str = IDLE
    problem: str = ""
    summary: tuple[str, str] = ("", "")
    found: RatesList = RatesList()
    address: str = ""
    filters: str = ""
    unfiltered: str = ""
    detail: RateDetails = RateDetails()

    _query: RatesQuery = RatesQuery()
    _page: int = 1
    _note: str = ""
    _product: str = ""
    _compared: str = ""
    _opened: tuple[object, ...] = ()

    @rx.event
    def open(self, customer: str) -> Next:
        """Read the search from the URL of a customer type's page and run it.

        If only the open product or the comparison changed, the list stays; if only the page, until the longer one is
        loaded.
        """
        customer = search_params.known_customer(customer)
        typed = routes.parameters_in(self.router.url.query)
        given = known_lender(typed, lender_names(customer))
        self._note = lender_note(typed, given)
        address = (customer, *((name, given[name]) for name in search_params.FIELDS if name in given))
        before = self._product or self._compared
        self._product, self._compared = search_params.product_in(given), str(given.get(search_params.COMPARE, ""))
        page, was_opened = page_in(given), address == self._opened
        if was_opened and page != self._page and self.status in (IDLE, LOADED) and page > 1:
            self._page = page
            return RatesState.find
        if was_opened and page == self._page and (before or self._product or self._compared):
            return RatesState.find if self.status in (LOADING, FAILED) or current().rates.live else None
        self._opened, self._page, self.detail = address, page, RateDetails()
        try:
            return self._begin(search_params.query_in(customer, given))
        except QueryError as error:
            self._refuse(customer, error)
            return None

    def _refuse(self, customer: str, error: QueryError) -> None:
        self._begin(default_query(customer))
        self.status, self.problem, self.summary = REFUSED, refusal_words(error), REFUSED_SUMMARY
        self.found, self.address, self._product = RatesList(heading=REFUSAL), "", ""

    def _begin(self, query: RatesQuery) -> Next:
        """Start the search; the built-in list answers the page's default search, unless the source is live."""
        self._query, self.customer = query, query.customer
        self.address = search_address(query)
        self.filters = filters_words(query, lender_names(query.customer))
        self.summary = search_summary(query, filters=self.filters)
        self.unfiltered = search_address(query.unfiltered)
        if query == default_query(query.customer) and self._page == 1:
            self.status = IDLE
            return RatesState.find if current().rates.live else None
        self.status = LOADING
        return RatesState.find

    @rx.event(background=True, supersedes=True)
    async def find(self) -> None:
        """Run the current query, replacing a search under way."""
        async with self:
            query, page, lender = self._query, self._page, self._note
        try:
            answer, band = await search_with_band(current().rates.search, query)
        except RatesError as error:
            log.warning("rates search failed: %s", error)
            async with self:
                # The built-in list stays, with its time, unless the source names the error or the visitor asked for
                # more.
                if query == self._query and self.status != REFUSED and (self.status != IDLE or error.words or page > 1):
                    self._fail(error)
            return
        words = filters_words(query, lender_names(query.customer))
        view = rates_list(answer, page, logos=current().lenders.logos(), filters=words, band=band)
        view = replace(view, source=lender + view.source)
        async with self:
            if (query, page) == (self._query, self._page) and self.status != REFUSED:
                self.status, self.problem, self.found = LOADED if view.cards else EMPTY, "", view

    @rx.event
    def try_again(self) -> Next:
        self.status = LOADING
        return RatesState.find

    @rx.event
    def show_details(self) -> Next:
        return RatesState.read_product if self._product else None  # started here, as `open` must have been handled

    @rx.event(background=True, supersedes=True)
    async def read_product(self) -> None:
        async with self:
            query, product_id = self._query, self._product
        if not product_id:
            return
        services = current()
        detail = await find_details(services.rates, query, product_id, logos=services.lenders.logos())
        async with self:
            if (query, product_id) == (self._query, self._product):
                self.detail = detail

    def _fail(self, error: RatesError) -> None:
        self.status, self.problem, self.found = FAILED, error.words or AWAY, RatesList()


def lender_names(customer: str) -> dict[int, str]:
    """Return the names of the lenders that a customer type may search for, by id."""
    return offered_lenders(customer, current().lenders.lenders)


class CompareState(rx.State):
    shown: Comparison = NO_COMPARISON
    compared: str = ""
    """The parameter of the address that `shown` answers."""

    @rx.event(background=True, supersedes=True)
    async def open(self, customer: str) -> None:
        """Read the search from the URL of a customer type's page and run it.

        If only the open product or the comparison changed, the list stays; if only the page, until the longer one is
        loaded.
        """
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
    """Return the comparison of the products that a URL names; an empty one where it names none, or where it fails."""
    if not (ids := compared_ids(given.get(search_params.COMPARE, ""))):
        return NO_COMPARISON
    try:
        products = await compared_products(current().rates, search_params.query_in(customer, given), ids=ids)
    except (QueryError, RatesError) as error:
        log.warning("comparison could not be made: %s", type(error).__name__)
        return NO_COMPARISON
    logos = current().lenders.logos()
    return comparison(products, logos=[logos.get(product.lender_id, "") for product in products], asked=len(ids))
