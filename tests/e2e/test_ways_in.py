"""The forms that lead to plans, in a browser: they send what was typed, and a couple needs few presses to a deal."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from tests.e2e.axe import violations
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import DESKTOP, NARROW, PHONE, sized, visit

MAX_PRESSES, MAX_FIELDS = 4, 8
TO_BUY = "See what you could buy"
WAYS = (
    (routes.HOME, TO_BUY, "savings", "32000", "32,000"),
    (routes.HOME, "My deal is ending", "balance", "150000", "150,000"),
    ("/buy-to-let/", "Does the rent pass?", "rent", "x", "x"),
)
"""Path and name of a form, a box of it by its name, what is typed there, and what the answer has in that box."""


def form_of(page: Page, name: str) -> Locator:
    return page.get_by_role("form", name=name)


def test_couple_reaches_a_deal_from_home_in_few_presses_and_fields(phone: Page) -> None:
    presses, filled = list[str](), list[str]()

    def press(target: Locator) -> None:
        presses.append(target.inner_text())
        target.click()

    def fill(box: Locator, figure: str) -> None:
        filled.append(figure)
        box.fill(figure)

    visit(phone, routes.HOME)
    form = form_of(phone, TO_BUY)
    for label, figure in {"Your income": "41000", "Second income": "29000", "Savings": "32000"}.items():
        fill(form.get_by_label(label), figure)
    press(form.get_by_role("button"))
    plan = phone.locator("#buying-plan")
    expect(plan.locator(".plate").first).to_be_in_viewport()
    fill(plan.locator("[name=outgoings]"), "250")
    fill(plan.locator("[name=monthly]"), "600")
    link = phone.get_by_role("link", name="See this deal in full")
    expect(link).to_have_attribute("href", re.compile("product="))
    press(link)
    deal = phone.get_by_role("dialog")
    expect(deal).to_contain_text("APRC representative")
    expect(deal.get_by_role("link", name="Request a callback")).to_be_visible()
    assert (len(presses) <= MAX_PRESSES, len(filled) <= MAX_FIELDS) == (True, True)


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_form_sends_what_was_typed(open_page: OpenPage, way: tuple[str, ...], scripts: bool) -> None:
    path, form, name, typed, shown = way
    page = open_page(PHONE, scripts=scripts)
    if scripts:
        visit(page, path)
    else:
        page.goto(path)
    form_of(page, form).locator(f"[name={name}]").fill(typed)
    form_of(page, form).get_by_role("button").click()
    expect(page).to_have_url(re.compile(rf"[?&]{name}={typed}\b"))
    expect(page.locator(f"[name={name}]")).to_have_value(shown)


def test_landlords_page_is_accessible_and_fits(page: Page) -> None:
    visit(page, "/buy-to-let/")
    for size in (PHONE, DESKTOP, NARROW):
        assert violations(sized(page, size)) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
