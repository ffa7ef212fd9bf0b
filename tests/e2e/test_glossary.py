"""Terms where they are read: the glossary's entry beside its link, by press, touch and key, and without scripts."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from tests.e2e.axe import violations
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import NARROW, PHONE, visit

_FIRST_LINE = """link => {
  link.scrollIntoView({block: "center", behavior: "instant"});
  const { x, y } = link.getClientRects()[0];
  return [x, y];
}"""
"""Scrolls to a link and returns where its first line begins."""

GUIDE = routes.guide("mortgage-fees-explained")


def terms(page: Page) -> Locator:
    return page.locator(".prose a.term")


def link_to(page: Page, slug: str) -> Locator:
    return page.locator(f'a.term[href="{routes.term(slug)}"]')


def note(page: Page, name: str) -> Locator:
    return page.get_by_role("dialog", name=name)


def test_term_opens_by_key_and_gives_the_focus_back(page: Page) -> None:
    visit(page, GUIDE)
    link, entry = link_to(page, "ltv"), note(page, "Loan to value (LTV)")
    expect(link).to_have_count(1)
    link.press("Enter")
    expect(entry).to_be_focused()
    expect(entry).to_contain_text("Your loan as a share of what the home is worth")
    page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(link).to_be_focused()
    link.press("Enter")
    expect(entry).to_be_focused()
    page.keyboard.press("Tab")
    expect(entry.get_by_role("link")).to_be_focused()
    page.keyboard.press("Tab")
    assert link.evaluate("link => Boolean(link.compareDocumentPosition(document.activeElement) & 4)")
    expect(entry).to_be_hidden()
    expect(page).to_have_url(GUIDE)


def test_term_opens_and_closes_by_press_and_has_no_fault_of_accessibility(page: Page) -> None:
    visit(page, GUIDE)
    link, entry = link_to(page, "completion"), note(page, "Completion")
    link.click()
    expect(entry).to_be_visible()
    assert violations(page) == []
    link.click()
    expect(entry).to_be_hidden()
    link.click()
    expect(entry).to_be_visible()
    other = terms(page).last
    other.click()
    expect(page.locator(".term-note")).to_have_count(1)
    expect(entry).to_be_hidden()
    page.locator(".term-note").get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"{routes.GUIDE_PAGES}|{routes.CALCULATORS}"))


@pytest.mark.parametrize("size", [PHONE, NARROW, (390, 300)], ids=["phone", "narrow", "short"])
def test_touched_term_opens_within_the_window_beside_its_link(open_page: OpenPage, size: tuple[int, int]) -> None:
    phone = open_page(size)
    visit(phone, GUIDE)
    phone.context.new_cdp_session(phone).send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for link in terms(phone).all():
        left, top = link.evaluate(_FIRST_LINE)
        session, point = phone.context.new_cdp_session(phone), {"x": left + 4, "y": top + 8}
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        entry = phone.locator(".term-note")
        expect(entry).to_be_focused()
        opened, box = entry.bounding_box(), link.bounding_box()
        assert opened
        assert box
        assert opened["x"] >= 0
        assert opened["x"] + opened["width"] <= size[0]
        below = box["y"] + box["height"]
        is_beside = min(abs(opened["y"] - below), abs(opened["y"] + opened["height"] - box["y"])) < 40
        assert is_beside or opened["height"] > max(box["y"], size[1] - below) - 40
        assert opened["y"] >= 0
        assert opened["y"] + opened["height"] <= size[1]
        assert not phone.evaluate("() => document.documentElement.scrollWidth > innerWidth")
        phone.keyboard.press("Escape")
        expect(entry).to_be_hidden()


def test_term_is_a_link_without_scripts_and_where_the_glossary_does_not_arrive(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto(GUIDE)
    link_to(page, "ltv").click()
    expect(page).to_have_url(routes.term("ltv"))
    expect(page.get_by_role("heading", name="Loan to value (LTV)")).to_be_in_viewport()


def test_term_opens_within_the_dialog_of_a_deal_which_stays(page: Page) -> None:
    visit(page, routes.RATES)
    page.get_by_role("button", name="View details").first.click()
    deal = page.get_by_role("dialog")
    expect(deal.get_by_role("heading", level=2)).to_be_focused()
    link = deal.locator(f'a.term[href="{routes.term("erc")}"]')
    link.click()
    entry = note(page, "Early repayment charge (ERC)")
    expect(entry).to_be_focused()
    page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(link).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
