"""The search form of a rates page: what was typed stays until it is asked for, and each address has its own."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import visit
from tests.e2e.rates_page import AMOUNT, TERM, RatesPage, answer, ids


def test_another_customers_page_starts_from_its_own_defaults(page: Page) -> None:
    mover, buyer = (RatesPage(page=page, customer=customer) for customer in ("home-mover", "first-time-buyer"))
    mover.open(amount="150000", period="5")
    mover.box(TERM).fill("30")
    mover.update()
    mover.expect_cards(ids(answer("home-mover", amount="150000", period="5", term="30")))
    buyer.open()
    buyer.expect_search(amount="100,000", length="2 years", cards=ids(answer("first-time-buyer")))
    expect(buyer.box(TERM)).to_have_value("25")


def test_text_typed_before_the_server_answered_is_kept(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    socket.hold_after("sid")
    visit(page, "/tools/rates/")
    rates.box(AMOUNT).fill("150000")
    socket.release()
    rates.update()
    rates.expect_address(amount="150000")
    rates.expect_cards(ids(answer(amount="150000")))


def test_what_is_typed_while_a_search_is_under_way_stays(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    rates.open()
    rates.box(AMOUNT).fill("150000")
    socket.hold()
    rates.update()
    rates.box(TERM).fill("30")
    rates.choose("Deal length", "5 years")
    socket.release()
    rates.expect_address(amount="150000")
    rates.expect_cards(ids(answer(amount="150000")))
    rates.expect_search(amount="150000", length="5 years", cards=ids(answer(amount="150000")))
    expect(rates.box(TERM)).to_have_value("30")
    rates.update()
    rates.expect_address(amount="150000", term="30", period="5")
    rates.expect_search(amount="150,000", length="5 years", cards=ids(answer(amount="150000", term="30", period="5")))
    page.go_back()
    rates.expect_search(amount="150,000", length="2 years", cards=ids(answer(amount="150000")))


def test_order_of_the_list_leaves_what_is_typed(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open()
    rates.box(AMOUNT).fill("150000")
    rates.choose("Sort by", "Fees")
    rates.expect_address(sort="fees")
    rates.choose("Sort by", "True cost")
    rates.expect_address(sort="true-cost")
    expect(rates.box(AMOUNT)).to_have_value("150000")
    rates.box(AMOUNT).fill("99999999999")
    rates.update()
    rates.choose("Sort by", "Fees")
    rates.expect_address(sort="fees")
    expect(rates.box(AMOUNT)).to_have_value("99999999999")
    rates.box(AMOUNT).fill("150000")
    rates.update()
    rates.expect_address(amount="150000", sort="fees")
    expect(rates.box(AMOUNT)).to_have_value("150,000")
