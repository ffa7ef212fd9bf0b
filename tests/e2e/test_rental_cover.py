"""The landlord's test in a browser: deals of an address that stay, and that follow the figures."""

from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, sized, visit

PATH = "/tools/calculators/landlord-test/?rent=1100&landlord=higher"
DEALS = "#landlord-test-deals"


def test_deals_of_an_address_stay_until_other_figures_are_typed(open_page: OpenPage) -> None:
    plain = open_page(PHONE, scripts=False)
    plain.goto(PATH)
    first = plain.locator(f"{DEALS} tbody tr").first.inner_text()
    page = open_page(PHONE)
    visit(page, PATH)
    expect(page.locator(f"{DEALS} tbody tr").first).to_have_text(first, use_inner_text=True)
    page.locator("#landlord-test summary").first.click()
    for size in (PHONE, DESKTOP, NARROW):
        assert violations(sized(page, size)) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.locator("#landlord-test-rent").fill("100")
    expect(page.locator(DEALS)).to_contain_text("the rent passes none of the")
    page.locator("#landlord-test-loan").fill("900000")
    expect(page.locator(DEALS)).to_contain_text("The loan is above the value")
