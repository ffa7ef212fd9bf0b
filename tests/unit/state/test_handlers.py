"""A page may call every handler of a visitors' state, and anybody may send its event: these and no others are there."""

import inspect

import pytest
import reflex as rx

from broker.state.questionnaire import QuestionnaireState, SavedAnswersState
from broker.state.rates.live_rates import ByLtvState, LiveRatesState
from broker.state.rates.plan_deals import PlanDealState, RemortgageDealsState
from broker.state.rates.search import CompareState, RatesState

HANDLERS: dict[type[rx.State], set[str]] = {
    RatesState: {"open", "find", "try_again", "show_details", "read_product"},
    ByLtvState: {"open", "find"},
    QuestionnaireState: {"open", "answer", "read_deals", "take_term", "renew_cookie"},
    SavedAnswersState: {"save", "resume", "resume_anyway", "forget"},
}
OF_THE_FEED = (CompareState, LiveRatesState, ByLtvState, PlanDealState, RatesState, RemortgageDealsState)


@pytest.mark.parametrize("state", HANDLERS)
def test_handlers_are_these_and_no_others(state: type[rx.State]) -> None:
    # `setvar` is Reflex's own, and can only call set_ methods, of which there are none.
    assert set(state.event_handlers) - {"setvar"} == HANDLERS[state]
    assert [name for name in vars(state) if name.startswith("set_")] == []


@pytest.mark.parametrize("state", OF_THE_FEED)
def test_handlers_that_wait_for_the_feed_are_background_ones(state: type[rx.State]) -> None:
    """A handler that held the tab meanwhile would lose its event with a shared state."""
    waiting = [each for each in state.event_handlers.values() if inspect.iscoroutinefunction(inspect.unwrap(each.fn))]
    assert [each.fn.__name__ for each in waiting if not each.is_background] == []
    assert waiting


@pytest.mark.parametrize("state", [RatesState, ByLtvState])
def test_newer_search_supersedes_the_one_before(state: type[rx.State]) -> None:
    assert state.event_handlers["find"].supersedes
