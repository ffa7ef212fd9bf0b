"""A journey of the questionnaire at the width of a telephone, with the keyboard alone, from entry to thanks.

`tests/integration/test_enquiry_forms.py` sends every journey of the specification over HTTP.
"""

import re

from playwright.sync_api import Page, expect

from broker import routes
from broker.enquiries.contact_details import NAME, TELEPHONE
from broker.enquiries.enquiry import PRIVACY
from broker.enquiries.form_view import field_id
from broker.questionnaire.journey import replay
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.enquiry_page import linger
from tests.e2e.questionnaire_page import Keyboard, QuestionnairePage
from tests.unit.questionnaire.flows import SHIPPED, reply
from tests.unit.questionnaire.journeys import JOURNEYS

EVERY_KIND = "residential remortgage, dependants and a loan"
"""A journey with every kind of question."""


def send(page: Page, keyboard: Keyboard) -> None:
    with page.expect_response(f"**{routes.FORM_TOKEN}"):
        keyboard.type(page.locator(f"#{field_id(NAME)}"), "Ada Lovelace")
    keyboard.type(page.locator(f"#{field_id(TELEPHONE)}"), "07700 900123")
    keyboard.go_to(page.locator(f"[name={PRIVACY}]"))
    page.keyboard.press("Space")
    linger(page)
    keyboard.press(page.get_by_role("button", name="Send my answers"))


def test_journey_is_made_with_the_keyboard_alone(asked_site: AnsweringSite, open_page: OpenPage) -> None:
    journey, page = JOURNEYS[EVERY_KIND], open_page(PHONE, base=asked_site.url)
    asked = QuestionnairePage(page=page)
    keyboard = Keyboard(asked=asked)
    asked.open(journey.entry)
    for (step, words), onwards in zip(journey.replies, (*journey.steps[1:], ""), strict=True):
        keyboard.answer(step, words)
        asked.expect_step(onwards)
        expect(asked.heading).to_be_in_viewport()
    asked.expect_listed(journey)
    token = asked.token()
    assert replay(SHIPPED, journey.entry, asked_site.answers(token)).path == journey.steps
    send(page, keyboard)
    expect(page).to_have_url(routes.THANK_YOU)
    reference = page.get_by_text(re.compile("Your reference is")).locator("b").inner_text()
    stored = [each for each in asked_site.enquiries() if each.reference == reference]
    assert [dict(each.enquiry.answers) for each in stored] == [
        {step: reply(SHIPPED.steps[step], words) for step, words in journey.replies}
    ]
    assert (asked_site.journey(token), asked.token()) == (None, "")
