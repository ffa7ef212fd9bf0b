"""Live rates for the blocks of a page, read when the page is opened."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

import reflex as rx

from broker import routes
from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.deal_types import DEAL_TYPES, DealType, deal_type, ltvs, narrowed, table_ltvs
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.lowest_rates import LenderListing, LowestRates
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery
from broker.presenters.rates.rate_blocks import RateBlocks, lender_blocks, rate_blocks
from broker.services import current
from broker.services.rates.lowest_rates import lender_listing, lowest_rates, market_rates

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
            await _refresh(self, default_query(customer), kinds=(), lender=None)

    @rx.event(background=True, supersedes=True)
    async def open_deals(self, customer: str) -> None:
        """Update a deal page: the three best products, and the tables of every deal type."""
        if isinstance(customer, str) and customer in RULES:
            await _refresh(self, default_query(customer), kinds=DEAL_TYPES, lender=None)

    @rx.event(background=True, supersedes=True)
    async def open_lender(self, slug: str, rate_type: str) -> None:
        """Update a lender's page; with a rate type, the lender's page of that deal type."""
        lender = current().lenders.by_slug(slug) if isinstance(slug, str) else None
        kind = deal_type(rate_type) if isinstance(rate_type, str) else None
        if lender is None:
            return
        query = RatesQuery(lender_id=lender.lender_id, residential=lender.residential)
        await _refresh(self, query, kinds=(kind,) if kind else DEAL_TYPES, lender=lender)


async def _refresh(
    state: LiveRatesState, query: RatesQuery, *, kinds: Sequence[DealType], lender: KnownLender | None
) -> None:
    """Read a page's blocks twice, half a second apart; if the source fails, the page stays as it is and says so."""
    if not current().rates.live:
        return
    async with state:
        path = routes.slashed(state.router.url.path)
    for is_second, pause in ((False, 0), (True, REREAD_SECONDS)):
        await asyncio.sleep(pause)
        try:
            blocks = await _read(query, kinds=kinds, lender=lender, with_market=is_second)
        except RatesError as error:
            log.warning("rates of a page could not be brought up to date: %s", error)
            async with state:
                state.away_path = path
            continue
        async with state:
            state.path, state.away_path, state.blocks = path, "", blocks


async def _read(
    query: RatesQuery, *, kinds: Sequence[DealType], lender: KnownLender | None, with_market: bool
) -> RateBlocks:
    """Return a page's blocks; without deal types there are no tables. Raises RatesError.

    The market of a lender's page is read second, since its lists are long and the lender's own are there at once.
    """
    services = current()
    alone = kinds[0] if len(kinds) == 1 else None
    best, logos = await _best(query, alone, lender), services.lenders.logos()
    if not kinds:
        return rate_blocks(best, None, logos=logos)
    if lender and not alone:
        listing = await lender_listing(services.rates.for_page, lender, market=None)
        market = await _market(listing) if with_market else None
        return lender_blocks(best, replace(listing, market=market), logos=logos)
    places = ltvs(query) if alone else table_ltvs(query)
    lowest = await lowest_rates(services.rates.for_page, query, kinds=kinds, ltvs=places)
    return rate_blocks(best, lowest, kind=alone, logos=logos)


async def _market(listing: LenderListing) -> LowestRates:
    """Return the market's lowest rates, none of them where they cannot be read."""
    try:
        return await market_rates(current().rates.for_page, residential=listing.lender.residential)
    except RatesError as error:
        log.warning("the market of a lender's page could not be read: %s", error)
        return replace(listing.lowest, found={})


async def _best(query: RatesQuery, kind: DealType | None, lender: KnownLender | None) -> RatesAnswer:
    services = current()
    if kind:
        return await services.rates.for_page(narrowed(query, kind))
    if lender:
        return await services.best.of_lender(lender.lender_id, residential=lender.residential)
    return await services.best.of_customer(query.customer)
