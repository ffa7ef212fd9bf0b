"""Live rates for the blocks of a page, read when the page is opened."""

import asyncio
import logging

import reflex as rx

from broker import routes
from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.deal_types import table_ltvs
from broker.domain.rates.product import RatesError
from broker.domain.rates.query import RatesQuery
from broker.presenters.rates.rate_blocks import RateBlocks, rate_blocks
from broker.services import current
from broker.services.rates.lowest_rates import lowest_rates

log = logging.getLogger(__name__)

REREAD_SECONDS = 0.5
"""Delay of the second read of a block (specification 4 and 9), by when lists ordered meanwhile have arrived."""


class LiveRatesState(rx.State):
    """Live rates for the blocks of the page at `path`; empty with the embedded market.

    `away_path` is the page for which they could not be read: its blocks stay those of the build, with a notice.
    """

    path: str = ""
    away_path: str = ""
    blocks: RateBlocks = RateBlocks()

    @rx.event(background=True, supersedes=True)
    async def open_customer(self, customer: str) -> None:
        """Update the three best products of a customer type; an unknown type changes nothing."""
        if isinstance(customer, str) and customer in RULES:
            await _refresh(self, default_query(customer), with_tables=False)

    @rx.event(background=True, supersedes=True)
    async def open_deals(self, customer: str) -> None:
        """Update a deal page: the three best products, and the tables of every deal type."""
        if isinstance(customer, str) and customer in RULES:
            await _refresh(self, default_query(customer), with_tables=True)


async def _refresh(state: LiveRatesState, query: RatesQuery, *, with_tables: bool) -> None:
    """Read a page's blocks twice, half a second apart; if the source fails, the page stays as it is and says so."""
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
    lowest = await lowest_rates(find, query, ltvs=table_ltvs(query)) if with_tables else None
    return rate_blocks(best, lowest, logos=logos)
