"""Scripts that do not arrive, that fail, or that find no store: the page stays of use, and says what it cannot do."""

import re

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import PHONE, Problems, visit
from tests.integration.enquiry_site import EnquirySite

REPAYMENT = routes.calculator("repayment")
LOAN = "#repayment-loan"
ANSWER = ".plate .big"

_REFUSE = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""
"""What a browser does whose visitor blocks the data of sites."""

_FAIL = """() => addEventListener("input", () => {
  String.prototype.padStart = () => { throw new TypeError("first line\\nsecond line"); };
}, true)"""
"""Has every drawing of a number fail once something is typed."""

_NO_THEME = """Object.defineProperty(window, "localStorage", {
  get() { throw new Error("denied"); }, configurable: false,
});"""
"""Has React fail outside the page, in Reflex's own frame."""

PLAIN = "data-scripts"


def without_scripts(page: Page, problems: Problems) -> None:
    problems.expect("Failed to load resource|ERR_FAILED")
    page.route("**/*.js", lambda route: route.abort())


def test_page_works_without_site_data_and_says_once_what_is_not_remembered(page: Page) -> None:
    page.add_init_script(_REFUSE)
    visit(page, REPAYMENT, selector=LOAN)
    notice = page.get_by_text("doesn’t let this site store anything")
    expect(notice).to_be_visible()
    page.locator(LOAN).fill("200000")
    expect(page.locator(ANSWER).first).to_have_text("£1,287.38")
    page.get_by_role("contentinfo").get_by_role("link", name="Sitemap").click()
    expect(page).to_have_url(routes.SITE_MAP)
    page.evaluate("path => { location.href = path }", routes.RATES)
    expect(page).to_have_url(re.compile(routes.RATES))
    expect(notice).to_be_hidden()
    page.locator("input[name=sort][value=fees]").click()
    expect(page.locator("#deals [role=status]").first).to_contain_text("lowest fees first")
    for path in (routes.HOME, routes.QUESTIONNAIRE, routes.BUYING_PLAN, routes.guide("what-is-ltv")):
        visit(page, path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_render_error_shows_our_own_words_and_is_logged_in_a_line(
    page: Page, running_site: EnquirySite, logged: int, problems: Problems
) -> None:
    problems.expect("first line")
    visit(page, f"{REPAYMENT}?term=20", selector=LOAN)
    page.evaluate(_FAIL)
    page.locator(LOAN).fill("200000")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sorry, this page has stopped working")
    expect(page.get_by_role("banner").get_by_role("link", name="020 7946 0123")).to_be_visible()
    assert "Built with" not in page.locator("body").inner_text()
    assert "first line" not in page.locator("body").inner_text()
    again = page.get_by_role("link", name="Open this page again")
    page.wait_for_function("() => location.search.includes('term=20')")
    again.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Monthly repayment")
    said = running_site.server.said()[logged:]
    assert said.count("A page reported an error (TypeError)") == 1
    assert "first line" not in said


def test_error_outside_the_page_leaves_the_page_that_was_served(page: Page, problems: Problems) -> None:
    problems.expect("denied|Minified React error|React failed outside the page|WebSocket")
    page.add_init_script(_NO_THEME)
    page.goto(REPAYMENT)
    expect(page.locator("html")).to_have_attribute(PLAIN, "none")
    expect(page.get_by_role("heading", level=1)).to_have_text("Monthly repayment")
    page.locator(LOAN).fill("200000")
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator(ANSWER).first).to_have_text("£1,287.38")


def test_link_whose_script_does_not_come_leads_to_its_page(page: Page, problems: Problems) -> None:
    visit(page, REPAYMENT)
    without_scripts(page, problems)
    problems.expect("Error loading route module|Failed to fetch dynamically")
    page.get_by_role("contentinfo").get_by_role("link", name="Sitemap").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sitemap")
    expect(page).to_have_url(routes.SITE_MAP)


def test_plain_form_answers_where_scripts_do_not_arrive(page: Page, problems: Problems) -> None:
    without_scripts(page, problems)
    page.goto(routes.BUYING_PLAN)
    button = page.get_by_role("button", name="Work it out")
    expect(button).to_be_visible()
    expect(page.locator(".needs-script:visible")).to_have_count(0)
    old = page.get_by_text("You’ve changed a figure.")
    expect(old).to_be_hidden()
    field = page.locator("form input:not([type])").first
    field.fill("61000")
    expect(old).to_be_visible()
    expect(page.locator(ANSWER).first).to_have_css("text-decoration-line", "line-through")
    button.click()
    expect(page).to_have_url(re.compile("61000"))
    expect(old).to_be_hidden()
    expect(page.locator(ANSWER).first).to_have_css("text-decoration-line", "none")


def test_list_of_rates_has_plain_links_where_scripts_do_not_arrive(open_page: OpenPage, problems: Problems) -> None:
    page = open_page(PHONE)
    without_scripts(page, problems)
    page.goto(routes.RATES)
    expect(page.get_by_role("button", name="Sort", exact=True)).to_be_visible()
    page.get_by_role("link", name="View details").first.click()
    expect(page.get_by_role("heading", name="What you pay, and when")).to_be_visible()
