"""The rate source over the embedded sample market (architecture, "Rates: one port, two sources")."""

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from broker.lenders.lender import KnownLender
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, DealType, ltvs, narrowed, of_every_type
from broker.rates.lowest_rates import LenderListing, LowestRates
from broker.rates.market.catalogue import Catalogue, Rows
from broker.rates.market.pricing import price
from broker.rates.market.product_list import PricedProducts
from broker.rates.market.selection import order_of, product_terms, select
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.query import RatesQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketRateSource:
    """A rate source over a catalogue; every figure is a sample (decision 10)."""

    catalogue: Catalogue

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products that fit, priced, in the query's order."""
        return self.answer(query)

    def answer(self, query: RatesQuery) -> RatesAnswer:
        """Return the same as `search`, for a caller that does not wait."""
        found = select(self.catalogue, query)
        prices = price(found.deals, query.amount, years=query.term, interest_only=not query.repayment)
        listing = PricedProducts(
            catalogue=self.catalogue, query=query, rows=found.rows, prices=prices, order=order_of(prices, query.sort)
        )
        return RatesAnswer(
            query=query,
            products=listing,
            fee_free=found.fee_free,
            read_at=self.catalogue.read_at,
            sample=True,
            winners=listing.winners(),
            counts=listing.counts(),
        )

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, whatever its filters.

        None for an unknown id, and for a loan so small that no APRC exists: a product is never shown without one.
        """
        if product_id not in self.catalogue.product_id:
            return None
        rows = np.array([self.catalogue.product_id.index(product_id)])
        deals = product_terms(self.catalogue, rows, loan=query.amount)
        prices = price(deals, query.amount, years=query.term, interest_only=not query.repayment)
        if math.isnan(prices.aprc[0]):
            return None
        return PricedProducts(catalogue=self.catalogue, query=query, rows=rows, prices=prices)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketLenderRates:
    """The rates of lender pages over a catalogue, equal to those of a search for each deal type and loan to value."""

    catalogue: Catalogue

    @property
    def version(self) -> Hashable:
        """Return the day: the market itself is read once."""
        return datetime.now(UTC).date()

    def best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        """Return a lender's products of a deal type at the loan to value of a best-rates block."""
        return MarketRateSource(catalogue=self.catalogue).answer(narrowed(lender.query, kind))

    def market(self, *, residential: bool) -> LowestRates:
        """Return the lowest rates of the whole market, for homes or for let property."""
        query, found = RatesQuery(residential=residential), dict[tuple[DealType, int], RateProduct]()
        for ltv, loan, rows, places in self._selections(query):
            lowest = {kind: of_kind[0] for kind, of_kind in places.items()}
            priced = self._priced(loan, rows[list(lowest.values())])
            found |= {(kind, ltv): priced[place] for place, kind in enumerate(lowest)}
        return self._lowest(query, found)

    def listing(self, lender: KnownLender, *, market: LowestRates) -> LenderListing:
        """Return a lender's lowest rates and its products, each priced for the highest loan that it is offered for."""
        query, found = lender.query, dict[tuple[DealType, int], RateProduct]()
        offered: dict[int, tuple[PricedProducts, int]] = {}
        for ltv, loan, rows, places in self._selections(query):
            priced = self._priced(loan, rows)
            found |= {(kind, ltv): priced[of_kind[0]] for kind, of_kind in places.items()}
            offered |= {int(rows[place]): (priced, place) for of_kind in places.values() for place in of_kind}
        interest_only = replace(narrowed(query, TWO_YEARS_FIXED), repayment=False)
        return LenderListing(
            lender=lender,
            lowest=self._lowest(query, found),
            market=market,
            products=tuple(priced[place] for priced, place in offered.values()),
            interest_only=bool(len(select(self.catalogue, interest_only).rows)),
        )

    def _selections(self, query: RatesQuery) -> Iterator[tuple[int, RatesQuery, Rows, dict[DealType, list[int]]]]:
        """Yield each loan to value, the search for it, its rows in rate order, and each deal type's places in them."""
        for ltv in ltvs(query):
            loan = of_every_type(query, ltv=ltv)
            rows = select(self.catalogue, loan).rows
            places = self.catalogue.products.iloc[rows].groupby("deal_type").indices
            yield ltv, loan, rows, {kind: places[kind.slug].tolist() for kind in DEAL_TYPES if kind.slug in places}

    def _priced(self, loan: RatesQuery, rows: Rows) -> PricedProducts:
        deals = product_terms(self.catalogue, rows, loan=loan.amount)
        prices = price(deals, loan.amount, years=loan.term, interest_only=not loan.repayment)
        return PricedProducts(catalogue=self.catalogue, query=loan, rows=rows, prices=prices)

    def _lowest(self, query: RatesQuery, found: dict[tuple[DealType, int], RateProduct]) -> LowestRates:
        return LowestRates(query=query, found=found, read_at=self.catalogue.read_at, sample=True, stale=False)
