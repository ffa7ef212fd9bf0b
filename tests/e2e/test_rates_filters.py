"""The search narrowed to a lender or to low fees: chosen, kept in the address, said, and taken away again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker.domain.rates.ranking import PAGE_SIZE
from broker.presenters.rates.results import NONE_FOUND
from broker.presenters.rates.search_params import FEES_OPTIONS
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.rates_page import RatesPage, answer, ids
from tests.unit.market.searching import catalogue

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
    expect(rates.list.get_by_text(HALIFAX)).to_be_visible()
    rates.choose("Sort by", "Fees")
    rates.expect_address(sort="fees", **NARROWED)
    rates.expect_cards(ids(answer(sort="fees", **NARROWED)))
    rates.page.go_back()
    rates.expect_cards(ids(answer(**NARROWED)))
    rates.load(rates.page.reload)
    rates.expect_cards(ids(answer(**NARROWED)))
    expect_filters(rates, lender="42", fees="1000")
    shared = RatesPage(page=open_page(PHONE))
    shared.open(**NARROWED)
    shared.expect_cards(ids(answer(**NARROWED)))
    expect(shared.page.locator(".find .sum")).to_contain_text(HALIFAX)
    assert shared.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_taking_the_filters_off_lists_everything_again(rates: RatesPage) -> None:
    rates.open(**NARROWED)
    rates.expect_cards(ids(answer(**NARROWED)))
    rates.listed("Lender").select_option("Any lender")
    rates.listed("Lender fees").select_option("Any")
    rates.update()
    rates.expect_address()
    rates.expect_cards(ids(answer()))
    expect(rates.list.get_by_text("with fees up to")).to_have_count(0)


@pytest.mark.parametrize("customer", ["", "first-time-buyer", "buy-to-let"])
def test_lists_offer_the_lenders_of_the_pages_kind_and_the_four_steps(page: Page, customer: str) -> None:
    rates = RatesPage(page=page, customer=customer)
    rates.open()
    kind = {"": lambda _: True, "buy-to-let": lambda each: each.buy_to_let}.get(customer, lambda each: each.residential)
    names = sorted((each.name for each in catalogue().lenders.values() if kind(each)), key=str.casefold)
    assert rates.listed("Lender").locator("option").all_inner_texts() == ["Any lender", *names]
    assert rates.listed("Lender fees").locator("option").all_inner_texts() == [words for _, words in FEES_OPTIONS]


def test_nothing_found_offers_the_search_without_its_filters(rates: RatesPage, axe: Callable[..., list[str]]) -> None:
    asked = {"amount": "199000", "fees": "500", "lender": "42"}
    assert ids(answer(**asked)) == []
    rates.open(**asked)
    expect(rates.list.get_by_text(NONE_FOUND)).to_be_visible()
    expect(rates.list.get_by_text("from Halifax, with fees up to £500")).to_be_visible()
    assert axe(rates.page) == []
    rates.page.get_by_role("link", name="Take the filters away").click()
    rates.expect_address(amount="199000")
    expect_filters(rates, lender="", fees="")


def test_filter_that_nobody_offers_is_ignored(rates: RatesPage) -> None:
    for nonsense in ({"lender": "99999"}, {"lender": "x", "fees": "700"}, {"fees": "-1"}):
        rates.open(**nonsense)
        rates.expect_cards(ids(answer()))
        expect_filters(rates, lender="", fees="")


def test_another_customers_page_starts_without_filters(page: Page) -> None:
    mover, buyer = (RatesPage(page=page, customer=customer) for customer in ("home-mover", "first-time-buyer"))
    mover.open(**NARROWED)
    mover.expect_cards(ids(answer("home-mover", **NARROWED)))
    buyer.open()
    buyer.expect_cards(ids(answer("first-time-buyer")))
    expect_filters(buyer, lender="", fees="")


def test_filters_can_be_chosen_by_keyboard_alone(rates: RatesPage) -> None:
    rates.open()
    rates.listed("Lender").focus()
    rates.page.keyboard.type("Halif")
    rates.page.keyboard.press("Tab")
    expect(rates.listed("Lender fees")).to_be_focused()
    rates.page.keyboard.press("ArrowDown")
    rates.page.keyboard.press("Tab")
    expect(rates.button("Update results")).to_be_focused()
    rates.page.keyboard.press("Enter")
    rates.expect_address(fees="500", lender="42")
    rates.expect_cards(ids(answer(fees="500", lender="42")))


def test_nonsense_in_the_address_stands_in_the_form_with_what_is_wrong(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open(price="abc", term="99")
    expect(rates.box("Property price")).to_have_value("abc")
    expect(page.locator(".find .err")).to_have_text(
        ["Enter the property price in digits only, for example 200,000", "Enter a term in whole years, from 1 to 40"]
    )
    expect(rates.cards).to_have_count(PAGE_SIZE)
