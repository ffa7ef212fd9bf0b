"""The frame of the staff area in a browser: account menu, theme, single keys, and no barriers in either theme."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.staff.menu import ACCOUNT_MENU, MENU
from tests.e2e.pages import DESKTOP, NARROW, PHONE, sized
from tests.e2e.staff import OpenStaffPage

PAGES = (routes.STAFF, routes.STAFF_ENQUIRIES, routes.STAFF_ACCOUNTS, routes.STAFF_RECORD, routes.UPDATE_LENDERS)


def open_account(page: Page) -> None:
    page.get_by_role("button", name="Signed in as ada").click()
    expect(page.get_by_text("Signed in as ada. ")).to_be_visible()


def theme(page: Page) -> str:
    return page.evaluate("document.documentElement.dataset.theme")


def test_theme_is_that_of_the_system_until_somebody_turns_it(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF)
    page.emulate_media(color_scheme="dark")
    page.reload()
    assert theme(page) == "dark"
    open_account(page)
    page.get_by_role("button", name="Light or dark", exact=True).click()
    assert theme(page) == "light"
    page.goto(routes.STAFF_RECORD)
    assert theme(page) == "light"


def test_keys_lead_to_pages_and_to_their_own_list_and_can_be_switched_off(open_staff_page: OpenStaffPage) -> None:
    page, keyboard = (opened := open_staff_page(routes.STAFF)), opened.keyboard
    keyboard.press("g")
    keyboard.press("c")
    expect(page).to_have_url(routes.STAFF_ENQUIRIES)
    expect(page.get_by_role("link", name="Cases", exact=True)).to_have_attribute("aria-current", "page")
    keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    page.get_by_label("Single keys work").uncheck()
    keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Keys")).to_be_hidden()
    keyboard.press("g")
    keyboard.press("l")
    expect(page).to_have_url(routes.STAFF_ENQUIRIES)


def test_every_entry_of_the_menus_leads_to_its_page(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF)
    for each in (*MENU, *ACCOUNT_MENU):
        page.goto(routes.STAFF)
        entry = page.locator(f'.desk-bar a[href="{each.href}"]').first
        expect(entry).to_be_attached()
        entry.evaluate("each => each.click()")  # some stand in a menu that is closed
        expect(page).to_have_url(each.href)
        expect(page.locator(".desk-bar [aria-current=page]").first).to_be_attached()


def test_words_of_the_top_bar_search_cases_and_stay_out_of_the_address(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF_RECORD)
    page.keyboard.press("/")
    page.keyboard.type("Quillfeather")
    page.keyboard.press("Enter")
    expect(page).to_have_url(routes.STAFF_ENQUIRIES)
    expect(page.get_by_label("Search in all cases")).to_have_value("Quillfeather")


def test_search_key_opens_the_search_of_a_small_screen_and_types_into_it(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF_RECORD, size=PHONE)
    page.keyboard.press("/")
    expect(page.get_by_label("Search cases")).to_be_focused()
    page.keyboard.type("Quillfeather")
    page.keyboard.press("Enter")
    expect(page).to_have_url(routes.STAFF_ENQUIRIES)
    expect(page.get_by_label("Search in all cases")).to_have_value("Quillfeather")


def test_account_menu_is_closed_by_escape_and_signs_out(open_staff_page: OpenStaffPage) -> None:
    page = open_staff_page(routes.STAFF, name="ben")
    opener = page.get_by_role("button", name="Signed in as ben")
    opener.press("Enter")
    leave = page.get_by_role("button", name="Sign out", exact=True)
    expect(leave).to_be_visible()
    page.keyboard.press("Escape")
    expect(leave).to_be_hidden()
    expect(opener).to_be_focused()
    opener.press("Enter")
    leave.press("Enter")
    expect(page).to_have_url(re.compile(routes.STAFF_SIGN_IN))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_frame_fits_and_has_no_barriers(
    open_staff_page: OpenStaffPage, axe: Callable[[Page], list[str]], scheme: str
) -> None:
    page = open_staff_page(routes.STAFF)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for path in PAGES:
        page.goto(path)
        expect(page.get_by_role("button", name="signed in as ada")).to_be_visible()
        assert theme(page) == scheme
        for size in (DESKTOP, PHONE, NARROW):
            assert (path, size, axe(sized(page, size))) == (path, size, [])
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        sized(page, DESKTOP)
