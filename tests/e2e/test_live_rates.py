"""Rates of a live feed in a browser: the list, the blocks of pages, and the time at which they were read."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import httpx
from playwright.sync_api import Page, expect

from broker import routes
from broker.clock import UK
from broker.lenders.page_view import NOT_HELD
from broker.lending.money import percent
from broker.rates.customers import default_query
from broker.rates.deal_types import SMALL_DEPOSIT_LTVS, TWO_YEARS_FIXED, narrowed
from broker.rates.query import RatesQuery
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.live import Block, LiveSite, expect_deals, found, read_at, until
from tests.e2e.pages import NARROW, sized, visit
from tests.e2e.rates_page import RatesPage
from tests.e2e.test_rates_edge import WATCH
from tests.our_content import STORE
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.rates.market.searching import search

BEST, TABLES = "section[aria-labelledby=best]", "section[aria-labelledby=tables]"
ASKED = {"amount": "150000", "period": "5"}
LENDERS = {"Halifax": "42", "NatWest": "207", "Barclays": "115"}
SAMPLES = re.compile("sample|made up", re.IGNORECASE)
SITE = STORE.site()

WATCH_DEALS = """
() => {
    window.pairs = new Set();
    const look = () => {
        const shown = document.querySelectorAll("main [data-product]");
        const page = document.querySelector("h1")?.innerText;
        shown.forEach(each => window.pairs.add(`${page}: ${each.dataset.product}`));
        requestAnimationFrame(look);
    };
    look();
}
"""
"""Notes, before each picture that the browser paints, which deals are on which page."""


def best(query: RatesQuery) -> list[str]:
    """Return the rate and the APRC of each of the market's three lowest deals."""
    return [text for each in search(query).products[:3] for text in (percent(each.initial_rate), percent(each.aprc))]


def expect_fit(page: Page, axe: Callable[[Page], list[str]]) -> None:
    for size in (DESKTOP, PHONE, NARROW):
        assert (size, axe(sized(page, size))) == (size, [])
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_list_is_the_feeds_and_says_when_it_was_read(
    live: LiveSite, open_page: OpenPage, axe: Callable[[Page], list[str]]
) -> None:
    began, rates = datetime.now(UK), RatesPage(page=open_page(base=live.url))
    rates.open()
    expect_deals(rates)
    read = rates.list.get_by_text("Rates read at")
    expect(read).to_have_count(1)
    assert began - timedelta(hours=1) < read_at(read) <= datetime.now(UK)
    expect_fit(rates.page, axe)
    sized(rates.page, DESKTOP)
    rates.box("Mortgage amount").fill("150,000")
    rates.choose("Deal length", "5 years")
    rates.update()
    rates.expect_address(**ASKED)
    expect_deals(rates, **ASKED)
    expect(rates.list).not_to_contain_text(SAMPLES)
    deal = found(**ASKED).products[1]
    rates.cards.nth(1).get_by_role("button", name="View details").click()
    rates.expect_address(**ASKED, product=deal.product_id)
    expect(rates.dialog.get_by_role("heading", level=2)).to_have_text(deal.lender_name)
    expect(rates.dialog).to_contain_text(deal.title)
    expect(rates.dialog).not_to_contain_text(SAMPLES)


def test_small_deposits_of_first_time_buyers_follow_the_feed(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    page.goto("/first-time-buyer/")
    block = page.locator(".live-rates", has_text="With a smaller deposit")
    for ltv in SMALL_DEPOSIT_LTVS:
        lowest = best(narrowed(default_query("first-time-buyer"), TWO_YEARS_FIXED, ltv=ltv))[:2]
        row = block.locator("tbody tr", has_text=f"With a {100 - ltv}% deposit")
        expect(row.locator(".rt")).to_have_text(lowest)
    expect(block).to_contain_text("Rates read at")
    expect(block).not_to_contain_text(SAMPLES)


def test_list_of_the_edge_stays_until_the_server_has_one(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    socket = HeldSocket(page)
    socket.hold_after('"idle"')
    page.add_init_script(WATCH)
    page.goto("/tools/rates/?utm_source=x")
    rates = RatesPage(page=page)
    expect_deals(rates)
    socket.release()
    expect(rates.list).to_have_attribute("data-answered", "/tools/rates/")
    assert page.evaluate("window.changes") == []


def test_built_blocks_give_way_to_the_feeds_with_all_that_a_rate_needs(
    live: LiveSite, open_page: OpenPage, axe: Callable[[Page], list[str]]
) -> None:
    look = "all => all.map(getComputedStyle).map(s => [s.fontSize, s.fontWeight, s.color, s.fontFamily].join())"
    began, page = datetime.now(UK), open_page(base=live.url)
    page.goto("/remortgages/")
    for selector in (BEST, TABLES):
        block = Block(page=page, selector=selector)
        block.expect_live()
        read = block.live.get_by_text("Rates read at")
        assert began - timedelta(hours=1) < read_at(read.first) <= datetime.now(UK)
        for words in ("Representative example", "APRC representative"):
            expect(block.live.get_by_text(words).first).to_be_visible()
        expect(block.live.get_by_text(SAMPLES)).to_have_count(0)
    assert Block(page=page, selector=BEST).figures() == best(default_query("remortgaging"))
    expect(page.locator(".live-rates").get_by_text(SITE.risk_warning).first).to_be_visible()
    for size in (DESKTOP, PHONE):
        looks = sized(page, size).locator(".live-rates").locator(".fig, .rt").evaluate_all(look)
        assert looks[::2] == looks[1::2], "an APRC is as large as its rate"
    expect_fit(page, axe)


def test_lender_page_has_what_the_feed_saved_for_it(live: LiveSite) -> None:
    html = httpx.get(f"{live.url}{routes.lender('halifax')}", timeout=ANSWER_TIMEOUT).text
    for words in (*best(RatesQuery(lender_id=42)), "Rates read at", "Representative example", SITE.risk_warning):
        assert words in html
    assert "Sample rates" not in html
    assert NOT_HELD in httpx.get(f"{live.url}{routes.lender('the-mortgage-works')}", timeout=ANSWER_TIMEOUT).text


def test_no_page_shows_the_deals_of_another_lender(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    visit(page, routes.lender("halifax"))
    page.evaluate(WATCH_DEALS)
    go_to_lender(page, "natwest")
    go_to_lender(page, "barclays")
    for back in ("Mortgage lenders, A to Z", "NatWest mortgage rates", "Mortgage lenders, A to Z", "Halifax"):
        page.go_back()
        expect(page.get_by_role("heading", level=1)).to_contain_text(back)
    expect(page.locator(BEST).locator("[data-product]")).to_have_count(3)
    own = {f"{name} mortgage rates: {deal}" for name, number in LENDERS.items() for deal in deals_of(number)}
    noted = "() => new Promise(done => requestAnimationFrame(() => done([...window.pairs])))"
    assert set(page.evaluate(noted)) == own


def deals_of(lender: str) -> list[str]:
    return [product.product_id for product in found(lender=lender).products[:3]]


def go_to_lender(page: Page, slug: str) -> None:
    page.get_by_role("navigation", name="Lenders section").get_by_role("link", name="Lenders").click()
    page.locator(f"main a[href='{routes.lender(slug)}']").first.click()
    expect(page).to_have_url(routes.lender(slug))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(slug, re.IGNORECASE))
    expect(page.locator(BEST).locator("[data-product]")).to_have_count(3)


def test_built_block_stays_with_its_date_while_the_feed_is_away(live: LiveSite, open_page: OpenPage) -> None:
    page, words = open_page(base=live.url), "could not be brought up to date"
    live.standin.switch("reset")
    try:
        before = live.said(words)
        page.goto("/home-mover-deals/")  # no other test has its rates read
        until(lambda: live.said(words) == before + 2)
        for selector in (BEST, TABLES):
            Block(page=page, selector=selector).expect_built()
    finally:
        live.settle()
    page.reload()
    Block(page=page, selector=TABLES).expect_live()
