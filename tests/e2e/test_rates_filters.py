"""The search narrowed to a lender or to low fees: chosen, kept in the address, said, and taken away again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker.rates.results import NONE_FOUND
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.rates_page import RatesPage, answer, ids

NARROWED = {"fees": "1000", "lender": "42"}
HALIFAX = "from Halifax, with fees up to £1,000"


@pytest.fixture
def rates(page: Page) -> RatesPage:
    return RatesPage(page=page)


def expect_filters(rates: RatesPage, *, lender: str, fees: str) -> None:
    expect(rates.listed("Lender")).to_have_value(lender)
    expect(rates.listed("Lender fees")).to_have_value(fees)


def test_lender_and_fees_narrow_the_list_and_live_in_the_address(rates: RatesPage, open_page: OpenPage) -> None:
    rates.open()
    rates.listed("Lender").select_option("Halifax")
    rates.listed("Lender fees").select_option("Up to £1,000")
    rates.update()
    rates.expect_address(**NARROWED)
    rates.expect_cards(ids(answer(**NARROWED)))
    expect(rates.list.get_by_role("status").filter(has_text=HALIFAX)).to_have_count(1)
    rates.choose("Sort by", "Fees")
    rates.expect_address(sort="fees", **NARROWED)
    rates.expect_cards(ids(answer(sort="fees", **NARROWED)))
    shared = RatesPage(page=open_page(PHONE))
    shared.open(**NARROWED)
    shared.expect_cards(ids(answer(**NARROWED)))
    expect_filters(shared, lender="42", fees="1000")
    expect(shared.page.locator(".ask")).to_contain_text(HALIFAX)


def test_nothing_found_offers_the_search_without_its_filters(rates: RatesPage, axe: Callable[..., list[str]]) -> None:
    asked = {"amount": "199000", "fees": "500", "lender": "42"}
    assert ids(answer(**asked)) == []
    rates.open(**asked)
    expect(rates.list.get_by_text(NONE_FOUND)).to_be_visible()
    expect(rates.list.locator("b", has_text="from Halifax, with fees up to £500")).to_be_visible()
    assert axe(rates.page) == []
    rates.page.get_by_role("link", name="Remove the filters").click()
    rates.expect_address(amount="199000")
    expect_filters(rates, lender="", fees="")


def test_search_works_by_keyboard_alone(rates: RatesPage) -> None:
    rates.open()
    rates.box("Mortgage amount").focus()
    rates.page.keyboard.press("Control+a")
    rates.page.keyboard.type("150000")
    rates.radio("Deal length", "2 years").focus()
    rates.page.keyboard.press("ArrowRight")
    expect(rates.radio("Deal length", "3 years")).to_be_checked()
    rates.listed("Lender").focus()
    rates.page.keyboard.type("Halif")
    rates.page.keyboard.press("Tab")
    expect(rates.listed("Lender fees")).to_be_focused()
    for _ in range(3):
        rates.page.keyboard.press("ArrowDown")
    rates.page.keyboard.press("Tab")
    expect(rates.button("Update results")).to_be_focused()
    rates.page.keyboard.press("Enter")
    asked = {"amount": "150000", "period": "3", "fees": "500", "lender": "42"}
    rates.expect_address(**asked)
    rates.expect_cards(ids(answer(**asked)))
