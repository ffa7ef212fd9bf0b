"""A live market that tests move: products of the sample market with other rates, or none, stale ones, or an error."""

from dataclasses import replace
from datetime import datetime

from broker.rates.feed.errors import FeedUnavailableError
from broker.rates.market.rate_source import MarketRateSource
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.query import RatesQuery
from broker.watches.figures import kind_of
from broker.watches.watch import DealKind
from tests.unit.enquiries.enquiring import BEGINNING, Calendar
from tests.unit.rates.market.searching import catalogue

LISTED = 15
"""Products of each kind in an answer: the first by true cost."""


class MovingMarket:
    """Answers a search with the first products, whose rates are `shift` percentage points off; it counts searches."""

    def __init__(self, calendar: Calendar) -> None:
        self.shift = 0.0
        self.away = self.stale = self.empty = self.sample = False
        self.searches = 0
        self._calendar = calendar
        self._source = MarketRateSource(catalogue=catalogue())

    async def search(self, query: RatesQuery) -> RatesAnswer:
        self.searches += 1
        if self.away:
            raise FeedUnavailableError("get_rates", "no connection")
        return self.answer(query)

    def answer(self, query: RatesQuery) -> RatesAnswer:
        return replace(
            self._source.answer(query),
            products=[] if self.empty else self._products(query),
            read_at=self._calendar(),
            stale=self.stale,
            sample=self.sample,
        )

    def _products(self, query: RatesQuery) -> list[RateProduct]:
        found = list[RateProduct]()
        room = dict.fromkeys(DealKind, LISTED)
        for each in self._source.answer(query).products:
            kind = kind_of(each.initial_months)
            if room[kind]:
                room[kind] -= 1
                found.append(replace(each, initial_rate=round(each.initial_rate + self.shift, 2)))
            if not any(room.values()):
                break
        return found


def read_at(moment: datetime = BEGINNING) -> Calendar:
    """Return a calendar that stands at a moment."""
    calendar = Calendar()
    calendar.now = moment
    return calendar
