"""The landlord's test without scripts: the deals that the rent passes are in the HTML of an address with figures."""

from collections.abc import Iterator

import pytest
from lxml.html import HtmlElement, document_fromstring
from starlette.testclient import TestClient

from broker.rates.let_deals import ABOVE_VALUE, OWN_NAME
from broker.rates.search_page import AWAY
from broker.server.forms.page_answers import calculator_handlers
from tests.integration.edge_answers import edge_client, make_rates_unavailable, part, start_of
from tests.integration.outline import words_of

PATH = "/tools/calculators/landlord-test/"


@pytest.fixture(scope="module")
def client(site: object) -> Iterator[TestClient]:
    del site
    with edge_client(calculator_handlers) as client:
        yield client


def deals_of(html: str) -> HtmlElement:
    return part(html, "landlord-test-deals")


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
    assert OWN_NAME in words_of(deals)
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
    make_rates_unavailable(monkeypatch)
    answer = client.get(f"{PATH}?rent=1100")
    assert answer.status_code == 200
    assert AWAY in words_of(deals_of(answer.text))
    assert document_fromstring(answer.text).find_class("big")
