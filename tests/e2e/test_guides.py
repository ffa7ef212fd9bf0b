"""Guides as a visitor handles them: the search of the list, tables on a phone, contents, and where a page begins."""

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.pages import visit
from tests.our_content import STORE


def test_search_and_category_narrow_the_list_together(page: Page) -> None:
    visit(page, routes.GUIDES)
    links, count = page.locator(".guides > :visible").locator("a"), page.get_by_role("search").get_by_role("status")
    expect(count).to_have_text(f"{len(STORE.guides())} of {len(STORE.guides())} shown")
    page.get_by_role("searchbox", name="Search the guides").press_sequentially("lifetime")
    expect(links).to_have_text(["Should you use a Lifetime ISA to buy your first home?"])
    page.get_by_role("button", name="Property Guides").click()
    expect(links).to_have_count(0)
    expect(count).to_have_text(f"0 of {len(STORE.guides())} shown")
    page.get_by_role("button", name="First Time Buyer Guides").click()
    expect(count).to_have_text(f"1 of {len(STORE.guides())} shown")
    page.get_by_role("searchbox").press("Enter")
    expect(page).to_have_url(routes.GUIDES)


def test_table_of_words_is_cards_on_a_phone_and_figures_keep_their_columns(phone: Page) -> None:
    visit(phone, "/how-we-are-paid/")
    words = phone.get_by_role("table", name="Table: What you still pay for")
    first = words.get_by_role("row").nth(1)
    expect(first.get_by_role("rowheader")).to_have_text("Arrangement, booking and valuation fees")
    expect(first.get_by_role("cell")).to_have_text("The lender, if the deal has them")
    label = first.get_by_role("cell").evaluate("cell => getComputedStyle(cell, '::before').content")
    assert label == '"Who you pay"'
    tops = first.locator("th, td").evaluate_all("all => all.map(cell => cell.getBoundingClientRect().top)")
    assert tops[0] < tops[1]
    figures = phone.get_by_role("region", name="Table: How much the lender pays")
    assert figures.evaluate("region => [region.tabIndex, region.scrollWidth - region.clientWidth]") == [0, 0]


def test_contents_mark_the_part_that_is_read(page: Page) -> None:
    visit(page, routes.guide("what-is-ltv"))
    contents = page.get_by_role("navigation", name="On this page")
    links, current = contents.get_by_role("link"), contents.locator("[aria-current=location]")
    expect(current).to_have_count(0)
    for entry in (links.nth(2), links.first):
        page.locator(entry.get_attribute("href") or "").evaluate("heading => heading.scrollIntoView()")
        expect(current).to_have_text(entry.inner_text())
    assert current.evaluate("link => [getComputedStyle(link).fontWeight, link.offsetHeight > 0]") == ["650", True]


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
