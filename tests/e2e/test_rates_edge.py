"""A search that the edge answers: whole without scripts, and taken over by them without a jump."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import visit
from tests.e2e.rates_page import AMOUNT, PRICE, TERM, RatesPage, answer, ids

ASKED = {"price": "400000", "amount": "300000", "term": "30", "period": "5", "sort": "true-cost", "fees": "none"}
SECOND = f"/tools/rates/?{urlencode(ASKED | {'page': '2'})}"

WATCH = """
window.shifts = 0; window.changes = [];
new PerformanceObserver(found => found.getEntries().forEach(each => { window.shifts += each.value }))
  .observe({type: "layout-shift", buffered: true});
document.addEventListener("DOMContentLoaded", () => {
  window.cards = [...document.querySelectorAll("#deals [data-product]")];
  new MutationObserver(found => found.forEach(each => {
    if (each.target.closest?.(".no-signal")) return;  // drawn unseen while the server is asked
    if (each.addedNodes.length || each.removedNodes.length) window.changes.push(each.target.outerHTML.slice(0, 200));
  })).observe(document.getElementById("deals"), {childList: true, subtree: true, characterData: true});
});
"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_scripts_take_over_without_a_jump(open_page: OpenPage, size: tuple[int, int]) -> None:
    rates = RatesPage(page=open_page(size))
    rates.page.add_init_script(WATCH)
    rates.load(lambda: rates.page.goto(SECOND))
    rates.expect_cards(ids(answer(**ASKED), 10))
    expect(rates.page.locator("#deals")).to_have_attribute("data-answered", f"/tools/rates/?{urlencode(ASKED)}")
    same = "window.cards.every((card, at) => card === document.querySelectorAll('#deals [data-product]')[at])"
    assert rates.page.evaluate(same)
    assert rates.page.evaluate("[window.shifts, window.changes]") == [0, []]
    expect(rates.page).to_have_title("£300,000 of £400,000, 5 years: mortgage deals")
    rates.cards.nth(6).get_by_role("button", name="View details").click()
    expect(rates.dialog.get_by_role("heading", level=2)).to_be_focused()


def test_list_stands_while_the_server_is_slow(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    socket.hold_after("sid")
    visit(page, SECOND)
    rates.expect_cards(ids(answer(**ASKED), 10))
    rates.box(TERM).fill("20")
    socket.release()
    expect(page.locator("#deals")).to_have_attribute("data-answered", f"/tools/rates/?{urlencode(ASKED)}")
    rates.expect_cards(ids(answer(**ASKED), 10))
    expect(rates.box(TERM)).to_have_value("20")


def test_no_other_list_stands_for_a_search_before_the_server_answers(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    socket.hold_after("sid")
    visit(page, f"/tools/rates/?{urlencode(ASKED)}")
    rates.expect_cards(ids(answer(**ASKED)))
    rates.more.press("Enter")
    expect(rates.list.get_by_role("heading", name="Finding deals")).to_be_visible()
    rates.expect_cards([])
    socket.release()
    rates.expect_cards(ids(answer(**ASKED), 10))
    expect(rates.cards.nth(5)).to_be_focused()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_search_filters_order_and_pages_work_without_scripts(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(size, scripts=False)
    rates = RatesPage(page=page)
    page.goto("/tools/rates/")
    if size == PHONE:
        page.locator(".find .sum").click()
    rates.box(PRICE).fill("400,000")
    rates.box(AMOUNT).fill("300,000")
    rates.box(TERM).fill("30")
    rates.choose("Deal length", "5 years")
    rates.update()
    rates.expect_cards(ids(answer(price="400000", amount="300000", term="30", period="5")))
    rates.list.get_by_role("list", name="Filters").get_by_role("link", name="No lender fee").click()
    rates.choose("Sort by", "True cost")
    rates.button("Sort").click()
    rates.expect_cards(ids(answer(**ASKED)))
    rates.more.click()
    rates.expect_cards(ids(answer(**ASKED), 10))
    rates.expect_address(**ASKED, page="2")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    if size == PHONE:
        page.locator(".find .sum").click()
    rates.box(AMOUNT).fill("400,001")
    rates.box(AMOUNT).press("Enter")
    expect(page.locator(".find .err")).to_have_text("Enter an amount that is not above the property price")
    expect(rates.box(AMOUNT)).to_have_value("400,001")


def test_filters_of_another_search_lead_nowhere_while_one_is_under_way(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    rates.open(term="30")
    filters = rates.list.locator(".filters")
    expect(filters).to_be_visible()
    before = filters.bounding_box()
    socket.hold_after("loading")
    rates.box(TERM).fill("20")
    rates.update()
    expect(rates.list.get_by_role("heading", name="Finding deals")).to_be_visible()
    expect(filters).to_be_hidden()
    assert (filters.bounding_box() or {}).get("height") == (before or {}).get("height")
    socket.release()
    expect(rates.list.get_by_role("link", name="Cashback")).to_have_attribute(
        "href", "/tools/rates/?term=20&cashback=1"
    )


def test_title_of_a_shared_search_is_left_with_it(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open(**ASKED)
    shared = "£300,000 of £400,000, 5 years: mortgage deals"
    expect(page).to_have_title(shared)
    rates.choose("Sort by", "Rate")
    expect(page).not_to_have_title(shared)
    page.go_back()
    expect(page).to_have_title(shared)
    page.get_by_role("link", name="All lenders").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("enders")
    expect(page).not_to_have_title(shared)


def test_compare_leads_to_its_own_page_before_the_server_answers(page: Page) -> None:
    rates, socket = RatesPage(page=page, customer="home-mover"), HeldSocket(page)
    socket.hold_after("sid")
    visit(page, "/home-mover/rates/")
    for place in (0, 1):
        rates.cards.nth(place).get_by_role("checkbox").check()
    rates.cards.nth(1).get_by_role("button", name="Compare side by side").click()
    socket.release()
    expect(page.get_by_role("heading", name="Side by side")).to_be_visible()
    assert "/home-mover/rates/?compare=" in page.url


def test_update_without_a_change_shows_the_list_on_a_phone(open_page: OpenPage) -> None:
    rates = RatesPage(page=open_page(PHONE))
    rates.open()
    expect(rates.list).to_have_attribute("data-answered", "/tools/rates/")
    rates.page.locator(".find .sum").click()
    rates.update()
    expect(rates.list.get_by_role("heading", level=2).first).to_be_focused()


def test_details_work_without_scripts(open_page: OpenPage) -> None:
    page = open_page(PHONE, scripts=False)
    page.goto("/tools/rates/?term=30&cashback=1")
    rates = RatesPage(page=page)
    name = rates.cards.nth(1).get_attribute("data-product")
    rates.cards.nth(1).get_by_role("link", name="View details").click()
    rates.expect_address(term="30", cashback="1", product=str(name))
    expect(page.get_by_role("heading", name="What comes with it")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    page.locator(".find .sum").click()
    rates.box(TERM).fill("20")
    rates.update()
    expect(page).to_have_url(re.compile("term=20.*&cashback=1|cashback=1.*&term=20"))


def test_see_more_focuses_the_first_new_card_and_a_reload_restores_it(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open(**ASKED)
    rates.expect_cards(ids(answer(**ASKED)))
    for number in (2, 3):
        rates.more.press("Enter")
        rates.expect_cards(ids(answer(**ASKED), number * 5))
        expect(rates.cards.nth(number * 5 - 5)).to_be_focused()
        rates.expect_address(**ASKED, page=str(number))
    rates.load(page.reload)
    rates.expect_cards(ids(answer(**ASKED), 15))
    page.go_back()
    expect(page).to_have_url("about:blank")


def test_late_page_draws_fifty_deals_and_leads_to_the_earlier_ones(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open(page="50")
    found = ids(answer(), 255)
    rates.expect_cards(found[200:250])
    expect(rates.list).to_have_attribute("data-answered", "/tools/rates/")
    rates.more.click()
    rates.expect_cards(found[205:255])
    expect(rates.cards.nth(45)).to_be_focused()
    page.get_by_role("link", name="Show earlier deals").click()
    rates.expect_cards(found[155:205])


def test_on_a_phone_update_closes_the_form_and_shows_the_count(open_page: OpenPage) -> None:
    rates = RatesPage(page=open_page(PHONE))
    rates.open()
    rates.page.locator(".find .sum").click()
    rates.box(TERM).fill("30")
    rates.update()
    heading = rates.list.get_by_role("heading", level=2).first
    expect(heading).to_be_focused()
    expect(heading).to_have_text(f"{len(answer(term='30').products):,} mortgage deals")
    expect(heading).to_be_in_viewport()
    expect(rates.box(TERM)).to_be_hidden()
    expect(rates.list.get_by_role("status").filter(has_text="Showing 5 of")).to_have_count(1)


def test_update_and_order_keep_the_scroll_position_and_the_focus(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open()
    button = rates.button("Update results")
    rates.box(TERM).fill("30")
    button.focus()
    before = page.evaluate("window.scrollY")
    assert before > 0
    button.press("Enter")
    rates.expect_cards(ids(answer(term="30")))
    expect(button).to_be_focused()
    assert page.evaluate("window.scrollY") == before
    rates.radio("Sort by", "Fees").focus()
    rates.page.keyboard.press("ArrowRight")
    rates.expect_cards(ids(answer(term="30", sort="true-cost")))
    expect(rates.radio("Sort by", "True cost")).to_be_focused()


def test_near_a_band_the_page_says_what_reaches_it_and_searches_it(open_page: OpenPage) -> None:
    asked = {"price": "310000", "amount": "187400"}
    for scripts in (True, False):
        rates = RatesPage(page=open_page(scripts=scripts))
        rates.page.goto(f"/tools/rates/?{urlencode(asked)}")
        hint = rates.list.get_by_text("£1,400 more deposit, so £1,400 less to borrow, brings you to 60%: from ")
        expect(hint).to_be_visible()
        rates.page.get_by_role("link", name="Search with £186,000").click()
        rates.expect_cards(ids(answer(price="310000", amount="186000")))
        expect(rates.box(AMOUNT)).to_have_value("186,000")
        expect(rates.page.locator(".ltv .dial-figure")).to_have_text("60%")
