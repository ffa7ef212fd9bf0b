"""The visitor's figures in a browser: typed once, offered elsewhere, cleared, and sent to nobody."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from broker import routes
from broker.lending.days import day_number, iso_text, months_earlier
from tests.e2e.answering_site import AnsweringSite
from tests.e2e.calculator_page import BY_SLUG, Panel
from tests.e2e.conftest import OpenPage
from tests.e2e.layout_shift import MAX_SHIFT, shifts, watch_shifts
from tests.e2e.pages import WINDOWS, visit
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.e2e.traffic import await_answer, traffic_of

LOAN, OVERPAYMENT = routes.calculator("repayment"), routes.calculator("overpayment")
CLEAR = "Clear my figures"
KEPT = "() => JSON.parse(sessionStorage.getItem('figures'))"
COUPLE = {"income": 35_000, "income2": 27_000, "savings": 28_000}
REMORTGAGER = {"loan": 187_400, "price": 310_000, "term": 19, "rate": 1.6}


def keep(page: Page, **figures: Any) -> None:
    """Have the tab keep figures, as if they had been typed on a page before."""
    visit(page, "/about-us/")
    page.evaluate("figures => sessionStorage.setItem('figures', figures)", json.dumps(figures))


def line(page: Page) -> Locator:
    return page.get_by_text("Using your figures")


def clear(page: Page) -> None:
    line(page).first.get_by_role("button", name=CLEAR).click()


def box(page: Page, slug: str, name: str) -> Locator:
    return Panel(page=page, calculator=BY_SLUG[slug]).box(name)


def test_what_is_typed_in_a_calculator_is_offered_in_another_and_cleared(page: Page) -> None:
    visit(page, LOAN)
    expect(line(page)).to_have_count(0)
    box(page, "repayment", "loan").fill("nonsense")
    assert page.evaluate(KEPT) is None
    box(page, "repayment", "loan").fill("187400")
    box(page, "repayment", "term").fill("19")
    expect(line(page)).to_be_visible()
    visit(page, OVERPAYMENT)
    expect(box(page, "overpayment", "loan")).to_have_value("187,400")
    expect(box(page, "overpayment", "term")).to_have_value("19")
    expect(line(page)).to_be_visible()
    assert page.url.endswith(OVERPAYMENT)
    page.get_by_role("link", name="Monthly repayment").first.click()
    expect(box(page, "repayment", "loan")).to_have_value("187,400")
    page.get_by_role("link", name="Overpayment").first.click()
    expect(box(page, "overpayment", "loan")).to_have_value("187,400")
    clear(page)
    expect(line(page)).to_have_count(0)
    expect(box(page, "overpayment", "loan")).to_have_value("200,000")
    assert page.evaluate(KEPT) is None
    page.get_by_role("link", name="Monthly repayment").first.click()
    expect(box(page, "repayment", "loan")).to_have_value("50,000")


def test_nothing_is_sent_while_figures_change(page: Page) -> None:
    traffic = traffic_of(page)
    visit(page, LOAN)
    await_answer(page, traffic)
    page.wait_for_load_state("networkidle")
    before = list(traffic)
    box(page, "repayment", "loan").fill("500000")
    box(page, "repayment", "term").fill("19")
    page.wait_for_url("**?loan=500000&term=19")
    assert traffic == before
    visit(page, OVERPAYMENT)
    expect(box(page, "overpayment", "loan")).to_have_value("500,000")
    page.wait_for_load_state("networkidle")
    assert [each for each in traffic[len(before) :] if "500000" in each or "500,000" in each] == []


@pytest.mark.parametrize("size", WINDOWS.values(), ids=WINDOWS)
def test_nothing_moves_where_figures_are_offered(open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page(size)
    keep(page, **REMORTGAGER, **COUPLE)
    watch_shifts(page)
    for path in (routes.HOME, LOAN, routes.BUYING_PLAN, routes.REMORTGAGE_PLAN, routes.RATES):
        visit(page, path)
        expect(line(page).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        score, moved = shifts(page)
        assert (path, score <= MAX_SHIFT) == (path, True), moved


def test_couple_goes_from_plan_to_rates_and_questions(asked_site: AnsweringSite, open_page: OpenPage) -> None:
    page = open_page(base=asked_site.url)
    visit(page, routes.BUYING_PLAN)
    for name, text in COUPLE.items():
        page.locator(f"#buying-plan-{name}").fill(str(text))
    kept = page.evaluate(KEPT)
    assert {name: kept[name] for name in COUPLE} | {"term": kept["term"]} == {**COUPLE, "term": 30}
    price, loan = kept["price"], kept["price"] - kept["deposit"]
    visit(page, routes.calculator("borrow"))
    expect(box(page, "borrow", "income2")).to_have_value("27,000")
    visit(page, routes.deals("first-time-buyer"))
    page.wait_for_url(f"**?price={price}&amount={loan}&term=30")
    expect(page.locator("#search-price")).to_have_value(f"{price:,}")
    expect(page.locator("#search-amount")).to_have_value(f"{loan:,}")
    asked = QuestionnairePage(page=page)
    asked.bring(asked_site.given("q96 yes"), asked_site.url)
    asked.open("q77")
    expect(asked.box("01")).to_have_value(f"{price:,}")
    expect(line(page)).to_be_visible()
    page.get_by_role("contentinfo").get_by_role("button", name=CLEAR).click()
    expect(asked.box("01")).to_have_value("")
    expect(line(page)).to_have_count(0)


def test_remortgager_goes_from_plan_to_rates_and_questions(asked_site: AnsweringSite, open_page: OpenPage) -> None:
    page = open_page(base=asked_site.url)
    visit(page, routes.REMORTGAGE_PLAN)
    end = iso_text(months_earlier(day_number(datetime.now(UTC).date()), -4))
    typed = {"balance": "187400", "value": "310000", "term": "19", "rate": "1.6", "end": end}
    for name, text in typed.items():
        page.locator(f"[name={name}]").fill(text)
    kept = page.evaluate(KEPT)
    assert {name: kept[name] for name in REMORTGAGER} == REMORTGAGER
    visit(page, routes.REMORTGAGE_PLAN)
    expect(page.locator("[name=end]")).to_have_value(end)
    visit(page, routes.RATES)
    for name, text in {"price": "310,000", "amount": "187,400", "term": "19"}.items():
        expect(page.locator(f"#search-{name}")).to_have_value(text)
    asked = QuestionnairePage(page=page)
    asked.at_q19(asked_site)
    expect(asked.box("01")).to_have_value("310,000")
    expect(asked.box("02")).to_have_value("187,400")
    asked.box("02").fill("180000")
    asked.on.click()
    asked.expect_step("q108")
    assert page.evaluate(KEPT)["loan"] == 180_000
