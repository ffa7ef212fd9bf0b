"""Deals side by side, and the sum for two offers: by hand, by a shared address, on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker.rates.comparison import comparison
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.rates_page import RatesPage, answer


def _compared(page: Page) -> list[str]:
    return page.locator(".compared thead th span:not(.logo)").all_inner_texts()


def test_picked_deals_stand_side_by_side_and_a_link_brings_them_again(
    page: Page, open_page: Callable[..., Page], axe: Callable[..., list[str]]
) -> None:
    rates = RatesPage(page=page)
    rates.open()
    picked = [answer().products[place] for place in (0, 2)]
    rows = len(comparison(picked, logos=["", ""]).rows)
    lenders = [product.lender_name for product in answer().products[:3]]
    for place in (0, 2):
        rates.cards.nth(place).get_by_role("checkbox", name="Compare").check()
    expect(page.get_by_role("status").filter(has_text="2 of 4 deals picked to compare")).to_have_count(1)
    docked = page.get_by_role("region", name="Deals to compare")
    expect(docked).to_be_in_viewport(ratio=1)
    docked.get_by_role("button", name="Clear").focus()
    page.keyboard.press("Tab")
    expect(docked.get_by_role("button", name="Compare side by side")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?compare=[^&]+%2C[^&]+$"))
    expect(page.locator(".compared tbody tr")).to_have_count(rows)
    assert _compared(page) == [lenders[0], lenders[2]]
    assert axe(page) == []
    shared = open_page((390, 844))
    shared.goto(page.url)
    expect(shared.locator(".compared tbody tr")).to_have_count(rows)
    assert _compared(shared) == [lenders[0], lenders[2]]
    assert shared.evaluate("document.documentElement.scrollWidth") == 390
    heads = [box for box in (head.bounding_box() for head in shared.locator(".compared thead th.n").all()) if box]
    assert [box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in heads] == [True, True]
    expect(shared.locator(".compared .example").first).to_be_hidden()
    assert axe(shared) == []
    shared.reload()
    expect(shared.locator(".compared tbody tr")).to_have_count(rows)
    page.get_by_role("button", name="Close the comparison").click()
    expect(page.locator(".compared")).to_have_count(0)


def test_four_deals_fit_a_desk_and_the_link_is_copied(page: Page) -> None:
    picked = ",".join(product.product_id for product in answer().products[:4])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/tools/rates/?compare={picked}")
    expect(page.locator(".compared thead th.n")).to_have_count(4)
    frame = page.get_by_role("region", name="Deals side by side")
    assert frame.evaluate("frame => frame.scrollWidth === frame.clientWidth")
    page.locator(".compared").get_by_role("button", name="Copy link").click()
    expect(page.locator(".compared").get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.parametrize(("size", "close"), [(PHONE, "button"), (DESKTOP, "back")], ids=["phone", "desktop"])
def test_comparison_takes_the_focus_and_gives_it_back_with_the_place(
    open_page: OpenPage, size: tuple[int, int], close: str
) -> None:
    page = open_page(size)
    rates = RatesPage(page=page)
    rates.open(page="2")
    expect(rates.cards).to_have_count(10)
    boxes = [rates.cards.nth(place).get_by_role("checkbox", name="Compare") for place in (0, 6)]
    for box in boxes:
        box.check()
    before = boxes[1].evaluate("box => box.getBoundingClientRect().y")
    page.get_by_role("button", name="Compare side by side").click()
    heading = page.get_by_role("heading", name="Side by side")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()
    expect(rates.cards).to_have_count(10)
    if close == "button":
        page.get_by_role("button", name="Close the comparison").click()
    else:
        page.go_back()
    expect(boxes[1]).to_be_focused()
    expect(page.locator(".compared")).to_have_count(0)
    page.wait_for_function(
        "before => Math.abs(document.activeElement.getBoundingClientRect().y - before) < 3", arg=before
    )
    expect(rates.cards).to_have_count(10)
    assert page.url.endswith("/tools/rates/?page=2")
