"""A page's own blocks, brought up to date when it is opened and the source is live."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest

from broker import services
from broker.presenters.rates.rate_blocks import RateBlocks
from broker.services.rates.best_rates import BestRates
from broker.services.rates.search import RatesService
from broker.state.rates import live_rates
from broker.state.rates.live_rates import LiveRatesState
from tests.unit.services.sources import ListSource
from tests.unit.state.tab import Locked, Tab


@pytest.fixture
def live(source: ListSource, tab: Tab, monkeypatch: pytest.MonkeyPatch) -> LiveRatesState:
    """Return the state of a tab whose source is live, and whose pause before the second reading is none."""
    monkeypatch.setattr(live_rates, "REREAD_SECONDS", 0)
    there, rates = services.current(), RatesService(source, fresh_for=timedelta(minutes=10))
    services.install(replace(there, rates=rates, best=BestRates(rates)))
    return cast(LiveRatesState, tab.root.get_substate(LiveRatesState.get_full_name().split(".")))


def opened(state: LiveRatesState, tab: Tab, path: str, *, event: str, given: tuple[Any, ...]) -> RateBlocks:
    """Run the handler of a page at a path; return the blocks that it left."""
    tab.go(path)
    asyncio.run(LiveRatesState.event_handlers[event].fn(Locked(cast(Any, state)), *given))
    return state.blocks


def test_a_lenders_page_gets_its_deals_and_a_table_for_each_loan_to_value(live: LiveRatesState, tab: Tab) -> None:
    blocks = opened(live, tab, "/lenders/alder-bank", event="open_lender", given=("alder-bank", ""))
    assert live.path == "/lenders/alder-bank/"
    assert [deal.product_id for deal in blocks.best.deals] == ["p000", "p001", "p002"]
    assert [(table.ltv, len(table.rows)) for table in blocks.tables.tables] == [(60, 4), (75, 4), (90, 4)]


def test_a_page_of_one_deal_type_gets_one_table(live: LiveRatesState, tab: Tab, source: ListSource) -> None:
    path = "/lenders/alder-bank/5-years-fixed/"
    blocks = opened(live, tab, path, event="open_lender", given=("alder-bank", "5-years-fixed"))
    assert [len(table.rows) for table in blocks.tables.tables] == [6]
    assert {(query.lender_id, query.period, query.fixed) for query in source.asked} == {(1, 5, True)}


def test_a_deal_page_gets_the_tables_of_its_customer_type(live: LiveRatesState, tab: Tab, source: ListSource) -> None:
    blocks = opened(live, tab, "/remortgages/", event="open_deals", given=("remortgaging",))
    assert len(blocks.tables.tables) == 3
    assert {query.customer for query in source.asked} == {"remortgaging"}


def test_a_block_alone_needs_one_search_however_often_it_is_read(
    live: LiveRatesState, tab: Tab, source: ListSource
) -> None:
    blocks = opened(live, tab, "/", event="open_customer", given=("",))
    assert (live.path, len(blocks.best.deals), blocks.tables.tables, len(source.asked)) == ("/", 3, (), 1)


def test_a_source_that_is_away_leaves_what_the_page_was_built_with(
    live: LiveRatesState, tab: Tab, source: ListSource
) -> None:
    source.away = True
    assert opened(live, tab, "/", event="open_customer", given=("",)) == RateBlocks()
    assert live.path == ""


FORGED: dict[str, tuple[str, tuple[Any, ...]]] = {
    "an unknown customer": ("open_customer", ("nobody",)),
    "a customer of another kind": ("open_deals", ({"a": 1},)),
    "an unknown lender": ("open_lender", ("nobody", "")),
    "a lender of another kind": ("open_lender", (["alder-bank"], None)),
}


@pytest.mark.parametrize(("event", "given"), FORGED.values(), ids=FORGED)
def test_a_forged_event_asks_for_nothing(
    live: LiveRatesState, tab: Tab, source: ListSource, event: str, given: tuple[Any, ...]
) -> None:
    assert opened(live, tab, "/", event=event, given=given) == RateBlocks()
    assert source.asked == []


def test_the_embedded_market_is_not_asked_again(tab: Tab, source: ListSource) -> None:
    state = cast(LiveRatesState, tab.root.get_substate(LiveRatesState.get_full_name().split(".")))
    assert opened(state, tab, "/", event="open_customer", given=("",)) == RateBlocks()
    assert source.asked == []
