"""A visitor's rates search: what was asked, what came back, and the deal that is open."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import reflex as rx

from broker import routes
from broker.domain.rates.customers import default_query
from broker.domain.rates.product import RatesError
from broker.domain.rates.query import QueryError, RatesQuery
from broker.domain.rates.ranking import MOST_PAGES
from broker.presenters import search
from broker.presenters.rate_details import RateDetails, rate_details
from broker.presenters.rates import RatesList, rates_list
from broker.services import current

log = logging.getLogger(__name__)

LONGEST_ID = 80

IDLE, LOADING, LOADED, EMPTY, FAILED = "idle", "loading", "loaded", "empty", "failed"
"""What `RatesState.status` may be; idle means that the page's own, built-in list is on screen."""

Next: TypeAlias = Any
"""The event that Reflex runs after a handler, or None; Reflex names no public type for it."""

BEFORE = "0:"
"""The version that a page shows until the server has read its address."""

AWAY = "The rates service did not answer. Your search is kept."


class RatesState(rx.State):
    """The search of one visitor's tab. The address is the truth: a handler that changes the search changes it."""

    customer: str = ""
    status: str = IDLE
    problem: str = ""
    version: str = BEFORE
    form: dict[str, str] = {}  # noqa: RUF012 - Reflex copies a class default for every visitor
    found: RatesList = RatesList()
    detail: RateDetails = RateDetails()
    detail_open: bool = False

    _query: RatesQuery = RatesQuery()
    _pages: int = 1
    _visits: int = 0

    @rx.event
    def open(self, customer: str) -> Next:
        """Read the search in the address of a customer type's page; without one the built-in list stays."""
        customer = search.known_customer(customer)
        given = dict(self.router.url.query_parameters)
        self._visits += self.customer != customer and self.version != BEFORE
        self.customer, self._pages, self.detail_open = customer, 1, False
        self.form = search.typed_form(default_query(customer), given)
        asked = sorted((name, value) for name, value in given.items() if name in search.FIELDS)
        self.version = f"{self._visits}:{customer}?{asked}"
        try:
            self._query = search.query_of(customer, self.form)
        except QueryError:
            self._query, self.status = default_query(customer), IDLE
            return None
        self.form = search.form_of(self._query)
        if self._query == default_query(customer):
            self.status = IDLE
            return RatesState.find if current().rates.live else None
        self.status = LOADING
        return RatesState.find

    @rx.event(background=True, supersedes=True)
    async def find(self) -> None:
        """Search for the query kept, newest first: a search under way gives place to this one."""
        async with self:
            query, pages = self._query, self._pages
        try:
            answer = await current().rates.search(query)
        except RatesError as error:
            log.warning("rates search failed: %s", error)
            async with self:
                # A page that shows the list it was built with goes on showing it, with its time.
                if query == self._query and self.status != IDLE:
                    self.status, self.problem, self.found = FAILED, error.words or AWAY, RatesList()
            return
        view = rates_list(answer, pages, logos=current().lenders.logos())
        async with self:
            if query == self._query:
                self.status, self.problem, self.found = LOADED if view.cards else EMPTY, "", view

    @rx.event
    def submit(self, typed: dict[str, Any]) -> Next:
        """Search for what the form holds; with a field in error nothing happens (the page says what is wrong)."""
        if not isinstance(typed, Mapping):
            return None
        try:
            query = search.query_of(self.customer, search.typed_form(self._query, typed))
        except QueryError:
            return None
        self._pages = 1
        if query == self._query and self.status != IDLE:
            return RatesState.find
        return self._go(query)

    @rx.event
    def sort(self, order: str) -> Next:
        """Search again in another order (specification 4)."""
        return self._go(search.in_order(self._query, order))

    @rx.event
    def show_fee_free(self, wanted: bool) -> Next:
        """Search again with the fee-free deals in the list, or without them (decision 12)."""
        return self._go(replace(self._query, with_fee_free=wanted)) if isinstance(wanted, bool) else None

    @rx.event
    def see_more(self) -> Next:
        """Show five more cards (specification 4)."""
        self._pages = min(self._pages + 1, MOST_PAGES)
        return RatesState.find

    @rx.event
    def try_again(self) -> Next:
        """Search again after a failure."""
        self.status = LOADING
        return RatesState.find

    @rx.event
    async def show_details(self, product_id: str) -> None:
        """Open the details of a product, priced for the loan searched for; an unknown product opens nothing."""
        if not isinstance(product_id, str) or len(product_id) > LONGEST_ID:
            return
        services = current()
        try:
            product = await services.rates.product(self._query, product_id)
        except RatesError as error:
            log.warning("product could not be read: %s", error)
            return
        if product is not None:
            logo = services.lenders.logos().get(product.lender_id, "")
            self.detail = rate_details(product, logo=logo, unregulated=not self._query.residential)
            self.detail_open = True

    @rx.event
    def close_details(self) -> None:
        """Close the details."""
        self.detail_open = False

    def _go(self, query: RatesQuery) -> Next:
        """Go to the address of another search; the page reads it there."""
        if query == self._query:
            return None
        return rx.redirect(routes.with_query(routes.deals(self.customer), search.parameters_of(query)))
