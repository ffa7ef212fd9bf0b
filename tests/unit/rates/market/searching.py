"""The sample market loaded once, and a search of it without an event loop."""

from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

from broker.rates.market.benchmark_rates import read_benchmark_rates
from broker.rates.market.catalogue import Catalogue, load
from broker.rates.market.rate_source import MarketRateSource
from broker.rates.product import RateProduct, RatesAnswer, RateSource
from broker.rates.query import RatesQuery
from broker.settings import ROOT

MARKET = ROOT / "data" / "market"
BENCHMARKS = read_benchmark_rates(MARKET)

SAMPLE_NOTICE = f"Sample rates as at {BENCHMARKS.as_of.day} {BENCHMARKS.as_of:%B %Y}, not offers."
"""What blocks with rates of the market say."""

WIDEST = RatesQuery(variable=True, three_years=True, five_years=True, with_fee_free=True)
"""The search that fits the most products."""

Result = TypeVar("Result")


@cache
def catalogue() -> Catalogue:
    return load(MARKET)


@cache
def source() -> RateSource:
    return MarketRateSource(catalogue=catalogue())


def search(query: RatesQuery) -> RatesAnswer:
    return _result(source().search(query))


def product(query: RatesQuery, product_id: str) -> RateProduct | None:
    return _result(source().product(query, product_id))


def _result(work: Coroutine[Any, Any, Result]) -> Result:
    """Return what a coroutine that never waits gives: one push runs it through, without an event loop."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the embedded market waited")
