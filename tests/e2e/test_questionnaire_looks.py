"""Every kind of step within WCAG, at each width, answered and with its mistakes told."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.axe import violations
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import CUT_OFF, NARROW, WINDOWS, Problems, sized
from tests.e2e.questionnaire_page import LOST, TO_Q19, WAITING, Line, QuestionnairePage
from tests.unit.questionnaire.journeys import JOURNEYS, ScriptedJourney

WHOLE = JOURNEYS["residential remortgage, dependants and a loan"]


def nothing_chosen(asked: QuestionnairePage) -> None:
    asked.on.click()
    expect(asked.form.locator(".err")).to_have_text("Choose one of the answers")


def wrong_figure(asked: QuestionnairePage) -> None:
    asked.box("01").fill("1e9")
    expect(asked.wrong("01")).to_be_visible()


def all_answers(asked: QuestionnairePage) -> None:
    """Show the earlier answers that are folded below the last three."""
    said = asked.page.locator(".answers-slot dt")
    expect(said.filter(visible=True)).to_have_count(3)
    every = said.count()
    asked.page.get_by_text(f"Show all your answers ({every})").click()
    expect(said.filter(visible=True)).to_have_count(every)


def saved_link(asked: QuestionnairePage) -> None:
    asked.page.get_by_role("button", name="Save and come back").click()
    expect(asked.page.get_by_label("Your link (works for 30 days)")).to_be_visible()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of page: the answers before it, its address, an element of the whole page, and a state to look at too."""

    replies: str | ScriptedJourney = ""
    path: str
    whole: str
    act: Callable[[QuestionnairePage], None] | None = None


KINDS = {
    "choice": Kind(replies="q1 remortgage", path=routes.question("q2"), whole=".choice", act=nothing_chosen),
    "many choices": Kind(
        replies="q1 remortgage, q2 residential, q19 400000 120000, q20 yes, q21 1",
        path=routes.question("q22"),
        whole=".choice",
        act=all_answers,
    ),
    "figures with LTV": Kind(replies=TO_Q19, path=routes.question("q19"), whole=".slider-thumb", act=wrong_figure),
    "figures with options": Kind(
        replies=", ".join(f"{step} {words}" for step, words in WHOLE.replies[: WHOLE.steps.index("q30")]),
        path=routes.question("q30"),
        whole=".seg",
        act=saved_link,
    ),
    "rates": Kind(
        replies="q1 remortgage, q2 residential, q19 400000 120000", path=routes.question("q108"), whole=".best-deal"
    ),
    "check": Kind(path=routes.CHECK_ANSWERS, whole=".answers.whole dd"),
    "saved": Kind(path=f"{routes.SAVED_ANSWERS}#nothing", whole=".note.bad"),
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
    asked = opened(asked_site, open_page(PHONE, base=asked_site.url), kind)
    page = asked.page
    for name, size in WINDOWS.items():
        assert (name, violations(sized(page, size))) == (name, [])
    if kind.act:
        kind.act(asked)
        assert violations(sized(page, PHONE)) == []
    sized(page, NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW[0]
    assert page.evaluate(CUT_OFF) == []


def test_notice_of_a_waiting_answer_is_within_wcag(
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
