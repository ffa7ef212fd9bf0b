"""Pages that list guides, lenders or every page: hydrated as they were served, and the same after a link."""

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import Problems, visit
from tests.e2e.test_guide_pages import follow

LISTS = {
    routes.GUIDES: "Mortgage guides",
    routes.guides("remortgaging"): "Remortgage Guides",
    routes.LENDERS: "Mortgage lenders, A to Z",
    routes.SITE_MAP: "Sitemap",
}
READ = """async path => {
    const html = path ? await (await fetch(path)).text() : document.documentElement.outerHTML;
    const main = new DOMParser().parseFromString(html, "text/html").querySelector("main");
    const names = ["class", "id", "href", "src", "data-words", "data-chosen", "data-filters", "data-categories"];
    return [
        main.textContent,
        [...main.querySelectorAll("*")].map(each => [each.localName, ...names.map(name => each.getAttribute(name))]),
    ];
}"""
"""Returns the words and the elements of the main part of a page as it is served, or as it is on the screen."""


@pytest.mark.parametrize("path", LISTS)
def test_list_is_as_it_was_served_once_scripts_have_it_and_after_a_link(
    open_page: OpenPage, problems: Problems, path: str
) -> None:
    page = open_page(PHONE)
    visit(page, path)
    served = page.evaluate(READ, path)
    assert page.evaluate(READ) == served
    visit(page, routes.PRIVACY)
    follow(page, path)
    expect(page.get_by_role("heading", level=1)).to_have_text(LISTS[path])
    expect(page).not_to_have_title("Loading the page")
    assert page.evaluate(READ) == served
    assert problems.unexpected() == []


def test_filters_work_after_a_link(page: Page) -> None:
    visit(page, routes.PRIVACY)
    follow(page, routes.LENDERS)
    page.get_by_role("searchbox", name="Name of the lender").fill("halifax")
    expect(page.locator("[data-words]:visible strong")).to_have_text(["Halifax"])
    follow(page, f"{routes.GUIDES}?category=property")
    status = page.get_by_role("search").get_by_role("status")
    shown = page.locator(".guides > :visible")
    expect(page.get_by_role("button", name="Property Guides")).to_have_attribute("aria-pressed", "true")
    expect(status).to_have_text(f"{shown.count()} of {page.locator('.guides > *').count()} shown")
    page.get_by_role("button", name="All Guides").click()
    expect(status).to_have_text(f"{shown.count()} of {shown.count()} shown")
