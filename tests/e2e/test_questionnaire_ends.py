"""How a journey ends: sent once however often."""

from playwright.sync_api import Page, expect

from broker import routes
from broker.enquiries.contact_details import NAME, TELEPHONE
from broker.enquiries.enquiry import PRIVACY
from broker.enquiries.form_view import field_id
from broker.questionnaire.step_view import NOT_BEGUN
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.enquiry_page import linger
from tests.e2e.pages import Problems
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.unit.questionnaire.journeys import JOURNEYS

WHOLE = JOURNEYS["buy-to-let purchase, still looking"]


def fill_in_contact(page: Page) -> None:
    with page.expect_response(f"**{routes.FORM_TOKEN}"):
        page.locator(f"#{field_id(NAME)}").fill("Ada Lovelace")
    page.locator(f"#{field_id(TELEPHONE)}").fill("07700 900123")
    page.locator(f"[name={PRIVACY}]").check()
    linger(page)


def test_answers_are_sent_once_however_often(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems
) -> None:
    asked.page.set_extra_http_headers({"x-forwarded-for": "198.51.100.77"})
    asked.bring(asked_site.given(WHOLE), asked_site.url)
    before = len(asked_site.enquiries())
    second = asked.other_tab(problems)
    second.page.set_extra_http_headers({"x-forwarded-for": "198.51.100.77"})
    for tab in (asked, second):
        tab.page.goto(routes.CHECK_ANSWERS)
        expect(tab.page.locator(".answers.whole dd").first).to_be_visible()
        fill_in_contact(tab.page)
    asked.page.get_by_role("button", name="Send my answers").dblclick()
    expect(asked.page).to_have_url(routes.THANK_YOU)
    expect(asked.page.get_by_text("Your reference is")).to_be_visible()
    assert len(asked_site.enquiries()) == before + 1
    asked.page.go_back()
    expect(asked.notices).to_contain_text(NOT_BEGUN)
    expect(asked.page).to_have_url(routes.QUESTIONNAIRE)
    problems.expect("status of 422")
    second.page.get_by_role("button", name="Send my answers").click()
    expect(second.heading).to_have_text("Your answers were not sent")
    assert len(asked_site.enquiries()) == before + 1
