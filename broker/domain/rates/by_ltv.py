"""The lowest rate of a search at each of several loans to value, for the chart of a rates page."""

from dataclasses import dataclass, replace

from broker.domain.rates.deal_types import ltvs
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery, SortOrder

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
