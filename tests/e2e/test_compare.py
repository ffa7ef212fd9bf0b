"""Deals side by side, and the sum for two offers: by hand, by a shared address, on a phone."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.rates_page import RatesPage, answer


def _compared(page: Page) -> list[str]:
    return page.locator(".compared thead th span:not(.logo)").all_inner_texts()


def test_picked_deals_stand_side_by_side_and_a_link_brings_them_again(
    page: Page, open_page: Callable[..., Page], axe: Callable[..., list[str]]
) -> None:
    rates = RatesPage(page=page)
    rates.open()
    lenders = [product.lender_name for product in answer().products[:3]]
    for place in (0, 2):
        rates.cards.nth(place).get_by_role("checkbox", name="Compare").check()
    expect(page.locator(".comparebar")).to_contain_text("2 of 4 deals picked to compare")
    rates.button("Compare side by side").click()
    expect(page).to_have_url(re.compile(r"\?compare=[^&]+%2C[^&]+$"))
    expect(page.locator(".compared tbody tr")).to_have_count(15)
    assert _compared(page) == [lenders[0], lenders[2]]
    assert axe(page) == []
    shared = open_page((390, 844))
    shared.goto(page.url)
    expect(shared.locator(".compared tbody tr")).to_have_count(15)
    assert _compared(shared) == [lenders[0], lenders[2]]
    assert shared.evaluate("document.documentElement.scrollWidth") == 390
    assert axe(shared) == []
    shared.reload()
    expect(shared.locator(".compared tbody tr")).to_have_count(15)
    page.get_by_role("link", name="Close the comparison").click()
    expect(page.locator(".compared")).to_have_count(0)


def test_two_offers_change_places_where_the_worked_case_says(page: Page) -> None:
    page.goto("/tools/rates/")
    panel = page.locator("#two-deals")
    panel.get_by_text("How we worked this out").click()
    steps = panel.locator("ol li")
    expect(steps.nth(2)).to_contain_text("By cash the smaller fee wins below a loan of £729,810")
    expect(steps.nth(3)).to_contain_text("By true cost the smaller fee wins below a loan of £503,469")
    panel.get_by_label("Loan", exact=True).fill("600,000")
    expect(panel.locator(".plate")).to_contain_text("Deal 1 has the lower true cost, by")
    expect(panel.locator(".big")).to_have_text("£383.27")
