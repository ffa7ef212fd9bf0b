"""Where the figures of a rates page and what other pages lead with are, and how long cards and dialog are.

The docked bar leaves what has the focus in view.
"""

import re
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.rates.customers import RULES
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import NARROW, visit
from tests.e2e.rates_page import RatesPage, answer, ids
from tests.e2e.test_every_page import SPACED

LAPTOP = (1280, 800)
LOWEST = {LAPTOP: 800, PHONE: 900}
"""The pixel of the page above which the first card's lender, payment and true cost end, by window."""

LEADING = {routes.LENDERS: ("#lender-list li", 900), "/buy-to-let/": (".way-in .btn", PHONE[1])}
"""What a page leads with on a phone, and the pixel above which it ends, by path."""

MAX_THREE_CARDS, MAX_DIALOG = 1_500, 2_200
"""Most pixels at 390: of three cards together, and of a deal in full."""

LEADS = ".deal h3, .deal > dl:not(.deal-fee) b"

LOWEST_LEAD = """leads => {
    const first = leads.slice(0, 3);
    return [first.length, Math.max(...first.map(each => each.getBoundingClientRect().bottom + scrollY))];
}"""

BOTTOM = "each => each.getBoundingClientRect().bottom + scrollY"

HEIGHT_OF_THREE = "cards => cards.slice(0, 3).reduce((sum, each) => sum + each.offsetHeight, 0)"

SMALL_TEXT = """within => {
    const captions = "dt, dd, .cap, .tag, .n, .keys, .fanlight, .ltv, .mine, .vh, .xs";
    const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT), found = [];
    while (texts.nextNode()) {
        const {data, parentElement: each} = texts.currentNode, size = parseFloat(getComputedStyle(each).fontSize);
        if (!data.trim() || !each.checkVisibility() || size >= 15) continue;
        if (size < 13 || !each.matches(captions)) found.push([size, each.outerHTML.slice(0, 120)]);
    }
    return found;
}"""
"""Returns the texts of less than 15 pixels that are no captions, and those of less than 13."""

STOP = """selector => {
    const [here, bar] = [document.activeElement, document.querySelector(selector)];
    if (here === document.body) return null;
    const [box, edge] = [here, bar].map(each => each.getBoundingClientRect());
    const isApart = box.bottom <= edge.top || box.top >= edge.bottom, isSeen = box.bottom > 0 && box.top < innerHeight;
    return {place: here.outerHTML.slice(0, 120), free: isSeen && (isApart || bar.contains(here))};
}"""
"""Whether what is docked leaves the element with the focus in view; null past the last stop."""


@pytest.fixture(params=[False, True], ids=["no strip", "strip"])
def has_strip(request: pytest.FixtureRequest) -> bool:
    """Return whether the notice of cookies is on the page."""
    return request.param


@pytest.mark.parametrize("size", LOWEST, ids=["laptop", "phone"])
def test_first_card_leads_on_the_first_screen(open_page: OpenPage, size: tuple[int, int], *, has_strip: bool) -> None:
    page = open_page(size)
    for path in opened(page, map(routes.deals, RULES), has_strip=has_strip):
        count, lowest = page.locator(LEADS).evaluate_all(LOWEST_LEAD)
        assert (path, count, lowest <= LOWEST[size]) == (path, 3, True), lowest
        assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, size[0])
        small = [each for part in page.locator(".fh, #deals").all() for each in part.evaluate(SMALL_TEXT)]
        assert (path, small) == (path, [])
        if size == PHONE:
            height = page.locator(".deal").evaluate_all(HEIGHT_OF_THREE)
            assert (path, height <= MAX_THREE_CARDS) == (path, True), height


def test_page_shows_what_it_leads_with_on_a_phone(open_page: OpenPage, *, has_strip: bool) -> None:
    page = open_page(PHONE)
    for path in opened(page, LEADING, has_strip=has_strip):
        place, most = LEADING[path]
        bottom = page.locator(place).first.evaluate(BOTTOM)
        assert (path, bottom <= most) == (path, True), bottom


def opened(page: Page, paths: Iterable[str], *, has_strip: bool) -> Iterator[str]:
    """Yield each path with its page open."""
    if not has_strip:
        page.goto(routes.RATES)
        page.get_by_role("button", name="Accept & Close").click()
    for path in paths:
        page.goto(path)
        page.evaluate("document.fonts.ready")
        expect(page.get_by_role("region", name="Cookie notice")).to_be_visible(visible=has_strip)
        yield path


def test_deal_in_full_is_short_with_its_actions_in_view(open_page: OpenPage) -> None:
    page = open_page(PHONE)
    for customer in RULES:
        rates = RatesPage(page=page, customer=customer)
        rates.open(product=ids(answer(customer))[0])
        expect(rates.dialog.locator(".deal-figures .fig")).to_have_count(2)
        height = rates.dialog.evaluate("dialog => dialog.scrollHeight")
        assert (customer, height <= MAX_DIALOG) == (customer, True), height
        for name in (re.compile("^Request a callback"), re.compile("^Call")):
            expect(rates.dialog.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", LOWEST, ids=["laptop", "phone"])
def test_docked_bar_covers_nothing_that_has_the_focus(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(size)
    rates = RatesPage(page=page)
    visit(page, routes.RATES)
    for place in (0, 1):
        rates.cards.nth(place).get_by_role("checkbox", name="Compare").check()
    expect(rates.button("Compare side by side")).to_be_in_viewport(ratio=1)
    page.locator(".ask").focus()
    stops = []
    while stop := page.evaluate(STOP, ".comparebar"):
        stops.append(stop)
        page.keyboard.press("Tab")
    assert len(stops) > 30
    assert [stop["place"] for stop in stops if not stop["free"]] == []


@pytest.mark.parametrize("is_spaced", [False, True], ids=["as drawn", "spaced"])
@pytest.mark.parametrize("size", [*LOWEST, NARROW, (640, 400), (768, 1024), (390, 300)])
def test_foot_of_a_deal_covers_nothing_that_has_the_focus(
    open_page: OpenPage, size: tuple[int, int], *, is_spaced: bool
) -> None:
    page = open_page(size)
    rates = RatesPage(page=page)
    rates.open(product=ids(answer())[0])
    expect(rates.dialog.get_by_role("heading", level=2)).to_be_focused()
    if is_spaced:
        page.add_style_tag(content=SPACED)
    for key in ("Tab", "Shift+Tab"):
        stops = []
        while not stops or stops[-1]["place"] not in (stop["place"] for stop in stops[:-1]):
            page.keyboard.press(key)
            stops.append(page.evaluate(STOP, ".deal-ways"))
        assert len(stops) > 10
        assert [stop["place"] for stop in stops if not stop["free"]] == []


def test_dialog_of_a_deal_has_an_edge_in_forced_colours(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    rates = RatesPage(page=page)
    rates.open(product=ids(answer())[0])
    expect(rates.dialog).to_have_css("border-top-width", "2px")
