"""PDFs as a visitor gets them: the figures on the page, by a link with scripts and by a button without."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page

from broker import routes
from tests.e2e.calculator_page import REPAYMENT, Panel
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.e2e.rates_page import RatesPage, answer, ids
from tests.pdf_text import ReadPdf, read_pdf

OWN = routes.calculator("repayment")


def pressed(page: Page, opener: Locator) -> tuple[str, ReadPdf]:
    """Press what leads to a PDF, and return its address and what is in it."""
    with page.expect_download() as saved:
        opener.click()
    return saved.value.url, read_pdf(Path(saved.value.path()).read_bytes())


def test_link_takes_what_was_typed_a_moment_ago(page: Page) -> None:
    visit(page, OWN)
    panel = Panel(page=page, calculator=REPAYMENT).awake()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    panel.box("loan").fill("187400")
    panel.box("rate").fill("4.5")
    shown = page.locator(".plate .big").inner_text()
    address, found = pressed(page, page.get_by_role("link", name="Download as PDF"))
    assert urlsplit(address).path == OWN + routes.RESULT_PDF
    assert parse_qs(urlsplit(address).query) == {"loan": ["187400"], "rate": ["4.5"]}
    assert {"£187,400", "4.50%", shown} <= found.amounts
    assert sent == [address]


def test_button_sends_what_was_typed_without_scripts(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto(f"{OWN}?term=30")
    page.get_by_label("Loan", exact=True).fill("187,400")
    address, found = pressed(page, page.get_by_role("button", name="Download as PDF"))
    assert parse_qs(urlsplit(address).query)["term"] == ["30"]
    assert {"£187,400", "5.99%"} <= found.amounts


def test_list_on_the_page_is_the_list_of_its_pdf(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open(amount="150000")
    rates.choose("Sort by", "Fees")
    rates.expect_cards(ids(answer(amount="150000", sort="fees")))
    payments = page.locator(".deal > dl > :first-child:has(~ div) b").all_inner_texts()
    assert len(payments) == 5
    address, found = pressed(page, page.get_by_role("link", name=re.compile(r"Download as PDF\W+this list")))
    assert parse_qs(urlsplit(address).query) == {"amount": ["150000"], "sort": ["fees"]}
    assert set(payments) <= found.amounts
