"""The next lower band of loan to value: the smaller loan that reaches it, and what that is worth."""

from dataclasses import dataclass, replace

from broker.domain.rates.deal_types import ltvs
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.lending.money import percent

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
