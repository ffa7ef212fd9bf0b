"""Is now a good time? The chart by keyboard, its lines, the visitor's own figures, with and without scripts."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.lending.days import iso_text, month_of, month_text, months_earlier
from broker.pages.remortgage_plan import today
from tests.e2e.axe import violations
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.pages import visit

END = months_earlier(today(), -4)
MINE = f"?loan=187400&term=19&rate=1.60&end={iso_text(END)}"


def _slider(page: Page) -> Locator:
    return page.get_by_label("Read the chart month by month")


def test_arrow_keys_read_the_chart_month_by_month(page: Page) -> None:
    visit(page, routes.RATE_HISTORY)
    slider = _slider(page)
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^August 2026: 2-year fixed 4.92%"))
    slider.press("ArrowLeft")
    words = (
        "July 2026: 2-year fixed 4.79%, 3-year fixed 4.66%, 5-year fixed 4.58%, Reversion rate 6.58%, Bank Rate 3.75%"
    )
    expect(slider).to_have_attribute("aria-valuetext", words)
    expect(page.locator(".hist-read p")).to_have_text(words)
    expect(page.locator(".hist-cursor")).to_be_visible()
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^September 2017: 2-year fixed 1.40%"))


def test_lines_can_be_hidden(page: Page) -> None:
    visit(page, routes.RATE_HISTORY)
    line = page.locator("path.h-bank")
    expect(line).to_have_css("visibility", "visible")
    page.get_by_label("Bank Rate", exact=True).uncheck()
    expect(line).to_have_css("visibility", "hidden")
    expect(page.locator("#rates path.h-2")).to_have_css("visibility", "visible")


@pytest.mark.parametrize("scripts", [True, False])
def test_own_figures_are_answered_at_an_address_of_their_own(open_page: OpenPage, scripts: bool) -> None:
    page = open_page(DESKTOP, scripts=scripts)
    if scripts:
        visit(page, f"{routes.RATE_HISTORY}?ltv=60")
    else:
        page.goto(f"{routes.RATE_HISTORY}?ltv=60")
    page.get_by_text("Change your figures").click()
    page.get_by_label("Loan left").fill("187,400")
    page.get_by_label("Years left").fill("19")
    page.get_by_label("Your rate today").fill("1.6")
    page.get_by_label("Your deal ends on").fill(iso_text(END))
    page.get_by_role("button", name="Show mine").click()
    page.wait_for_url(re.compile(r"loan=187%2C400"))
    month = month_text(month_of(END))
    expect(page.locator(".hist-form summary")).to_contain_text(f"£187,400 left, 19 years · 1.60% to {month}")
    expect(page.get_by_text(f"Your deal ends, {month}")).to_be_visible()
    expect(page.get_by_role("link", name="60%")).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="75%").click()
    page.wait_for_url(re.compile(r"\?loan=187400&"))
    expect(page.get_by_role("region", name="Two years or five?").locator(".plate b")).to_have_text("4.48%")


def test_wrong_figure_opens_the_form_and_keeps_the_history(page: Page) -> None:
    visit(page, f"{routes.RATE_HISTORY}?loan=plenty")
    expect(page.get_by_label("Loan left")).to_have_value("plenty")
    expect(page.get_by_role("alert")).to_contain_text("Loan left: Enter a number in figures")
    expect(page.get_by_role("heading", name="Dearer than 90 of the 107 months before")).to_be_visible()
    expect(page.get_by_text("Put the marked figures right")).to_be_visible()


def test_link_inside_the_site_shows_the_page(page: Page) -> None:
    visit(page, routes.RATES)
    page.get_by_role("link", name="Is now a good time to fix?").click()
    expect(page.get_by_role("heading", name="Is now a good time?", level=1)).to_be_focused()
    expect(page.get_by_role("heading", name="Dearer than 90 of the 107 months before")).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (320, 640)])
def test_page_with_everything_open_has_no_fault_of_accessibility(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(size)
    visit(page, routes.RATE_HISTORY + MINE)
    for summary in page.locator("main summary").all():
        summary.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_loans_to_value_are_one_row(phone: Page) -> None:
    visit(phone, routes.RATE_HISTORY)
    tops = phone.locator(".hist .seg a").evaluate_all("all => all.map(each => each.offsetTop)")
    assert (len(tops), len(set(tops))) == (5, 1)


def test_chosen_loan_to_value_looks_chosen_in_forced_colours(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    visit(page, routes.RATE_HISTORY)
    background = "each => getComputedStyle(each).backgroundColor"
    chosen, other = (page.get_by_role("link", name=name).evaluate(background) for name in ("75%", "60%"))
    assert chosen != other
