"""The rates of the sample market: selection of products, a lazy list of priced ones, and the sources over them."""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import overload

import numpy as np
from markupsafe import Markup

from broker.clock import utc_now
from broker.lenders.lender import KnownLender
from broker.rates.customers import may_apply
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED, DealType, ltvs, narrowed, of_every_type
from broker.rates.lowest_rates import LenderListing, LowestRates
from broker.rates.market.catalogue import Catalogue, Flags, Floats, Rows
from broker.rates.market.pricing import Prices, ProductTerms, price
from broker.rates.product import (
    FIRST_TIME_BUYERS_ONLY,
    NO_CHARGE,
    NO_WINNERS,
    RateProduct,
    RatesAnswer,
    RateType,
    Winners,
    deal_length,
)
from broker.rates.query import RatesQuery, SortOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketRateSource:
    """A rate source over a catalogue; every figure is a sample (decision 10)."""

    catalogue: Catalogue

    async def search(self, query: RatesQuery) -> RatesAnswer:
        return self.answer(query)

    def answer(self, query: RatesQuery) -> RatesAnswer:
        """Return the same as `search`, for synchronous callers."""
        selection = select(self.catalogue, query)
        listing = price_rows(self.catalogue, query, selection.rows)
        return RatesAnswer(
            query=query,
            products=listing,
            fee_free=selection.fee_free,
            read_at=self.catalogue.read_at,
            sample=True,
            winners=listing.winners(),
            counts=listing.counts(),
        )

    async def product(self, query: RatesQuery, product_id: str) -> RateProduct | None:
        """Return one product priced for the query's loan, whatever its filters.

        None for an unknown id, and for a loan so small that there is no APRC (decision 17).
        """
        if product_id not in self.catalogue.product_id:
            return None
        rows = np.array([self.catalogue.product_id.index(product_id)])
        [product] = price_rows(self.catalogue, query, rows)
        return None if math.isnan(product.aprc) else product


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketLenderRates:
    """The rates of lender pages over a catalogue, equal to those of a search for each deal type and loan to value."""

    catalogue: Catalogue

    @property
    def version(self) -> Hashable:
        """Return the day: the market itself is read once."""
        return utc_now().date()

    def best(self, lender: KnownLender, kind: DealType) -> RatesAnswer:
        """Return a lender's products of a deal type at the loan to value of a best-rates block."""
        return MarketRateSource(catalogue=self.catalogue).answer(narrowed(lender.query, kind))

    def market(self, *, residential: bool) -> LowestRates:
        """Return the lowest rates of the whole market, for homes or for let property."""
        query, found = RatesQuery(residential=residential), dict[tuple[DealType, int], RateProduct]()
        for ltv, loan, rows, places in self._selections(query):
            lowest = {kind: of_kind[0] for kind, of_kind in places.items()}
            priced = price_rows(self.catalogue, loan, rows[list(lowest.values())])
            found |= {(kind, ltv): priced[place] for place, kind in enumerate(lowest)}
        return self._lowest(query, found)

    def listing(self, lender: KnownLender, *, market: LowestRates) -> LenderListing:
        """Return a lender's lowest rates and its products, each priced for the highest loan that it is offered for."""
        query, found = lender.query, dict[tuple[DealType, int], RateProduct]()
        offered: dict[int, tuple[PricedProducts, int]] = {}
        for ltv, loan, rows, places in self._selections(query):
            priced = price_rows(self.catalogue, loan, rows)
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
        """Yield each loan to value, its search, the rows in rate order, and the places of each deal type in them."""
        for ltv in ltvs(query):
            loan = of_every_type(query, ltv=ltv)
            rows = select(self.catalogue, loan).rows
            places = self.catalogue.products.iloc[rows].groupby("deal_type").indices
            yield ltv, loan, rows, {kind: places[kind.slug].tolist() for kind in DEAL_TYPES if kind.slug in places}

    def _lowest(self, query: RatesQuery, found: dict[tuple[DealType, int], RateProduct]) -> LowestRates:
        return LowestRates(query=query, found=found, read_at=self.catalogue.read_at, sample=True, stale=False)


_HALF_PENNY = 0.005
"""Tolerance of a limit on fees, for percentage fees before rounding to the penny."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """The matching rows in rate order, and the number of fee-free matches."""

    rows: Rows
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
    fees = _fees(catalogue, rows, query.amount)
    charged = fees > 0
    fee_free = len(rows) - int(np.count_nonzero(charged))
    kept = charged | query.with_fee_free
    if query.most_fees is not None:
        kept &= fees < query.most_fees + _HALF_PENNY
    if not kept.all():
        rows, fees = rows[kept], fees[kept]
    if catalogue.fee_percent[rows].any():  # percentage fees change the catalogue's order by rate, fees and id
        rows = rows[np.lexsort((catalogue.id_rank[rows], fees, catalogue.initial_rate[rows]))]
    return Selection(rows=rows, fee_free=fee_free)


def _of_kind(catalogue: Catalogue, query: RatesQuery) -> Flags:
    """Return which products have the query's property, purpose, rate type and length, and are open to its customer."""
    fits = (catalogue.residential == query.residential) & (catalogue.purchase == query.purchase)
    fits &= catalogue.fixed & query.fixed | ~catalogue.fixed & query.variable
    lengths = {2: query.two_years, 3: query.three_years, 5: query.five_years}
    fits &= np.logical_or.reduce([catalogue.years == years for years, wanted in lengths.items() if wanted])
    if not query.repayment:
        fits &= catalogue.interest_only
    if not may_apply(query.customer, FIRST_TIME_BUYERS_ONLY):
        fits &= ~catalogue.first_time_buyers
    return fits


def _fees(catalogue: Catalogue, rows: Rows, loan: float) -> Floats:
    return catalogue.fee[rows] + loan * catalogue.fee_percent[rows] / 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PricedProducts(Sequence[RateProduct]):
    """Products of a catalogue, priced for a query; `order` holds indices of `rows` in another order."""

    catalogue: Catalogue
    query: RatesQuery
    rows: Rows
    prices: Prices
    order: Rows | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> RateProduct: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RateProduct, ...]: ...
    def __getitem__(self, index: int | slice) -> RateProduct | tuple[RateProduct, ...]:
        """Return one product, or a tuple of them for a slice; raises IndexError beyond the ends."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        place = range(len(self))[index]
        return self._product(place if self.order is None else int(self.order[place]))

    def __iter__(self) -> Iterator[RateProduct]:
        return (self[place] for place in range(len(self)))

    def winners(self) -> Winners:
        """Return the products with the lowest rate, net cost a year and true cost a year, the first of equals."""
        if not len(self):
            return NO_WINNERS
        return Winners(
            rate=self._least(self.catalogue.initial_rate[self.rows]),
            cash=self._least(self.prices.yearly_net_cost),
            true=self._least(self.prices.yearly_true_cost),
        )

    def counts(self) -> dict[str, int]:
        """Return how many products pass each filter, by its parameter."""
        filters = self.catalogue.filters
        return {name: int(np.count_nonzero(passing[self.rows])) for name, passing in filters.items()}

    def _least(self, costs: Floats) -> RateProduct:
        return self[int((costs if self.order is None else costs[self.order]).argmin())]

    def _product(self, place: int) -> RateProduct:
        market, prices, row = self.catalogue, self.prices, int(self.rows[place])
        lender = market.lenders[int(market.lender_id[row])]
        return RateProduct(
            lender_id=lender.lender_id,
            lender_name=lender.name,
            rate_type=RateType.FIXED if market.fixed[row] else RateType.VARIABLE,
            loan_amount=float(self.query.amount),
            term_years=self.query.term,
            interest_only=not self.query.repayment,
            initial_rate=float(market.initial_rate[row]),
            initial_months=int(prices.months[place]),
            initial_payment=float(prices.payment[place]),
            most_ltv=float(market.most_ltv[row]),
            total_fees=float(prices.fees[place]),
            fee_percent=float(market.fee_percent[row]),
            aprc=float(prices.aprc[place]),
            cash_cost=float(prices.cash_cost[place]),
            true_cost=float(prices.true_cost[place]),
            follow_on_rate=float(market.follow_on_rate[row]),
            follow_on_payment=float(prices.follow_on_payment[place]),
            least_loan=float(market.least_loan[row]),
            most_loan=float(market.most_loan[row]),
            incentives=market.incentives[row],
            **self._words(place, row),
        )

    def _words(self, place: int, row: int) -> dict[str, str]:
        market, months = self.catalogue, int(self.catalogue.initial_months[row])
        return {
            "product_id": market.product_id[row],
            "title": _title(
                months=months,
                is_fixed=bool(market.fixed[row]),
                is_let=not market.residential[row],
                most_ltv=int(market.most_ltv[row]),
                fee=float(market.fee[row]),
                fee_percent=float(market.fee_percent[row]),
            ),
            "early_repayment_charge": _early_repayment_charge(market.yearly_charges[row], months),
            "description": self._description(place, row),
        }

    def _description(self, place: int, row: int) -> str:
        """Return a sentence about the initial and the follow-on rate, as HTML."""
        market, months = self.catalogue, int(self.prices.months[place])
        start = "Fixed at" if market.fixed[row] else "Tracks Bank Rate: to begin with"
        end = f", then {float(market.follow_on_rate[row]):.2f}%, the lender’s follow-on rate, which may change"
        if months == self.query.term * 12:
            end = ", which is the whole term"
        sentence = f"{start} {float(market.initial_rate[row]):.2f}% for {months} months{end}."
        return str(Markup("<p>{}</p>").format(sentence))


def price_rows(catalogue: Catalogue, query: RatesQuery, rows: Rows) -> PricedProducts:
    """Price rows, which are in rate order, for the query's loan, and list them in the query's order.

    The sort is stable, so equals are by rate, fees and id, as in `broker.rates.ranking`.
    """
    terms = ProductTerms(
        rate=catalogue.initial_rate[rows],
        months=catalogue.initial_months[rows],
        follow_on=catalogue.follow_on_rate[rows],
        fees=_fees(catalogue, rows, query.amount),
        cashback=catalogue.cashback[rows],
    )
    prices = price(terms, query.amount, years=query.term, interest_only=not query.repayment)
    costs = {SortOrder.FEES: prices.fees, SortOrder.TRUE_COST: prices.yearly_true_cost}.get(query.sort)
    order = None if costs is None else np.argsort(costs, kind="stable")
    return PricedProducts(catalogue=catalogue, query=query, rows=rows, prices=prices, order=order)


@lru_cache(maxsize=4_096)
def _title(*, months: int, is_fixed: bool, is_let: bool, most_ltv: int, fee: float, fee_percent: float) -> str:
    """Return the product's short title, for example `2-year fixed, up to 75% LTV, £999 fee`."""
    deal = f"{deal_length(months)} {'fixed' if is_fixed else 'tracker'}"
    return f"{f'Buy to let {deal}' if is_let else deal}, up to {most_ltv}% LTV, {_fee(fee, fee_percent)}"


@lru_cache(maxsize=1_024)
def _early_repayment_charge(yearly_charges: str, months: int) -> str:
    """Return the early repayment charge in words, from the percentages of its years, as `3;2;1`; empty for none.

    In a deal that is longer than whole years the first lasts longer, and the steps end at months, not years.
    """
    if not yearly_charges:
        return NO_CHARGE
    charges = yearly_charges.split(";")
    if len(set(charges)) == 1:
        return f"{charges[0]}% of the balance until the deal ends, then none"
    first, *later = _steps(charges, months)
    return ", then ".join([first.replace("%", "% of the balance"), *later, "none"])


def _steps(charges: Sequence[str], months: int) -> list[str]:
    extra = months - 12 * len(charges)
    if not extra:
        return [f"{percent}% in year {year}" for year, percent in enumerate(charges, 1)]
    ends = ((percent, 12 * year + extra) for year, percent in enumerate(charges, 1))
    lasts = [(percent, max(end for _, end in same)) for percent, same in groupby(ends, key=lambda step: step[0])]
    (first, end), *later = lasts
    return [f"{first}% in the first {end} months", *(f"{percent}% until month {end}" for percent, end in later)]


def _fee(fee: float, percent: float) -> str:
    if percent:
        return f"{percent:g}% fee"
    return f"£{fee:,.0f} fee" if fee else "no fee"
