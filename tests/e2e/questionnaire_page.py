"""The questionnaire as a visitor handles it, and the line to its server, which a test may cut."""

from __future__ import annotations

import json
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.questionnaire.answers import Value
from broker.questionnaire.flow import Choice, Inputs, Radio, Range
from broker.questionnaire.forms import JOURNEY_COOKIE
from broker.questionnaire.journey import replay
from broker.questionnaire.step_view import answer_rows, figure_id
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.pages import Problems
from tests.unit.questionnaire.flows import SHIPPED, reply
from tests.unit.questionnaire.journeys import ScriptedJourney, scripted_journey

STOPS = 60
"""Presses of the Tab key within which any field of a page is reached."""

TO_Q19 = scripted_journey("q1 remortgage, q2 residential, q18 save-money", before="q19")
"""Answers that lead to the figures of a home and its mortgage."""

FIRST, SECOND, THIRD = TO_Q19.steps[:3]
FIRST_TWO = tuple((*reply, onwards) for reply, onwards in zip(TO_Q19.replies, (SECOND, THIRD), strict=False))
"""The first two steps, each with its reply and the step that follows."""

WAITING = "Keep this page open"
LOST = "We cannot reach our server"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionnairePage:
    page: Page

    def open(self, step: str = "q1", query: str = "") -> None:
        """Load the page of a question, and wait until the server has sent what was answered there."""
        self.page.goto(f"{routes.question(step)}{query}")
        self.expect_told()

    def expect_told(self) -> None:
        """Wait until the server has sent the question on screen what was answered: it checks answers from then on."""
        expect(self.form).to_have_attribute("novalidate", "")

    @property
    def form(self) -> Locator:
        return self.page.locator("#asked")

    @property
    def heading(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def on(self) -> Locator:
        return self.form.locator("button[type=submit]")

    @property
    def notices(self) -> Locator:
        return self.page.locator(".notices")

    @property
    def opening(self) -> Locator:
        """The words above the first question, or where to carry on."""
        return self.page.locator(".opening")

    def option(self, key: str) -> Locator:
        return self.form.locator(f"input[value='{key}']")

    def card(self, key: str) -> Locator:
        return self.form.locator(f"label:has(input[value='{key}'])")

    def box(self, key: str) -> Locator:
        return self.page.locator(f"#{figure_id(key)}")

    def wrong(self, key: str) -> Locator:
        return self.page.locator(f"#{figure_id(key)}-error .err")

    def fill_in(self, step: str, words: str) -> None:
        asks = SHIPPED.steps[step].asks
        if isinstance(asks, Choice):
            self.card(words).click()
        elif isinstance(asks, Inputs):
            value = reply(SHIPPED.steps[step], words)
            assert isinstance(value, dict)
            for each in asks.inputs:
                if isinstance(each, Range):
                    self.box(each.key).fill(str(value[each.key]))
                elif isinstance(each, Radio):
                    self.card(str(value[each.key])).click()

    def answer(self, step: str, words: str, onwards: str) -> None:
        self.fill_in(step, words)
        self.on.click()
        self.expect_step(onwards)

    def expect_step(self, step: str) -> None:
        """Wait for the page of a question, with the focus on it; an empty one is the page that checks the answers."""
        if not step:
            expect(self.page).to_have_url(routes.CHECK_ANSWERS)
            expect(self.heading).to_have_text("Check your answers")
        else:
            expect(self.page).to_have_url(routes.question(step))
            expect(self.heading).to_have_text(SHIPPED.steps[step].question)
        expect(self.heading).to_be_focused()

    def token(self) -> str:
        """Return what the cookie of the browser holds; empty where there is none."""
        found = [each.get("value", "") for each in self.page.context.cookies() if each.get("name") == JOURNEY_COOKIE]
        return found[0] if found else ""

    def bring(self, token: str, url: str) -> None:
        self.page.context.add_cookies([{"name": JOURNEY_COOKIE, "value": token, "url": url}])

    def at_q19(self, site: AnsweringSite) -> None:
        self.bring(site.given(TO_Q19), site.url)
        self.open("q19")

    def other_tab(self, problems: Problems) -> QuestionnairePage:
        page = self.page.context.new_page()
        problems.watch(page)
        return QuestionnairePage(page=page)

    def expect_listed(self, journey: ScriptedJourney) -> None:
        expected, listed = expected_rows(journey), self.page.locator(".answers.whole > div")
        expect(listed).to_have_count(len(expected))
        words = listed.evaluate_all(
            "all => all.map(each => [...each.querySelectorAll('dt, dd:not(.change)')].map(one => one.innerText))"
        )
        assert [(label, said) for label, said in words] == expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """A visitor without a mouse."""

    asked: QuestionnairePage

    def answer(self, step: str, words: str) -> None:
        asks, value = SHIPPED.steps[step].asks, reply(SHIPPED.steps[step], words)
        if isinstance(asks, Choice):
            self.choose(self.asked.option(asks.options[0].key), words)
        elif isinstance(asks, Inputs) and isinstance(value, dict):
            for each in asks.inputs:
                if isinstance(each, Range):
                    self.type(self.asked.box(each.key), str(value[each.key]))
                elif isinstance(each, Radio):
                    self.choose(self.asked.option(each.options[0].key), str(value[each.key]))
        self.press(self.asked.on)

    def go_to(self, target: Locator) -> None:
        node = target.element_handle()
        for _ in range(STOPS):
            self.asked.page.keyboard.press("Tab")
            if node.evaluate("each => each === document.activeElement"):
                return
        raise AssertionError(f"the Tab key does not reach {target}")

    def type(self, box: Locator, text: str) -> None:
        """Go to a box and type in place of what it holds: the Tab key has selected that."""
        self.go_to(box)
        self.asked.page.keyboard.type(text)

    def choose(self, first: Locator, value: str) -> None:
        """Go to the first of some options, and on with the arrows to the wanted one; Space chooses the first."""
        self.go_to(first)
        self.asked.page.keyboard.press("Space")
        for _ in range(STOPS):
            if first.page.evaluate("() => document.activeElement.value") == value:
                expect(self.asked.page.locator("*:focus")).to_be_checked()
                return
            self.asked.page.keyboard.press("ArrowDown")
        raise AssertionError(f"the arrows do not reach {value}")

    def press(self, button: Locator) -> None:
        self.go_to(button)
        self.asked.page.keyboard.press("Enter")


def expected_rows(journey: ScriptedJourney) -> list[tuple[str, str]]:
    answers: dict[str, Value] = {step: reply(SHIPPED.steps[step], words) for step, words in journey.replies}
    return [(row.label, row.words) for row in answer_rows(replay(SHIPPED, journey.entry, answers))]


_LINE = """
isCut => {
    const Real = window.WebSocket, sockets = [];
    const line = window.line = {isCut, loses: null, end: () => sockets.forEach(each => each.close())};
    window.WebSocket = class extends Real {
        constructor(url, protocols) {
            super(line.isCut ? url.replace(/[/]_event.*/, "/nowhere") : url, protocols);
            sockets.push(this);
        }
        send(data) {
            if (!(line.loses && new RegExp(line.loses).test(data))) super.send(data);
        }
    };
}
"""
"""Stands between the page and its sockets: those of a cut line ask where nobody answers, as on a blocked network."""


class Line:
    """The sockets of a page, which can be cut, kept from opening, and made to lose what is said."""

    def __init__(self, page: Page, *, is_cut: bool = False) -> None:
        """Stand between the page and the server; before the first visit."""
        self._page = page
        page.add_init_script(f"({_LINE})({json.dumps(is_cut)})")

    def cut(self) -> None:
        self._page.evaluate("() => { line.isCut = true; line.end() }")

    def mend(self) -> None:
        self._page.evaluate("() => { line.isCut = false; line.loses = null }")

    def lose(self, pattern: str) -> None:
        """Lose what the page says in words of a pattern from now on, as a server does that dies over it."""
        self._page.evaluate("pattern => { line.loses = pattern }", pattern)
