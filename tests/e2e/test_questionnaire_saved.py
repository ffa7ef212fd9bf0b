"""A saved link opens the answers in another browser and nothing else; one that is none is refused with a sentence."""

import pytest
from playwright.sync_api import Route, expect

from broker import routes
from broker.questionnaire.forms import JOURNEY_COOKIE
from broker.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.questionnaire.journeys import CONFIRM_REPLACE
from broker.questionnaire.step_view import DELETED
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import Problems
from tests.e2e.questionnaire_page import FIRST_TWO, TO_Q19, QuestionnairePage


@pytest.fixture
def other(asked_site: AnsweringSite, open_page: OpenPage) -> QuestionnairePage:
    return QuestionnairePage(page=open_page(PHONE, base=asked_site.url))


def saved_link(asked: QuestionnairePage) -> str:
    asked.page.get_by_role("button", name="Save and come back").click()
    return asked.page.get_by_label("Your link (works for 30 days)").input_value()


def test_link_opens_the_answers_in_another_browser_until_they_are_deleted(
    asked: QuestionnairePage, other: QuestionnairePage, asked_site: AnsweringSite
) -> None:
    asked.at_q19(asked_site)
    link = saved_link(asked)
    assert (link.startswith(f"{asked_site.url}{routes.SAVED_ANSWERS}#"), asked.token() in link) == (True, False)
    other.page.goto(link)
    other.expect_step("q19")
    other.expect_told()
    expect(other.page.locator(".answers-slot dd").filter(has_text="Residential")).to_be_visible()
    assert (other.token(), {each.get("name") for each in other.page.context.cookies()}) == (
        asked.token(),
        {JOURNEY_COOKIE},
    )
    other.fill_in("q19", "400000 120000")
    other.on.click()
    other.expect_step("q108")
    asked.page.reload()
    expect(asked.box("01")).to_have_value("400,000")
    token = asked.token()
    asked.page.get_by_text("Delete my answers").click()
    asked.page.get_by_role("button", name="Delete them").click()
    expect(asked.page.get_by_text(DELETED)).to_be_visible()
    assert (asked_site.journey(token), asked.token()) == (None, "")
    other.page.goto(link)
    expect(other.page.get_by_role("alert")).to_contain_text(ANSWERS_NOT_FOUND)


def test_browser_that_blocks_cookies_has_a_notice_at_once_and_loses_nothing(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems
) -> None:
    problems.expect("status of 404")
    page, notice = asked.page, asked.notices.get_by_text("Your browser blocks our cookie")

    def block(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=204)
        else:
            route.continue_()

    page.route(f"**{routes.JOURNEY_COOKIE}", block)
    asked.open()
    expect(notice).to_be_visible()
    first, second = FIRST_TWO
    asked.answer(*first)
    expect(notice).to_be_visible()
    assert asked.token() == ""
    page.unroute(f"**{routes.JOURNEY_COOKIE}", block)
    page.get_by_role("button", name="Try again").click()
    expect(notice).to_have_count(0)
    asked.answer(*second)
    page.reload()
    asked.expect_told()
    assert asked_site.answers(asked.token()) == dict(TO_Q19.replies[:2])


def test_browser_with_answers_of_its_own_is_asked_which(other: QuestionnairePage, asked_site: AnsweringSite) -> None:
    saved, own = asked_site.given(TO_Q19), asked_site.given("q1 purchase")
    other.bring(own, asked_site.url)
    other.page.goto(asked_site.link(saved, days=1))
    expect(other.page.get_by_text(CONFIRM_REPLACE)).to_be_visible()
    assert other.token() == own
    other.page.locator("main").get_by_text("Open the saved answers").click()
    other.expect_step("q19")
    assert other.token() == saved
    assert (asked_site.answers(own), len(asked_site.answers(saved))) == ({"q1": "purchase"}, len(TO_Q19.replies))
