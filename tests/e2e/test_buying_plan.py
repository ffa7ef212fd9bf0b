"""The plan to buy in a browser: the figures of Python, and those of the edge once a deal is found."""

import re
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from broker.plans.buying_plan import BUYING_PLAN
from tests.e2e.axe import violations
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, Problems, sized, visit

PATH = "/plan/buying/"
PANEL = "#buying-plan"
SEED, CASES = 20_261_125, 60
COUNTED = ("income", "income2", "outgoings", "savings", "monthly", "price")


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
    problems.expect("INTERNET_DISCONNECTED")
    page.context.set_offline(True)  # no deal comes: until there is one the plan counts our allowance for its fee
    values = BUYING_PLAN.defaults()
    for _ in range(CASES):
        choice, name = random.choice(BUYING_PLAN.choices), random.choice(COUNTED)
        values[choice.name] = random.choice(choice.options)[0]
        page.locator(f"{PANEL}-{choice.name}").select_option(values[choice.name])
        if name != "price" or values["goal"] == "price":
            values[name] = random.randrange(1, 10 ** random.randint(2, 6))
            page.locator(f"{PANEL}-{name}").fill(str(values[name]))
        values["thisMonth"] = page.evaluate("new Date().getFullYear() * 12 + new Date().getMonth()")
        assert shown(page) == expected(values), values


def test_fee_of_the_deal_is_counted_once_it_is_found(page: Page, open_page: OpenPage) -> None:
    visit(page, PATH)
    page.locator(f"{PANEL}-goal").select_option("price")
    page.locator(f"{PANEL}-price").fill("310000")
    expect(page.locator(f"{PANEL} table").first).to_contain_text("£7,895")
    expect(page).to_have_url(re.compile("price=310000"))
    plain = open_page(scripts=False)
    plain.goto(page.url)
    assert shown(page) == shown(plain)


def test_deal_follows_the_answer_on_a_phone(phone: Page) -> None:
    visit(phone, PATH)
    deal = phone.locator(".plan-deal")
    expect(deal).to_be_visible()
    (answer, found) = (place.bounding_box() for place in (phone.locator(f"{PANEL} .plate").first, deal))
    assert answer
    assert found
    assert 0 < found["y"] - answer["y"] - answer["height"] < 100


def test_plan_is_accessible_and_fits(phone: Page) -> None:
    visit(phone, f"{PATH}?goal=price&price=350000&age=60&income=x")
    expect(phone.locator(f"{PANEL} .plate").first).to_contain_text("No answer yet")
    assert violations(phone) == []
    phone.locator(f"{PANEL}-income").fill("34000")
    phone.locator(f"{PANEL} summary").first.click()
    phone.locator(f"{PANEL} summary").last.click()
    for size in (PHONE, DESKTOP, NARROW):
        assert violations(sized(phone, size)) == []
        assert phone.evaluate("document.documentElement.scrollWidth") <= size[0]
