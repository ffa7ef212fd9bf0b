"""Nothing is lost and nothing doubled: reload, Back, Forward, a closed tab, two tabs, a double click."""

from playwright.sync_api import expect

from broker import routes
from broker.questionnaire.journey import OFF_PATH
from broker.questionnaire.step_view import NEWER, WELCOME_BACK
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.pages import Problems
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.unit.domain.questionnaire.flows import SHIPPED
from tests.unit.domain.questionnaire.journeys import JOURNEYS

TO_Q19 = "q1 remortgage, q2 residential, q18 save-money"
FIGURES = {"01": 400_000, "02": 120_000}
WHOLE = JOURNEYS["buy-to-let purchase, still looking"]


def test_reload_shows_every_question_as_it_was_answered(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    asked.at_q19(asked_site)
    asked.answer("q19", "400000 120000", "q108")
    asked.page.reload()
    expect(asked.page.get_by_text("For £120,000 on a property worth £400,000 (30% LTV)")).to_be_visible()
    asked.open("q19")
    expect(asked.box("01")).to_have_value("400,000")
    expect(asked.box("02")).to_have_value("120,000")
    asked.open("q18")
    expect(asked.option("save-money")).to_be_checked()


def test_back_and_forward_lead_through_the_answers(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    asked.open()
    for step, words, onwards in (("q1", "remortgage", "q2"), ("q2", "residential", "q18")):
        asked.answer(step, words, onwards)
    asked.page.go_back()
    asked.expect_step("q2")
    expect(asked.option("residential")).to_be_checked()
    asked.page.go_back()
    asked.expect_step("q1")
    asked.page.go_forward()
    asked.page.go_forward()
    asked.expect_step("q18")
    asked.page.get_by_role("link", name="Back", exact=True).click()
    asked.expect_step("q2")
    assert asked_site.answers(asked.token()) == {"q1": "remortgage", "q2": "residential"}


def test_answer_changed_on_the_way_back_takes_the_other_way(
    asked: QuestionnairePage, asked_site: AnsweringSite
) -> None:
    asked.at_q19(asked_site)
    asked.page.get_by_role("link", name="Change Use of the property").click()
    asked.expect_told()
    expect(asked.option("residential")).to_be_checked()
    asked.fill_in("q2", "buy-to-let")
    asked.on.click()
    asked.expect_step("q3")
    asked.page.goto(routes.question("q19"))
    expect(asked.notices).to_contain_text(OFF_PATH)
    expect(asked.page).to_have_url(routes.question("q3"))


NOTE_PROGRESS = """() => {
    const note = () => {
        const [heading, words] = ["h1", ".way-words"].map((one) => document.querySelector(one)?.textContent);
        if (words) window.progress[heading] = [...new Set([...(window.progress[heading] ?? []), words])];
    };
    window.progress = {};
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Notes the words of the progress that each question shows."""


def test_question_never_shows_the_progress_of_another(asked: QuestionnairePage) -> None:
    asked.open()
    asked.page.evaluate(NOTE_PROGRESS)
    for step, words, onwards in (("q1", "remortgage", "q2"), ("q2", "residential", "q18")):
        asked.answer(step, words, onwards)
        asked.expect_told()
    expect(asked.page.locator(".way-words")).to_contain_text("Question 3. ")
    seen = asked.page.evaluate("window.progress")
    questions = [SHIPPED.steps[step].question for step in ("q1", "q2", "q18")]
    assert {each: [words[:11] for words in seen.get(each, [])] for each in questions[1:]} == {
        questions[1]: ["Question 2."],
        questions[2]: ["Question 3."],
    }


def test_closed_tab_is_gone_on_with_in_another(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems
) -> None:
    asked.at_q19(asked_site)
    later = asked.other_tab(problems)
    asked.page.close()
    later.open()
    expect(later.opening).to_contain_text(WELCOME_BACK)
    later.opening.get_by_role("link", name="Carry on where you left off").click()
    later.expect_step("q19")
    expect(later.page.locator(".answers dd").filter(has_text="Residential")).to_be_visible()


def test_two_tabs_answer_one_journey_and_neither_loses_anything(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems
) -> None:
    asked.open()
    other = asked.other_tab(problems)
    asked.answer("q1", "remortgage", "q2")
    other.open("q2")
    asked.answer("q2", "residential", "q18")
    other.fill_in("q2", "buy-to-let")
    other.on.click()
    expect(other.form.get_by_role("alert")).to_contain_text(NEWER)
    other.on.click()
    other.expect_step("q3")
    asked.fill_in("q18", "save-money")
    asked.on.click()
    expect(asked.notices).to_contain_text(OFF_PATH)
    asked.expect_step("q3")
    asked.page.go_back()
    expect(asked.option("buy-to-let")).to_be_checked()
    assert asked_site.answers(asked.token()) == {"q1": "remortgage", "q2": "buy-to-let"}


def test_double_click_answers_once_and_leads_on_once(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    asked.open()
    asked.fill_in("q1", "remortgage")
    asked.on.dblclick()
    asked.expect_step("q2")
    asked.page.go_back()
    asked.expect_step("q1")
    journey = asked_site.journey(asked.token())
    assert journey
    assert (journey.version, journey.answers) == (2, {"q1": "remortgage"})
