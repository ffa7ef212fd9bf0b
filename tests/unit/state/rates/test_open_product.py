import logging

import pytest

from broker.rates.rate_details import NOT_FOUND, RateDetails
from broker.rates.search_page import AWAY
from tests.unit.rates.sources import ListSource
from tests.unit.state.tab import Tab

RATES = "/tools/rates/"
SEARCH = RATES + "?price=300000"
LISTED = ["p000", "p001", "p002", "p003", "p004"]


def shown(tab: Tab) -> tuple[str, list[str]]:
    return tab.state.detail.product_id, [card.product_id for card in tab.state.found.cards]


@pytest.mark.parametrize(
    ("page", "customer", "unregulated"), [(RATES, "", False), ("/buy-to-let/rates/", "buy-to-let", True)]
)
async def test_address_opens_its_product(tab: Tab, page: str, customer: str, *, unregulated: bool) -> None:
    await tab.open(page + "?product=p003", customer)
    detail = tab.state.detail
    assert (detail.product_id, detail.unregulated, detail.sample) == ("p003", unregulated, True)
    assert tab.state.status == "idle"


@pytest.mark.parametrize("product", ["", "x" * 81])
async def test_address_of_no_product_opens_nothing_beside_its_list(tab: Tab, product: str) -> None:
    await tab.open(f"{SEARCH}&product={product}")
    assert shown(tab) == ("", LISTED)


async def test_product_that_is_gone_is_said_beside_its_list(tab: Tab) -> None:
    await tab.open(f"{SEARCH}&product=p999")
    assert shown(tab) == ("p999", LISTED)
    assert tab.state.detail.problem == NOT_FOUND


async def test_opening_and_closing_leaves_the_list_as_long_as_it_was(tab: Tab, source: ListSource) -> None:
    longer = SEARCH + "&page=2"
    await tab.open(longer)
    before, asked = tab.state.found, len(source.asked)
    compared = longer + "&compare=p001,p007"
    for address in (compared, compared + "&product=p007", compared, longer):
        await tab.open(address)
        assert (tab.state.found, tab.state.status) == (before, "loaded")
    asked = len(source.asked)
    for address in (longer + "&product=p007", longer, longer + "&product=p002", longer + "&product=p007", longer):
        await tab.open(address)
        assert (tab.state.found, tab.state.status, len(before.cards)) == (before, "loaded", 10)
    assert tab.state.detail.product_id == "p007"
    assert [query.price for query in source.asked[asked:]] == [300_000] * 3


async def test_another_search_closes_the_product_and_starts_again(tab: Tab) -> None:
    await tab.open(SEARCH + "&product=p002")
    await tab.open(RATES + "?price=400000")
    assert tab.state.detail == RateDetails()
    await tab.open("/home-mover/rates/?product=p001", "home-mover")
    assert (tab.state.detail.product_id, tab.state.customer, tab.state.status) == ("p001", "home-mover", "idle")


async def test_search_that_was_cut_short_by_opening_goes_on(tab: Tab) -> None:
    tab.go(SEARCH)
    tab.state.open("")
    assert tab.state.status == "loading"
    await tab.open(SEARCH + "&product=p001")
    assert (tab.state.status, shown(tab)) == ("loaded", ("p001", LISTED))


async def test_failure_to_read_a_product_is_said_in_its_place_and_the_list_stays(
    tab: Tab, source: ListSource, caplog: pytest.LogCaptureFixture
) -> None:
    source.away = True
    with caplog.at_level(logging.WARNING):
        await tab.open(RATES + "?product=p000")
    assert (tab.state.detail.product_id, tab.state.detail.problem, tab.state.status) == ("p000", AWAY, "idle")
    assert [record.getMessage() for record in caplog.records] == ["product could not be read: the source is away"]
