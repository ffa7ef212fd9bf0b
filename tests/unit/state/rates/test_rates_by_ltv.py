import asyncio
from typing import Any

import pytest

from broker.rates.rates_by_ltv import NO_CHART
from broker.state.rates.live_rates import UNREAD, ByLtvState
from broker.state.rates.search import FAILED, IDLE, LOADED, LOADING
from tests.unit.rates.sources import ListSource
from tests.unit.state.tab import ORIGIN, StateTab

RATES = "/tools/rates/"


class Chart(StateTab[ByLtvState]):
    def __init__(self) -> None:
        super().__init__(ByLtvState)

    def open(self, address: str, customer: Any = "") -> None:
        self.go(address)
        self.state.open(customer)


@pytest.fixture
def chart(source: ListSource) -> Chart:  # noqa: ARG001 - a tab needs the services to be there
    return Chart()


def test_page_says_which_search_it_answers_and_asks_nothing(chart: Chart, source: ListSource) -> None:
    assert (chart.state.customer, chart.state.searched) == (UNREAD, "")
    chart.open("/first-time-buyer/rates/?price=300000&sort=fees", "first-time-buyer")
    state = chart.state
    assert (state.customer, state.searched) == ("first-time-buyer", "/first-time-buyer/rates/?price=300000")
    assert state.download == "/rates.csv?customer=first-time-buyer&price=300000&sort=fees"
    assert state.page_address == f"{ORIGIN}/first-time-buyer/rates/?price=300000&sort=fees"
    assert (state.status, state.view, source.asked) == (IDLE, NO_CHART, [])


@pytest.mark.parametrize("address", [RATES, RATES + "?price=none", RATES + "?sort=fees", RATES + "?utm_source=a"])
def test_searches_that_find_what_the_page_opens_with_have_its_key(chart: Chart, address: str) -> None:
    chart.open(address)
    assert chart.state.searched == RATES


async def test_chart_is_that_of_the_search_on_the_page(chart: Chart, source: ListSource) -> None:
    chart.open(RATES + "?price=300000")
    await chart.do("find")
    assert (chart.state.status, chart.state.view.key) == (LOADED, RATES + "?price=300000")
    assert [asked.amount for asked in source.asked] == [3_000 * ltv for ltv in (50, 60, 70, 75, 80, 85, 90, 95)]
    chart.open(RATES + "?price=400000")
    assert (chart.state.status, chart.state.searched == chart.state.view.key) == (IDLE, False)
    chart.open(RATES + "?price=300000")
    assert chart.state.searched == chart.state.view.key


async def test_failure_is_shown_and_forgotten_with_the_next_search(chart: Chart, source: ListSource) -> None:
    chart.open(RATES + "?price=300000")
    source.away = True
    await chart.do("find")
    assert (chart.state.status, chart.state.view) == (FAILED, NO_CHART)
    chart.open(RATES + "?price=400000")
    assert chart.state.status == IDLE


@pytest.mark.parametrize("fails", [False, True], ids=["older chart", "older failure"])
async def test_chart_of_an_earlier_search_is_not_shown(chart: Chart, source: ListSource, *, fails: bool) -> None:
    source.waits[300_000] = asyncio.Event()
    chart.open(RATES + "?price=300000")
    slow = asyncio.create_task(chart.do("find"))
    await asyncio.sleep(0)
    assert chart.state.status == LOADING
    chart.open(RATES + "?price=400000")
    source.away = fails
    source.waits[300_000].set()
    await slow
    assert (chart.state.status, chart.state.view) == (IDLE, NO_CHART)


@pytest.mark.parametrize("customer", [None, 7, [], {}, "nobody", "\ud800", b"x", "9" * 1_000_000])
def test_forged_customer_is_the_general_one(chart: Chart, customer: Any) -> None:
    chart.open(RATES, customer)
    assert (chart.state.customer, chart.state.searched) == ("", RATES)
