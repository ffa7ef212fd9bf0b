"""The rate source over the embedded sample market (architecture, "Rates: one port, two sources")."""

import math
from dataclasses import dataclass

import numpy as np

from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.market.catalogue import Catalogue
from broker.market.pricing import price
from broker.market.product_list import PricedProducts
from broker.market.selection import order_of, product_terms, select


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
            with_cashback=listing.with_cashback(),
            without_charge=listing.without_charge(),
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
