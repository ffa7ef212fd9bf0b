"""The rate source over the embedded sample market (architecture, "Rates: one port, two sources")."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from broker.domain.rates.customers import restricted
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.market.catalogue import Catalogue
from broker.market.pricing import price
from broker.market.product_list import PricedProducts
from broker.market.selection import order_of, product_terms, select


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketRateSource:
    """Answers from a catalogue, in the search's own restrictions; every figure is a sample (decision 10)."""

    catalogue: Catalogue

    async def search(self, query: RatesQuery) -> RatesAnswer:
        """Return the products that fit, priced, in the query's order; raises UnknownCustomerError."""
        asked = restricted(query)
        found = select(self.catalogue, asked)
        prices = price(found.deals, asked.amount, years=asked.term, interest_only=not asked.repayment)
        listing = PricedProducts(
            catalogue=self.catalogue,
            query=asked,
            rows=found.rows,
            prices=prices,
            order=order_of(prices, asked.sort),
        )
        return RatesAnswer(
            query=asked,
            products=listing,
            fee_free=found.fee_free,
            read_at=self.catalogue.read_at,
            sample=True,
            cheapest_cash=listing.cheapest_cash(),
            cheapest_true=listing.cheapest_true(),
        )

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, whatever its filters.

        None for an unknown id, and for a loan so small that no APRC exists: a product is never shown without one.
        """
        row = self.catalogue.row_of.get(product_id)
        if row is None:
            return None
        asked, rows = restricted(query), np.array([row])
        deals = product_terms(self.catalogue, rows, loan=asked.amount)
        prices = price(deals, asked.amount, years=asked.term, interest_only=not asked.repayment)
        if math.isnan(prices.aprc[0]):
            return None
        return PricedProducts(catalogue=self.catalogue, query=asked, rows=rows, prices=prices)[0]
