"""A search and the details of a deal, asked for while the line to the server is cut (decision 24)."""

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.pages import Problems
from tests.e2e.questionnaire_page import Line
from tests.e2e.rates_page import RatesPage

CUT = "WebSocket connection|WebSocket is already in CLOSING"

NO_SIGNAL = "No signal. We’ll carry on as soon as you’re back online. Or call us on 020 7946 0123."


@pytest.fixture
def rates(page: Page, problems: Problems) -> RatesPage:
    problems.expect(CUT)
    return RatesPage(page=page)


def busy(rates: RatesPage) -> str | None:
    return rates.list.get_attribute("aria-busy")


def test_search_with_the_line_cut_is_busy_at_once_and_then_says_so(rates: RatesPage) -> None:
    line = Line(rates.page, is_cut=True)
    rates.page.goto(routes.RATES)
    rates.page.wait_for_function("() => Boolean(window.isHydrated)")
    assert busy(rates) == "false"
    rates.page.locator("input[name=sort][value=fees]").click()
    rates.expect_address(sort="fees")
    expect(rates.list).to_have_attribute("aria-busy", "true")
    expect(rates.list.get_by_role("heading", level=2).first).to_have_text("Finding deals")
    notice = rates.page.get_by_text("No signal.").locator("..")
    expect(notice).to_be_visible()
    expect(notice).to_have_text(NO_SIGNAL)
    assert rates.cards.count() == 5, "the last list stays"
    line.mend()
    expect(rates.list.get_by_role("heading", level=2).first).to_contain_text("lowest fees first")
    expect(rates.list).to_have_attribute("aria-busy", "false")
    expect(notice).to_be_hidden()


def test_details_with_the_line_cut_say_so(rates: RatesPage) -> None:
    line = Line(rates.page)
    rates.open()
    line.cut()
    rates.button("View details").first.click()
    notice = rates.page.get_by_text("No signal.").locator("..")
    expect(notice).to_be_visible()
    assert busy(rates) == "false", "the list is that of the search"
    line.mend()
    expect(notice).to_be_hidden()
    expect(rates.dialog).to_be_visible()


def test_search_that_is_answered_never_says_that_there_is_no_signal(rates: RatesPage) -> None:
    rates.open()
    rates.page.evaluate(
        "() => addEventListener('animationend', (event) => { window.late = event.animationName === 'appear' })"
    )
    for order in ("fees", "true-cost", "rate"):
        rates.page.locator(f"input[name=sort][value={order}]").click()
        expect(rates.list).to_have_attribute("aria-busy", "false")
    assert not rates.page.evaluate("() => window.late")
