"""An answer given while the line to the server is cut waits and goes, through a server that restarts too."""

from playwright.sync_api import expect

from tests.e2e.answering_site import AnsweringSite
from tests.e2e.pages import Problems
from tests.e2e.questionnaire_page import LOST, WAITING, Line, QuestionnairePage
from tests.integration.enquiry_site import EnquirySite

CUT = "WebSocket connection|WebSocket is already in CLOSING"
"""What the browser says of a cut line; the second where a packet was on its way just then."""

FIGURES = {"01": 400_000, "02": 120_000}


def test_answer_given_while_the_line_is_cut_waits_and_goes_when_it_is_back(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems
) -> None:
    problems.expect(CUT)
    line = Line(asked.page)
    asked.at_q19(asked_site)
    line.cut()
    asked.fill_in("q19", "400000 120000")
    asked.on.click()
    expect(asked.page.get_by_text(WAITING)).to_be_visible()
    expect(asked.notices).to_contain_text(LOST)
    assert "q19" not in asked_site.answers(asked.token())
    line.mend()
    asked.expect_step("q108")
    expect(asked.notices).not_to_contain_text(LOST)
    assert asked_site.answers(asked.token())["q19"] == FIGURES
    asked.page.go_back()
    asked.expect_step("q19")
    expect(asked.box("01")).to_have_value("400,000")


def test_answer_that_went_down_with_the_line_is_sent_again(
    asked: QuestionnairePage, asked_site: AnsweringSite, problems: Problems
) -> None:
    problems.expect(CUT)
    line = Line(asked.page)
    asked.at_q19(asked_site)
    line.lose(r"questionnaire_state\.answer")
    asked.fill_in("q19", "400000 120000")
    asked.on.click()
    expect(asked.page.get_by_text("Saving your answer.")).to_be_visible()
    line.cut()
    line.mend()
    asked.expect_step("q108")
    assert asked_site.answers(asked.token())["q19"] == FIGURES


def test_server_that_restarts_in_the_middle_loses_nothing(
    asked: QuestionnairePage, asked_site: AnsweringSite, running_site: EnquirySite, problems: Problems
) -> None:
    problems.expect(f"{CUT}|ERR_CONNECTION_REFUSED")
    asked.at_q19(asked_site)
    asked.box("01").fill("400000")
    running_site.stop()
    expect(asked.notices).to_contain_text(LOST)  # which moves the form down
    asked.box("02").fill("120000")
    asked.on.click()
    expect(asked.page.get_by_text(WAITING)).to_be_visible()
    running_site.start()
    expect(asked.notices).not_to_contain_text(LOST)
    asked.expect_step("q108")
    assert asked_site.answers(asked.token())["q19"] == FIGURES
    expect(asked.page.get_by_role("heading", name="Lowest rate", exact=True)).to_be_visible()  # all was handled by then
    asked.page.go_back()
    expect(asked.box("02")).to_have_value("120,000")
