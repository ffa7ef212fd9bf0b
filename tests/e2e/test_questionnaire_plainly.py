"""The questionnaire without scripts, before they have started, and where the connection to the server never opens."""

from playwright.sync_api import expect

from broker import routes
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.axe import violations
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import WINDOWS, Problems, hold_scripts, sized
from tests.e2e.questionnaire_page import FIRST_TWO, LOST, TO_Q19, WAITING, Line, QuestionnairePage
from tests.unit.questionnaire.flows import SHIPPED

ANOTHER_WAY = "Send it another way"


def test_figure_that_cannot_be_is_refused_without_scripts(
    asked_site: AnsweringSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("status of 422")
    page = open_page(PHONE, base=asked_site.url, scripts=False)
    asked = QuestionnairePage(page=page)
    asked.bring(asked_site.given(TO_Q19), asked_site.url)
    page.goto(routes.question("q19"))
    expect(page.locator("noscript strong", has_text="JavaScript isn’t running in your browser")).to_be_visible()
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


POST_NONSENSE = """form => {
    for (const box of form.querySelectorAll("[inputmode]")) box.value = "twelve";
    form.submit();
}"""


def test_question_that_is_asked_again_is_accessible(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems
) -> None:
    problems.expect("status of 422")
    page = asked.page
    asked.bring(asked_site.given(TO_Q19), asked_site.url)
    page.goto(routes.question("q19"))
    page.locator("form#asked").evaluate(POST_NONSENSE)
    expect(page.locator("#problems")).to_be_focused()
    expect(page.locator("[name='01']").first).to_be_visible()
    for name, size in WINDOWS.items():
        assert (name, violations(sized(page, size))) == (name, [])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_answer_given_before_the_scripts_have_started_is_kept(asked_site: AnsweringSite, open_page: OpenPage) -> None:
    page = open_page(PHONE, base=asked_site.url)
    asked = QuestionnairePage(page=page)
    hold_scripts(page)
    page.goto(routes.QUESTIONNAIRE, wait_until="commit")
    asked.fill_in("q1", "purchase")
    asked.on.click()
    expect(page).to_have_url(routes.question("q32"))
    page.unroute_all()
    page.reload()
    asked.expect_told()
    expect(page.locator(".answers-slot dd").filter(has_text="Purchase")).to_be_visible()
    assert asked_site.answers(asked.token()) == {"q1": "purchase"}


def test_blocked_connection_has_a_notice_and_answers_go_another_way(
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
    for step, words, onwards in FIRST_TWO:
        expect(asked.notices).to_contain_text(LOST)
        asked.fill_in(step, words)
        asked.on.click()
        expect(page.get_by_text(WAITING)).to_be_visible()
        page.get_by_role("button", name=ANOTHER_WAY).click()
        expect(page).to_have_url(routes.question(onwards))
    assert asked_site.answers(asked.token()) == dict(TO_Q19.replies[:2])
