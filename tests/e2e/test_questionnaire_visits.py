"""Nothing is lost and nothing doubled: reload, Back, Forward, a double click."""

from playwright.sync_api import expect

from tests.e2e.answering_site import AnsweringSite
from tests.e2e.questionnaire_page import FIRST, FIRST_TWO, SECOND, THIRD, TO_Q19, QuestionnairePage
from tests.unit.questionnaire.flows import SHIPPED


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
    for step, words, onwards in FIRST_TWO:
        asked.fill_in(step, words)
        asked.on.dblclick()  # which answers and leads on once
        asked.expect_step(onwards)
    asked.page.go_back()
    asked.expect_step(SECOND)
    expect(asked.option(TO_Q19.replies[1][1])).to_be_checked()
    asked.page.go_back()
    asked.expect_step(FIRST)
    asked.page.go_forward()
    asked.page.go_forward()
    asked.expect_step(THIRD)
    asked.page.get_by_role("link", name="Back", exact=True).click()
    asked.expect_step(SECOND)
    assert asked_site.answers(asked.token()) == dict(TO_Q19.replies[:2])


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
    for step, words, onwards in FIRST_TWO:
        asked.answer(step, words, onwards)
        asked.expect_told()
    expect(asked.page.locator(".way-words")).to_contain_text("Question 3. ")
    seen = asked.page.evaluate("window.progress")
    questions = [SHIPPED.steps[step].question for step in (FIRST, SECOND, THIRD)]
    assert {each: [words[:11] for words in seen.get(each, [])] for each in questions[1:]} == {
        questions[1]: ["Question 2."],
        questions[2]: ["Question 3."],
    }
