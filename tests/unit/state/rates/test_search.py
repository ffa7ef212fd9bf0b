import logging

import pytest

from broker.rates.customers import default_query
from broker.rates.feed.errors import FeedFaultError
from broker.rates.query import RatesQuery
from broker.rates.rate_details import RateDetails
from broker.rates.results import RatesList
from broker.rates.search_page import AWAY, search_summary
from broker.rates.search_params import UNKNOWN_LENDER
from tests.unit.rates.sources import ListSource
from tests.unit.state.tab import Tab, is_search

RATES = "/tools/rates/"


@pytest.mark.parametrize("customer", ["", "first-time-buyer", "buy-to-let"])
async def test_page_without_a_search_has_its_own_form(tab: Tab, source: ListSource, customer: str) -> None:
    await tab.open(f"/{customer}/rates/" if customer else RATES, customer)
    assert (tab.state.customer, tab.state.status, source.asked) == (customer, "idle", [])
    assert tab.state.summary == search_summary(default_query(customer), filters="")


async def test_search_in_the_address_is_loading_and_then_found(tab: Tab, source: ListSource) -> None:
    tab.go(RATES + "?price=300000&sort=fees")
    assert is_search(tab.state.open(""))
    assert (tab.state.status, tab.state.found.cards) == ("loading", ())
    await tab.search()
    assert (tab.state.status, tab.state.problem) == ("loaded", "")
    assert tab.state.found.heading == "12 deals, lowest fees first"
    assert [card.product_id for card in tab.state.found.cards] == ["p000", "p001", "p002", "p003", "p004"]
    assert tab.state.found.cards[0].headline.logo == "/art/lender-alder-bank.svg"
    assert [query.price for query in source.asked] == [300_000]


async def test_search_that_finds_nothing_is_empty(tab: Tab, source: ListSource) -> None:
    source.products = []
    await tab.open(RATES + "?price=300000")
    assert (tab.state.status, tab.state.found.heading) == ("empty", "No deal fits this search")


REFUSED = ("?price=abc", "?price=", "?price=%09", "?price=.", "?price=-5", "?price=1e9", "?price=10000000000")
REFUSED += ("?amount=300000", "?price=200000&amount=300000", "?term=0", "?term=41", "?term=%00", "?price=250000,50")
REFUSED += ("?price=" + "9" * 5_000,)
NONSENSE = ("?price=200000&price=abc", "?rate=neither&sort=colour", "?nobody=knows")
NOT_OFFERED = ("?lender=2", "?lender=abc", "?lender=", "?lender=-1", "?fees=700", "?fees=all")


async def test_nonsense_in_the_address_leaves_the_built_in_list(tab: Tab, source: ListSource) -> None:
    searched = []
    for query in NONSENSE + NOT_OFFERED:
        await tab.open(RATES + query)
        as_built = (tab.state.status, tab.state.address, source.asked) == ("idle", RATES, [])
        searched += [] if as_built else [query]
    assert searched == []


async def test_search_for_a_lender_that_we_do_not_know_lists_all_and_says_so(tab: Tab) -> None:
    await tab.open(RATES + "?price=300000&lender=999999")
    assert tab.state.found.source.startswith(UNKNOWN_LENDER)
    await tab.open(RATES + "?price=300000")
    assert UNKNOWN_LENDER not in tab.state.found.source


async def test_search_with_a_wrong_figure_has_no_list_and_says_why(tab: Tab, source: ListSource) -> None:
    await tab.open(RATES + "?term=30")
    for query in REFUSED:
        await tab.open(RATES + query + "&product=p000")
        assert (tab.state.status, tab.state.found) == ("refused", RatesList(heading="Check your figures")), query
        assert tab.state.problem.endswith((".", "years, from 1 to 40.")), query
        assert tab.state.detail == RateDetails()
    assert len(source.asked) == 1
    await tab.open(RATES + "?price=200000&amount=300000")
    assert tab.state.problem == "Enter an amount that is not above the property price."
    await tab.open(RATES + "?price=400000&amount=300000")
    assert (tab.state.status, len(tab.state.found.cards), len(source.asked)) == ("loaded", 5, 2)


@pytest.mark.usefixtures("source")
async def test_search_under_way_does_not_answer_a_refused_one(tab: Tab) -> None:
    """Both have the query of the page's defaults."""
    tab.go(RATES + "?page=2")
    assert is_search(tab.state.open(""))
    tab.go(RATES + "?price=abc&page=2")
    tab.state.open("")
    await tab.search()
    assert (tab.state.status, tab.state.found.cards) == ("refused", ())


async def test_filters_in_the_address_are_searched_for_and_named(tab: Tab, source: ListSource) -> None:
    for query, words in (("?lender=1", "from Alder Bank"), ("?fees=500", "with fees up to £500"), ("?term=30", "")):
        await tab.open(RATES + query)
        assert tab.state.filters == words
    await tab.open(RATES + "?term=30&fees=1000&lender=1")
    assert source.asked[-1] == RatesQuery(term=30, most_fees=1_000, lender_id=1)
    assert tab.state.filters == "from Alder Bank, with fees up to £1,000"
    assert tab.state.unfiltered == "/tools/rates/?term=30"
    assert tab.state.found.showing == "Showing 1 to 5 of 12 from Alder Bank, with fees up to £1,000"
    await tab.open("/home-mover/rates/", "home-mover")
    assert (tab.state.filters, tab.state.address) == ("", "/home-mover/rates/")


async def test_page_in_the_address_is_the_one_shown(tab: Tab, source: ListSource) -> None:
    await tab.open(RATES + "?price=300000&page=2")
    assert len(tab.state.found.cards) == 10
    await tab.open(RATES + "?price=300000")
    assert len(tab.state.found.cards) == 5
    for page, count in (("2", 10), ("3", 12), ("99999", 12), ("0", 5), ("-1", 5), ("abc", 5), ("9" * 400, 5)):
        await tab.open(f"{RATES}?term=30&page={page}")
        assert len(tab.state.found.cards) == count
    assert len(source.asked) == 2


async def test_next_page_leaves_the_list_until_the_longer_one_is_there(tab: Tab) -> None:
    await tab.open(RATES)
    tab.go(RATES + "?page=2")
    assert is_search(tab.state.open(""))
    assert tab.state.status == "idle"
    await tab.search()
    assert (tab.state.status, len(tab.state.found.cards)) == ("loaded", 10)
    tab.go(RATES + "?page=3")
    assert is_search(tab.state.open(""))
    assert (tab.state.status, len(tab.state.found.cards)) == ("loaded", 10)
    await tab.search()
    assert (len(tab.state.found.cards), tab.state.found.more) == (12, "")


async def test_failure_says_so_and_trying_again_finds(
    tab: Tab, source: ListSource, caplog: pytest.LogCaptureFixture
) -> None:
    source.away = True
    with caplog.at_level(logging.WARNING):
        await tab.open(RATES + "?price=300000")
    assert (tab.state.status, tab.state.problem, tab.state.found) == ("failed", AWAY, RatesList())
    assert [record.getMessage() for record in caplog.records] == ["rates search failed: the source is away"]
    source.away = False
    assert is_search(tab.state.try_again())
    assert tab.state.status == "loading"
    await tab.search()
    assert (tab.state.status, tab.state.problem, len(tab.state.found.cards)) == ("loaded", "", 5)


async def test_built_in_list_stays_while_the_source_is_away(tab: Tab, source: ListSource) -> None:
    source.away = True
    await tab.open(RATES)
    await tab.search()
    assert (tab.state.status, tab.state.problem) == ("idle", "")
    await tab.open(RATES + "?page=2")
    assert (tab.state.status, tab.state.problem) == ("failed", AWAY)


async def test_fault_in_words_takes_the_place_of_the_built_in_list(tab: Tab, source: ListSource) -> None:
    source.away, source.problem = True, FeedFaultError("get_rates", "Invalid LTV")
    await tab.open(RATES)
    await tab.search()
    assert (tab.state.status, tab.state.problem) == ("failed", "Invalid LTV")


async def test_opening_the_plain_page_again_shows_the_built_in_list(tab: Tab) -> None:
    await tab.open(RATES + "?price=300000&product=p000")
    await tab.open(RATES)
    assert (tab.state.status, tab.state.detail, tab.state.address) == ("idle", RateDetails(), RATES)
