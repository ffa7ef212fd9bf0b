"""The rates of lender pages, from lists in memory: no page waits for a source."""

import asyncio
import logging
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.rates.customers import Customer
from broker.rates.deal_types import (
    BEST_LTV,
    DEAL_TYPES,
    SMALL_DEPOSIT_LTVS,
    TWO_YEARS_FIXED,
    DealType,
    ltvs,
    narrowed,
    type_of,
)
from broker.rates.live_feed import SavedLists
from broker.rates.lowest_rates import (
    LenderListing,
    LenderWithoutRatesError,
    LowestRates,
    RatesByLtv,
    rates_by_ltv,
    searches_by_ltv,
)
from broker.rates.product import RateProduct, RatesAnswer, RatesError
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import BEST_PER_LENDER, answer_of, ranked
from broker.rates.search import Search

log = logging.getLogger(__name__)

MAX_CONCURRENT = 4
"""Searches under way at a time, so that a live feed can answer other visitors meanwhile."""

MAX_LENDERS = 128
"""Lenders whose listings are cached (about 90 kB each from the sample market)."""


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
    """The rates of lender pages, cached until the source's `version` changes."""

    def __init__(self, source: LenderSource) -> None:
        self._source = source
        self._cached_version: Hashable = None
        self._best = lru_cache(MAX_LENDERS * len(DEAL_TYPES))(self._find_best)
        self._listing = lru_cache(MAX_LENDERS)(self._find_listing)
        self._market = lru_cache(2)(lambda residential: source.market(residential=residential))

    @property
    def version(self) -> Hashable:
        """Return a value that changes with the rates of any page."""
        return self._source.version

    async def blocks(self, lender: KnownLender, kind: DealType | None) -> tuple[RatesAnswer, LenderListing]:
        """Return a lender's three best products and its listing; without a `kind` the best are fixed for two years.

        Raises LenderWithoutRatesError where no rate of the page is known, RatesError where none at all is.
        """
        self._drop_old()
        listing = self._listing(lender)
        if not any(kind in (None, found) for found, _ in listing.lowest.found):
            raise LenderWithoutRatesError(f"no rates of lender {lender.lender_id} are held for its page")
        return self._best(lender, kind or TWO_YEARS_FIXED), listing

    def lowest(self, lenders: Iterable[KnownLender]) -> dict[int, RatesAnswer]:
        """Return, by lender id, each lender's three best products fixed for two years, of those that have some."""
        self._drop_old()
        found = {}
        for lender in lenders:
            try:
                answer = self._best(lender, TWO_YEARS_FIXED)
            except RatesError as error:
                log.warning("the rates of a lender of the list could not be read: %s", error)
                continue
            if answer.products:
                found[lender.lender_id] = answer
        return found

    def _drop_old(self) -> None:
        """Clear the caches once the source's version has changed."""
        if self._cached_version != (version := self._source.version):
            for cached in (self._best, self._listing, self._market):
                cached.cache_clear()
            self._cached_version = version

    def _find_best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        answer = self._source.best(lender, kind)
        return replace(answer, products=tuple(answer.products[:BEST_PER_LENDER]))

    def _find_listing(self, lender: KnownLender) -> LenderListing:
        return self._source.listing(lender, market=self._market(lender.residential))


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLenderRates:
    """Saved lists narrowed to deal types, with the products that a search would find."""

    saved: SavedLists
    directory: LenderDirectory

    @property
    def version(self) -> Hashable:
        return self.saved.version

    def best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        """Return a lender's products of a deal type at BEST_LTV; none without a list of that loan to value."""
        query, lists = narrowed(lender.query, kind), self._lists(lender)
        held = lists.get(BEST_LTV)
        if held is None:
            read_at = min(each.read_at for each in lists.values())
            is_stale = any(each.stale for each in lists.values())
            return replace(answer_of(query, (), fee_free=0, read_at=read_at, sample=False), stale=is_stale)
        products = _by_type(held, query).get(kind, [])
        return replace(answer_of(query, products, fee_free=0, read_at=held.read_at, sample=False), stale=held.stale)

    def market(self, *, residential: bool) -> LowestRates:
        """Return the lowest rates of all lenders that lend on homes, or of those that lend on let property alone.

        Lists from before a failure count only where there is no other.
        """
        query = RatesQuery(residential=residential)
        of_lets = {lender.lender_id for lender in self.directory.lenders if not lender.residential}
        ids = [lender_id for lender_id in self.saved.lenders if (lender_id in of_lets) is not residential]
        held = [(ltv, answer) for each in ids for ltv, answer in self.saved.of_lender(each).items()]
        if not held:
            raise self._error(f"no list of a lender of {'homes' if residential else 'let property'} is held")
        return _lowest(query, [(ltv, answer) for ltv, answer in held if not answer.stale] or held)

    def listing(self, lender: KnownLender, *, market: LowestRates) -> LenderListing:
        """Return a lender's lowest rates at the loans to value of its tables, or at others where those have no list.

        Whether it lends interest-only is not known.
        """
        query, lists = lender.query, self._lists(lender)
        places = [ltv for ltv in ltvs(query) if ltv in lists] or sorted(lists)
        held = [(ltv, lists[ltv]) for ltv in places]
        listed = (product for _, each in held for products in _by_type(each, query).values() for product in products)
        return LenderListing(
            lender=lender,
            lowest=_lowest(query, held),
            market=market,
            products=tuple({product.product_id: product for product in listed}.values()),
            interest_only=None,
        )

    def _lists(self, lender: KnownLender) -> dict[int, RatesAnswer]:
        if lists := self.saved.of_lender(lender.lender_id):
            return dict(lists)
        raise self._error(f"no list of lender {lender.lender_id} is held")

    def _error(self, problem: str) -> RatesError:
        return LenderWithoutRatesError(problem) if any(self.saved.lenders) else RatesError(problem)


def _by_type(answer: RatesAnswer, query: RatesQuery) -> dict[DealType, list[RateProduct]]:
    """Return the products of each deal type that repay as the query does, in rate order."""
    found: dict[str, list[RateProduct]] = {kind.slug: [] for kind in DEAL_TYPES}
    for product in answer.products:
        kind = type_of(product)
        if kind and product.interest_only is not query.repayment:
            found[kind.slug].append(product)
    return {kind: products for kind in DEAL_TYPES if (products := found[kind.slug])}


def _lowest(query: RatesQuery, lists: Sequence[tuple[int, RatesAnswer]]) -> LowestRates:
    """Return the lowest rates of lists, at least one, by loan to value in percent."""
    firsts: dict[tuple[int, DealType], list[RateProduct]] = {}
    for ltv, answer in lists:
        for kind, products in _by_type(answer, query).items():
            firsts.setdefault((ltv, kind), []).append(products[0])
    places = [(kind, ltv) for ltv in sorted({ltv for ltv, _ in lists}) for kind in DEAL_TYPES]
    return LowestRates(
        query=query,
        found={
            (kind, ltv): ranked(firsts[ltv, kind], SortOrder.RATE)[0] for kind, ltv in places if (ltv, kind) in firsts
        },
        read_at=min(answer.read_at for _, answer in lists),
        sample=False,
        stale=any(answer.stale for _, answer in lists),
    )


async def lowest_rates(
    search: Search, query: RatesQuery, *, ltvs: Iterable[int], kinds: Sequence[DealType] = DEAL_TYPES
) -> LowestRates:
    """Search for each deal type at each loan to value, one at least.

    Searches that fail are left out, and the result is marked stale; raises RatesError where all of them fail.
    """
    turns = asyncio.Semaphore(MAX_CONCURRENT)

    async def answer(kind: DealType, ltv: int) -> RatesAnswer | RatesError:
        async with turns:
            try:
                return await search(narrowed(query, kind, ltv=ltv))
            except RatesError as error:
                log.warning("rates of a page are shown without those of one search: %s", error)
                return error

    places = [(kind, ltv) for ltv in ltvs for kind in kinds]
    answers = dict(zip(places, await asyncio.gather(*(answer(*place) for place in places)), strict=True))
    read = {place: answer for place, answer in answers.items() if not isinstance(answer, RatesError)}
    if not read:
        raise next(answer for answer in answers.values() if isinstance(answer, RatesError))
    return LowestRates(
        query=query,
        found={place: answer.products[0] for place, answer in read.items() if answer.products},
        read_at=min(answer.read_at for answer in read.values()),
        sample=any(answer.sample for answer in read.values()),
        stale=len(read) < len(answers) or any(answer.stale for answer in read.values()),
    )


async def small_deposit_rates(search: Search, query: RatesQuery) -> LowestRates | None:
    """Return the lowest two-year fixed rates at small deposits for first-time buyers, None for others.

    Few of them have the deposit of a best-rates block. Raises RatesError where no search has an answer.
    """
    if query.customer != Customer.FIRST_TIME_BUYER:
        return None
    return await lowest_rates(search, query, ltvs=SMALL_DEPOSIT_LTVS, kinds=(TWO_YEARS_FIXED,))


async def find_rates_by_ltv(search: Search, query: RatesQuery) -> RatesByLtv:
    """Return a query's lowest rate at each loan to value of its chart; raises RatesError when a search fails.

    A loan to value that the source refuses in its own words is left out, unless it refuses all of them.
    """
    turns = asyncio.Semaphore(MAX_CONCURRENT)
    refusals: list[RatesError] = []

    async def in_turn(one: RatesQuery) -> RatesAnswer | None:
        async with turns:
            try:
                return await search(one)
            except RatesError as error:
                if not error.words:
                    raise
                refusals.append(error)
                return None

    searches = searches_by_ltv(query)
    answers = await asyncio.gather(*(in_turn(one) for one in searches.values()))
    found = {ltv: answer for ltv, answer in zip(searches, answers, strict=True) if answer is not None}
    if not found:
        raise refusals[0]
    return rates_by_ltv(query, found)
