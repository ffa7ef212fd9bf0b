"""Guides in a browser: after a link inside the site, also where they do not come, or only when asked for again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from broker import routes
from tests.e2e.conftest import DESKTOP
from tests.e2e.pages import Problems, sized, visit

GUIDE = routes.guide("what-is-ltv")
UNKNOWN = routes.guide("nobody-wrote-this")
DATA = f"**{GUIDE}page.json*"
AGAIN = "We will try again in 5 seconds."


def follow(page: Page, path: str) -> None:
    """Go where a link inside the site would lead, without asking the server for a page."""
    page.evaluate("path => { history.pushState({}, '', path); dispatchEvent(new PopStateEvent('popstate')) }", path)


def test_contents_of_a_guide_mark_the_heading_that_is_read(page: Page) -> None:
    visit(sized(page, DESKTOP), GUIDE)
    entry = page.locator(".toc a").last
    page.locator(str(entry.get_attribute("href"))).evaluate("heading => heading.scrollIntoView()")
    expect(entry).to_have_attribute("aria-current", "location")
    expect(entry).to_have_css("font-weight", "650")


def test_link_inside_the_site_to_no_guide_says_so(page: Page, problems: Problems) -> None:
    problems.expect("404")
    visit(page, routes.GUIDES)
    follow(page, UNKNOWN)
    expect(page.get_by_role("heading", level=1)).to_have_text("We can't find that page")
    expect(page).to_have_title("We can't find that page")


@pytest.mark.parametrize("failure", ["status", "connection"])
def test_guide_that_did_not_come_is_asked_for_again(
    page: Page, problems: Problems, axe: Callable[[Page], list[str]], failure: str
) -> None:
    problems.expect("502" if failure == "status" else "ERR_FAILED")
    visit(page, routes.GUIDES)

    def fail(route: Route) -> None:
        if failure == "status":
            route.fulfill(status=502, body="<h1>Bad Gateway</h1>")
        else:
            route.abort()

    page.route(DATA, fail, times=1)
    follow(page, GUIDE)
    words = {"status": "The server could not answer", "connection": "The connection failed"}[failure]
    expect(page.get_by_role("alert")).to_have_text(f"Error: {words}")
    expect(page.get_by_text(AGAIN)).to_be_visible()
    assert axe(page) == []
    expect(page.get_by_role("heading", level=1)).to_have_text("What is loan to value, and why does it set your rate?")


def test_guide_that_does_not_come_leaves_the_visitor_with_what_to_do(page: Page, problems: Problems) -> None:
    problems.expect("ERR_FAILED")
    visit(page, routes.GUIDES)
    page.route(DATA, lambda route: route.abort())
    follow(page, GUIDE)
    expect(page.get_by_text(AGAIN)).to_be_visible()
    expect(page.get_by_text(AGAIN)).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_text("Error: The connection failed")
    expect(page.get_by_role("main").get_by_role("link", name="try again")).to_be_visible()


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
