"""Whatever is typed into a field of the questionnaire: a sentence says what to do, and what was typed stays."""

from playwright.sync_api import expect

from broker import routes
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.unit.questionnaire.journeys import JOURNEYS

WHOLE = JOURNEYS["residential remortgage, dependants and a loan"]
POUNDS = "Enter an amount in whole pounds, from £50,000 to £1,000,000"
YEAR = "Enter a year from 1900 to 2020"
NONSENSE = ("   ", "1e9", "<b>1</b>", "250000,50")


def at(asked: QuestionnairePage, site: AnsweringSite, step: str) -> None:
    before = WHOLE.replies[: WHOLE.steps.index(step)]
    asked.bring(site.given(", ".join(f"{each} {words}" for each, words in before)), site.url)
    asked.open(step)


def test_nonsense_has_a_sentence_and_stays_and_a_figure_is_tidied(
    asked: QuestionnairePage, asked_site: AnsweringSite
) -> None:
    at(asked, asked_site, "q19")
    for text in NONSENSE:
        asked.box("01").fill(text)
        expect(asked.wrong("01")).to_have_text(POUNDS)
        expect(asked.box("01")).to_have_attribute("aria-invalid", "true")
        asked.box("01").blur()
        expect(asked.box("01")).to_have_value(text)
    asked.on.click()
    expect(asked.box("01")).to_be_focused()
    expect(asked.page).to_have_url(routes.question("q19"))
    expect(asked.box("01")).to_have_value(NONSENSE[-1])
    assert "q19" not in asked_site.answers(asked.token())
    asked.box("01").fill("£0.25m")
    asked.box("01").blur()
    expect(asked.box("01")).to_have_value("250,000")
    expect(asked.wrong("01")).to_have_count(0)


def test_untouched_number_is_no_answer(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    at(asked, asked_site, "q19")
    title, slider = asked.page.title(), asked.page.get_by_role("slider").first
    dial = asked.page.locator(".dial-figure")
    expect(slider).to_have_attribute("aria-valuetext", "not set")
    expect(dial).to_be_hidden()
    expect(asked.page.get_by_text("Set both figures to see your loan to value.")).to_be_visible()
    expect(asked.form.locator(".err")).to_have_count(0)
    asked.on.click()
    expect(asked.wrong("01")).to_have_text(POUNDS)
    expect(asked.form.locator(".err")).to_have_count(2)
    expect(asked.box("01")).to_be_focused()
    expect(asked.page).to_have_title(f"Error: {title}")
    assert "q19" not in asked_site.answers(asked.token())
    assert asked.page.evaluate("sessionStorage.getItem('figures')") is None
    slider.press("End")
    expect(asked.box("01")).to_have_value("1,000,000")
    asked.box("01").fill("250000")
    expect(slider).to_have_attribute("aria-valuenow", "250000")
    slider.press("Tab")
    asked.page.get_by_role("slider").nth(1).press("ArrowRight")
    expect(asked.form.locator(".err")).to_have_count(0)
    expect(dial).to_have_text("60.4%")
    expect(asked.page.get_by_text("Set both figures to see your loan to value.")).to_be_hidden()
    asked.on.click()
    asked.expect_step("q108")
    assert not asked.page.title().startswith("Error: ")
    assert asked_site.answers(asked.token())["q19"] == {"01": 250_000, "02": 151_000}


def test_each_mistake_is_over_once_it_is_put_right(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    at(asked, asked_site, "q18")
    asked.on.click()
    expect(asked.form.locator(".err")).to_have_text("Choose one of the answers")
    expect(asked.option("save-money")).to_be_focused()
    asked.fill_in("q18", "raise-money")
    expect(asked.form.locator(".err")).to_have_count(0)
    at(asked, asked_site, "q30")
    asked.box("01").fill("1066")
    asked.on.click()
    expect(asked.form.locator(".err")).to_have_count(2)
    asked.card("leasehold").click()
    expect(asked.form.locator(".err")).to_have_text(YEAR)
    asked.box("01").fill("1985")
    expect(asked.form.locator(".err")).to_have_count(0)
    asked.on.click()
    asked.expect_step("q31")
