"""What is typed into a form is still there after other pages of the site, and gone with what it belongs to."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from broker import routes
from broker.enquiries.contact_details import NAME, TELEPHONE
from broker.enquiries.enquiry import PRIVACY
from broker.enquiries.form_view import field_id
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.enquiry_page import EnquirySite, expect_thanks, fill, linger, send
from tests.e2e.pages import PHONE
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.unit.domain.questionnaire.journeys import JOURNEYS

WHOLE = JOURNEYS["buy-to-let purchase, still looking"]
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


def test_details_outlive_a_changed_answer_and_go_with_deleted_ones(
    asked: QuestionnairePage, asked_site: AnsweringSite
) -> None:
    page = asked.page
    asked.bring(asked_site.given(WHOLE), asked_site.url)
    page.goto(routes.CHECK_ANSWERS)
    page.locator(f"#{field_id(NAME)}").fill("Ada Remembered")
    page.locator(f"#{field_id(TELEPHONE)}").fill("07700 900123")
    page.locator(f"[name={PRIVACY}]").check()
    page.locator(".answers.whole").get_by_role("link", name="Change").last.click()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    asked.on.click()
    expect(page).to_have_url(routes.CHECK_ANSWERS)
    expect(page.locator(f"#{field_id(NAME)}")).to_have_value("Ada Remembered")
    expect(page.locator(f"#{field_id(TELEPHONE)}")).to_have_value("07700 900123")
    expect(page.locator(f"[name={PRIVACY}]")).to_be_checked()
    page.get_by_text("Delete my answers").click()
    page.get_by_role("button", name="Delete them").click()
    expect(page).to_have_url(routes.SAVED_ANSWERS)
    assert page.evaluate("() => Object.keys(globalThis.formDrafts)") == []
