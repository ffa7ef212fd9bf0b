"""Blocks of rates of a page over a live feed: what was built gives way to what the feed says now, on that page only."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.domain.money import percent
from broker.domain.rates.customers import default_query
from broker.domain.rates.deal_types import (
    DEAL_TYPES,
    HOME_LTVS,
    LET_LTVS,
    TWO_YEARS_FIXED,
    DealType,
    narrowed,
    table_ltvs,
)
from broker.domain.rates.product import RateProduct
from broker.domain.rates.query import RatesQuery
from broker.presenters.rates.results import UK
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.live import Block, LiveSite, found, read_at, until
from tests.e2e.pages import NARROW, sized, visit
from tests.our_content import STORE
from tests.unit.market.searching import search

BEST, TABLES = "section[aria-labelledby=best]", "section[aria-labelledby=tables]"
HALIFAX, THE_MORTGAGE_WORKS = RatesQuery(lender_id=42), RatesQuery(lender_id=168, residential=False)
LENDERS = {"Halifax": "42", "NatWest": "207", "Barclays": "115"}
SITE = STORE.site()

WATCH = """
() => {
    window.pairs = new Set();
    const look = () => {
        const shown = document.querySelectorAll(".live-rates [data-product]");
        const page = document.querySelector("h1")?.innerText;
        shown.forEach(each => window.pairs.add(`${page}: ${each.dataset.product}`));
        requestAnimationFrame(look);
    };
    look();
}
"""
"""Notes, before each picture that the browser paints, which live deals are on which page."""


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
    product = routes.lender_product("halifax", TWO_YEARS_FIXED.slug)
    yield Shown(path=routes.HOME, selector="#rates", figures=best(RatesQuery()))
    yield Shown(path="/home-mover/", selector="section[aria-labelledby=rates]", figures=best(moving))
    yield Shown(path="/remortgages/", selector=BEST, figures=best(again))
    yield Shown(path="/remortgages/", selector=TABLES, figures=tables(again))
    yield Shown(path=routes.lender("halifax"), selector=BEST, figures=best(HALIFAX))
    yield Shown(path=routes.lender("halifax"), selector=TABLES, figures=lowest(HALIFAX, DEAL_TYPES, HOME_LTVS))
    yield Shown(path=product, selector=BEST, figures=best(HALIFAX))
    yield Shown(path=product, selector=TABLES, figures=lowest(HALIFAX, (TWO_YEARS_FIXED,), HOME_LTVS))
    yield Shown(
        path=routes.lender("the-mortgage-works"),
        selector=TABLES,
        figures=lowest(THE_MORTGAGE_WORKS, DEAL_TYPES, LET_LTVS),
    )


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
    regulation = rates.get_by_text(SITE.buy_to_let_sentence)
    expect(regulation.first).to_be_visible(visible=path.endswith("mortgage-works/"))
    assert axe(page) == []


def test_live_block_has_each_aprc_as_large_as_its_rate_at_every_width(
    live: LiveSite, open_page: OpenPage, axe: Callable[[Page], list[str]]
) -> None:
    look = "all => all.map(getComputedStyle).map(s => [s.fontSize, s.fontWeight, s.color, s.fontFamily].join())"
    page = open_page(PHONE, base=live.url)
    page.goto(routes.lender("halifax"))
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


def test_a_live_deal_opens_in_the_search(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    page.goto(routes.lender("halifax"))
    block = Block(page=page, selector=BEST)
    block.expect_live()
    deal = found(lender="42").products[0]
    block.live.get_by_role("link", name="View details").first.click()
    expect(page).to_have_url(f"{routes.RATES}?lender=42&product={deal.product_id}")
    title = page.get_by_role("dialog").get_by_role("heading", level=2)
    expect(title).to_have_text(deal.title)


def test_no_page_shows_the_live_deals_of_another_lender(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    visit(page, routes.lender("halifax"))
    page.evaluate(WATCH)
    Block(page=page, selector=BEST).expect_live()
    live.standin.switch(delay=1000)
    go_to_lender(page, "natwest")
    Block(page=page, selector=BEST).expect_built()
    go_to_lender(page, "barclays")
    Block(page=page, selector=BEST).expect_built()
    live.standin.switch(delay=0)
    Block(page=page, selector=BEST).expect_live()
    page.go_back()
    page.go_back()
    Block(page=page, selector=BEST).expect_live()
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


def test_built_block_stays_with_its_date_while_the_feed_is_away(live: LiveSite, open_page: OpenPage) -> None:
    page, words = open_page(base=live.url), "could not be brought up to date"
    live.standin.switch("reset")
    try:
        for path, selectors in (("/mortgages-first-time-buyer/", (BEST, TABLES)), ("/lenders/tsb/", (BEST, TABLES))):
            before = live.said(words)
            page.goto(path)
            until(lambda before=before: live.said(words) == before + 2)
            for selector in selectors:
                Block(page=page, selector=selector).expect_built()
    finally:
        live.settle()
    page.reload()
    Block(page=page, selector=TABLES).expect_live()
