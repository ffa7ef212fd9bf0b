"""The header and the start of every page by keyboard: the skip link, and menus that Escape closes."""

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.pages import visit


def test_skip_link_is_the_first_stop_and_leads_to_the_content(page: Page) -> None:
    page.goto(routes.HOME)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to main content")
    expect(page.locator(":focus")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_menu_of_a_phone_looks_open_and_closes_by_escape(phone: Page) -> None:
    visit(phone, routes.ABOUT)
    button, drawer = phone.locator("#menu > summary"), phone.locator("#menu .drawer")
    drawn = "each => getComputedStyle(each.firstChild).maskPosition"
    closed = button.evaluate(drawn)
    button.click()
    expect(drawer).to_be_visible()
    assert button.evaluate(drawn) != closed
    phone.keyboard.press("Tab")
    phone.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(button).to_be_focused()
    assert button.evaluate(drawn) == closed


def test_menu_of_a_desk_closes_by_escape(page: Page) -> None:
    visit(page, routes.ABOUT)
    opener = page.locator(".nav summary").first
    opener.click()
    expect(page.locator(".nav details[open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".nav details[open]")).to_have_count(0)
    expect(opener).to_be_focused()
