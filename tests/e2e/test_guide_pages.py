"""Guides in a browser: after a link inside the site, also where they do not come, or only when asked for again."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.pages import Problems, visit

GUIDE = routes.guide("what-is-ltv")
UNKNOWN = routes.guide("nobody-wrote-this")
DATA = f"**{GUIDE}page.json*"
AGAIN = "We will try again in 5 seconds."


def follow(page: Page, path: str) -> None:
    """Go where a link inside the site would lead, without asking the server for a page."""
    page.evaluate("path => { history.pushState({}, '', path); dispatchEvent(new PopStateEvent('popstate')) }", path)


def test_link_inside_the_site_to_no_guide_says_so(page: Page, problems: Problems) -> None:
    problems.expect("404")
    visit(page, routes.GUIDES)
    follow(page, UNKNOWN)
    expect(page.get_by_role("heading", level=1)).to_have_text("We can’t find that page")
    expect(page).to_have_title("We can’t find that page")


def test_guide_that_did_not_come_is_asked_for_again(
    page: Page, problems: Problems, axe: Callable[[Page], list[str]]
) -> None:
    problems.expect("ERR_FAILED")
    visit(page, routes.GUIDES)
    page.route(DATA, lambda route: route.abort(), times=1)
    follow(page, GUIDE)
    expect(page.get_by_role("alert")).to_have_text("Error: The connection failed")
    expect(page.get_by_text(AGAIN)).to_be_visible()
    assert axe(page) == []
    expect(page.get_by_role("heading", level=1)).to_have_text("What is loan to value, and why does it set your rate?")


SHOWN = """() => {
    const all = name => [...document.querySelectorAll(name)];
    return [
        document.title,
        all("link[rel=canonical]").map(each => new URL(each.href).pathname),
        document.querySelector(".site").style.cssText,
        all("script[type='application/ld+json']").map(each => JSON.parse(each.text)["@type"]),
        document.querySelector("main article .prose").textContent,
    ];
}"""
"""Returns title, canonical addresses, colours, kinds of structured data and text of the guide on screen."""


def test_link_to_a_guide_draws_what_its_document_does(page: Page) -> None:
    start = routes.guide("first-time-buyer-guide")
    visit(page, start)
    first, link = page.evaluate(SHOWN), page.locator("[aria-labelledby=next] .g3 a").first
    visit(page, str(link.get_attribute("href")))
    second = page.evaluate(SHOWN)
    visit(page, start)
    page.evaluate("window.before = true")
    link.click()
    expect(page).to_have_title(second[0])
    expect(page.locator("h1")).to_be_focused()
    assert page.evaluate(SHOWN) == second
    page.go_back()
    expect(page).to_have_title(first[0])
    assert page.evaluate(SHOWN) == first
    assert page.evaluate("window.before") is True
