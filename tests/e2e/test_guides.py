"""Guides and towns as a visitor handles them: filters, slides, the town search, and where a page begins."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.content.embedded import EmbeddedStore
from broker.domain.guides import guides_shown
from broker.settings import read_settings
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit

STORE = EmbeddedStore(read_settings().data_dir / "content")
FILTERS = {
    "All Guides": "all",
    "Property Guides": "property",
    "First Time Buyer Guides": "first-time-buyer",
    "Remortgage Guides": "remortgaging",
    "Mortgage Guides": "mortgaging",
}


def expect_guides(page: Page, chosen: str) -> None:
    """Wait until exactly the guides of a filter can be seen."""
    count = len(guides_shown(STORE.guides(), chosen))
    expect(page.locator(".guides .card:visible")).to_have_count(count)
    expect(page.get_by_role("status").filter(has_text="Showing")).to_have_text(f"Showing {count} guides")


def test_filters_show_the_guides_of_their_categories(page: Page) -> None:
    visit(page, routes.GUIDES)
    for label, chosen in FILTERS.items():
        button = page.get_by_role("button", name=label, exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect_guides(page, chosen)


def test_category_in_the_address_is_chosen_and_gives_way_to_a_button(page: Page) -> None:
    visit(page, f"{routes.GUIDES}?category=remortgaging")
    expect_guides(page, "remortgaging")
    page.get_by_role("button", name="Property Guides").click()
    expect_guides(page, "property")


@pytest.mark.parametrize("asked", ["nonsense", "", "%3Cscript%3E"])
def test_nonsense_as_a_category_shows_every_guide(page: Page, asked: str) -> None:
    visit(page, f"{routes.GUIDES}?category={asked}")
    expect_guides(page, "all")


def test_without_scripts_every_guide_is_there(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto(routes.GUIDES)
    expect(page.locator(".guides .card")).to_have_count(len(STORE.guides()))
    expect(page.get_by_role("button", name="Property Guides")).to_be_hidden()


@pytest.mark.parametrize(("width", "slides"), [(390, 1), (700, 1), (800, 2), (1000, 3), (1280, 3)])
def test_slides_stand_as_many_to_a_row_as_specified(open_page: OpenPage, width: int, slides: int) -> None:
    page = open_page((width, 900))
    visit(page, routes.HOME)
    row = page.get_by_role("region", name="Guides in a row")
    across = row.evaluate("row => Math.round((row.clientWidth + 20) / (row.children[0].offsetWidth + 20))")
    assert across == slides
    row.scroll_into_view_if_needed()
    page.get_by_role("button", name="Next guides").click()
    expect(row.get_by_role("group").nth(slides)).to_be_in_viewport()


def test_town_search_leaves_the_towns_that_hold_what_is_typed(page: Page) -> None:
    visit(page, routes.LOCAL)
    links = page.locator(".near a")
    expect(links).to_have_count(len(STORE.towns()))
    page.get_by_label("Town or borough").fill("har")
    expect(links).to_have_text(["Harrow"])
    page.get_by_label("Town or borough").fill("nowhere")
    expect(links).to_have_count(0)
    expect(page.get_by_text("No page for that town yet.")).to_be_visible()


def test_a_page_reached_by_a_link_begins_at_its_heading(page: Page) -> None:
    visit(page, routes.GUIDES)
    page.get_by_role("link", name="What is loan to value, and why does it set your rate?").first.click()
    expect(page).to_have_url(routes.guide("what-is-ltv"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("link", name="Home", exact=True).first.click()
    expect(page).to_have_url(routes.HOME)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_contents_lead_to_their_headings(page: Page) -> None:
    visit(page, routes.guide("what-is-ltv"))
    entry = page.get_by_role("navigation", name="On this page").get_by_role("link").nth(2)
    entry.click()
    expect(page.get_by_role("heading", name=entry.inner_text())).to_be_in_viewport()
