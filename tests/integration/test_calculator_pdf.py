"""The PDF of a calculator: the figures of its page at the same address, on one or two pages."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from broker import routes, services
from broker.calculators.calculator import INDICATIVE, Calculator
from broker.components.calculator import PDF_WORDS
from broker.content.source import content_store
from broker.documents.plans import letterhead
from broker.server import downloads
from broker.server.forms.page_answers import calculator_handlers
from broker.server.result_pdfs import pdf_handlers
from broker.settings import read_settings
from tests.integration.edge_answers import edge_client
from tests.integration.outline import words_of
from tests.integration.test_calculator_answers import BY_SLUG, CHOICES_AND_TICKS, case, each_calculator, panel_of
from tests.pdf_text import amounts_in, read_pdf, squeezed
from tests.unit.rates.sources import ListSource

SEED, CASES = 20_261_125, 4

WRITTEN = (".//details/ol/li", ".//ul[@class='bars']/li", ".//figcaption//span", ".//figcaption//li")
"""Where a panel has its working, its bars and the captions of its chart."""


@pytest.fixture(scope="module")
def client(site: object) -> Iterator[TestClient]:
    del site
    settings = read_settings()
    firm = content_store(settings).site()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(downloads, "MAX_FILES", (10_000, timedelta(minutes=1)))
        pdf = pdf_handlers(lambda: letterhead(firm, site_url=settings.site_url), proxies=0)
    with edge_client(lambda live: {**calculator_handlers(live), **pdf}, ListSource()) as client:
        yield client
        services.current().pdf.close()


def pdf_of(calculator: Calculator, parameters: dict[str, str]) -> str:
    return f"{routes.calculator(calculator.slug)}{routes.RESULT_PDF}?{urlencode(parameters)}"


@each_calculator
def test_pdf_has_the_figures_of_the_page_and_no_others(client: TestClient, calculator: Calculator) -> None:
    random, drawn = Random(SEED), 0
    for _ in range(CASES):
        parameters, _ = case(calculator, random)
        page = client.get(f"{routes.calculator(calculator.slug)}?{urlencode(parameters)}")
        answer = client.get(pdf_of(calculator, parameters))
        panel = panel_of(page.text, calculator)
        if panel.find_class("plate")[0].findall("ul"):
            assert (answer.status_code, answer.headers["location"]) == (303, str(page.url.raw_path, "ascii"))
            continue
        drawn += 1
        found = read_pdf(answer.content)
        unused = {one.name for one in calculator.fields if one.unless in parameters}
        boxes = [box for box in panel.iterfind(".//div[@class='pair']//input") if box.get("name") not in unused]
        inputs = [box.get("value", "") for box in boxes]
        texts = [
            *(words_of(one) for name in ("big", "cap-2") for one in panel.find_class(name)),
            *(words_of(one) for path in WRITTEN for one in panel.iterfind(path)),
            *(words_of(one) for one in panel.iter("td", "th")),
        ]
        assert [text for text in (*texts, *inputs) if squeezed(text) not in found.text] == []
        own = amounts_in(" ".join(panel.itertext())) | {f"£{text}" for text in inputs} | {f"{text}%" for text in inputs}
        assert found.amounts - own == frozenset()
        assert (found.pages <= 2, found.standard) == (True, "1")
    assert drawn


@pytest.mark.parametrize("slug", CHOICES_AND_TICKS)
def test_pdf_leads_to_the_page_with_the_same_figures(client: TestClient, slug: str) -> None:
    calculator = BY_SLUG[slug]
    parameters, _ = case(calculator, Random(SEED))
    parameters |= {field.name: f"{field.high:.0f}" for field in calculator.fields}
    found = read_pdf(client.get(pdf_of(calculator, parameters | {"utm": "x"})).content)
    address = next(link for link in found.links if "/tools/" in link)
    path, _, query = address.removeprefix(read_settings().site_url).partition("?")
    again = read_pdf(client.get(f"{path}{routes.RESULT_PDF}?{query}").content)
    assert (again.words, "utm" in query) == (found.words, False)
    assert squeezed(INDICATIVE) in found.text
    assert "homemayberepossessed" in found.text


def test_pdf_is_shown_by_the_browser_and_not_cached(client: TestClient) -> None:
    path = routes.calculator("repayment") + routes.RESULT_PDF
    answer, head = client.get(path), client.head(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.headers["content-disposition"] == 'inline; filename="repayment.pdf"'
    assert (answer.headers["cache-control"], answer.headers["x-robots-tag"]) == ("no-store", "noindex")
    assert (head.status_code, head.content) == (200, b"")
    assert client.get("/tools/calculators/nowhere/result.pdf").status_code == 404


def test_page_links_its_pdf_with_and_without_scripts(client: TestClient) -> None:
    path = routes.calculator("repayment")
    for address in (path, f"{path}?loan=100000"):
        html = client.get(address).text
        assert html.count(PDF_WORDS) == 2
        assert f'href="{path}{routes.RESULT_PDF}"' in html
        assert f'formaction="{path}{routes.RESULT_PDF}"' in html.lower()
