"""The landlord's test in a browser: one question for the server once the figures rest, and deals that follow them."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, visit
from tests.e2e.panel_scripts import TYPE_AT_ONCE
from tests.e2e.traffic import await_sent

PATH = "/tools/calculators/landlord-test/"
DEALS = "#landlord-test-deals"


def test_server_is_asked_once_the_figures_rest_and_for_deals_alone(page: Page) -> None:
    sent: list[str] = []

    def keep(frame: str | bytes) -> None:
        if "let_deals" in str(frame) and "hydrate" not in str(frame):
            sent.append(str(frame))

    page.on("websocket", lambda socket: socket.on("framesent", keep))
    visit(page, PATH)
    expect(page.locator(f"{DEALS} tbody tr")).to_have_count(3)
    assert len(sent) == 1
    page.locator("#landlord-test-rent").evaluate(TYPE_AT_ONCE, [str(rent) for rent in range(1_200, 1_210)])
    expect(page.locator("#landlord-test .cap-2")).to_contain_text("143%")
    await_sent(page, sent, 2)
    page.wait_for_timeout(900)
    assert len(sent) == 2
    page.locator("#landlord-test-rate").fill("5")
    page.wait_for_timeout(900)
    assert len(sent) == 2
    page.locator("#landlord-test-rent").fill("100")
    expect(page.locator(DEALS)).to_contain_text("the rent passes none of the")
    page.locator("#landlord-test-loan").fill("900000")
    expect(page.locator(DEALS)).to_contain_text("The loan is above the value")


def test_deals_of_an_address_are_in_the_html_and_stay(open_page: OpenPage) -> None:
    plain = open_page(scripts=False)
    plain.goto(f"{PATH}?rent=1100&landlord=higher")
    first = plain.locator(f"{DEALS} tbody tr").first.inner_text()
    page = open_page()
    visit(page, f"{PATH}?rent=1100&landlord=higher")
    expect(page.locator(f"{DEALS} tbody tr").first).to_have_text(first, use_inner_text=True)


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
def test_page_is_accessible_and_fits(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(size)
    visit(page, f"{PATH}?rent=1100&landlord=higher")
    expect(page.locator(f"{DEALS} tbody tr").first).to_be_visible()
    page.locator("#landlord-test summary").first.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
