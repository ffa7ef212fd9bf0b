"""The lowest rates of searches: by deal type and loan to value, along the chart, and in the next lower band."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from broker.lenders.lender import KnownLender
from broker.lending.money import percent
from broker.rates.deal_types import DealType, ltvs
from broker.rates.product import RateProduct, RatesAnswer, RatesError
from broker.rates.query import RatesQuery, SortOrder


class LenderWithoutRatesError(RatesError):
    """A lender's page has no rates, though rates of other lenders are known: its source is not away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LowestRates:
    """The product with the lowest rate by deal type and loan to value, without empty combinations.

    `read_at` is when the oldest was read; `stale` is true if some are cached answers of a feed that is unavailable.
    """

    query: RatesQuery
    found: Mapping[tuple[DealType, int], RateProduct]
    read_at: datetime
    sample: bool
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderListing:
    """One lender's lowest rates beside those of the whole market, and each of its products that the searches found.

    `products` are distinct; `interest_only` is whether the lender lends
    interest-only for two years fixed, None where that could not be read.
    """

    lender: KnownLender
    lowest: LowestRates
    market: LowestRates
    products: tuple[RateProduct, ...]
    interest_only: bool | None


MAX_DISTANCE = 5
"""Percentage points of loan to value within which a lower band is near enough to mention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LowerBand:
    """A lower band of loan to value, in percent: the search that reaches it, and the lowest rate here and there."""

    ltv: int
    query: RatesQuery
    here: RateProduct
    there: RateProduct


def lower_band_search(query: RatesQuery) -> tuple[int, RatesQuery] | None:
    """Return the next lower band and the search for the highest loan within it; None where none is near."""
    below = [ltv for ltv in ltvs(query) if query.price * ltv < query.amount * 100]
    if not below or query.ltv - below[-1] > MAX_DISTANCE:
        return None
    loan = query.price * below[-1] // 100
    return (below[-1], replace(query, amount=loan)) if loan else None


def lower_band(answer: RatesAnswer, ltv: int, *, below: RatesAnswer) -> LowerBand | None:
    """Return the band that `below` answers for; None unless its lowest rate, as shown, is lower."""
    here, there = answer.winners.rate, below.winners.rate
    if (
        here is None
        or there is None
        or float(percent(there.initial_rate)[:-1]) >= float(percent(here.initial_rate)[:-1])
    ):
        return None
    return LowerBand(ltv=ltv, query=replace(answer.query, amount=below.query.amount), here=here, there=there)


LTVS = (50, 60, 70, 75, 80, 85, 90, 95)
"""The loans to value of the chart, in percent of the property price; lenders' own steps are `deal_types.ltvs`."""


def chart_ltvs(query: RatesQuery) -> tuple[int, ...]:
    """Return the loans to value of a search's chart: up to the most that lenders lend on its kind of property."""
    return tuple(ltv for ltv in LTVS if ltv <= ltvs(query)[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class LowestRate:
    """The product with the lowest initial rate at a loan to value, in percent; priced for that loan."""

    ltv: int
    product: RateProduct


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesByLtv:
    """The lowest rate at each loan to value, in rising order, without those at which nothing fits.

    `oldest` is the answer that was read first; it dates the chart.
    """

    query: RatesQuery
    lowest: tuple[LowestRate, ...]
    oldest: RatesAnswer
    stale: bool

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the loans to value without a product or without an answer of the source."""
        found = {each.ltv for each in self.lowest}
        return tuple(ltv for ltv in chart_ltvs(self.query) if ltv not in found)

    @property
    def nearest(self) -> LowestRate | None:
        """Return the row nearest the visitor's own loan to value, the higher of two; None without rows."""
        return min(self.lowest, key=lambda each: (abs(each.ltv - self.query.ltv), -each.ltv), default=None)


def searches_by_ltv(query: RatesQuery) -> dict[int, RatesQuery]:
    """Return the search for each loan to value, with the query's filters and a loan of that share of the price.

    The loan is in whole pounds, rounded down, so that its loan to value is never a fraction too high.
    """
    return {
        ltv: replace(query, amount=max(1, query.price * ltv // 100), sort=SortOrder.RATE) for ltv in chart_ltvs(query)
    }


def rates_by_ltv(query: RatesQuery, answers: dict[int, RatesAnswer]) -> RatesByLtv:
    """Join the answers to `searches_by_ltv` by loan to value; some may be missing, but not all."""
    lowest = (
        LowestRate(ltv=ltv, product=answer.products[0]) for ltv, answer in sorted(answers.items()) if answer.products
    )
    return RatesByLtv(
        query=query,
        lowest=tuple(lowest),
        oldest=min(answers.values(), key=lambda answer: answer.read_at),
        stale=any(answer.stale for answer in answers.values()),
    )
