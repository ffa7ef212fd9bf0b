"""A search with the filters by lender and by fees."""

import asyncio

import pytest

from broker.domain.rates.query import RatesQuery
from broker.presenters.rates.search_params import form_of
from tests.unit.services.sources import ListSource
from tests.unit.state.tab import Tab

RATES = "/tools/rates/"


def test_filters_in_the_address_are_searched_for_and_said(tab: Tab, source: ListSource) -> None:
    asyncio.run(tab.open(RATES + "?term=30&fees=1000&lender=1"))
    assert source.asked == [RatesQuery(term=30, most_fees=1_000, lender_id=1)]
    assert tab.state.filters == "from Alder Bank, with fees up to £1,000"
    assert tab.state.unfiltered == "/tools/rates/?term=30"
    assert tab.state.found.showing == ("Showing 5 of 12 from Alder Bank, with fees up to £1,000, lowest rate first")


@pytest.mark.parametrize(
    ("query", "words"), [("?lender=1", "from Alder Bank"), ("?fees=500", "with fees up to £500"), ("?term=30", "")]
)
def test_each_filter_is_said_by_itself(tab: Tab, query: str, words: str) -> None:
    asyncio.run(tab.open(RATES + query))
    assert tab.state.filters == words


@pytest.mark.parametrize("query", ["?lender=2", "?lender=abc", "?lender=", "?lender=-1", "?fees=700", "?fees=all"])
def test_filter_that_nobody_offers_is_ignored(tab: Tab, source: ListSource, query: str) -> None:
    asyncio.run(tab.open(RATES + query))
    assert (tab.state.status, tab.state.searched, source.asked) == ("idle", form_of(RatesQuery()), [])


def test_another_customers_page_has_no_filters(tab: Tab) -> None:
    asyncio.run(tab.open(RATES + "?fees=1000&lender=1"))
    asyncio.run(tab.open("/home-mover/rates/", "home-mover"))
    assert (tab.state.filters, tab.state.searched["fees"], tab.state.searched["lender"]) == ("", "", "")
