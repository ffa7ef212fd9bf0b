"""The rates search in a browser, beside what the domain answers to the same search (specification 4, 5, 8)."""

import re

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.rates.customers import RULES, Customer
from tests.e2e.conftest import OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import visit
from tests.e2e.rates_page import AMOUNT, CHOICES, PRICE, TERM, RatesPage, answer, contrast, ids

DEFAULTS = {"I want to": "Buy", "Rate type": "Fixed", "Deal length": "2 years", "Repay by": "Repayment"}
ERRORS = {
    PRICE: ("", "Enter the property price, for example 200,000"),
    AMOUNT: ("200,001", "Enter an amount that is not above the property price"),
    TERM: ("41", "Enter a term in whole years, from 1 to 40"),
}
OWN_HOME = {"Remortgage", "Interest only", "Buy to let"}
RULED_OUT = {
    Customer.FIRST_TIME_BUYER: OWN_HOME,
    Customer.HOME_MOVER: OWN_HOME,
    Customer.REMORTGAGING: {"Buy", "Buy to let"},
    Customer.BUY_TO_LET_REMORTGAGE: {"Buy", "Residential"},
    Customer.BUY_TO_LET_PURCHASE: {"Remortgage", "Residential"},
    Customer.BUY_TO_LET: {"Residential"},
}


@pytest.fixture
def rates(page: Page) -> RatesPage:
    return RatesPage(page=page)


def test_list_has_five_cards_then_ten_and_a_new_search_five_again(rates: RatesPage) -> None:
    rates.open()
    rates.expect_cards(ids(answer()))
    for legend, label in DEFAULTS.items():
        rates.expect_chosen(legend, label)
    rates.more.click()
    rates.expect_cards(ids(answer(), 10))
    expect(rates.list.get_by_text(f"Showing 1 to 10 of {len(answer().products):,}.")).to_be_visible()
    rates.box(TERM).fill("30")
    rates.update()
    rates.expect_cards(ids(answer(term="30")))
    expect(rates.page.locator(".ask")).to_contain_text("over 30 years")


def test_customer_type_rules_options_out_and_says_why(page: Page) -> None:
    for customer, ruled_out in RULED_OUT.items():
        rates = RatesPage(page=page, customer=customer)
        page.goto(routes.deals(customer))
        options = {label: rates.radio(legend, label) for legend, labels in CHOICES.items() for label in labels}
        disabled = {label for label, option in options.items() if option.is_disabled()}
        assert (customer, disabled) == (customer, ruled_out)
        assert {label for label in ruled_out if options[label].is_checked()} == set()
        for label in ruled_out:
            words = page.locator(".find").get_by_text(label, exact=True)
            expect(words).to_be_visible()
            assert contrast(words) >= 4.5
        expect(page.locator(".find").get_by_text(RULES[customer].reason)).to_be_visible()


def test_order_searches_at_once_and_begins_with_five_cards(rates: RatesPage) -> None:
    rates.open()
    rates.more.click()
    rates.expect_cards(ids(answer(), 10))
    for label, order in (("Fees", "fees"), ("True cost", "true-cost")):
        rates.choose("Sort by", label)
        rates.expect_cards(ids(answer(sort=order)))
        rates.expect_address(sort=order)
        rates.expect_chosen("Sort by", label)


def test_address_holds_the_search(rates: RatesPage, open_page: OpenPage) -> None:
    asked = {"price": "250000", "amount": "150000", "period": "5"}
    rates.open()
    rates.box(PRICE).fill("£250,000")
    rates.box(AMOUNT).fill("150,000")
    rates.choose("Deal length", "5 years")
    rates.update()
    rates.expect_address(**asked)
    rates.expect_cards(ids(answer(**asked)))
    rates.load(rates.page.reload)
    rates.expect_search(amount="150000", length="5 years", cards=ids(answer(**asked)))
    rates.page.go_back()
    rates.expect_search(amount="100,000", length="2 years", cards=ids(answer()))
    rates.page.go_forward()
    rates.expect_search(amount="150000", length="5 years", cards=ids(answer(**asked)))
    shared = RatesPage(page=open_page())
    shared.open(**asked)
    shared.expect_search(amount="150000", length="5 years", cards=ids(answer(**asked)))


def test_field_in_error_says_what_is_wrong_and_the_search_is_skipped_meanwhile(rates: RatesPage) -> None:
    rates.open(period="5")
    rates.expect_cards(ids(answer(period="5")))
    rates.choose("Deal length", "3 years")
    advice = rates.page.locator(".find").get_by_text("Correct the figures marked above, then search again.")
    for shown, (label, (typed, words)) in enumerate(ERRORS.items(), start=2):
        good = rates.box(label).input_value()
        rates.box(label).fill(typed)
        expect(rates.box(label)).to_have_attribute("aria-invalid", "true")
        expect(rates.box(label)).to_have_accessible_description(re.compile(re.escape(words)))
        rates.update()
        rates.more.click()
        rates.expect_cards(ids(answer(period="5"), 5 * shown))
        rates.expect_address(period="5", page=str(shown))
        expect(rates.box(label)).to_have_value(typed)
        expect(advice).to_be_visible()
        rates.box(label).fill(good)
        expect(advice).to_have_count(0)
        expect(rates.page.locator(".find [aria-invalid=true]")).to_have_count(0)


def test_loan_to_value_follows_typing(rates: RatesPage) -> None:
    rates.open()
    figure = rates.page.locator(".ltv .dial-figure")
    expect(figure).to_have_text("50%")
    rates.box(AMOUNT).fill("")
    rates.box(AMOUNT).press_sequentially("150")
    expect(figure).to_have_text("0.1%")
    rates.box(AMOUNT).press_sequentially("000")
    expect(figure).to_have_text("75%")
    rates.box(PRICE).fill("")
    expect(figure).to_have_text("0%")


def test_five_rows_stand_in_while_a_search_is_under_way(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    visit(page, "/tools/rates/")
    rates.more.click()
    rates.expect_cards(ids(answer(), 10))
    socket.hold_after('"loading"')
    rates.box(TERM).fill("30")
    rates.update()
    expect(page.locator(".deals[aria-hidden=true] > .deal")).to_have_count(5)
    expect(page.get_by_role("heading", name="Finding deals")).to_be_visible()
    expect(rates.list.locator(".filters")).to_be_hidden()
    rates.expect_cards([])
    socket.release()
    rates.expect_cards(ids(answer(term="30")))
