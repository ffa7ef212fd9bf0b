"""Blocks of rates of a page over a live feed: what was built gives way to what the feed says now, on that page only."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import unescape

import httpx
import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.lenders.page_view import NOT_HELD
from broker.lending.money import percent
from broker.rates.customers import default_query
from broker.rates.deal_types import DEAL_TYPES, HOME_LTVS, TWO_YEARS_FIXED, DealType, narrowed, table_ltvs
from broker.rates.product import RateProduct
from broker.rates.query import RatesQuery
from broker.rates.results import UK
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.live import Block, LiveSite, found, read_at, until
from tests.e2e.pages import NARROW, sized, visit
from tests.our_content import STORE
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.market.searching import search

BEST, TABLES = "section[aria-labelledby=best]", "section[aria-labelledby=tables]"
HALIFAX = RatesQuery(lender_id=42)
RATE = re.compile(r'class="(?:fig|rt)">(\d+\.\d\d%)<')
LENDERS = {"Halifax": "42", "NatWest": "207", "Barclays": "115"}
SITE = STORE.site()

WATCH = """
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A part of a page that shows rates, and the market's figures that belong there: each rate, then its APRC."""

    path: str
    selector: str
    figures: tuple[str, ...]


def figures(products: Iterable[RateProduct]) -> tuple[str, ...]:
    return tuple(text for each in products for text in (percent(each.initial_rate), percent(each.aprc)))


def best(query: RatesQuery) -> tuple[str, ...]:
    return figures(search(query).products[:3])


def lowest(query: RatesQuery, kinds: Iterable[DealType], places: Iterable[int]) -> tuple[str, ...]:
    """Return the figures of the market's lowest rate of each deal type at each loan to value."""
    asked = (narrowed(query, kind, ltv=ltv) for ltv in places for kind in kinds)
    return tuple(text for each in asked for text in figures(search(each).products[:1]))


def tables(query: RatesQuery) -> tuple[str, ...]:
    return lowest(query, DEAL_TYPES, table_ltvs(query))


def parts() -> Iterator[Shown]:
    moving, again = default_query("home-mover"), default_query("remortgaging")
    yield Shown(path=routes.HOME, selector="#rates", figures=best(RatesQuery()))
    yield Shown(path="/home-mover/", selector="section[aria-labelledby=rates]", figures=best(moving))
    yield Shown(path="/remortgages/", selector=BEST, figures=best(again))
    yield Shown(path="/remortgages/", selector=TABLES, figures=tables(again))


def lender_pages() -> Iterator[Shown]:
    two_years = routes.lender_product("halifax", TWO_YEARS_FIXED.slug)
    yield Shown(
        path=routes.lender("halifax"),
        selector="main",
        figures=(*best(HALIFAX), *lowest(HALIFAX, DEAL_TYPES, HOME_LTVS)),
    )
    yield Shown(
        path=two_years, selector="main", figures=(*best(HALIFAX), *lowest(HALIFAX, (TWO_YEARS_FIXED,), HOME_LTVS))
    )


LENDER_PAGES = tuple(lender_pages())
PARTS = tuple(parts())
PAGES = tuple(dict.fromkeys(part.path for part in PARTS))


@pytest.mark.parametrize("path", PAGES)
def test_built_block_gives_way_to_the_feeds_with_all_that_a_rate_needs(
    live: LiveSite, open_page: OpenPage, axe: Callable[[Page], list[str]], path: str
) -> None:
    began = datetime.now(UK)
    page = open_page(base=live.url)
    page.goto(path)
    for part in (part for part in PARTS if part.path == path):
        block = Block(page=page, selector=part.selector)
        block.expect_live()
        assert tuple(block.figures()) == part.figures
        told = block.live.get_by_text("Rates read at")
        assert began - timedelta(hours=1) < read_at(told.first) <= datetime.now(UK)
        for words in ("Representative example", "APRC representative"):
            expect(block.live.get_by_text(words).first).to_be_visible()
        expect(block.live.get_by_text(re.compile("sample|made up", re.IGNORECASE))).to_have_count(0)
    rates = page.locator(".live-rates")
    expect(rates.get_by_text(SITE.risk_warning).first).to_be_visible()
    assert axe(page) == []


def test_live_block_has_each_aprc_as_large_as_its_rate_at_every_width(
    live: LiveSite, open_page: OpenPage, axe: Callable[[Page], list[str]]
) -> None:
    look = "all => all.map(getComputedStyle).map(s => [s.fontSize, s.fontWeight, s.color, s.fontFamily].join())"
    page = open_page(PHONE, base=live.url)
    page.goto("/remortgages/")
    blocks = [Block(page=page, selector=selector) for selector in (BEST, TABLES)]
    for block in blocks:
        block.expect_live()
    for size in (PHONE, DESKTOP, NARROW):
        sized(page, size)
        for block in blocks:
            looks = block.live.locator(".fig, .rt").evaluate_all(look)
            assert looks[::2] == looks[1::2]
        assert (size, axe(page)) == (size, [])
        assert page.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("lender", LENDER_PAGES, ids=lambda lender: lender.path)
def test_lender_page_has_what_the_feed_saved_for_it(live: LiveSite, lender: Shown) -> None:
    answer = httpx.get(f"{live.url}{lender.path}", timeout=ANSWER_TIMEOUT)
    html = re.sub("<!--.*?-->", "", unescape(answer.text))
    assert tuple(RATE.findall(html)) == lender.figures
    for words in ("Rates read at", "Representative example", "APRC representative", SITE.risk_warning):
        assert words in html
    assert "Sample rates" not in html


def test_lender_whose_rates_nobody_saved_leads_to_the_search(live: LiveSite) -> None:
    html = httpx.get(f"{live.url}{routes.lender('the-mortgage-works')}", timeout=ANSWER_TIMEOUT).text
    assert NOT_HELD in html
    assert "See The Mortgage Works deals for your figures" in html


def test_a_lenders_deal_opens_in_the_search(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    page.goto(routes.lender("halifax"))
    deal = found(lender="42").products[0]
    page.locator(BEST).get_by_role("link", name="View details").first.click()
    expect(page).to_have_url(f"{routes.RATES}?lender=42&product={deal.product_id}")
    title = page.get_by_role("dialog").get_by_role("heading", level=2)
    expect(title).to_have_text(deal.title)


def test_no_page_shows_the_deals_of_another_lender(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    visit(page, routes.lender("halifax"))
    page.evaluate(WATCH)
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
        page.goto("/mortgages-first-time-buyer/")
        until(lambda: live.said(words) == before + 2)
        for selector in (BEST, TABLES):
            Block(page=page, selector=selector).expect_built()
    finally:
        live.settle()
    page.reload()
    Block(page=page, selector=TABLES).expect_live()
