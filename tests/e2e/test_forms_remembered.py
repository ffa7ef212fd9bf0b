"""What is typed into a form is still there after other pages of the site, and gone with what it belongs to."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.enquiry_page import EnquirySite, expect_thanks, fill, linger, send
from tests.e2e.pages import PHONE

TYPED = {"name": "Ada Remembered", "email": "ada@example.com", "message": "Two lines\nand £300,000"}


def expect_typed(page: Page) -> None:
    for name, value in TYPED.items():
        expect(page.locator(f"#enquiry-{name}")).to_have_value(value)
    expect(page.get_by_label("To send a message")).to_be_checked()
    expect(page.get_by_label("A call", exact=True)).not_to_be_checked()
    expect(page.get_by_label("I have read the privacy notice.")).to_be_checked()


def test_form_holds_what_was_typed_after_other_pages(open_form: Callable[..., Page], running_site: EnquirySite) -> None:
    page = open_form(PHONE)
    page.get_by_text("To send a message", exact=True).click()
    fill(page, **TYPED)
    page.get_by_role("link", name="see and delete what you sent").click()
    expect(page).to_have_url(routes.YOUR_ENQUIRY)
    page.go_back()
    expect_typed(page)
    page.get_by_role("contentinfo").get_by_role("link", name="Calculators", exact=True).click()
    expect(page).to_have_url(routes.CALCULATORS)
    page.get_by_role("contentinfo").get_by_role("link", name="Contact", exact=False).first.click()
    expect_typed(page)
    linger(page)
    send(page)
    expect_thanks(page)
    assert [each.enquiry.message for each in running_site.kept() if each.enquiry.contact.name == TYPED["name"]]
    page.goto(routes.CONTACT)
    expect(page.locator("#enquiry-name")).to_have_value("")
    expect(page.get_by_label("A call", exact=True)).to_be_checked()
