"""Live rates for the blocks of a page, read when the page is opened."""

import asyncio
import logging

import reflex as rx

from broker import routes
from broker.rates import search_params
from broker.rates.customers import RULES, default_query
from broker.rates.deal_types import table_ltvs
from broker.rates.lender_rates import find_rates_by_ltv, lowest_rates, small_deposit_rates
from broker.rates.lender_tables import RateBlocks, rate_blocks
from broker.rates.product import RatesError
from broker.rates.query import RatesQuery
from broker.rates.rates_by_ltv import NO_CHART, ByLtvView, by_ltv_view, key_of
from broker.rates.search_params import download_address, filters_words, known_lender
from broker.services import current
from broker.state.rates.search import AWAY, FAILED, IDLE, LOADED, LOADING, UNREAD, lender_names

log = logging.getLogger(__name__)

REREAD_SECONDS = 0.5
"""Delay of the second read of a block (specification 4 and 9), by when lists ordered meanwhile have arrived."""


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
        """Read the search in the address of a customer type's page; invalid figures fall back to the page's default."""
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
        """Load the chart of the search on the page, replacing a request under way."""
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


class LiveRatesState(rx.State):
    """Live rates for the blocks of the page at `path`; empty with the embedded market.

    `away_path` is the page for which they could not be read: its blocks stay those of the build, with a notice.
    """

    path: str = ""
    away_path: str = ""
    blocks: RateBlocks = RateBlocks()

    @rx.event(background=True, supersedes=True)
    async def open_customer(self, customer: str) -> None:
        """Update the best products of a customer type; an unknown type changes nothing."""
        if isinstance(customer, str) and customer in RULES:
            await _refresh(self, default_query(customer), with_tables=False)

    @rx.event(background=True, supersedes=True)
    async def open_deals(self, customer: str) -> None:
        """Update a deal page: the three best products, and the tables of every deal type."""
        if isinstance(customer, str) and customer in RULES:
            await _refresh(self, default_query(customer), with_tables=True)


async def _refresh(state: LiveRatesState, query: RatesQuery, *, with_tables: bool) -> None:
    """Read a page's blocks twice, half a second apart; if the source fails, keep the page and say so."""
    if not current().rates.live:
        return
    async with state:
        path = routes.slashed(state.router.url.path)
    for pause in (0, REREAD_SECONDS):
        await asyncio.sleep(pause)
        try:
            blocks = await _read(query, with_tables=with_tables)
        except RatesError as error:
            log.warning("rates of a page could not be brought up to date: %s", error)
            async with state:
                state.away_path = path
            continue
        async with state:
            state.path, state.away_path, state.blocks = path, "", blocks


async def _read(query: RatesQuery, *, with_tables: bool) -> RateBlocks:
    """Return a page's blocks; raises RatesError."""
    services = current()
    logos = services.lenders.logos()
    best = await services.best.of_customer(query.customer)
    find = services.rates.for_page
    deposits = await small_deposit_rates(find, query)
    lowest = await lowest_rates(find, query, ltvs=table_ltvs(query)) if with_tables else None
    return rate_blocks(best, lowest, deposits=deposits, logos=logos)
