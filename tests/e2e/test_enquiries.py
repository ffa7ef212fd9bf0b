"""Enquiries in a browser: by every way in, with scripts and without, and nothing of them where it does not belong."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.duties.support_needs import CONSENT_WORDS, QUESTION
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.enquiry_page import expect_thanks, fill, linger, names, send
from tests.e2e.pages import NARROW, Problems, sized, visit
from tests.integration.enquiry_site import EnquirySite

MARKED = {
    "name": "Xylophia Zwickensteen",
    "telephone": "07700 900987",
    "email": "xylophia.z@marked.example",
    "message": "Marmalade under the viaduct",
}
MARKS = ("Xylophia", "Zwickensteen", "900987", "marked.example", "Marmalade", "viaduct")
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
STORED = "() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])"


def open_sent(page: Page, digits: str = "0123") -> None:
    """Go from the page of thanks to the enquiry: the reference is there, the digits are asked for."""
    page.get_by_role("button", name="See or delete it").click()
    expect(page.get_by_label("Reference")).not_to_have_value("")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Last four digits of your telephone number").fill(digits)
    page.get_by_role("button", name="Show my enquiry").click()


def test_enquiry_is_put_right_sent_seen_and_deleted(
    open_form: Callable[..., Page], axe: Callable[[Page], list[str]], running_site: EnquirySite
) -> None:
    page, addresses, held = open_form(PHONE), list[str](), list[str]()
    page.on("request", lambda request: addresses.append(request.url))
    page.on("framenavigated", lambda frame: addresses.append(frame.url))

    def look() -> None:
        """Check that the page fits and is accessible, and note what the browser stores."""
        held.append(str(page.evaluate(STORED)) + str(page.context.cookies()))
        for size in (DESKTOP, NARROW, PHONE):
            assert sized(page, size).evaluate("document.documentElement.scrollWidth") == size[0]
            assert size == NARROW or (size, axe(page)) == (size, [])

    look()
    page.get_by_text("To send a message").click()
    expect(page.get_by_label("Your message")).to_be_visible()
    page.locator("#enquiry-telephone").fill(MARKED["telephone"])
    page.locator("#enquiry-email").fill("xylophia.z@")
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("There is a problem")
    expect(page.locator("#problems")).to_be_focused()
    expect(page).to_have_title("Error: Contact us | Hearthgate Mortgages")
    expect(page.locator("#enquiry-email")).to_have_value("xylophia.z@")
    expect(page.get_by_label("To send a message")).to_be_checked()
    look()
    page.get_by_role("link", name="Enter your name").click()
    expect(page.locator("#enquiry-name")).to_be_focused()
    fill(page, **MARKED)
    send(page)
    reference = expect_thanks(page)
    expect(page.get_by_role("main")).to_contain_text(MARKED["telephone"])
    look()
    page.reload()
    assert expect_thanks(page) == reference
    open_sent(page, digits=MARKED["telephone"][-4:])
    expect(page).to_have_url(routes.YOUR_ENQUIRY)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your enquiry")
    expect(page.get_by_role("main")).to_contain_text(MARKED["message"])
    look()
    page.get_by_role("button", name="Delete this enquiry").click()
    expect(page.get_by_role("heading", name="Delete it all?")).to_be_focused()
    look()
    page.get_by_role("button", name="Yes, delete it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your enquiry has been deleted")
    look()
    page.goto(routes.CONTACT)
    held.append(page.content())
    in_browser = " ".join([*addresses, *held])
    assert [mark for mark in (*MARKS, reference) if mark in in_browser] == []
    assert [mark for mark in MARKS if mark in running_site.server.said()] == []


def test_keyboard_alone_sends_an_enquiry(open_form: Callable[..., Page]) -> None:
    page = open_form()
    page.get_by_label("A call", exact=True).focus()
    for typed in ("Ada Keys", "07700900123", ""):
        page.keyboard.press("Tab")
        page.keyboard.type(typed)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("Morning")).to_be_checked()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_label(QUESTION)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label(CONSENT_WORDS)).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.get_by_label("By text message")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("main").get_by_role("link", name="Privacy notice").first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_label("I have read the privacy notice.")).to_be_checked()
    page.keyboard.press("Tab")
    linger(page)
    page.keyboard.press("Enter")
    expect_thanks(page)
    expect(page.get_by_role("main")).to_contain_text("in the morning as you asked")


def test_button_pressed_twice_sends_one_enquiry(open_form: Callable[..., Page], running_site: EnquirySite) -> None:
    page = open_form()
    fill(page, name="Ada Twice")
    page.locator("form.posted button").dblclick()
    reference = expect_thanks(page)
    page.go_back()
    fill(page, name="Ada Twice")
    send(page)
    assert expect_thanks(page) == reference
    assert names(running_site, "Ada Twice") == 1


def test_hostile_words_do_nothing_wherever_they_are_shown(open_form: Callable[..., Page], problems: Problems) -> None:
    page = open_form()
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    fill(page, name=HOSTILE, message=HOSTILE, email=HOSTILE)
    send(page)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#enquiry-name")).to_have_value(HOSTILE)
    expect(page.locator("#enquiry-message")).to_have_value(HOSTILE)
    assert page.locator("main img[src=x]").count() == 0
    page.locator("#enquiry-email").fill("")
    page.locator("#enquiry-name").fill(f"Ada {HOSTILE[:16]}")
    send(page)
    expect_thanks(page)
    expect(page.locator("dd", has_text="<img src=x onerror=alert(1)>")).to_be_visible()
    open_sent(page)
    expect(page.locator("dd", has_text="<script>alert(2)</script>")).to_be_visible()
    assert problems.unexpected() == []


def test_enquiry_goes_where_no_socket_opens(open_form: Callable[..., Page], running_site: EnquirySite) -> None:
    page = open_form(path=routes.HOME)
    page.route_web_socket("**/_event/**", lambda socket: socket.close())
    visit(page, routes.HOME)
    page.get_by_role("banner").get_by_role("link", name="Request a callback").first.click()
    expect(page.locator("#enquiry-name")).to_be_visible()
    fill(page, name="Ada Without A Socket")
    send(page)
    expect_thanks(page)
    (kept,) = [each for each in running_site.kept() if each.enquiry.contact.name == "Ada Without A Socket"]
    assert kept.page == routes.HOME
