"""The site as browsers meet it: pages without scripts, the cookie notice, and what is stored."""

from time import time

from playwright.sync_api import BrowserContext, Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.enquiry_page import linger
from tests.e2e.pages import FAMILIES, MISSING, Problems, visit

NOTICE = "Our site uses cookies. By continuing to use our site you are agreeing to our cookie policy"
DAY = 24 * 60 * 60
STORED = "() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
AFTER_A_FAULT = {"reflex_last_reloaded_on_error"}
"""Listed in the policy, and stored only once a page has failed, which none does here."""


def test_without_scripts_pages_have_their_text_menu_and_links(open_page: OpenPage, problems: Problems) -> None:
    problems.expect("status of 404")
    page = open_page(scripts=False)
    for path in (*FAMILIES, routes.CONTACT, routes.QUESTIONNAIRE, routes.SAVED_ANSWERS, routes.SEARCH, MISSING):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert len(page.get_by_role("main").inner_text()) > 200
        if not path.startswith(routes.QUESTIONNAIRE):  # its pages have no menu, which would lead away from them
            page.locator("nav summary", has_text="Tools").click()
            listed = page.get_by_role("navigation", name="Main").get_by_role("link", name="Mortgage Rates")
            expect(listed).to_be_visible()
        expect(page.get_by_role("contentinfo").get_by_role("link", name="Privacy Notice")).to_be_visible()
        assert page.locator(".needs-script").evaluate_all("all => all.filter(each => each.checkVisibility())") == []


def test_cookie_notice_closes_without_a_request_for_100_days(page: Page) -> None:
    visit(page, routes.RATES)
    notice = page.get_by_role("region", name="Cookie notice")
    expect(notice).to_contain_text(NOTICE)
    expect(notice.get_by_role("link", name="cookie policy")).to_have_attribute("href", routes.COOKIES)
    page.wait_for_load_state("networkidle")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_role("button", name="Accept & Close").click()
    expect(notice).to_be_hidden()
    assert requests == []
    assert_kept_for_100_days(page.context)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(notice).to_be_hidden()


def assert_kept_for_100_days(context: BrowserContext) -> None:
    (cookie,) = context.cookies()
    days = (cookie.get("expires", 0) - time()) / DAY
    assert (cookie.get("name"), cookie.get("sameSite"), round(days, 1)) == ("cookie_notice", "Lax", 100)


def test_cookie_policy_lists_exactly_what_a_browser_holds(page: Page) -> None:
    held: set[str] = set()
    for path in (routes.HOME, routes.RATES, routes.CALCULATORS, routes.TEST, routes.COOKIES):
        visit(page, path)
        page.wait_for_load_state("networkidle")
        held |= set(page.evaluate(STORED))
    visit(page, routes.calculator("repayment"))
    page.locator("#repayment-loan").fill("187400")
    held |= set(page.evaluate(STORED))
    page.get_by_role("button", name="Accept & Close").click()
    page.get_by_role("contentinfo").get_by_role("link", name="Contact").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Contact")
    page.get_by_role("banner").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("mortgage")
    held |= cookies_of_enquiries(page)
    held |= set(page.evaluate(STORED)) | {str(cookie.get("name")) for cookie in page.context.cookies()}
    visit(page, routes.COOKIES)
    listed = page.get_by_role("main").locator("th[scope=row] code").all_inner_texts()
    assert sorted(listed) == sorted(held | AFTER_A_FAULT)


def cookies_of_enquiries(page: Page) -> set[str]:
    with page.expect_request_finished(lambda request: request.url.endswith(routes.JOURNEY_COOKIE)):
        visit(page, routes.QUESTIONNAIRE)
    assert "journey" not in page.evaluate("document.cookie")
    visit(page, routes.CONTACT)
    page.get_by_label("Full name").fill("Ada Lovelace")
    page.get_by_label("Telephone number").fill("07700 900123")
    page.get_by_label("I have read the privacy notice.").check()
    linger(page)
    page.get_by_role("button", name="Send").click()
    expect(page).to_have_url(routes.THANK_YOU)
    kept = {str(each.get("name")): each.get("expires", 0) - time() for each in page.context.cookies()}
    assert (round(kept["journey"] / DAY, 1), round(kept["thanks"] / 3_600, 1)) == (30, 1)
    return set(kept)
