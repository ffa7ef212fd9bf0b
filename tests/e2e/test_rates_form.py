"""The search form of a rates page: what is typed stays typed, and the address is what was searched."""

import re
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import Problems, visit
from tests.e2e.questionnaire_page import Line
from tests.e2e.rates_page import AMOUNT, TERM, RatesPage, answer, ids

NARROWED = {"repay": "interest-only", "lender": "42"}


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


def test_back_shows_the_form_of_its_list_and_forward_the_other(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open(lender="42", repay="interest-only")
    for amount, length in (("150000", "5 years"), ("160000", "3 years")):
        rates.box(AMOUNT).fill(amount)
        rates.choose("Deal length", length)
        rates.update()
        rates.expect_search(
            amount=amount, length=length, cards=ids(answer(**NARROWED, amount=amount, period=length[0]))
        )
    rates.box(TERM).fill("7")
    rates.listed("Lender").select_option("Any lender")
    page.go_back()
    rates.expect_search(amount="150000", length="5 years", cards=ids(answer(**NARROWED, amount="150000", period="5")))
    expect(rates.box(TERM)).to_have_value("25")
    expect(rates.listed("Lender")).to_have_value("42")
    page.go_back()
    rates.expect_search(amount="100000", length="2 years", cards=ids(answer(**NARROWED)))
    rates.expect_chosen("Repay by", "Interest only")
    page.go_forward()
    rates.expect_search(amount="150000", length="5 years", cards=ids(answer(**NARROWED, amount="150000", period="5")))


def test_form_without_scripts_is_a_plain_get_that_scripts_understand(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto("/home-mover/rates/")
    form = page.locator("form#search")
    assert [form.get_attribute(name) for name in ("method", "action")] == ["get", "/home-mover/rates/"]
    rates = RatesPage(page=page, customer="home-mover")
    rates.box(AMOUNT).fill("150,000")
    rates.choose("Deal length", "5 years")
    rates.listed("Lender fees").select_option("Up to £1,000")
    rates.box(AMOUNT).press("Enter")
    expect(page).to_have_url(re.compile(r"amount=150%2C000"))
    sent = {"for": "purchase", "rate": "fixed", "period": "5", "repay": "repayment", "property": "residential"}
    sent |= {"price": "200,000", "amount": "150,000", "term": "25", "lender": "", "fees": "1000", "sort": "rate"}
    assert dict(parse_qsl(urlsplit(page.url).query, keep_blank_values=True)) == sent
    rates.expect_cards(ids(answer("home-mover", amount="150,000", period="5", fees="1000")))
    scripted = RatesPage(page=open_page(), customer="home-mover")
    scripted.open(**sent)
    asked = {"amount": "150,000", "period": "5", "fees": "1000"}
    scripted.expect_search(amount="150,000", length="5 years", cards=ids(answer("home-mover", **asked)))
    expect(scripted.listed("Lender fees")).to_have_value("1000")


def test_search_sent_while_the_line_is_cut_is_found_later(page: Page, problems: Problems) -> None:
    problems.expect("WebSocket")
    rates, line = RatesPage(page=page), Line(page)
    rates.open()
    line.cut()
    rates.box(AMOUNT).fill("150000")
    rates.update()
    rates.expect_address(amount="150000")
    rates.choose("Sort by", "Fees")
    rates.expect_address(amount="150000", sort="fees")
    rates.expect_chosen("Sort by", "Fees")
    rates.box(TERM).fill("30")
    line.mend()
    rates.expect_cards(ids(answer(amount="150000", sort="fees")))
    expect(rates.box(AMOUNT)).to_have_value("150,000")
    expect(rates.box(TERM)).to_have_value("30")


def test_shown_values_are_the_browsers_alone(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    socket.hold()
    visit(page, "/tools/rates/?amount=150000&period=5&lender=42")
    expect(rates.box(AMOUNT)).to_have_value("150,000")
    expect(rates.radio("Deal length", "5 years")).to_be_checked()
    expect(rates.listed("Lender")).to_have_value("42")
    expect(page.locator(".ltv .dial-figure")).to_have_text("75%")
