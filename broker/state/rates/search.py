"""A visitor's rates search: what was asked, what came back, and the deal that is open: all of it by the address."""

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
from broker.domain.rates.ranking import MAX_PAGES
from broker.presenters.rates import search_params
from broker.presenters.rates.filters import filters_words, known_lender, offered_lenders, unfiltered
from broker.presenters.rates.rate_details import RateDetails, rate_details
from broker.presenters.rates.results import RatesList, rates_list
from broker.services import current

log = logging.getLogger(__name__)

MAX_ID_LENGTH = 80

IDLE, LOADING, LOADED, EMPTY, FAILED = "idle", "loading", "loaded", "empty", "failed"
"""What `RatesState.status` may be; idle means that the page's own, built-in list is on screen."""

Next: TypeAlias = Any
"""The event that Reflex runs after a handler, or None; Reflex names no public type for it."""

BEFORE = "0:"
"""The version that a page shows until the server has read its address."""

MAX_LEFT = 50
"""Versions over which something typed and not asked for is still shown."""

AWAY = "The rates service did not answer. Your search is kept."


class RatesState(rx.State):
    """The search of one visitor's tab. The address is the truth: a handler that changes the search changes it.

    `version` is that of the address that was read last, and `turn` counts the changes of it. `left` are the versions
    that the visitor's own searches led from, one to the next: what was typed over them, and not asked for, is theirs
    still.
    """

    customer: str = ""
    status: str = IDLE
    problem: str = ""
    version: str = BEFORE
    turn: int = 0
    left: tuple[str, ...] = ()
    form: dict[str, str] = {}  # noqa: RUF012 - Reflex copies a class default for every visitor
    found: RatesList = RatesList()
    filters: str = ""
    unfiltered: str = ""
    detail: RateDetails = RateDetails()

    _query: RatesQuery = RatesQuery()
    _pages: int = 1
    _visits: int = 0
    _product: str = ""
    _asked: RatesQuery | None = None

    @rx.event
    def open(self, customer: str) -> Next:
        """Read the search in the address of a customer type's page; without one the built-in list stays.

        Where nothing but the open deal has changed, the list stays as it is, and the button that opened the deal.
        """
        customer = search_params.known_customer(customer)
        given = known_lender(self.router.url.query_parameters, lender_names(customer))
        self._visits += self.customer != customer and self.version != BEFORE
        asked = sorted((name, value) for name, value in given.items() if name in search_params.FIELDS)
        version, product = f"{self._visits}:{customer}?{asked}", _product_in(given)
        if version == self.version and (product or self._product):
            self._product = product
            return RatesState.find if self.status in (LOADING, FAILED) or current().rates.live else None
        before, self.version, self._product = self.version, version, product
        self.customer, self._pages, self.detail = customer, 1, RateDetails()
        following = self._begin(search_params.typed_form(default_query(customer), given))
        if version != before:
            self.turn += 1
            self.left = (*self.left, before)[-MAX_LEFT:] if self._query == self._asked else ()
        self._asked = None
        return following

    def _begin(self, form: dict[str, str]) -> Next:
        """Search for what a form holds; the built-in list stays where that is the page's own search, or makes none."""
        usual = default_query(self.customer)
        try:
            self._query = search_params.query_of(self.customer, form)
            self.form = search_params.form_of(self._query)
        except QueryError:
            self._query, self.form = usual, form
        self.filters = filters_words(self._query, lender_names(self.customer))
        self.unfiltered = _address(unfiltered(self._query))
        if self._query == usual:
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
                # A page that shows the list it was built with goes on showing it, with its time, until the source says
                # what is wrong or the visitor asks for more.
                if query == self._query and (self.status != IDLE or error.words or pages > 1):
                    self._fail(error)
            return
        words = filters_words(query, lender_names(query.customer))
        view = rates_list(answer, pages, logos=current().lenders.logos(), filters=words)
        async with self:
            if query == self._query:
                self.status, self.problem, self.found = LOADED if view.cards else EMPTY, "", view

    @rx.event
    def submit(self, typed: dict[str, Any]) -> Next:
        """Search for what the form holds; with a field in error nothing happens (the page says what is wrong)."""
        if not isinstance(typed, Mapping):
            return None
        try:
            given = known_lender(_of_the_form(typed), lender_names(self.customer))
            query = search_params.query_of(self.customer, search_params.typed_form(self._query, given))
        except QueryError:
            return None
        self._pages = 1
        if query == self._query and self.status != IDLE:
            return RatesState.find
        return self._go(query)

    @rx.event
    def sort(self, order: str) -> Next:
        """Search again in another order (specification 4)."""
        return self._go(search_params.in_order(self._query, order))

    @rx.event
    def show_fee_free(self, wanted: bool) -> Next:
        """Search again with the fee-free deals in the list, or without them (decision 12)."""
        return self._go(replace(self._query, with_fee_free=wanted)) if isinstance(wanted, bool) else None

    @rx.event
    def see_more(self) -> Next:
        """Show five more cards (specification 4)."""
        self._pages = min(self._pages + 1, MAX_PAGES)
        return RatesState.find

    @rx.event
    def try_again(self) -> Next:
        """Search again after a failure."""
        self.status = LOADING
        return RatesState.find

    @rx.event
    async def show_details(self) -> None:
        """Read the product in the page's address, priced for the loan searched for; an unknown one opens nothing."""
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
        """Show a failure in place of the list (decision 24)."""
        self.status, self.problem, self.found = FAILED, error.words or AWAY, RatesList()

    def _go(self, query: RatesQuery) -> Next:
        """Go to the address of another search; the page reads it there."""
        if query == self._query:
            return None
        self._asked = query
        return rx.redirect(_address(query))


def lender_names(customer: str) -> dict[int, str]:
    """Return the name of every lender that a customer type may ask for, by its id."""
    return offered_lenders(customer, current().lenders.lenders)


def _product_in(given: Mapping[str, object]) -> str:
    """Return the product that an address asks for, or an empty text."""
    product = given.get(search_params.PRODUCT)
    return product if isinstance(product, str) and len(product) <= MAX_ID_LENGTH else ""


def _of_the_form(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed without what stands beside the list, which may have changed after the form was begun."""
    return {name: value for name, value in typed.items() if name not in (search_params.SORT, search_params.FEE_FREE)}


def _address(query: RatesQuery) -> str:
    """Return the address of a search."""
    return routes.with_query(routes.deals(query.customer), search_params.parameters_of(query))
