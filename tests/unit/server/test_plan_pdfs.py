from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from broker import routes, services
from broker.calculators.calculator import INDICATIVE
from broker.content.source import content_store
from broker.documents.plans import letterhead
from broker.lenders.directory import LenderDirectory, market_lenders
from broker.rates.market.rate_source import MarketRateSource
from broker.server.result_pdfs import pdf_handlers
from broker.settings import read_settings
from tests.pdf_text import ReadPdf, read_pdf, squeezed
from tests.services import closed_services
from tests.unit.rates.market.searching import catalogue
from tests.unit.rates.sources import ListSource
from tests.unit.server.site import SITE, client

BUYING, REMORTGAGE = (path + routes.RESULT_PDF for path in (routes.BUYING_PLAN, routes.REMORTGAGE_PLAN))

WRONG = {BUYING: {"savings": "150,50", "goal": "price"}, REMORTGAGE: {"balance": "180000", "rate": "x"}}
"""Figures of which one is typed wrong."""

CASES = [
    (BUYING, {}),
    (BUYING, {"goal": "price", "price": "350000", "age": "50", "lisa": "new", "nation": "wales", "monthly": "300"}),
    (BUYING, {"income": "0", "income2": "0", "savings": "0"}),
    (BUYING, {"savings": "2000000"}),
    (REMORTGAGE, {"balance": "187400", "value": "310000", "term": "19", "rate": "1.6", "end": "2027-03-25"}),
    (REMORTGAGE, {"balance": "400000", "charge": "pounds", "chargePounds": "500000", "end": "2020-01-01"}),
]

MOST_PAGES = {BUYING: 2, REMORTGAGE: 3}
"""The plan to remortgage has four ways, what the lender's offer must beat, and the dates to act."""

each_plan = pytest.mark.parametrize("path", [BUYING, REMORTGAGE])


@pytest.fixture
def edge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(services, "_installed", [])
    market = catalogue()
    services.install(closed_services(MarketRateSource(catalogue=market), LenderDirectory(market_lenders(market))))
    firm = content_store(read_settings()).site()
    with client(tmp_path, handlers=pdf_handlers(lambda: letterhead(firm, site_url=SITE), proxies=0)) as found:
        yield found
    services.current().pdf.close()


def read(edge: TestClient, path: str, typed: dict[str, str]) -> ReadPdf:
    answer = edge.get(path, params=typed)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.headers["cache-control"] == "no-store"
    return read_pdf(answer.content)


@pytest.mark.parametrize(("path", "typed"), CASES)
def test_plan_fits_its_pages_and_leads_to_the_same(edge: TestClient, path: str, typed: dict[str, str]) -> None:
    found = read(edge, path, typed | {"utm": "x"})
    assert (found.pages <= MOST_PAGES[path], found.standard, found.language) == (True, "1", "en-GB")
    address = next(link for link in found.links if routes.PLANS in link)
    page, _, query = address.removeprefix(SITE).partition("?")
    again = read_pdf(edge.get(f"{page}{routes.RESULT_PDF}?{query}").content)
    assert ("utm" in query, found.amounts - again.amounts) == (False, frozenset())
    assert squeezed(INDICATIVE) in found.text
    assert "homemayberepossessed" in found.text


@each_plan
def test_plan_with_a_wrong_figure_leads_to_its_page_with_what_was_typed(edge: TestClient, path: str) -> None:
    answer = edge.get(path, params=WRONG[path], follow_redirects=False)
    page = path.removesuffix(routes.RESULT_PDF.strip("/"))
    assert (answer.status_code, answer.headers["location"]) == (303, f"{page}?{urlencode(WRONG[path])}")


@each_plan
def test_deals_come_with_their_aprc_and_example(edge: TestClient, path: str) -> None:
    found = read(edge, path, {})
    assert "Representativeexample" in found.text
    assert "APRCrepresentative" in found.text
    assert len(found.alternatives) == 1


@each_plan
def test_plan_is_drawn_while_the_rates_are_away(edge: TestClient, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = ListSource()
    source.away = True
    away = closed_services(source)
    monkeypatch.setattr(services, "_installed", [away])
    found = read(edge, path, {})

    assert "Theratesservicedidnotanswer" in found.text
