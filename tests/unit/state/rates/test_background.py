"""What may wait for the feed waits beside the tab: a handler that held it would lose its event with a shared state."""

import inspect

import pytest
import reflex as rx

from broker.state.rates.live_rates import ByLtvState, LiveRatesState
from broker.state.rates.plan_deals import PlanDealState, RemortgageDealsState
from broker.state.rates.search import CompareState, RatesState

STATES = (CompareState, LiveRatesState, ByLtvState, PlanDealState, RatesState, RemortgageDealsState)


@pytest.mark.parametrize("state", STATES)
def test_handlers_that_wait_for_the_feed_are_background_ones(state: type[rx.State]) -> None:
    waiting = [each for each in state.event_handlers.values() if inspect.iscoroutinefunction(inspect.unwrap(each.fn))]
    assert [each.fn.__name__ for each in waiting if not each.is_background] == []
    assert waiting
