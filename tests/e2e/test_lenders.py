"""The list of lenders and a lender's page, by keyboard and on a phone."""

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import visit


def shown(page: Page) -> list[str]:
    return page.locator("[data-words]:visible").evaluate_all("all => all.map(each => each.innerText.trim())")


def test_filter_narrows_the_list_by_keyboard_without_the_server(open_page: OpenPage) -> None:
    page = open_page()
    visit(page, routes.LENDERS)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    box = page.get_by_role("searchbox", name="Name of the lender")
    box.press_sequentially("ba")
    expect(page.get_by_role("search").get_by_role("status")).not_to_have_text("83 of 83 shown")
    assert all(any(word.startswith("ba") for word in name.lower().split()) for name in shown(page))
    expect(page.locator("a[href='#letter-z']")).to_be_hidden()
    box.press("Enter")
    assert page.url.endswith(routes.LENDERS)
    page.get_by_role("radio", name="Societies").press(" ")
    expect(page.locator("[data-words]:visible")).to_have_text(["Bath Building Society"])
    box.fill("nobody")
    expect(page.get_by_role("search").get_by_role("status")).to_have_text("0 of 83 shown")
    assert [url for url in requests if "/art/" not in url and "/logos/" not in url] == []


def test_buttons_of_deals_below_the_first_view_have_their_size_at_once(open_page: OpenPage) -> None:
    page = open_page(PHONE)
    page.goto(routes.lender("halifax"))
    heights = page.locator(".best-deal > .btn").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert heights == [48, 48, 48]


def test_rates_of_a_lender_are_within_a_phones_width(open_page: OpenPage) -> None:
    page = open_page(PHONE)
    visit(page, routes.lender("halifax"))
    table = page.get_by_role("table")
    expect(table.get_by_role("rowheader")).to_have_count(6)
    page.add_style_tag(content="* { content-visibility: visible !important }")
    size = "() => [document.documentElement.scrollWidth, document.querySelector('[role=table]').scrollWidth]"
    width, table_width = page.evaluate(size)
    assert (width, table_width <= width) == (PHONE[0], True)


def test_caption_of_an_aprc_stays_within_its_plate(open_page: OpenPage) -> None:
    page = open_page()
    visit(page, routes.lender("halifax"))
    too_wide = """all => all.filter(plate => {
      const edge = plate.getBoundingClientRect().right - 2, words = document.createRange();
      words.selectNodeContents(plate);
      return words.getBoundingClientRect().right > edge;
    }).length"""
    for width in (320, 390, 640, 768, 920, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert (width, page.locator(".plate.two").evaluate_all(too_wide)) == (width, 0)
