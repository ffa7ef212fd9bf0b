"""What a visitor sees of everything that a feed may answer, or not: decision 24, specification 8."""

import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.clock import UK
from broker.lending.money import pounds_and_pence
from broker.lending.mortgage import monthly_payment
from broker.rates.results import NONE_FOUND
from broker.state.rates.search import AWAY
from tests.e2e.conftest import OpenPage
from tests.e2e.live import Block, LiveSite, expect_deals, expect_listed, live_site, read_at, until
from tests.e2e.pages import visit
from tests.e2e.rates_page import RatesPage
from tests.our_content import STORE
from tests.standin.writing import FAULT
from tools.project import Project

HELD = 3_600_000
"""Milliseconds before an answer of the feed: it comes once the delay is switched off."""

HALIFAX = {"lender": "42"}
KNOWN = {"price": "310000", **HALIFAX}
"""The search that was answered before the site was restarted."""

PHONE_NUMBER = STORE.site().phone
DEALS_PAGE = "/remortgages/"


@pytest.fixture(scope="module")
def restarted(site: object, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Return a site that was started while its feed was away, and knows from before what some searches found."""
    del site
    with live_site(project, tmp_path_factory.mktemp("failing")) as running:
        assert running.file(**KNOWN).status_code == 200
        until(lambda: running.standin.asked().get("get_saved_lenders"))
        running.feed_away()
        running.restart()
        running.feed_back()
        yield running


@pytest.fixture
def live(restarted: LiveSite) -> Iterator[LiveSite]:
    """Return the restarted site over a feed that answers; it does so again when the test ends."""
    yield restarted
    restarted.settle()


@pytest.fixture
def rates(live: LiveSite, open_page: OpenPage) -> RatesPage:
    return RatesPage(page=open_page(base=live.url))


def search(rates: RatesPage, amount: int) -> dict[str, str]:
    """Type an amount and search until the form knows, and return the search: of one lender, so that lists are short."""
    rates.box("Mortgage amount").fill(str(amount))
    rates.update()
    expect(rates.box("Mortgage amount")).to_have_value(f"{amount:,}")
    return {"amount": str(amount), **HALIFAX}


def alert(rates: RatesPage) -> Locator:
    return rates.list.get_by_role("alert")


def expect_alert(rates: RatesPage, words: str) -> None:
    """Wait until the red alert says some words and gives the telephone number, and no card is left."""
    expect(alert(rates)).to_contain_text(words)
    expect(alert(rates).get_by_role("link", name=PHONE_NUMBER)).to_have_attribute("href", re.compile("^tel:"))
    expect(alert(rates)).to_have_class(re.compile(r"\bbad\b"))
    rates.expect_cards([])


def expect_last_list(rates: RatesPage, **asked: str) -> None:
    """Wait until the list of before the restart is on screen, with its time and the reason for it."""
    notice = rates.list.get_by_text("We cannot reach the rates service")
    expect(notice).to_be_visible()
    assert read_at(rates.list.get_by_text("These rates are from")) <= datetime.now(UK)
    expect_deals(rates, **asked)
    expect(alert(rates)).to_have_count(0)


def test_fault_is_in_the_red_alert_until_the_next_answer_and_nothing_found_is_no_alert(
    live: LiveSite, rates: RatesPage
) -> None:
    assert NONE_FOUND == "No products found, please amend the filters!"
    rates.open(**HALIFAX)
    expect_listed(rates, **HALIFAX)
    live.standin.switch("fault")
    asked = search(rates, 160_000)
    expect_alert(rates, FAULT)
    live.standin.switch()
    rates.button("Try again").click()
    expect_listed(rates, **asked)
    expect(alert(rates)).to_have_count(0)
    live.standin.switch("none-object")
    search(rates, 140_000)
    expect(rates.list.get_by_text(NONE_FOUND)).to_be_visible()
    rates.expect_cards([])
    expect(alert(rates)).to_have_count(0)
    expect(rates.page.get_by_text("Representative example")).to_have_count(0)


def pressed(rates: RatesPage) -> bool:
    """Press Try again, as an impatient visitor does, unless the list is there already; return whether it is."""
    title = rates.list.get_by_role("heading", level=2, name=re.compile(r"^\d"))
    rates.button("Try again").or_(title).first.click()
    return title.is_visible()


def test_other_pages_do_not_notice_that_the_feed_says_nothing(
    live: LiveSite, rates: RatesPage, open_page: OpenPage
) -> None:
    rates.open(**HALIFAX)
    expect_listed(rates, **HALIFAX)
    live.standin.switch("html-502", delay=HELD)
    live.standin.forget()
    rates.box("Mortgage amount").fill("180000")
    rates.update()
    until(live.standin.asked)
    other = open_page(base=live.url)
    for path in (routes.HOME, routes.lender("halifax")):
        visit(other, path)
        expect(other.get_by_role("heading", level=1)).to_be_visible()
        expect(other.get_by_text("Representative example").first).to_be_visible()
    expect_sum(other)
    live.standin.switch(delay=0)
    expect_alert(rates, AWAY)


def expect_sum(page: Page) -> None:
    visit(page, routes.calculator("repayment"))
    page.locator("#repayment-loan").fill("100000")
    expect(page.locator("#repayment .plate")).to_contain_text(pounds_and_pence(monthly_payment(100_000, 5.99, 25)))


def test_restart_with_the_feed_away_brings_the_last_list_with_its_time(live: LiveSite, rates: RatesPage) -> None:
    live.feed_away()
    rates.open(**KNOWN)
    expect_last_list(rates, **KNOWN)
    rates.box("Mortgage amount").fill("98000")
    rates.update()
    expect_alert(rates, AWAY)
    expect(rates.box("Mortgage amount")).to_have_value("98,000")
    live.feed_back()
    until(lambda: pressed(rates))
    expect_listed(rates, **KNOWN, amount="98000")
    rates.page.go_back()
    expect_listed(rates, **KNOWN)
    expect(rates.list.get_by_text("We cannot reach the rates service")).to_have_count(0)


def test_empty_answers_leave_the_last_rates_of_a_page_with_their_time(live: LiveSite, open_page: OpenPage) -> None:
    page = open_page(base=live.url)
    blocks = [Block(page=page, selector=f"section[aria-labelledby={name}]") for name in ("best", "tables")]
    page.goto(DEALS_PAGE)
    for block in blocks:
        block.expect_live()
    figures = [block.figures() for block in blocks]
    live.standin.switch("null")
    page.goto("about:blank")
    live.restart()
    page.goto(DEALS_PAGE)
    for block, before in zip(blocks, figures, strict=True):
        expect(block.live.get_by_text("We cannot reach the rates service.").first).to_be_visible()
        assert block.figures() == before
        read_at(block.live.get_by_text(re.compile("ates (are from|read at)")).first)
