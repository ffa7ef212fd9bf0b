"""The plan to buy in a browser: the figures of Python, one question for the server, and no other message."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from broker.plans.buying_fields import BUYING_PLAN
from tests.e2e.axe import violations
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, Problems, visit
from tests.e2e.panel_scripts import TYPE_AT_ONCE

PATH = "/plan/buying/"
PANEL = "#buying-plan"
SEED, CASES = 20_261_125, 60
COUNTED = ("income", "income2", "outgoings", "savings", "monthly", "price")


def sent_messages(page: Page) -> list[str]:
    """Return the list that the names of the plan's questions to the server join."""
    sent: list[str] = []

    def keep(frame: str | bytes) -> None:
        if "plan_deal" in str(frame) and "hydrate" not in str(frame):
            sent.append(str(frame))

    page.on("websocket", lambda socket: socket.on("framesent", keep))
    return sent


def shown(page: Page) -> tuple[str, str, list[str]]:
    """Return the figure, its caption, and the amounts of the table."""
    panel = page.locator(PANEL)
    amounts = panel.locator("table").first.locator("td").all_inner_texts()
    return panel.locator(".big").inner_text(), panel.locator(".cap-2").first.inner_text(), amounts


def expected(values: dict[str, Any]) -> tuple[str, str, list[str]]:
    working = BUYING_PLAN.calculate(values)
    assert working.table
    return working.figure, working.caption, [figure for _, figure, _ in working.table.rows]


def test_figures_are_those_of_python_whatever_is_typed(page: Page, problems: Problems) -> None:
    visit(page, PATH)
    random = Random(SEED)
    month = page.evaluate("new Date().getFullYear() * 12 + new Date().getMonth()")
    problems.expect("INTERNET_DISCONNECTED")
    page.context.set_offline(True)  # no deal comes: until there is one the plan counts our allowance for its fee
    values = {**BUYING_PLAN.defaults(), "thisMonth": month}
    for _ in range(CASES):
        choice, name = random.choice(BUYING_PLAN.choices), random.choice(COUNTED)
        values[choice.name] = random.choice(choice.options)[0]
        page.locator(f"{PANEL}-{choice.name}").select_option(values[choice.name])
        if name != "price" or values["goal"] == "price":
            values[name] = random.randrange(1, 10 ** random.randint(2, 6))
            page.locator(f"{PANEL}-{name}").fill(str(values[name]))
        assert shown(page) == expected(values), values


def test_server_is_asked_once_the_figures_rest_and_for_deals_alone(page: Page) -> None:
    sent = sent_messages(page)
    visit(page, PATH)
    rate = page.locator(f"{PANEL} .plate.two b").first
    expect(rate).to_be_visible()
    page.wait_for_timeout(600)
    assert sent == []
    page.locator(f"{PANEL}-income").evaluate(TYPE_AT_ONCE, [str(income) for income in range(50_000, 50_010)])
    expect(page.locator(f"{PANEL} .kv dt").first).to_contain_text("£346,5")
    assert len(sent) == 1
    page.locator(f"{PANEL}-monthly").fill("900")
    page.wait_for_timeout(600)
    assert len(sent) == 1
    expect(page).to_have_url(re.compile("income=50009"))


def test_plan_with_a_wrong_field_has_no_answer_until_it_is_right(page: Page) -> None:
    visit(page, PATH)
    before = page.locator(f"{PANEL} .big").inner_text()
    savings, plate = page.locator(f"{PANEL}-savings"), page.locator(f"{PANEL} .plate").first
    savings.fill("150,50")
    savings.blur()
    expect(plate).to_contain_text("No answer yet")
    expect(page.locator(f"{PANEL} .big, {PANEL} .example, {PANEL} table")).to_have_count(0)
    expect(savings).to_have_value("150,50")
    savings.fill("28k")
    savings.blur()
    expect(savings).to_have_value("28,000")
    expect(page.locator(f"{PANEL} .big")).to_have_text(before)


def test_fee_of_the_deal_is_counted_once_it_is_found(page: Page, open_page: OpenPage) -> None:
    visit(page, PATH)
    page.locator(f"{PANEL}-goal").select_option("price")
    page.locator(f"{PANEL}-price").fill("310000")
    expect(page.locator(f"{PANEL} table").first).to_contain_text("£7,895")
    expect(page).to_have_url(re.compile("price=310000"))
    plain = open_page(scripts=False)
    plain.goto(page.url)
    assert shown(page) == shown(plain)


def test_figures_need_no_loan(page: Page) -> None:
    visit(page, PATH)
    page.locator(f"{PANEL}-goal").select_option("price")
    page.locator(f"{PANEL}-price").fill("20000")
    expect(page.locator(PANEL)).to_contain_text("These figures need no loan")


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
def test_plan_is_accessible_and_fits(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(size)
    visit(page, f"{PATH}?goal=price&price=350000&age=60&income=x")
    assert violations(page) == []
    page.locator(f"{PANEL}-income").fill("34000")
    page.locator(f"{PANEL} summary").first.click()
    page.locator(f"{PANEL} summary").last.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
