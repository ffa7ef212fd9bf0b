"""A search that the edge answers: whole without scripts, and taken over by them without a jump."""

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


def test_list_stays_while_the_server_is_slow(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    socket.hold_after("sid")
    visit(page, SECOND)
    rates.expect_cards(ids(answer(**ASKED), 10))
    rates.box(TERM).fill("20")
    socket.release()
    expect(page.locator("#deals")).to_have_attribute("data-answered", f"/tools/rates/?{urlencode(ASKED)}")
    rates.expect_cards(ids(answer(**ASKED), 10))
    expect(rates.box(TERM)).to_have_value("20")


def test_no_other_list_is_shown_for_a_search_before_the_server_answers(page: Page) -> None:
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


def test_search_filters_order_and_pages_work_without_scripts(open_page: OpenPage) -> None:
    page = open_page(PHONE, scripts=False)
    rates = RatesPage(page=page)
    page.goto("/tools/rates/")
    rates.box(PRICE).fill("400,000")
    rates.box(AMOUNT).fill("300,000")
    rates.box(TERM).fill("30")
    rates.choose("Deal length", "5 years")
    rates.update()
    rates.expect_cards(ids(answer(price="400000", amount="300000", term="30", period="5")))
    rates.list.get_by_role("list", name="Show only deals with").get_by_role("link", name="No lender fee").click()
    rates.choose("Sort by", "True cost")
    rates.button("Sort").click()
    rates.expect_cards(ids(answer(**ASKED)))
    rates.more.click()
    rates.expect_cards(ids(answer(**ASKED), 10))
    rates.expect_address(**ASKED, page="2")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_compare_leads_to_its_own_page_before_the_server_answers(page: Page) -> None:
    rates, socket = RatesPage(page=page, customer="home-mover"), HeldSocket(page)
    socket.hold_after("sid")
    visit(page, "/home-mover/rates/")
    for place in (0, 1):
        rates.cards.nth(place).get_by_role("checkbox").check()
    rates.button("Compare side by side").click()
    socket.release()
    expect(page.get_by_role("heading", name="Side by side")).to_be_visible()
    assert "/home-mover/rates/?compare=" in page.url


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


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_update_closes_the_form_and_shows_the_count(open_page: OpenPage, size: tuple[int, int]) -> None:
    rates = RatesPage(page=open_page(size))
    rates.open()
    rates.box(TERM).fill("30")
    rates.update()
    heading = rates.list.get_by_role("heading", level=2).first
    expect(heading).to_be_focused()
    expect(heading).to_have_text(f"{len(answer(term='30').products):,} deals, lowest rate first")
    expect(heading).to_be_in_viewport()
    expect(rates.page.locator("#search-term")).to_be_hidden()
    expect(rates.list.get_by_role("status").filter(has_text="Showing 1 to 5 of")).to_have_count(1)


def test_order_keeps_the_scroll_position_and_the_focus(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open()
    page.mouse.wheel(0, 60)
    page.wait_for_function("() => window.scrollY > 0")
    rates.radio("Sort by", "Fees").focus()
    before = page.evaluate("window.scrollY")
    rates.page.keyboard.press("ArrowRight")
    rates.expect_cards(ids(answer(sort="true-cost")))
    expect(rates.radio("Sort by", "True cost")).to_be_focused()
    assert page.evaluate("window.scrollY") == before
