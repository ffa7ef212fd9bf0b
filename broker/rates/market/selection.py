"""Selection and order of the products of a search."""

from dataclasses import dataclass

import numpy as np

from broker.rates.customers import may_apply
from broker.rates.market.catalogue import Catalogue, Flags, Floats, Rows
from broker.rates.market.pricing import Prices, ProductTerms
from broker.rates.product import FIRST_TIME_BUYERS_ONLY
from broker.rates.query import RatesQuery, SortOrder

_HALF_PENNY = 0.005
"""Tolerance of a limit on fees, for percentage fees before rounding to the penny."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """The matching rows in rate order, their terms for the loan, and the number of fee-free matches."""

    rows: Rows
    deals: ProductTerms
    fee_free: int


def select(catalogue: Catalogue, query: RatesQuery) -> Selection:
    """Return the matches of a query, without fee-free products unless it includes them (decision 12).

    The limit on fees does not change the number of fee-free matches.
    """
    # Highest LTVs are whole percents, so the loan to value may be rounded up and compared exactly.
    fits = catalogue.most_ltv >= -(-query.amount * 100 // query.price)
    fits &= _of_kind(catalogue, query)
    fits &= (catalogue.least_loan <= query.amount) & (catalogue.most_loan >= query.amount)
    if query.lender_id is not None:
        fits &= catalogue.lender_id == query.lender_id
    for name in query.filters:
        fits &= catalogue.filters[name]
    rows = np.flatnonzero(fits)
    deals = product_terms(catalogue, rows, loan=query.amount)
    charged = deals.fees > 0
    fee_free = len(rows) - int(np.count_nonzero(charged))
    kept = charged | query.with_fee_free
    if query.most_fees is not None:
        kept &= deals.fees < query.most_fees + _HALF_PENNY
    if not kept.all():
        rows = rows[kept]
        deals = product_terms(catalogue, rows, loan=query.amount)
    return _in_rate_order(catalogue, Selection(rows=rows, deals=deals, fee_free=fee_free), query.amount)


def product_terms(catalogue: Catalogue, rows: Rows, *, loan: float) -> ProductTerms:
    """Return the terms of some rows, with percentage fees in pounds for the loan."""
    return ProductTerms(
        rate=catalogue.initial_rate[rows],
        months=catalogue.initial_months[rows],
        follow_on=catalogue.follow_on_rate[rows],
        fees=catalogue.fee[rows] + loan * catalogue.fee_percent[rows] / 100,
        cashback=catalogue.cashback[rows],
    )


def order_of(prices: Prices, sort: SortOrder) -> Rows | None:
    """Return the indices of priced rows in an order, or None for the rate order that they are in.

    The sort is stable, so equals are by rate, fees and id, as in `broker.rates.ranking`.
    """
    if sort is SortOrder.RATE:
        return None
    keys: Floats = prices.fees if sort is SortOrder.FEES else prices.yearly_true_cost
    return np.argsort(keys, kind="stable")


def _in_rate_order(catalogue: Catalogue, selection: Selection, loan: float) -> Selection:
    """Return the selection sorted by rate, total fees and id; percentage fees change the catalogue's order."""
    rows = selection.rows
    if not catalogue.fee_percent[rows].any():
        return selection
    rows = rows[np.lexsort((catalogue.id_rank[rows], selection.deals.fees, selection.deals.rate))]
    return Selection(rows=rows, deals=product_terms(catalogue, rows, loan=loan), fee_free=selection.fee_free)


def _of_kind(catalogue: Catalogue, query: RatesQuery) -> Flags:
    """Return which products are of the property, purpose, rate type, length and customer that the query asks for."""
    fits = (catalogue.residential == query.residential) & (catalogue.purchase == query.purchase)
    fits &= catalogue.fixed & query.fixed | ~catalogue.fixed & query.variable
    lengths = {2: query.two_years, 3: query.three_years, 5: query.five_years}
    fits &= np.logical_or.reduce([catalogue.years == years for years, wanted in lengths.items() if wanted])
    if not query.repayment:
        fits &= catalogue.interest_only
    if not may_apply(query.customer, FIRST_TIME_BUYERS_ONLY):
        fits &= ~catalogue.first_time_buyers
    return fits
