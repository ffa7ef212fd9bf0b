"""The rates search over a live feed does what it does over the sample market, and says when the rates were read."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from broker.lending.money import pounds_and_pence
from broker.rates.rate_details import rate_details
from broker.rates.results import UK
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.live import LiveSite, expect_deals, expected, found, read_at
from tests.e2e.pages import NARROW, sized
from tests.e2e.rates_page import RatesPage
from tests.e2e.test_rates_edge import WATCH

ASKED = {"amount": "150000", "period": "5"}


@pytest.fixture
def rates(live: LiveSite, open_page: OpenPage) -> RatesPage:
    return RatesPage(page=open_page(base=live.url))


def expect_no_samples(rates: RatesPage) -> None:
    expect(rates.list).not_to_contain_text(re.compile("sample|made up", re.IGNORECASE))


def test_opening_list_is_the_feeds_and_says_when_it_was_read(live: LiveSite, open_page: OpenPage) -> None:
    began, page = datetime.now(UK), open_page(base=live.url)
    for customer in ("", "buy-to-let-remortgage"):
        rates = RatesPage(page=page, customer=customer)
        rates.open()
        expect_deals(rates)
        told = rates.list.get_by_text("Rates read at")
        expect(told).to_have_count(1)
        assert began - timedelta(hours=1) < read_at(told) <= datetime.now(UK)
        expect_no_samples(rates)


def test_list_of_the_edge_stands_until_the_server_has_one(live: LiveSite, open_page: OpenPage) -> None:
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


def test_search_order_and_see_more_work_over_the_feed(rates: RatesPage) -> None:
    rates.open()
    rates.box("Mortgage amount").fill("150,000")
    rates.choose("Deal length", "5 years")
    rates.update()
    rates.expect_address(**ASKED)
    expect_deals(rates, **ASKED)
    rates.more.click()
    expect_deals(rates, 2, **ASKED)
    for label, order in (("Fees", "fees"), ("True cost", "true-cost")):
        rates.choose("Sort by", label)
        rates.expect_address(**ASKED, sort=order)
        expect_deals(rates, **ASKED, sort=order)
    rates.choose("Sort by", "Rate")
    rates.listed("Lender").select_option("Halifax")
    rates.listed("Lender fees").select_option("Up to £1,000")
    rates.update()
    expect_deals(rates, **ASKED, fees="1000", lender="42")
    rates.page.go_back()
    expect_deals(rates, **ASKED)
    expect_no_samples(rates)


def test_example_warning_and_counts_are_those_of_the_feeds_list(rates: RatesPage) -> None:
    asked = {"period": "3"}
    rates.open(**asked)
    expect_deals(rates, **asked)
    wanted = expected(**asked)
    expect(rates.list.locator(".example")).to_have_text(
        f"Representative example{wanted.example} {wanted.example_aprc}", use_inner_text=False
    )
    for words in (wanted.showing, wanted.winners, wanted.fee_free):
        assert words
        expect(rates.list.get_by_text(words)).to_be_visible()
    rates.list.get_by_role("link", name="Show them too").click()
    rates.expect_address(**asked, fees="any")
    expect_deals(rates, **asked, fees="any")


def test_details_show_the_feeds_figures_and_live_in_the_address(rates: RatesPage, open_page: OpenPage) -> None:
    rates.open(**ASKED)
    expect_deals(rates, **ASKED)
    deal = found(**ASKED).products[1]
    product, wanted = deal.product_id, rate_details(deal, logo="", unregulated=False, sample=False)
    rates.cards.nth(1).get_by_role("button", name="View details").click()
    shared = RatesPage(page=open_page(PHONE, base=rates.page.url.partition("/tools/")[0]))
    shared.open(**ASKED, product=product)
    for each in (rates, shared):
        each.expect_address(**ASKED, product=product)
        expect(each.dialog.get_by_role("heading", level=2)).to_have_text(wanted.title)
        expect(each.dialog.locator(".costs dd")).to_have_text([figure for _, figure in wanted.costs])
        expect(each.dialog).to_contain_text(wanted.payment)
        expect(each.dialog).to_contain_text(wanted.example_aprc)
        expect(each.dialog).not_to_contain_text(re.compile("sample", re.IGNORECASE))
        each.page.keyboard.press("Escape")
        each.expect_address(**ASKED)
        expect_deals(each, **ASKED)


def test_deals_of_two_searches_for_one_loan_compare(live: LiveSite, open_page: OpenPage) -> None:
    rates, loan = RatesPage(page=open_page(base=live.url)), {"amount": "120000"}
    for asked in (loan, {**loan, "period": "5"}):
        rates.open(**asked)
        expect_deals(rates, **asked)
    both = [found(**loan, **more).products[0] for more in ({}, {"period": "5"})]
    rates.open(**loan, period="5", compare=",".join(deal.product_id for deal in both))
    expect(rates.page.locator(".compared thead th span:not(.logo)")).to_have_text([deal.lender_name for deal in both])
    row = rates.page.locator(".compared tbody tr").filter(has_text="Monthly payment").first
    for place, deal in enumerate(both):
        expect(row.locator("td").nth(place)).to_contain_text(pounds_and_pence(deal.initial_payment))


def test_live_list_is_within_wcag_at_every_width(rates: RatesPage, axe: Callable[[Page], list[str]]) -> None:
    rates.open()
    expect_deals(rates)
    for size in (DESKTOP, PHONE, NARROW):
        assert (size, axe(sized(rates.page, size))) == (size, [])
        assert rates.page.evaluate("document.documentElement.scrollWidth") == size[0]
