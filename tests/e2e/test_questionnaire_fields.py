"""Whatever is typed into a field of the questionnaire: a sentence says what to do, and what was typed stays."""

import pytest
from playwright.sync_api import expect

from broker import routes
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.unit.domain.questionnaire.journeys import JOURNEYS

TOLD = JOURNEYS["residential remortgage, dependants and a loan"]
POUNDS = "Enter an amount in whole pounds, from £50,000 to £1,000,000"
YEAR = "Enter a year from 1900 to 2020"
BEDROOMS = "Enter a whole number, from 1 to 6"

FIELDS = {"q19": ("01", POUNDS), "q30": ("01", YEAR), "q31": ("01", BEDROOMS)}
NONSENSE = ("   ", "", "abc", "-5", "−5", "1e9", "0x10", "NaN", "Infinity", "49999.5", "٢٥٠٠٠٠", "2 50 000 people")
NONSENSE += (
    "250000,50",
    "\u200f250000\u202c",
    "99999999999999999999",
    "0",
    "1,000,000,000",
    "£",
    ".",
    "<b>1</b>",
    "1" * 60,
)

GOOD = {
    "q19": {
        "£250,000.00": "250,000",
        "£0.25m": "250,000",
        " 250 000 ": "250,000",
        "1000000": "1,000,000",
        "50000": "50,000",
    },
    "q30": {"1985": "1985"},
    "q31": {"06": "6"},
}
"""By step, what is typed and what the box then holds."""


def at(asked: QuestionnairePage, site: AnsweringSite, step: str) -> None:
    before = TOLD.replies[: TOLD.steps.index(step)]
    asked.bring(site.given(", ".join(f"{each} {words}" for each, words in before)), site.url)
    asked.open(step)


@pytest.mark.parametrize("step", FIELDS)
def test_nonsense_is_told_in_a_sentence_and_stays(
    asked: QuestionnairePage, asked_site: AnsweringSite, step: str
) -> None:
    key, sentence = FIELDS[step]
    at(asked, asked_site, step)
    for text in NONSENSE if step == "q19" else NONSENSE[-3:]:
        asked.box(key).fill(text)
        expect(asked.wrong(key)).to_have_text(sentence)
        expect(asked.box(key)).to_have_attribute("aria-invalid", "true")
        asked.box(key).blur()
        expect(asked.box(key)).to_have_value(text)
    asked.on.click()
    expect(asked.box(key)).to_be_focused()
    expect(asked.page).to_have_url(routes.question(step))
    expect(asked.box(key)).to_have_value(NONSENSE[-1])
    assert step not in asked_site.answers(asked.token())


def test_number_that_nobody_set_is_no_answer(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    at(asked, asked_site, "q19")
    title, slider = asked.page.title(), asked.page.get_by_role("slider").first
    expect(slider).to_have_attribute("aria-valuetext", "not set")
    expect(asked.page.locator(".dial-figure")).to_be_hidden()
    expect(asked.page.get_by_text("Set both figures to see your loan to value.")).to_be_visible()
    expect(asked.form.locator(".err")).to_have_count(0)
    asked.on.click()
    expect(asked.wrong("01")).to_have_text(POUNDS)
    expect(asked.form.locator(".err")).to_have_count(2)
    expect(asked.box("01")).to_be_focused()
    expect(asked.page).to_have_title(f"Error: {title}")
    assert "q19" not in asked_site.answers(asked.token())
    assert asked.page.evaluate("sessionStorage.getItem('figures')") is None
    asked.box("01").fill("250000")
    slider.press("Tab")
    asked.page.get_by_role("slider").nth(1).press("ArrowRight")
    expect(asked.form.locator(".err")).to_have_count(0)
    expect(asked.page.locator(".dial-figure")).to_be_visible()
    expect(asked.page.get_by_text("Set both figures to see your loan to value.")).to_be_hidden()
    asked.on.click()
    asked.expect_step("q108")
    assert not asked.page.title().startswith("Error: ")
    assert asked_site.answers(asked.token())["q19"] == {"01": 250_000, "02": 151_000}


def test_figure_is_read_however_people_write_it(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    for step, texts in GOOD.items():
        at(asked, asked_site, step)
        for text, tidy in texts.items():
            asked.box("01").fill(text)
            asked.box("01").blur()
            expect(asked.box("01")).to_have_value(tidy)
            expect(asked.wrong("01")).to_have_count(0)


def test_mistake_is_over_once_it_is_put_right(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
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


def test_nothing_chosen_is_told_beside_the_cards_and_takes_the_focus(
    asked: QuestionnairePage, asked_site: AnsweringSite
) -> None:
    at(asked, asked_site, "q18")
    asked.on.click()
    expect(asked.form.locator(".err")).to_have_text("Choose one of the answers")
    expect(asked.option("save-money")).to_be_focused()
    asked.fill_in("q18", "raise-money")
    expect(asked.form.locator(".err")).to_have_count(0)


def test_loan_to_value_follows_the_figures(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    at(asked, asked_site, "q19")
    for price, loan, share in (
        ("400000", "120000", "30%"),
        ("200000", "199000", "99.5%"),
        ("50000", "1000000", "Over 999%"),
    ):
        asked.box("01").fill(price)
        asked.box("02").fill(loan)
        expect(asked.page.locator(".dial-figure")).to_have_text(share)


def test_slider_and_box_move_together(asked: QuestionnairePage, asked_site: AnsweringSite) -> None:
    at(asked, asked_site, "q19")
    thumb = asked.page.get_by_role("slider").first
    thumb.focus()
    thumb.press("End")
    expect(asked.box("01")).to_have_value("1,000,000")
    thumb.press("ArrowLeft")
    expect(asked.box("01")).to_have_value("995,000")
    asked.box("01").fill("300000")
    expect(thumb).to_have_attribute("aria-valuenow", "300000")
