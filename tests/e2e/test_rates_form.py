"""The search form of a rates page: what is typed stays typed, and the address is what was searched."""

from playwright.sync_api import Page, expect

from tests.e2e.held_socket import HeldSocket
from tests.e2e.rates_page import AMOUNT, TERM, RatesPage, answer, ids


def test_another_customers_page_starts_from_its_own_defaults(page: Page) -> None:
    mover, buyer = (RatesPage(page=page, customer=customer) for customer in ("home-mover", "first-time-buyer"))
    asked = {"amount": "150000", "period": "5", "lender": "42", "fees": "1000"}
    mover.open(**asked)
    mover.box(TERM).fill("30")
    mover.update()
    mover.expect_cards(ids(answer("home-mover", **asked, term="30")))
    page.evaluate("sessionStorage.clear()")  # the visitor's figures, which are offered on any page
    buyer.open()
    buyer.expect_search(amount="100,000", length="2 years", cards=ids(answer("first-time-buyer")))
    expect(buyer.box(TERM)).to_have_value("25")
    for label in ("Lender", "Lender fees"):
        expect(buyer.listed(label)).to_have_value("")


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
