"""The staff sign-in and account pages in a browser, by keyboard; each page is measured at both widths."""

import base64
import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.staff.credentials import code_at, step_at
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import WINDOWS, Problems, sized
from tests.e2e.staff import StaffSite, sign_out

NEW = "four words that nobody guesses"


@pytest.fixture
def account(staff_site: StaffSite, request: pytest.FixtureRequest) -> tuple[str, str]:
    name = "".join(sign for sign in request.node.name.lower() if sign.isalpha())[-24:]
    return name, staff_site.add_account(name)


@pytest.fixture
def door(open_page: OpenPage, problems: Problems) -> Page:
    """Return the sign-in page that the list of enquiries redirects to; its one script is that of passkeys."""
    problems.expect("status of 4(03|22)")
    page = open_page(PHONE)
    page.goto(routes.STAFF_ENQUIRIES)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    expect(page.locator("script")).to_have_count(1)
    return page


@pytest.fixture
def check_look(door: Page, axe: Callable[[Page], list[str]]) -> Callable[[], None]:
    """Return a function that checks that the page is accessible and fits a desktop window and a telephone."""

    def check() -> None:
        for name, size in WINDOWS.items():
            assert (name, axe(sized(door, size))) == (name, [])
            assert door.locator("html").evaluate("each => each.scrollWidth") <= size[0]

    return check


def type_in(page: Page, *texts: str) -> None:
    """Type into one field after the other, the first of which has the focus, and send the form."""
    for place, text in enumerate(texts):
        if place:
            page.keyboard.press("Tab")
        page.keyboard.type(text)
    page.keyboard.press("Enter")


def enter(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").focus()
    page.keyboard.press("Control+a")
    type_in(page, name, password)


def code_of(secret: str) -> str:
    plain = secret.replace(" ", "")
    return code_at(base64.b32decode(plain + "=" * (-len(plain) % 8)), step_at(datetime.now(UTC)))


def test_staff_sign_in_change_their_password_and_use_one_time_codes(
    door: Page, account: tuple[str, str], check_look: Callable[[], None]
) -> None:
    name, password = account
    check_look()
    enter(door, name, "a guess")
    expect(door).to_have_title(re.compile("^Error: Sign in"))
    expect(door.get_by_role("alert")).to_be_visible()
    expect(door.get_by_label("Name")).to_have_value(name)
    expect(door.get_by_label("Password")).to_have_value("")
    check_look()
    enter(door, name, password)
    expect(door).to_have_url(routes.STAFF_ENQUIRIES)
    door.goto(routes.STAFF_ACCOUNT)
    door.get_by_label("Your password now").focus()
    type_in(door, password, "too short", "too short")
    expect(door.get_by_role("alert")).to_contain_text("12")
    expect(door.locator("#new")).to_have_attribute("aria-invalid", "true")
    door.get_by_label("Your password now").focus()
    type_in(door, password, NEW, NEW)
    expect(door.get_by_role("status")).to_contain_text("Your password is changed")
    check_look()
    door.get_by_label("Your password", exact=True).focus()
    type_in(door, NEW)
    expect(door.get_by_role("img", name="The same secret as a picture")).to_be_visible()
    check_look()
    code = door.get_by_label("The code that your authenticator shows")
    secret = door.locator(".text-width strong").inner_text()
    code.focus()
    type_in(door, "000000" if code_of(secret) != "000000" else "111111")
    expect(code).to_have_attribute("aria-invalid", "true")
    code.focus()
    type_in(door, code_of(secret))
    expect(door.locator("main li strong")).to_have_count(10)
    check_look()
    recovery = door.locator("main li strong").first.inner_text()
    door.get_by_role("link", name="I have kept them").press("Enter")
    sign_out(door, name)
    enter(door, name, NEW)
    expect(door.get_by_role("heading", level=1)).to_have_text("Enter your one-time code")
    check_look()
    door.get_by_label("Code").focus()
    type_in(door, recovery)
    expect(door).to_have_url(routes.STAFF)


def test_passkey_is_added_with_the_password_and_then_signs_in_alone(
    door: Page, account: tuple[str, str], check_look: Callable[[], None]
) -> None:
    name, password = account
    protocol = door.context.new_cdp_session(door)
    protocol.send("WebAuthn.enable")
    made = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    protocol.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": {**made, "isUserVerified": True, "automaticPresenceSimulation": True}},
    )
    enter(door, name, password)
    expect(door).to_have_url(routes.STAFF_ENQUIRIES)
    door.goto(routes.STAFF_ACCOUNT)
    door.get_by_label("A name for it").focus()
    type_in(door, "This computer", "not the password")
    expect(door.get_by_text("This is not your password")).to_be_visible()
    check_look()
    door.get_by_label("Password of this account").fill("")
    door.get_by_label("Password of this account").focus()
    type_in(door, password)
    expect(door.get_by_role("status")).to_contain_text("The passkey is added")
    check_look()
    door.get_by_role("button", name="Sign out everywhere").press("Enter")
    door.goto(routes.STAFF_ACCOUNT)
    door.get_by_role("button", name="Use a passkey").press("Enter")
    expect(door).to_have_url(routes.STAFF_ACCOUNT)
    expect(door.get_by_text("This computer", exact=True)).to_be_visible()
