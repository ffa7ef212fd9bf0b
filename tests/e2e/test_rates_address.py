"""The open deal in the address: a reload, a shared link, Back and Forward bring it with its search and comparison."""

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import NARROW, Problems, sized, visit
from tests.e2e.questionnaire_page import Line
from tests.e2e.rates_page import RatesPage, answer, ids

ASKED = {"amount": "150000", "period": "5"}


@pytest.fixture
def rates(page: Page) -> RatesPage:
    return RatesPage(page=page)


def opener(rates: RatesPage, place: int) -> Locator:
    return rates.cards.nth(place).get_by_role("button", name="View details")


def scrolled(page: Page) -> float:
    return page.evaluate("window.scrollY")


def expect_open(rates: RatesPage, product_id: str, **asked: str) -> None:
    """Wait until the details of a product are open over its search, the focus on their title."""
    expect(rates.dialog.get_by_role("heading", level=2)).to_be_focused()
    rates.expect_address(**asked, product=product_id)


def expect_closed(rates: RatesPage, **asked: str) -> None:
    expect(rates.dialog).to_have_count(0)
    rates.expect_address(**asked)


def test_deal_whose_script_did_not_come_opens_in_a_page_that_is_loaded_again(
    rates: RatesPage, problems: Problems
) -> None:
    problems.expect("ERR_FAILED|Failed to fetch dynamically imported module")
    away = ("**/assets/modal_*.js", "**/tools/rates/?product=*")
    for address in away:
        rates.page.route(address, lambda route: route.abort())
    rates.open()
    opener(rates, 1).click()
    rates.expect_address(product=ids(answer())[1])
    expect(rates.dialog).to_have_count(0)
    for address in away:
        rates.page.unroute(address)
    expect_open(rates, ids(answer())[1])


def test_back_closes_and_forward_opens_at_the_same_scroll_position(rates: RatesPage) -> None:
    rates.open(**ASKED)
    found = ids(answer(**ASKED), 10)
    rates.expect_cards(found[:5])
    rates.more.click()
    rates.expect_cards(found)
    longer = {**ASKED, "page": "2"}
    rates.expect_address(**longer)
    opener(rates, 7).scroll_into_view_if_needed()
    place = scrolled(rates.page)
    assert place > 0
    opener(rates, 7).click()
    expect_open(rates, found[7], **longer)
    rates.page.go_back()
    expect_closed(rates, **longer)
    expect(opener(rates, 7)).to_be_focused()
    rates.page.go_forward()
    expect_open(rates, found[7], **longer)
    rates.page.go_back()
    expect_closed(rates, **longer)
    rates.expect_cards(found)
    assert scrolled(rates.page) == place


def test_closing_takes_the_deal_out_of_the_address_and_leaves_no_step_back(rates: RatesPage) -> None:
    page = rates.page
    rates.open(term="30")
    rates.open(**ASKED)
    rates.expect_cards(ids(answer(**ASKED)))
    for clicks, close in (
        (2, lambda: page.keyboard.press("Escape")),
        (1, lambda: [page.keyboard.press("Escape") for _ in range(2)]),
        (1, rates.button("Close details").click),
        (1, lambda: page.mouse.click(20, 400)),
    ):
        opener(rates, 1).click(click_count=clicks)
        expect_open(rates, ids(answer(**ASKED))[1], **ASKED)
        close()
        expect_closed(rates, **ASKED)
        expect(opener(rates, 1)).to_be_focused()
    rates.load(page.go_back)
    rates.expect_address(term="30")


def test_reload_and_shared_link_bring_search_and_deal(rates: RatesPage, open_page: OpenPage) -> None:
    rates.open(**ASKED)
    rates.expect_cards(ids(answer(**ASKED)))
    product_id = ids(answer(**ASKED))[2]
    opener(rates, 2).click()
    expect_open(rates, product_id, **ASKED)
    rates.load(rates.page.reload)
    expect_open(rates, product_id, **ASKED)
    rates.expect_cards(ids(answer(**ASKED)))
    shared = RatesPage(page=open_page(PHONE))
    shared.open(**ASKED, product=product_id)
    expect_open(shared, product_id, **ASKED)
    shared.expect_cards(ids(answer(**ASKED)))
    for size in (PHONE, NARROW):
        assert sized(shared.page, size).evaluate("document.documentElement.scrollWidth") == size[0]
    shared.page.keyboard.press("Escape")
    expect_closed(shared, **ASKED)


def test_deal_opens_from_a_comparison_and_back_to_it(rates: RatesPage, open_page: OpenPage) -> None:
    first, second = ids(answer(**ASKED), 2)
    both = {**ASKED, "compare": f"{first},{second}"}
    rates.open(**both)
    row = rates.page.locator(".compared tfoot").get_by_role("button", name="View details")
    row.nth(1).click()
    expect_open(rates, second, **both)
    rates.page.keyboard.press("Escape")
    expect_closed(rates, **both)
    expect(row.nth(1)).to_be_focused()
    opener(rates, 3).click()
    rates.expect_address(**both, product=ids(answer(**ASKED), 4)[3])
    shared = RatesPage(page=open_page())
    shared.open(**both, product=second)
    expect_open(shared, second, **both)
    expect(shared.page.locator(".compared tbody tr").first).to_be_visible()
    shared.page.keyboard.press("Escape")
    shared.page.get_by_role("button", name="Close the comparison").click()
    expect(shared.page.locator(".compared")).to_have_count(0)
    shared.expect_address(**ASKED)


def test_open_deal_closes_without_the_server(page: Page, problems: Problems) -> None:
    problems.expect("WebSocket")
    rates, line = RatesPage(page=page), Line(page)
    rates.open()
    opener(rates, 0).click()
    expect_open(rates, ids(answer())[0])
    line.cut()
    page.keyboard.press("Escape")
    expect_closed(rates)
    page.go_forward()
    expect_open(rates, ids(answer())[0])
    page.go_back()
    expect_closed(rates)
    opener(rates, 1).click()
    rates.expect_address(product=ids(answer(), 2)[1])
    expect(rates.dialog).to_have_count(0)


def test_deal_asked_for_while_the_server_is_slow_opens_when_it_answers(page: Page) -> None:
    rates, socket = RatesPage(page=page), HeldSocket(page)
    socket.hold_after("sid")
    visit(page, "/tools/rates/")
    product_id = ids(answer())[0]
    opener(rates, 0).click()
    rates.expect_address(product=product_id)
    expect(rates.dialog).to_have_count(0)
    socket.release()
    expect_open(rates, product_id)


def test_deal_asked_for_before_its_script_opens_when_that_comes(page: Page) -> None:
    rates, held = RatesPage(page=page), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/assets/modal_*.js", hold)
    rates.open()
    opener(rates, 1).click()
    rates.expect_address(product=ids(answer())[1])
    expect(rates.dialog).to_have_count(0)
    assert held
    for route in held:
        route.continue_()
    expect_open(rates, ids(answer())[1])
    page.keyboard.press("Escape")
    expect_closed(rates)
    expect(opener(rates, 1)).to_be_focused()


def test_details_show_their_working_within_wcag(rates: RatesPage, axe: Callable[..., list[str]]) -> None:
    rates.page.goto(f"/tools/rates/?{urlencode({'product': ids(answer())[0]})}")
    rates.dialog.get_by_text("How true cost is worked out").press("Enter")
    expect(rates.dialog.locator(".how li")).to_have_count(6)
    for size in (DESKTOP, PHONE, NARROW):
        assert axe(sized(rates.page, size), "[role=dialog]") == []
        box = rates.dialog.evaluate("dialog => [dialog.scrollWidth, dialog.clientWidth, document.body.scrollWidth]")
        assert box[0] <= box[1]
        assert box[2] <= size[0]
    expect(rates.dialog).to_contain_text(answer().products[0].title)
