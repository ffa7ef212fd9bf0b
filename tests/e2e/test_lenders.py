"""The list of lenders, by keyboard."""

from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit


def shown(page: Page) -> list[str]:
    return page.locator("[data-words]:visible").evaluate_all("all => all.map(each => each.dataset.name)")


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
    expect(page.locator("[data-words]:visible strong")).to_have_text(["Bath Building Society"])
    box.fill("nobody")
    expect(page.get_by_role("search").get_by_role("status")).to_have_text("0 of 83 shown")
    assert [url for url in requests if "/art/" not in url and "/logos/" not in url] == []
