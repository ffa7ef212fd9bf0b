"""Every kind of step within WCAG, at each width, answered and with its mistakes told."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.axe import violations
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import NARROW, WINDOWS, Problems, sized
from tests.e2e.questionnaire_page import LOST, TO_Q19, WAITING, Line, QuestionnairePage
from tests.e2e.test_accessibility import CUT_OFF
from tests.unit.domain.questionnaire.journeys import JOURNEYS

WHOLE = JOURNEYS["residential remortgage, dependants and a loan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of page: the answers before it, its address, and what stands on it once it is whole."""

    replies: str
    path: str
    whole: str


KINDS = {
    "choice": Kind(replies="q1 remortgage", path=routes.question("q2"), whole=".choice"),
    "many choices": Kind(
        replies=f"{TO_Q19}, q19 400000 120000, q108, q20 yes, q21 1", path=routes.question("q22"), whole=".choice"
    ),
    "figures with LTV": Kind(replies=TO_Q19, path=routes.question("q19"), whole=".slider-thumb"),
    "figures with options": Kind(
        replies=", ".join(f"{step} {words}" for step, words in WHOLE.replies[: WHOLE.steps.index("q30")]),
        path=routes.question("q30"),
        whole=".seg",
    ),
    "rates": Kind(replies=f"{TO_Q19}, q19 400000 120000", path=routes.question("q108"), whole=".best-deal"),
    "check": Kind(replies="", path=routes.CHECK_ANSWERS, whole=".answers.whole dd"),
    "saved": Kind(replies="", path=f"{routes.SAVED_ANSWERS}#nothing", whole=".note.bad"),
}


def opened(asked_site: AnsweringSite, page: Page, kind: Kind) -> QuestionnairePage:
    asked = QuestionnairePage(page=page)
    if kind.path != KINDS["saved"].path:
        asked.bring(asked_site.given(kind.replies or WHOLE), asked_site.url)
    page.goto(kind.path)
    expect(page.locator(kind.whole).first).to_be_visible()
    if asked.form.count():
        asked.expect_told()
    return asked


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_step_is_within_wcag_and_its_window(
    asked_site: AnsweringSite, open_page: OpenPage, kind: Kind
) -> None:
    page = opened(asked_site, open_page(PHONE, base=asked_site.url), kind).page
    for name, size in WINDOWS.items():
        assert (name, violations(sized(page, size))) == (name, [])
    sized(page, NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW[0]
    assert page.evaluate(CUT_OFF) == []


def nothing_chosen(asked: QuestionnairePage) -> None:
    asked.on.click()
    expect(asked.form.locator(".err")).to_have_text("Choose one of the answers")


def saved_link(asked: QuestionnairePage) -> None:
    asked.page.get_by_role("button", name="Save and come back").click()
    expect(asked.page.get_by_label("Your link (works for 30 days)")).to_be_visible()


def wrong_figure(asked: QuestionnairePage) -> None:
    asked.box("01").fill("1e9")
    expect(asked.wrong("01")).to_be_visible()


STATES: dict[Callable[[QuestionnairePage], None], str] = {
    nothing_chosen: "choice",
    saved_link: "choice",
    wrong_figure: "figures with LTV",
}


@pytest.mark.parametrize("act", STATES)
def test_no_state_of_a_question_violates_wcag(
    asked_site: AnsweringSite, open_page: OpenPage, act: Callable[[QuestionnairePage], None]
) -> None:
    page = open_page(PHONE, base=asked_site.url)
    act(opened(asked_site, page, KINDS[STATES[act]]))
    for name, size in WINDOWS.items():
        assert (name, violations(sized(page, size))) == (name, [])


def test_answer_that_waits_is_told_within_wcag(
    asked_site: AnsweringSite, open_page: OpenPage, problems: Problems
) -> None:
    problems.expect("WebSocket connection")
    page = open_page(PHONE, base=asked_site.url)
    line = Line(page)
    asked = opened(asked_site, page, KINDS["choice"])
    line.cut()
    asked.fill_in("q2", "residential")
    asked.on.click()
    expect(page.get_by_text(WAITING)).to_be_visible()
    expect(asked.notices).to_contain_text(LOST)
    expect(page.get_by_role("button", name="Send it another way")).to_be_visible()
    assert violations(page) == []


def test_earlier_answers_are_folded_and_the_last_three_in_view(asked_site: AnsweringSite, open_page: OpenPage) -> None:
    page = opened(asked_site, open_page(base=asked_site.url), KINDS["many choices"]).page
    said = page.locator(".answers-slot dt")
    expect(said.filter(visible=True)).to_have_count(3)
    page.get_by_text("Show all your answers (8)").click()
    expect(said.filter(visible=True)).to_have_count(8)
