"""The page of the averages as the edge sends it: figures of its address, wrong figures, and its PDF."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from broker import routes, services
from broker.content.source import content_store
from broker.documents.plans import letterhead
from broker.markup import parse_page
from broker.pages.rate_history import RateHistoryPages
from broker.pages.registry import head_view
from broker.plans.rate_history_view import HistoryView, history_view
from broker.server import downloads
from broker.server.data_pages import DataPages, data_page_handlers
from broker.server.releases import LiveExport
from broker.server.response import Handler
from broker.server.result_pdfs import pdf_handlers
from broker.settings import read_settings
from tests.integration.edge_answers import NONSENSE, edge_client, start_of
from tests.integration.outline import words_of
from tests.pdf_text import read_pdf, squeezed
from tests.services import project_averages
from tests.unit.pages.whole_site import inputs

MINE = {"loan": "187400", "term": "19", "rate": "1.60", "end": "2027-03-31"}
PDF = routes.RATE_HISTORY + routes.RESULT_PDF


def _handlers(live: LiveExport) -> Mapping[str, Handler]:
    settings = read_settings()
    firm = content_store(settings).site()
    history = RateHistoryPages(
        inputs(), project_averages(), head=lambda page: head_view(page, site_url=settings.site_url, firm=firm.name)
    )
    pages = DataPages(live, (history,), by_figures={routes.RATE_HISTORY: history.find_by_figures})
    pdf = pdf_handlers(lambda: letterhead(firm, site_url=settings.site_url), proxies=0)
    return {PDF: pdf[PDF], **data_page_handlers(pages)}


@pytest.fixture(scope="module")
def client(site: object) -> Iterator[TestClient]:
    del site
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(downloads, "MAX_FILES", (10_000, timedelta(minutes=1)))
        with edge_client(_handlers) as client:
            yield client
            services.current().pdf.close()


def _view(given: Mapping[str, str]) -> HistoryView:
    return history_view(project_averages()(given))


def _words(html: str) -> str:
    return words_of(parse_page(html).find(".//main"))


@pytest.mark.parametrize("given", [{}, MINE, {"ltv": "85"}, {"term": "2"}, {"five": "1"}])
def test_first_html_has_what_the_view_says(client: TestClient, given: dict[str, str]) -> None:
    answer, view = client.get(f"{routes.RATE_HISTORY}?{urlencode(given)}"), _view(given)
    words = _words(answer.text)
    shown = (view.heading, view.lead, *view.notes, view.answer.problem, view.answer.figure, *view.answer.sentences)
    assert [text for text in shown if text not in words] == []
    assert ("noindex" in answer.headers.get("x-robots-tag", "")) is bool(given)
    rows = parse_page(answer.text).findall(".//tbody/tr")
    assert [tuple(words_of(cell) for cell in row) for row in rows] == [
        (row.month, *row.cells) for row in view.chart.rows
    ]
    assert start_of(answer.text)["page"]["view"]["heading"] == view.heading


@pytest.mark.parametrize("text", NONSENSE)
def test_any_figure_has_an_answer_or_a_sentence(client: TestClient, text: str) -> None:
    for name in ("loan", "term", "rate", "end", "two", "five", "fees", "ltv"):
        answer = client.get(f"{routes.RATE_HISTORY}?{urlencode({name: text})}")
        view = _view({name: text})
        assert answer.status_code == 200
        assert view.heading in _words(answer.text)
        if view.form.is_wrong:
            (field,) = parse_page(answer.text).xpath(f".//input[@name='{name}']")
            assert field.get("value") == text
            assert field.get("aria-invalid")
            assert client.get(f"{PDF}?{urlencode({name: text})}", follow_redirects=False).status_code == 303


def test_scripts_of_another_page_read_the_view_of_the_figures(client: TestClient) -> None:
    answer = client.get(f"{routes.RATE_HISTORY}page.json?{urlencode({'shape': RateHistoryPages.shape, **MINE})}")
    assert answer.json()["view"]["answer"]["figure"] == "4.48%"
    assert client.get(f"{routes.RATE_HISTORY}page.json?shape=other").status_code == 409


def test_pdf_has_the_answer_of_the_page(client: TestClient) -> None:
    answer = client.get(f"{PDF}?{urlencode(MINE)}")
    assert answer.headers["content-type"] == "application/pdf"
    read, view = read_pdf(answer.content), _view(MINE)
    for words in (view.heading, view.answer.figure, *view.answer.sentences, *view.answer.steps, "4.92%"):
        assert squeezed(words) in read.text
    assert read.pages <= 2
