"""Views, searches and plans are counted where links inside the site make no request for a page."""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from playwright.sync_api import Page

from broker import routes
from broker.analytics.count_store import CountStore
from broker.analytics.counted import Counted
from broker.settings import Settings
from broker.storage.database import database_for
from tests.e2e.calculator_page import settle
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.e2e.rates_page import AMOUNT, RatesPage, answer, ids
from tests.e2e.traffic import FRAMES, await_answer, traffic_of
from tests.integration.enquiry_site import EnquirySite


def counted(site: EnquirySite) -> Counter[str]:
    """Stop the server, which stores its counts, and return those of all days."""

    async def read() -> Counter[str]:
        database = database_for(Settings().changed(state_dir=site.state_dir))
        found = Counter[str]()
        for _, kind, total in await CountStore(database).since(date.min):
            found[kind] += total
        await database.close()
        return found

    site.stop()
    with ThreadPoolExecutor(1) as thread:  # Playwright keeps an event loop in this one
        return thread.submit(asyncio.run, read()).result()


def await_frame(page: Page, traffic: list[str], *words: str) -> None:
    for _ in range(FRAMES):
        if any(all(word in line for word in words) for line in traffic):
            return
        settle(page)
    pytest.fail(f"the page did not send {', '.join(words)}")


def test_links_searches_and_plans_inside_the_site_are_counted(running_site: EnquirySite, open_page: OpenPage) -> None:
    before = counted(running_site)
    running_site.start()
    page, searching = open_page(), open_page()
    traffic, plan = traffic_of(page), routes.BUYING_PLAN
    visit(page, routes.CALCULATORS)
    await_answer(page, traffic)  # a page that is opened before the tab is connected is not seen
    page.evaluate("window.isSamePage = true")
    page.get_by_role("main").locator(f"a[href='{plan}']").first.click()
    await_frame(page, traffic, "on_load_internal", plan)
    page.locator("#buying-plan-income").fill("61000")
    await_frame(page, traffic, "plan_deal_state.find", "income=61000")
    page.get_by_role("contentinfo").get_by_role("link", name="Contact").click()
    await_frame(page, traffic, "on_load_internal", routes.CONTACT)
    traffic.clear()
    page.go_back()
    await_frame(page, traffic, "on_load_internal", f"{plan}?income=61000")
    assert page.evaluate("window.isSamePage")
    rates = RatesPage(page=searching)
    rates.open()
    rates.box(AMOUNT).fill("150000")
    rates.update()
    rates.expect_cards(ids(answer(amount="150000")))
    for each in (page, searching):
        each.close()
    assert counted(running_site) - before == {
        Counted.CALCULATOR: 1,
        Counted.PLAN: 2,
        Counted.PLAN_ANSWERED: 2,
        Counted.CONTACT: 1,
        Counted.RATES: 1,
        Counted.SEARCH: 1,
    }
