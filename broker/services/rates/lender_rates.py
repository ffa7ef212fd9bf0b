"""The rates of lender pages, from what the server holds: a page never waits for a source, and never searches it."""

from collections.abc import Hashable
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from broker.domain.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, DealType
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.lowest_rates import LenderListing, LenderWithoutRatesError, LowestRates
from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.ranking import BEST_PER_LENDER

MAX_LENDERS = 128
"""Lenders whose listings are kept, the most recently used (about 90 kB each from the sample market)."""


class LenderSource(Protocol):
    """Rates that are held in memory: the sample market, or the saved lists of a live feed."""

    @property
    def version(self) -> Hashable:
        """Return a value that changes with the rates."""
        ...

    def best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        """Return a lender's products of a deal type at BEST_LTV, in rate order; raises RatesError."""
        ...

    def market(self, *, residential: bool) -> LowestRates:
        """Return the lowest rates of all lenders, for homes or for let property; raises RatesError."""
        ...

    def listing(self, lender: KnownLender, *, market: LowestRates) -> LenderListing:
        """Return a lender's listing beside the market's lowest rates; raises RatesError where none is held."""
        ...


class LenderRates:
    """The rates of lender pages; what was worked out is kept until the source's `version` changes."""

    def __init__(self, source: LenderSource) -> None:
        self._source = source
        self._worked_out_of: Hashable = None
        self._best = lru_cache(MAX_LENDERS * len(DEAL_TYPES))(self._find_best)
        self._listing = lru_cache(MAX_LENDERS)(self._find_listing)
        self._market = lru_cache(2)(lambda residential: source.market(residential=residential))

    @property
    def version(self) -> Hashable:
        """Return a value that is equal as long as the rates of every page are."""
        return self._source.version

    async def blocks(self, lender: KnownLender, kind: DealType | None) -> tuple[RatesAnswer, LenderListing]:
        """Return a lender's three best products, and its listing; `kind` is the deal type of the page, if it has one.

        The best products of a page without one are fixed for two years. Raises LenderWithoutRatesError where no rate of
        the page is held, RatesError where none at all is.
        """
        if self._worked_out_of != (version := self._source.version):
            for kept in (self._best, self._listing, self._market):
                kept.cache_clear()
            self._worked_out_of = version
        listing = self._listing(lender)
        if not any(kind in (None, found) for found, _ in listing.lowest.found):
            raise LenderWithoutRatesError(f"no rates of lender {lender.lender_id} are held for its page")
        return self._best(lender, kind or TWO_YEARS_FIXED), listing

    def _find_best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        answer = self._source.best(lender, kind)
        return replace(answer, products=tuple(answer.products[:BEST_PER_LENDER]))

    def _find_listing(self, lender: KnownLender) -> LenderListing:
        return self._source.listing(lender, market=self._market(lender.residential))
