"""The page of accounts in a browser: an owner invites somebody, who signs in by the link and is let go again."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from broker import routes
from broker.state.staff.accounts import DONE_ID
from tests.e2e.pages import DESKTOP, PHONE, sized
from tests.e2e.staff import OpenStaffPage

PASSWORD = "four words that nobody guesses"


def test_owner_invites_a_colleague_who_signs_in_and_is_disabled(
    open_staff_page: OpenStaffPage, open_page: Callable[..., Page], axe: Callable[[Page], list[str]]
) -> None:
    page = open_staff_page(routes.STAFF_ACCOUNTS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Accounts")
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_visible()
    page.keyboard.press("i")
    expect(name).to_be_focused()
    page.keyboard.type("Fay Freshman")
    page.get_by_label("Email").fill("f.freshman@example.com")
    page.get_by_label("Role").first.select_option("Content")
    page.get_by_role("button", name="Send the link").click()
    link = page.get_by_label("The link").input_value()
    expect(name).to_have_value("")
    guest = open_page(PHONE)
    guest.goto(link)
    expect(guest.get_by_text("fay.freshman")).to_be_visible()
    assert axe(guest) == []
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.get_by_label("Password again").fill(PASSWORD)
    guest.get_by_role("button", name="Choose it and sign in").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Set up one-time codes")
    guest.goto(routes.STAFF)
    expect(guest.get_by_role("heading", level=1)).to_have_text("Lender logos")
    page.get_by_role("link", name="Fay Freshman").click()
    expect(page.get_by_role("region", name="Fay Freshman")).to_be_focused()
    for size in (DESKTOP, PHONE):
        assert axe(sized(page, size)) == []
        assert page.locator("html").evaluate("each => each.scrollWidth") <= size[0]
    page.get_by_role("button", name="Disable", exact=True).click()
    expect(page.get_by_text("Fay Freshman can no longer sign in")).to_be_in_viewport()
    expect(page.locator(f"#{DONE_ID}")).to_be_focused()
    guest.goto(routes.UPDATE_LENDERS)
    expect(guest.get_by_role("alert")).to_contain_text("You are signed out")
