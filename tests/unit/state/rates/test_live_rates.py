from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeAlias

import pytest

from broker import services
from broker.rates.lender_tables import RateBlocks
from broker.rates.live_feed import BestRates
from broker.rates.search import RatesService
from broker.state.rates import live_rates
from broker.state.rates.live_rates import LiveRatesState
from tests.unit.rates.sources import ListSource
from tests.unit.state.tab import StateTab

LiveTab: TypeAlias = StateTab[LiveRatesState]


@pytest.fixture
def live(source: ListSource, monkeypatch: pytest.MonkeyPatch) -> LiveTab:
    """A tab whose source is live, and whose pause before the second read is none."""
    monkeypatch.setattr(live_rates, "REREAD_SECONDS", 0)
    there, rates = services.current(), RatesService(source, fresh_for=timedelta(minutes=10))
    services.install(replace(there, rates=rates, best=BestRates(rates)))
    return StateTab(LiveRatesState)


async def opened(tab: LiveTab, path: str, event: str, /, *arguments: Any) -> RateBlocks:
    """Run the handler of a page at a path; return the blocks that it left."""
    tab.go(path)
    await tab.do(event, *arguments)
    return tab.state.blocks


async def test_a_deal_page_gets_the_tables_of_its_customer_type(live: LiveTab, source: ListSource) -> None:
    blocks = await opened(live, "/remortgages/", "open_deals", "remortgaging")
    assert len(blocks.tables.tables) == 3
    assert {query.customer for query in source.asked} == {"remortgaging"}


async def test_a_block_alone_needs_one_search_however_often_it_is_read(live: LiveTab, source: ListSource) -> None:
    blocks = await opened(live, "/", "open_customer", "")
    assert (live.state.path, len(blocks.best.deals), blocks.tables.tables, len(source.asked)) == ("/", 3, (), 1)


async def test_a_first_time_buyer_gets_the_rates_of_small_deposits(live: LiveTab, source: ListSource) -> None:
    blocks = await opened(live, "/first-time-buyer/", "open_customer", "first-time-buyer")
    (table,) = blocks.deposits.tables
    assert [row.label for row in table.rows] == ["With a 10% deposit", "With a 5% deposit"]
    assert sorted(query.ltv for query in source.asked) == [50, 90, 95]


async def test_a_source_that_is_away_leaves_what_the_page_was_built_with(live: LiveTab, source: ListSource) -> None:
    source.away = True
    assert await opened(live, "/", "open_customer", "") == RateBlocks()
    assert live.state.path == ""


FORGED: dict[str, tuple[Any, ...]] = {
    "an unknown customer": ("open_customer", "nobody"),
    "a customer of another kind": ("open_deals", {"a": 1}),
}


@pytest.mark.parametrize("call", FORGED.values(), ids=FORGED)
async def test_a_forged_event_asks_for_nothing(live: LiveTab, source: ListSource, call: tuple[Any, ...]) -> None:
    assert (await opened(live, "/", *call), source.asked) == (RateBlocks(), [])


async def test_the_embedded_market_is_not_asked_again(source: ListSource) -> None:
    assert await opened(StateTab(LiveRatesState), "/", "open_customer", "") == RateBlocks()
    assert source.asked == []
