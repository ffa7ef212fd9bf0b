"""The questionnaire without scripts, before they have started, and where the connection to the server never opens."""

import re
import threading

import pytest
from playwright.sync_api import Route, expect

from broker import routes
from broker.enquiries.contact_details import NAME, TELEPHONE
from broker.enquiries.enquiry import PRIVACY
from broker.enquiries.form_view import field_id
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.axe import violations
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import WINDOWS, Problems, sized
from tests.e2e.questionnaire_page import LOST, TO_Q19, WAITING, Line, QuestionnairePage
from tests.unit.domain.questionnaire.flows import SHIPPED, reply
from tests.unit.domain.questionnaire.journeys import JOURNEYS

WHOLE = JOURNEYS["first-time buyer, still looking, a loan"]
ANOTHER_WAY = "Send it another way"


def test_journey_is_made_without_scripts(asked_site: AnsweringSite, open_page: OpenPage) -> None:
    page = open_page(PHONE, base=asked_site.url, scripts=False)
    page.set_extra_http_headers({"x-forwarded-for": "198.51.100.88"})
    asked = QuestionnairePage(page=page)
    page.goto(routes.QUESTIONNAIRE)
    expect(page.get_by_role("link", name="020 7946 0123").last).to_be_visible()
    expect(page.locator(".notices").get_by_role("link", name="ask us to call you")).to_have_attribute(
        "href", routes.CALLBACK
    )
    for (step, words), onwards in zip(WHOLE.replies, (*WHOLE.steps[1:], ""), strict=True):
        expect(page.locator("noscript strong", has_text="JavaScript isn't running in your browser")).to_be_visible()
        expect(asked.heading).to_have_text(SHIPPED.steps[step].question)
        asked.fill_in(step, words)
        asked.on.click()
        expect(page).to_have_url(routes.question(onwards) if onwards else routes.CHECK_ANSWERS)
    answers = {step: reply(SHIPPED.steps[step], words) for step, words in WHOLE.replies}
    assert asked_site.answers(asked.token()) == answers
    page.locator(f"#{field_id(NAME)}").fill("Grace Hopper")
    page.locator(f"#{field_id(TELEPHONE)}").fill("07700 900456")
    page.locator(f"[name={PRIVACY}]").check()
    page.get_by_role("button", name="Send my answers").click()
    expect(page).to_have_url(routes.THANK_YOU)
    reference = page.get_by_text(re.compile("Your reference is")).locator("b").inner_text()
    assert [each.enquiry.answers for each in asked_site.enquiries() if each.reference == reference] == [answers]


def test_answer_without_the_cookie_says_what_to_do(
    asked_site: AnsweringSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("status of 422")
    page = open_page(PHONE, base=asked_site.url, scripts=False)
    asked = QuestionnairePage(page=page)
    page.goto(routes.question("q18"))
    asked.fill_in("q18", "save-money")
    asked.on.click()
    expect(page.locator(".note.warn")).to_contain_text("allow cookies for this site, then start again")
    page.get_by_role("link", name="Start the questions").click()
    expect(page).to_have_url(routes.QUESTIONNAIRE)


@pytest.fixture
def plain_q19(asked_site: AnsweringSite, open_page: OpenPage, problems: Problems) -> QuestionnairePage:
    """Return the page of a home and its mortgage without scripts; its answer is refused first."""
    problems.expect("status of 422")
    asked = QuestionnairePage(page=open_page(PHONE, base=asked_site.url, scripts=False))
    asked.bring(asked_site.given(TO_Q19), asked_site.url)
    asked.page.goto(routes.question("q19"))
    return asked


def test_figure_that_cannot_be_is_refused_without_scripts(
    plain_q19: QuestionnairePage, asked_site: AnsweringSite
) -> None:
    asked, page = plain_q19, plain_q19.page
    asked.fill_in("q19", "400000 120000")
    asked.box("02").fill("twelve")
    asked.on.click()
    expect(asked.heading).to_have_text(SHIPPED.steps["q19"].question)
    expect(asked.box("01")).to_have_value("400000")
    expect(asked.box("02")).to_have_value("twelve")
    reason = "Enter an amount in whole pounds, from £21,000 to £1,000,000"
    expect(asked.box("02")).to_have_accessible_description(f"From £21,000 to £1,000,000 {reason}")
    assert "q19" not in asked_site.answers(asked.token())
    page.get_by_role("link", name=f"How much is left on the mortgage? {reason}", exact=True).click()
    expect(asked.box("02")).to_be_focused()
    asked.box("02").fill("120000")
    page.get_by_role("button", name="Continue").click()
    expect(page).to_have_url(routes.question("q108"))
    assert asked_site.answers(asked.token())["q19"] == {"01": 400_000, "02": 120_000}


def test_number_that_nobody_set_is_asked_for_without_scripts(
    plain_q19: QuestionnairePage, asked_site: AnsweringSite
) -> None:
    asked, page = plain_q19, plain_q19.page
    expect(asked.box("01")).to_have_value("")
    asked.on.click()
    expect(page).to_have_title(f"Error: {SHIPPED.steps['q19'].question} | Hearthgate Mortgages")
    expect(page.locator(".err")).to_have_count(2)
    assert "q19" not in asked_site.answers(asked.token())


POST_NONSENSE = """form => {
    for (const box of form.querySelectorAll("[inputmode]")) box.value = "twelve";
    form.submit();
}"""
REFUSED_FORMS = {
    "figures": ("q1 remortgage, q2 residential, q18 save-money", "q19", "[name='01']"),
    "a choice": ("", "q1", "[name=answer]"),
}


@pytest.mark.parametrize(("replies", "step", "field"), REFUSED_FORMS.values(), ids=REFUSED_FORMS)
def test_question_that_is_asked_again_is_accessible(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems, *, replies: str, step: str, field: str
) -> None:
    problems.expect("status of 422")
    page = asked.page
    asked.bring(asked_site.given(replies) if replies else "", asked_site.url)
    page.goto(routes.question(step))
    page.locator("form#asked").evaluate(POST_NONSENSE)
    expect(page.locator("#problems")).to_be_focused()
    expect(page.locator(field).first).to_be_visible()
    for name, size in WINDOWS.items():
        assert (name, violations(sized(page, size))) == (name, [])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_answer_given_before_the_scripts_have_started_is_kept(
    asked_site: AnsweringSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("ERR_FAILED|dynamically imported module")
    page = open_page(PHONE, base=asked_site.url)
    asked, started = QuestionnairePage(page=page), threading.Event()
    held: list[Route] = []

    def hold(route: Route) -> None:
        if started.is_set():
            route.continue_()
        else:
            held.append(route)

    page.route("**/assets/*.js", hold)
    page.goto(routes.QUESTIONNAIRE, wait_until="commit")
    asked.fill_in("q1", "purchase")
    asked.on.click()
    expect(page).to_have_url(routes.question("q32"))
    started.set()
    for route in held:
        route.abort()
    page.reload()
    asked.expect_told()
    expect(page.locator(".answers-slot dd").filter(has_text="Purchase")).to_be_visible()
    assert asked_site.answers(asked.token()) == {"q1": "purchase"}


def test_connection_that_never_opens_is_told_and_answers_go_another_way(
    asked_site: AnsweringSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("WebSocket connection")
    page = open_page(PHONE, base=asked_site.url)
    Line(page, is_cut=True)
    asked = QuestionnairePage(page=page)
    page.goto(routes.QUESTIONNAIRE)
    expect(asked.notices).to_contain_text(LOST)
    expect(asked.notices.get_by_role("link", name="ask us to call you")).to_be_visible()
    expect(asked.notices.get_by_role("link", name="020 7946 0123")).to_be_visible()
    for step, words, onwards in (("q1", "remortgage", "q2"), ("q2", "residential", "q18")):
        expect(asked.notices).to_contain_text(LOST)
        asked.fill_in(step, words)
        asked.on.click()
        expect(page.get_by_text(WAITING)).to_be_visible()
        page.get_by_role("button", name=ANOTHER_WAY).click()
        expect(page).to_have_url(routes.question(onwards))
    assert asked_site.answers(asked.token()) == {"q1": "remortgage", "q2": "residential"}


def test_other_way_leaves_the_page_only_for_a_server_that_answers(
    asked_site: AnsweringSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("WebSocket connection|ERR_FAILED")
    page = open_page(PHONE, base=asked_site.url)
    line = Line(page)
    asked = QuestionnairePage(page=page)
    asked.open()
    page.route("**/ping", lambda route: route.abort())
    line.cut()
    asked.fill_in("q1", "purchase")
    asked.on.click()
    with page.expect_request("**/ping"):
        page.get_by_role("button", name=ANOTHER_WAY).click()
    expect(asked.option("purchase")).to_be_checked()
    expect(page).to_have_url(routes.QUESTIONNAIRE)
    line.mend()
    asked.expect_step("q32")
