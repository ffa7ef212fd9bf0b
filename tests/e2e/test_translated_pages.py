"""Pages that a translator of the browser has changed: each text is in `<font>`, and React still changes what it shows.

A translator replaces a text by its `<font>`, as Google's does (facebook/react issue 11538); `page_translation.test.js`
has those that move it. Here English is "translated" into English, so that a page must read as without a translator.
"""

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import hold_scripts, visit

_TRANSLATE = """() => {
  const isText = ({ parentNode, data }) =>
    data.trim() && !parentNode.closest("script, style, noscript, textarea, option, font");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT,
    text => isText(text) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const [outer, inner] = ["font", "font"].map(name => document.createElement(name));
    outer.append(inner);
    inner.textContent = text.data;
    text.parentNode.insertBefore(outer, text);
    text.parentNode.removeChild(text);
  }
  return texts.length;
}"""

_TAKEN_OVER = "() => Boolean(window.isHydrated)"

Step = Callable[[Page], object]


def _look(_page: Page) -> None:
    """Do nothing."""


def _choose(field: str, value: str) -> Step:
    return lambda page: page.locator(field).select_option(value)


def _fill(field: str, text: str) -> Step:
    return lambda page: page.locator(field).fill(text)


def _press(selector: str) -> Step:
    return lambda page: page.locator(selector).first.click()


VISITS: dict[str, Sequence[tuple[Step, str]]] = {
    routes.RATES: [
        (_press("input[name=sort][value=fees]"), "lowest fees first"),
        (_press("#deals .more, #deals .centre a"), "Showing 1 to 10 of"),
        (_press("input[name=sort][value=true-cost]"), "lowest true cost a year first"),
        (_press("input[name=sort][value=rate]"), "lowest rate first"),
    ],
    routes.calculator("repayment"): [
        (_fill("#repayment-loan", "200000"), "£1,287.38"),
        (_fill("#repayment-loan", "x"), "No answer yet"),
        (_fill("#repayment-loan", "50000"), "£321.85"),
    ],
    routes.BUYING_PLAN: [
        (_choose("#buying-plan-goal", "price"), "£300,000 is within reach"),
        (_fill("#buying-plan-price", "310000"), "£310,000"),
        (_choose("#buying-plan-goal", "most"), "Your income sets the limit"),
    ],
    routes.QUESTIONNAIRE: [
        (_look, "Question 1. 9 to 20 left.What would you like to do?"),
        (_press("#asked label"), "Question 1. 9 to 20 left.What would you like to do?"),
        (_press("#asked button[type=submit]"), "Question 2. 16 to 19 left.Do you live in the property or let it?"),
        (lambda page: page.go_back(), "Question 1. 9 to 20 left.What would you like to do?"),
    ],
    routes.SEARCH: [(_fill("#site-search", "stamp duty"), "stamp duty"), (_fill("#site-search", "xqxq"), "xqxq")],
}
"""What a visitor does on a page of each family, each step with words that say that it had its effect."""


def read(page: Page, path: str, *, translate: bool) -> list[str]:
    """Return the words of a page after each step, before which it is translated or not."""
    visit(page, path)
    words = []
    for step, effect in VISITS[path]:
        if translate:
            page.evaluate(_TRANSLATE)
        step(page)
        expect(page.locator("main")).to_contain_text(effect)
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        words.append(" ".join(page.locator("main").inner_text().split()))
    return words


@pytest.mark.parametrize("path", VISITS)
def test_translated_page_reads_as_it_does_without_a_translator(open_page: OpenPage, path: str) -> None:
    plain, translated = (read(open_page(), path, translate=each) for each in (False, True))
    assert translated == plain


@pytest.mark.parametrize("path", [routes.RATES, routes.calculator("repayment")])
def test_page_that_is_translated_before_react_starts_is_taken_over(page: Page, path: str) -> None:
    release = hold_scripts(page)
    page.goto(path)
    page.evaluate(_TRANSLATE)
    release()
    page.wait_for_function(_TAKEN_OVER)
    assert page.locator("font").count() == 0
    assert page.locator(".skip").count() == 1
