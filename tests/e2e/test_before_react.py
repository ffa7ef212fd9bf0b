"""Between a page's first frame and React's start the browser works alone, and what was typed or pressed then counts.

Scripts are held back meanwhile, so that a busy machine changes nothing.
"""

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.enquiry_page import expect_thanks, send
from tests.e2e.pages import hold_scripts

GUIDE = routes.guide("porting-your-mortgage")
TAKEN_OVER = "() => Object.keys(document.querySelector('main')).some(key => key.startsWith('__reactProps'))"

_TYPES_WHEN_STARTED = """
let value;
Object.defineProperty(self, 'isHydrated', { get: () => value, set: (given) => {
  value = given;
  document.execCommand('insertText', false, 'r');
}});
"""
"""Types a key into the field in focus at the moment at which the page is hydrated."""

_MOVED = "row => Math.abs(row.scrollLeft - (row.children[1].offsetLeft - row.children[0].offsetLeft)) < 2"


def test_menu_that_was_opened_before_react_stays_open(phone: Page) -> None:
    release = hold_scripts(phone)
    phone.goto(GUIDE)
    phone.locator("summary.burger").click()
    drawer = phone.get_by_role("navigation", name="Menu")
    expect(drawer).to_be_visible()
    release()
    phone.wait_for_function(TAKEN_OVER)
    expect(drawer).to_be_visible()


def test_keys_open_the_menu_and_follow_a_link_before_react(phone: Page) -> None:
    hold_scripts(phone)
    phone.goto(GUIDE)
    while phone.evaluate("document.activeElement.tagName") != "SUMMARY":
        phone.keyboard.press("Tab")
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("navigation", name="Menu")).to_be_visible()
    phone.goto(routes.PRIVACY)
    phone.get_by_role("contentinfo").get_by_role("link", name="Sitemap").focus()
    phone.keyboard.press("Enter")
    expect(phone).to_have_url(routes.SITE_MAP)


def test_press_of_an_arrow_before_react_moves_the_row_once(phone: Page) -> None:
    phone.emulate_media(reduced_motion="reduce")
    release = hold_scripts(phone)
    phone.goto(routes.ABOUT)
    phone.get_by_role("button", name="Next reviews").evaluate("button => button.click()")
    release()
    row = phone.get_by_role("region", name="Reviews in a row")
    phone.wait_for_function(_MOVED, arg=row.element_handle())


def test_key_after_hydration_is_kept_when_earlier_keys_are_repeated(page: Page) -> None:
    page.add_init_script(_TYPES_WHEN_STARTED)
    release = hold_scripts(page)
    page.goto(routes.LOCAL)
    page.get_by_label("Town or borough").press_sequentially("har")
    release()
    expect(page.locator(".near a")).to_have_text(["Harrow"])
    expect(page.get_by_label("Town or borough")).to_have_value("harr")


def test_contact_form_filled_in_before_react_keeps_it_and_is_sent(page: Page) -> None:
    release = hold_scripts(page)
    page.goto(routes.CONTACT)
    typed = {"name": "Early Bird", "telephone": "07700 900222", "message": "Before the scripts"}
    page.get_by_text("To send a message").click()
    for name, value in typed.items():
        page.locator(f"#enquiry-{name}").fill(value)
    page.get_by_label("I have read the privacy notice.").check()
    release()
    page.wait_for_function(TAKEN_OVER)
    for name, value in typed.items():
        expect(page.locator(f"#enquiry-{name}")).to_have_value(value)
    expect(page.get_by_label("To send a message")).to_be_checked()
    expect(page.get_by_label("I have read the privacy notice.")).to_be_checked()
    send(page)
    expect_thanks(page)


def test_cookie_notice_closes_before_react(page: Page) -> None:
    hold_scripts(page)
    page.goto(GUIDE)
    page.get_by_role("button", name="Accept & Close").evaluate("button => button.form.requestSubmit(button)")
    expect(page.get_by_role("region", name="Cookie notice")).to_be_hidden()
