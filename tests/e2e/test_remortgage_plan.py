"""The remortgage plan in a browser: it works out what the edge does, and counts the rate that is chosen."""

from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from broker import routes
from broker.lending.days import iso_text, months_earlier
from broker.pages.remortgage_plan import today
from broker.plans.remortgage_plan import UNKNOWN_LENDER
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import visit
from tests.unit.rates.market.searching import catalogue

SEED, CASES = 20_261_125, 4

TRIES = 30
"""Loads of a page without scripts, by the last of which the other has written its address and has its deals."""

READ = """() => {
    const plan = document.getElementById("plan-remortgaging");
    const of = (selector) => [...plan.querySelectorAll(selector)].map((each) => each.textContent.trim());
    const lines = [...plan.querySelectorAll("path[class^=line]")].map((each) => each.getAttribute("d"));
    const names = [".headline, .plate", "dl.kv", "tbody tr", "details ol li", ".dates li", ".note strong", ".ask"];
    return [...names.map(of), lines];
}"""
"""What the plan shows of its figures, in words and as the paths of its chart."""


def typed(random: Random) -> dict[str, str]:
    """Return figures of a plan: deals that have ended and that end in years, and homes worth less than the loan."""
    return {
        "balance": str(random.randrange(40_000, 600_000)),
        "value": str(random.randrange(100_000, 900_000)),
        "term": str(random.randrange(4, 70) / 2),
        "rate": str(random.randrange(0, 8_000) / 1_000),
        "end": iso_text(months_earlier(today(), random.randrange(-70, 2))),
        "followOn": str(random.randrange(2_000, 9_000) / 1_000),
        "chargePercent": str(random.randrange(0, 12) / 2),
        "offerRate": random.choice(("", str(random.randrange(1, 9_000) / 1_000))),
        "offerFee": str(random.randrange(0, 1_500)),
        "offerEnd": iso_text(months_earlier(today(), random.randrange(-130, -20))),
    }


def both_shown(page: Page, plain: Page) -> tuple[list[Any], list[Any]]:
    """Return what a page shows, and another that is loaded at its address as it is now."""
    plain.goto(page.url)
    return page.evaluate(READ), plain.evaluate(READ)


def test_browser_shows_what_the_edge_answers_the_same_address_with(open_page: OpenPage) -> None:
    page, plain, random, day = open_page(), open_page(scripts=False), Random(SEED), today()
    visit(page, routes.REMORTGAGE_PLAN)
    for place in range(CASES):
        case, before = typed(random), page.url
        if not place:
            case["end"] = iso_text(months_earlier(today(), 2))  # a deal that is over
        for name, text in case.items():
            page.locator(f"[name={name}]").fill(text)
        page.wait_for_function("before => location.href !== before", arg=before)
        shown, answered = both_shown(page, plain)
        for _ in range(TRIES):
            if shown == answered:
                break
            shown, answered = both_shown(page, plain)
        assert shown == answered or today() != day, case  # a page that is open at midnight stays with its day


def test_figures_stay_open_while_they_are_typed_and_fold_on_the_next_visit(page: Page) -> None:
    visit(page, routes.REMORTGAGE_PLAN)
    opener, end = page.locator(".own-figures"), page.locator("[name=end]")
    before = page.url
    end.fill("2099-03-31")
    page.wait_for_function("before => location.href !== before", arg=before)
    expect(opener.locator("summary")).to_contain_text("to 31 March 2099")
    expect(end).to_be_visible()
    visit(page, page.url)
    expect(end).to_be_hidden()
    opener.locator("summary").press("Enter")
    expect(end).to_be_visible()


def test_rate_that_we_hold_is_counted_once_it_is_chosen(page: Page) -> None:
    visit(page, f"{routes.REMORTGAGE_PLAN}?followOn=6.58&lender=75")
    plan = page.locator("#plan-remortgaging")
    expect(plan).to_contain_text("your plan counts the 6.58% in your form.")
    before = plan.locator(".headline").inner_text()
    held = f"{catalogue().lenders[75].follow_on_rate:.2f}"
    plan.get_by_role("button", name=f"Count {held}% instead").click()
    expect(page.locator("[name=followOn]")).to_have_value(held)
    expect(plan).to_contain_text("not the lender’s own: your plan counts that.")
    expect(plan.locator(".headline")).not_to_have_text(before)


def test_letters_first_field_is_on_the_first_screen_of_a_phone(phone: Page) -> None:
    end = iso_text(months_earlier(today(), -8))
    visit(phone, f"{routes.REMORTGAGE_PLAN}?end={end}")
    phone.evaluate("scrollTo(0, 0)")
    expect(phone.locator("[name=offerRate]")).to_be_in_viewport(ratio=1)
    visit(phone, f"{routes.REMORTGAGE_PLAN}?end={end}&lender=999999")
    expect(phone.locator("#plan-remortgaging")).to_contain_text(UNKNOWN_LENDER)
