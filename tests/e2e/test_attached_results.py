"""A result sent to an adviser in a browser: from its page to the form, and as staff see it."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.calculator_page import REPAYMENT, Panel
from tests.e2e.enquiry_page import expect_thanks, fill, send
from tests.e2e.pages import PHONE
from tests.e2e.staff import OpenStaffPage
from tests.pdf_text import read_pdf

WORDS = "Send this with it: Monthly repayment: You would pay each month £1,206.28"


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_staff_see_the_result_that_a_visitor_sent(
    open_form: Callable[..., Page], open_staff_page: OpenStaffPage, axe: Callable[[Page], list[str]]
) -> None:
    page = open_form(PHONE)
    fill(page, name="", message="Two lines\nof mine")
    page.get_by_role("contentinfo").get_by_role("link", name="Calculators", exact=True).click()
    expect(page).to_have_url(routes.CALCULATORS)
    page.locator(f"main a[href='{routes.calculator('repayment')}']").first.click()
    Panel(page=page, calculator=REPAYMENT).awake().box("loan").fill("187400")
    page.get_by_role("link", name="Send this to an adviser").click()
    expect(page.get_by_label(WORDS)).to_be_checked()
    expect(page.locator("#enquiry-message")).to_have_value("Two lines\nof mine")
    assert fits(page)
    assert axe(page) == []
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("Enter your name")
    expect(page.get_by_label(WORDS)).to_be_checked()
    fill(page, name="Ada Attached")
    send(page)
    reference = expect_thanks(page)
    expect(page.get_by_text("You would pay each month £1,206.28")).to_be_visible()
    staff = open_staff_page(routes.staff_enquiry(reference), size=PHONE)
    panel = staff.get_by_role("region", name="Contact and figures").first
    expect(panel.get_by_role("heading", name="Result attached")).to_be_visible()
    expect(panel.get_by_text("You would pay each month £1,206.28")).to_be_visible()
    panel.get_by_text("Everything they saw").click()
    expect(panel.get_by_role("heading", name="How we worked this out")).to_be_visible()
    assert fits(staff)
    assert axe(staff) == []
    with staff.expect_download() as saved:
        panel.get_by_role("link", name="as they sent it (PDF)").click()
    assert "£1,206.28" in read_pdf(Path(saved.value.path()).read_bytes()).amounts
