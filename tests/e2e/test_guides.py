"""Guides and towns as a visitor handles them: lists without scripts, the town search, and where a page begins."""

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.our_content import STORE


def test_without_scripts_every_guide_is_there(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto(routes.GUIDES)
    expect(page.locator(".guides .card")).to_have_count(len(STORE.guides()))
    expect(page.get_by_role("button", name="Property Guides")).to_be_hidden()


def test_town_search_leaves_the_towns_that_hold_what_is_typed(page: Page) -> None:
    visit(page, routes.LOCAL)
    links = page.locator(".near a")
    expect(links).to_have_count(len(STORE.towns()))
    page.get_by_label("Town or borough").fill("har")
    expect(links).to_have_text(["Harrow"])
    page.get_by_label("Town or borough").fill("nowhere")
    expect(links).to_have_count(0)
    expect(page.get_by_text("No page for that town yet.")).to_be_visible()


def test_links_lead_to_the_heading_of_a_page_or_of_its_part(page: Page) -> None:
    visit(page, routes.GUIDES)
    page.get_by_role("link", name="What is loan to value, and why does it set your rate?").first.click()
    expect(page).to_have_url(routes.guide("what-is-ltv"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    entry = page.get_by_role("navigation", name="On this page").get_by_role("link").nth(2)
    entry.click()
    expect(page.get_by_role("heading", name=entry.inner_text())).to_be_in_viewport()
    page.get_by_role("link", name="Home", exact=True).first.click()
    expect(page).to_have_url(routes.HOME)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
