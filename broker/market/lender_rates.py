"""The rates of lender pages from the sample market: one selection and one pricing a loan to value."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from broker.domain.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, DealType, ltvs, narrowed, of_every_type
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.lowest_rates import LenderListing, LowestRates
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.market.catalogue import Catalogue, Rows
from broker.market.pricing import price
from broker.market.product_list import PricedProducts
from broker.market.rate_source import MarketRateSource
from broker.market.selection import product_terms, select


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
