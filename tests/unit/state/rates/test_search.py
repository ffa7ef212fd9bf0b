"""A visitor's rates search, driven without a browser."""

import asyncio
import logging

import pytest

from broker.domain.rates.customers import default_query
from broker.domain.rates.query import RatesQuery, SortOrder
from broker.domain.rates.ranking import MAX_PAGES
from broker.feeds.errors import FeedFaultError
from broker.presenters.rates.rate_details import RateDetails
from broker.presenters.rates.results import RatesList
from broker.presenters.rates.search_params import form_of
from broker.state.rates.search import AWAY
from tests.unit.services.sources import ListSource, many
from tests.unit.state.tab import Tab, is_search

RATES = "/tools/rates/"


def test_page_without_a_search_is_idle_and_asks_nothing(tab: Tab, source: ListSource) -> None:
    asyncio.run(tab.open(RATES))
    assert (tab.state.status, tab.state.searched, source.asked) == ("idle", form_of(RatesQuery()), [])


@pytest.mark.parametrize("customer", ["first-time-buyer", "buy-to-let"])
def test_page_of_a_customer_opens_with_its_own_form(tab: Tab, source: ListSource, customer: str) -> None:
    asyncio.run(tab.open(f"/{customer}/rates/", customer))
    assert (tab.state.customer, tab.state.status, source.asked) == (customer, "idle", [])
    assert tab.state.searched == form_of(default_query(customer))


def test_search_in_the_address_is_loading_and_then_found(tab: Tab, source: ListSource) -> None:
    tab.go(RATES + "?price=300000&sort=fees")
    assert is_search(tab.state.open(""))
    assert (tab.state.status, tab.state.found.cards) == ("loading", ())
    asyncio.run(tab.search())
    assert (tab.state.status, tab.state.problem) == ("loaded", "")
    assert tab.state.found.showing == "Showing 5 of 12, lowest fees first"
    assert [card.product_id for card in tab.state.found.cards] == ["p000", "p001", "p002", "p003", "p004"]
    assert tab.state.found.cards[0].headline.logo == "/art/lender-alder-bank.svg"
    assert [query.price for query in source.asked] == [300_000]


def test_search_that_finds_nothing_is_empty(tab: Tab, source: ListSource) -> None:
    source.products = []
    asyncio.run(tab.open(RATES + "?price=300000"))
    assert (tab.state.status, tab.state.found.heading) == ("empty", "0 mortgage deals")


NONSENSE = (
    "?price=abc",
    "?price=",
    "?price=%09",
    "?price=.",
    "?price=-5",
    "?price=1e9",
    "?price=10000000000",
    "?amount=300000",
    "?term=0",
    "?term=41",
    "?term=%00",
    "?rate=neither&sort=colour",
    "?nobody=knows",
    "?price=" + "9" * 5_000,
    "?price=200000&price=abc",
)


def test_nonsense_in_the_address_leaves_the_built_in_list(tab: Tab, source: ListSource) -> None:
    searched = []
    for query in NONSENSE:
        asyncio.run(tab.open(RATES + query))
        searched += [query] if (tab.state.status, source.asked) != ("idle", []) else []
    assert searched == []


def test_what_a_customer_may_not_have_is_not_searched_for(tab: Tab, source: ListSource) -> None:
    asyncio.run(tab.open("/home-mover/rates/?for=remortgage&repay=interest-only&price=300000", "home-mover"))
    assert source.asked == [RatesQuery(customer="home-mover", price=300_000)]


def test_address_read_again_searches_again_from_the_first_page(tab: Tab) -> None:
    asyncio.run(tab.open(RATES + "?price=300000"))
    tab.state.see_more()
    asyncio.run(tab.search())
    assert len(tab.state.found.cards) == 10
    asyncio.run(tab.open(RATES + "?price=300000"))
    assert len(tab.state.found.cards) == 5


def test_choices_hold_beside_figures_that_make_no_sense(tab: Tab, source: ListSource) -> None:
    asyncio.run(tab.open(RATES + "?price=abc&amount=1&sort=fees&period=5"))
    assert source.asked == [RatesQuery(two_years=False, five_years=True, sort=SortOrder.FEES)]


def test_see_more_shows_five_more_until_there_are_no_more(tab: Tab, source: ListSource) -> None:
    asyncio.run(tab.open(RATES))
    counts = []
    for _ in range(3):
        assert is_search(tab.state.see_more())
        asyncio.run(tab.search())
        counts.append((len(tab.state.found.cards), tab.state.found.has_more))
    assert counts == [(10, True), (12, False), (12, False)]
    assert (tab.state.status, len(source.asked)) == ("loaded", 1)


def test_see_more_stops_at_its_most(tab: Tab, source: ListSource) -> None:
    source.products = many(1) * (MAX_PAGES * 5 + 50)
    asyncio.run(tab.open(RATES))
    for _ in range(MAX_PAGES * 2):
        tab.state.see_more()
    asyncio.run(tab.search())
    assert len(tab.state.found.cards) == MAX_PAGES * 5


def test_failure_says_so_and_trying_again_finds(tab: Tab, source: ListSource, caplog: pytest.LogCaptureFixture) -> None:
    source.away = True
    with caplog.at_level(logging.WARNING):
        asyncio.run(tab.open(RATES + "?price=300000"))
    assert (tab.state.status, tab.state.problem, tab.state.found) == ("failed", AWAY, RatesList())
    assert [record.getMessage() for record in caplog.records] == ["rates search failed: the source is away"]
    source.away = False
    assert is_search(tab.state.try_again())
    assert tab.state.status == "loading"
    asyncio.run(tab.search())
    assert (tab.state.status, tab.state.problem, len(tab.state.found.cards)) == ("loaded", "", 5)


def test_built_in_list_stays_while_the_source_is_away(tab: Tab, source: ListSource) -> None:
    source.away = True
    asyncio.run(tab.open(RATES))
    asyncio.run(tab.search())
    assert (tab.state.status, tab.state.problem) == ("idle", "")
    tab.state.see_more()
    asyncio.run(tab.search())
    assert (tab.state.status, tab.state.problem) == ("failed", AWAY)


def test_fault_in_words_takes_the_place_of_the_built_in_list(tab: Tab, source: ListSource) -> None:
    source.away, source.problem = True, FeedFaultError("get_rates", "Invalid LTV")
    asyncio.run(tab.open(RATES))
    asyncio.run(tab.search())
    assert (tab.state.status, tab.state.problem) == ("failed", "Invalid LTV")


def test_opening_the_plain_page_again_shows_the_built_in_list(tab: Tab) -> None:
    asyncio.run(tab.open(RATES + "?price=300000&product=p000"))
    asyncio.run(tab.open(RATES))
    assert (tab.state.status, tab.state.detail, tab.state.searched) == ("idle", RateDetails(), form_of(RatesQuery()))
