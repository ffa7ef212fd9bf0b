from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from broker import services
from broker.content.source import content_store
from broker.documents.pdf import PdfBusyError, PdfService
from broker.documents.plans import letterhead
from broker.server.downloads import MAX_FILES
from broker.server.result_pdfs import pdf_handlers
from broker.settings import read_settings
from tests.pdf_text import read_pdf
from tests.services import closed_services
from tests.unit.rates.sources import ListSource, many
from tests.unit.server.site import SITE, client

LIST, COMPARISON = "/tools/rates/result.pdf", "/tools/rates/comparison.pdf"

FIRM = content_store(read_settings()).site()


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[ListSource]:
    monkeypatch.setattr(services, "_installed", [])
    source = ListSource(many(7))
    services.install(closed_services(source))
    yield source
    services.current().pdf.close()


@pytest.fixture
def edge(tmp_path_factory: pytest.TempPathFactory, source: ListSource) -> Iterator[TestClient]:
    del source
    handlers = pdf_handlers(lambda: letterhead(FIRM, site_url=SITE), proxies=0)
    with client(tmp_path_factory.mktemp("export"), handlers=handlers) as found:
        yield found


def test_list_answers_the_search_of_its_address(edge: TestClient, source: ListSource) -> None:
    answer = edge.get(f"{LIST}?price=300000&amount=%C2%A3250%2C000&page=2")
    (query,) = source.asked
    assert (query.price, query.amount) == (300_000, 250_000)
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == 'inline; filename="mortgage-deals-2026-03-04.pdf"'
    found = read_pdf(answer.content)
    assert (found.pages <= 2, found.standard) == (True, "1")
    assert {"£300,000", "£250,000", "4.00%", "4.06%"} <= found.amounts
    assert f"{SITE}/tools/rates/?price=300000&amount=250000&page=2" in found.links
    assert edge.get("/home-mover/rates/result.pdf").status_code == 200


def test_comparison_has_the_deals_of_its_address(edge: TestClient) -> None:
    answer = edge.get(f"{COMPARISON}?compare=p000,p003,nothing")
    found = read_pdf(answer.content)
    assert answer.headers["content-disposition"] == 'inline; filename="deals-side-by-side.pdf"'
    assert {"4.00%", "4.03%"} <= found.amounts
    assert "4.01%" not in found.amounts
    assert (found.pages <= 2, found.standard) == (True, "1")


@pytest.mark.parametrize(
    ("pdf", "page"),
    {
        f"{LIST}?price=abc": "/tools/rates/?price=abc",
        f"{COMPARISON}?compare=p000": "/tools/rates/?compare=p000",
        f"{COMPARISON}?compare=p000,p001&term=0": "/tools/rates/?compare=p000,p001&term=0",
        "/remortgaging/rates/comparison.pdf": "/remortgaging/rates/",
    }.items(),
)
def test_address_without_a_result_leads_to_its_page(edge: TestClient, pdf: str, page: str) -> None:
    answer = edge.get(pdf)
    assert (answer.status_code, answer.headers["location"], answer.headers["cache-control"]) == (303, page, "no-store")


def test_empty_list_leads_to_its_page(edge: TestClient, source: ListSource) -> None:
    source.products = ()
    assert edge.get(LIST).headers["location"] == "/tools/rates/"


def test_source_that_is_away_is_said_in_a_sentence(edge: TestClient, source: ListSource) -> None:
    source.away = True
    answer = edge.get(f"{COMPARISON}?compare=p000,p001")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert answer.text == "The rates service did not answer. Please try again in a minute.\n"


def test_full_queue_is_said_in_a_sentence(edge: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: object, **__: object) -> bytes:
        raise PdfBusyError

    monkeypatch.setattr(PdfService, "draw", refuse)
    answer = edge.get(LIST)
    assert (answer.status_code, answer.text[:32]) == (503, "We cannot make this document jus")


def test_network_that_asks_for_too_many_waits_a_minute(edge: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def draw(*_: object, **__: object) -> bytes:
        return b"%PDF"

    monkeypatch.setattr(PdfService, "draw", draw)
    codes = [edge.get(LIST).status_code for _ in range(MAX_FILES[0] + 1)]
    assert codes == [200] * MAX_FILES[0] + [429]
