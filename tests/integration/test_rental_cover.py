"""The landlord's test without scripts: the deals that the rent passes are in the HTML of an address with figures."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from lxml.html import HtmlElement, document_fromstring
from starlette.testclient import TestClient

from broker import services
from broker.lenders.directory import LenderDirectory, market_lenders
from broker.rates.let_deals import ABOVE_VALUE
from broker.rates.market.rate_source import MarketRateSource
from broker.rates.search_page import AWAY
from broker.server.forms.page_answers import calculator_handlers
from broker.server.releases import LiveExport
from broker.settings import read_settings
from tests.integration.outline import words_of
from tests.services import closed_services
from tests.unit.market.searching import catalogue
from tests.unit.server.site import client_of
from tests.unit.services.sources import ListSource

PATH = "/tools/calculators/landlord-test/"


@pytest.fixture(scope="module")
def client(site: object) -> Iterator[TestClient]:
    del site
    settings = read_settings()
    live = LiveExport(settings.releases_dir, settings.site_url)
    with client_of(live, site_url=settings.site_url, handlers=calculator_handlers(live)) as found:
        yield found


@pytest.fixture(autouse=True)
def market(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_installed", [])
    market = catalogue()
    services.install(closed_services(MarketRateSource(catalogue=market), LenderDirectory(market_lenders(market))))


def deals_of(html: str) -> HtmlElement:
    return document_fromstring(html).get_element_by_id("landlord-test-deals")


def start_of(html: str) -> dict[str, Any]:
    return json.loads(document_fromstring(html).get_element_by_id("edge-answer").text_content())


def rates_of(deals: HtmlElement) -> list[float]:
    """Return the initial rate of each deal, which stands in the cell after its name."""
    return [float(words_of(row[1]).rstrip("%").split()[-1]) for row in deals.iterfind(".//tbody/tr")]


def test_deals_that_pass_are_in_the_answer_with_what_a_rate_needs(client: TestClient) -> None:
    answer = client.get(f"{PATH}?rent=1100&value=200000&loan=150000")
    deals = deals_of(answer.text)
    assert len(rates_of(deals)) == 3
    assert "For £150,000 on a value of £200,000" in words_of(deals)
    assert words_of(deals.find_class("example")[0]).endswith("APRC representative.")
    assert len(deals.find_class("risk")) == 1
    assert start_of(answer.text)["deals"]["key"] == "basic 1,100.00 200,000 150,000"
    hrefs = [link.get("href", "") for link in deals.iterfind(".//tbody//a")]
    assert [href[:1] for href in hrefs] == ["/"] * 3
    assert "edge-template" not in answer.text


@pytest.mark.parametrize("typed", ["rent=1100,5", "value=x", "rate=99"])
def test_figure_typed_wrong_has_no_deals(client: TestClient, typed: str) -> None:
    deals = deals_of(client.get(f"{PATH}?loan=150000&{typed}").text)
    assert (rates_of(deals), deals.find_class("example"), deals.find_class("risk")) == ([], [], [])
    assert "Put your figures right to see deals here." in words_of(deals)


def test_rent_too_low_for_any_deal_and_loan_above_the_value_are_said(client: TestClient) -> None:
    low = deals_of(client.get(f"{PATH}?rent=100&value=200000&loan=150000").text)
    assert "the rent passes none of the" in words_of(low)
    above = deals_of(client.get(f"{PATH}?rent=5000&value=200000&loan=250000").text)
    assert ABOVE_VALUE.problem in words_of(above)


def test_page_without_figures_says_how_to_see_the_deals(html: dict[str, str]) -> None:
    assert "to see them" in words_of(deals_of(html[PATH]))


def test_test_stays_while_the_source_is_away(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_installed", [])
    source = ListSource()
    source.away = True
    services.install(closed_services(source))
    answer = client.get(f"{PATH}?rent=1100")
    assert answer.status_code == 200
    assert AWAY in words_of(deals_of(answer.text))
    assert document_fromstring(answer.text).find_class("big")
