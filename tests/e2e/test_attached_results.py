"""A result sent to an adviser in a browser: from its page to the form, and as staff see it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.calculator_page import REPAYMENT, Panel
from tests.e2e.enquiry_page import EnquirySite, expect_thanks, fill, send
from tests.e2e.pages import PHONE
from tests.e2e.rates_page import RatesPage, answer, ids
from tests.e2e.staff import OpenStaffPage
from tests.pdf_text import read_pdf

OWN = routes.calculator("repayment")
WORDS = "Send this with it: Monthly repayment: You would pay each month £1,206.28"


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def open_result(open_form: Callable[..., Page], *, scripts: bool) -> Page:
    """Work out a payment and press what leads to the form with it."""
    page = open_form(PHONE, scripts=scripts, path=OWN)
    if scripts:
        Panel(page=page, calculator=REPAYMENT).awake().box("loan").fill("187400")
        page.get_by_role("link", name="Send this to an adviser").click()
    else:
        page.get_by_label("Loan", exact=True).fill("187,400")
        page.get_by_role("button", name="Send this to an adviser").click()
    expect(page.get_by_label(WORDS)).to_be_checked()
    return page


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_staff_see_the_result_that_a_visitor_sent(
    open_form: Callable[..., Page], open_staff_page: OpenStaffPage, axe: Callable[[Page], list[str]], scripts: bool
) -> None:
    page = open_result(open_form, scripts=scripts)
    assert fits(page)
    assert not scripts or axe(page) == []
    fill(page, name="")
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("Enter your name")
    expect(page.get_by_label(WORDS)).to_be_checked()
    fill(page, name="Ada Attached")
    send(page)
    reference = expect_thanks(page)
    expect(page.get_by_text("You would pay each month £1,206.28")).to_be_visible()
    staff = open_staff_page(routes.staff_enquiry(reference), size=PHONE)
    panel = staff.locator("section").filter(has_text="The result they attached")
    expect(panel.locator(".big")).to_have_text("£1,206.28 ")
    panel.locator("summary").click()
    expect(panel.get_by_role("heading", name="How we worked this out")).to_be_visible()
    assert fits(staff)
    assert axe(staff) == []
    with staff.expect_download() as saved:
        panel.get_by_role("link", name="The result as they sent it").click()
    assert "£1,206.28" in read_pdf(Path(saved.value.path()).read_bytes()).amounts


def test_result_that_is_unticked_is_not_sent(open_form: Callable[..., Page], running_site: EnquirySite) -> None:
    page = open_result(open_form, scripts=True)
    page.get_by_label(WORDS).uncheck()
    fill(page, name="Ada Unticked")
    send(page)
    expect_thanks(page)
    (kept,) = [each for each in running_site.kept() if each.enquiry.contact.name == "Ada Unticked"]
    assert kept.enquiry.attachment is None


def test_form_typed_before_comes_along_to_the_result(open_form: Callable[..., Page]) -> None:
    page = open_form(PHONE)
    fill(page, name="Ada Before", message="Two lines\nof mine")
    page.get_by_role("contentinfo").get_by_role("link", name="Calculators", exact=True).click()
    expect(page).to_have_url(routes.CALCULATORS)
    page.locator(f"main a[href='{OWN}']").first.click()
    page.get_by_role("link", name="Send this to an adviser").click()
    expect(page.get_by_label("Send this with it: Monthly repayment")).to_be_checked()
    expect(page.locator("#enquiry-name")).to_have_value("Ada Before")
    expect(page.locator("#enquiry-message")).to_have_value("Two lines\nof mine")
    expect(page.get_by_label("I have read the privacy notice.")).to_be_checked()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_list_and_comparison_lead_to_the_form(open_form: Callable[..., Page], scripts: bool) -> None:
    page = open_form(PHONE, scripts=scripts, path=f"{routes.RATES}?amount=150000")
    if scripts:
        RatesPage(page=page).expect_cards(ids(answer(amount="150000")))
    page.get_by_role("link", name="Send this to an adviser").click()
    expect(page.get_by_label("Send this with it:")).to_be_checked()
    expect(page).to_have_url(f"{routes.CONTACT}?result=/tools/rates/result.pdf&amount=150000#callback")
