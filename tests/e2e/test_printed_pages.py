"""Pages on paper: a low footer, nothing that only leads elsewhere, deals, a comparison and calculators in full."""

import re

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.pages import sized, visit
from tests.e2e.rates_page import RatesPage, answer, ids

PAPER = (703, 1032)
"""What the margins leave of a sheet of A4, in pixels."""

MAX_FOOTER = PAPER[1] / 6


def printed(page: Page, path: str) -> Page:
    visit(sized(page, PAPER), path)
    page.emulate_media(media="print")
    return page


def test_page_of_text_has_a_low_footer_with_the_regulation_and_nothing_that_leads_elsewhere(page: Page) -> None:
    footer = printed(page, routes.guide("what-is-ltv")).get_by_role("contentinfo")
    box = footer.bounding_box()
    assert box and box["height"] <= MAX_FOOTER, box
    expect(footer).to_contain_text("authorised and regulated by the Financial Conduct Authority")
    expect(footer.get_by_role("link", name="Sitemap")).to_be_hidden()
    expect(page.locator(".cta")).to_be_hidden()


@pytest.mark.parametrize("path", [routes.HOME, routes.ABOUT, "/first-time-buyer/"])
def test_slides_wrap_on_paper(page: Page, path: str) -> None:
    slides = printed(page, path).locator(".slides > div")
    rights = slides.evaluate_all("all => all.map(each => each.getBoundingClientRect().right)")
    assert rights
    assert max(rights) <= PAPER[0]
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER[0]


def test_calculator_is_printed_with_its_working(page: Page) -> None:
    printed(page, routes.calculator("repayment"))
    expect(page.locator(".how ol").first).to_be_visible()
    expect(page.locator(".plate .big").first).to_be_visible()
    for hidden in (".slider", ".groups", ".slim"):
        expect(page.locator(hidden).first).to_be_hidden()


def test_paper_has_the_list_with_its_source_or_the_open_deal_alone(page: Page) -> None:
    rates = RatesPage(page=sized(page, PAPER))
    rates.open(price="300000")
    rates.expect_cards(ids(answer(price="300000")))
    page.emulate_media(media="print")
    expect(rates.list.get_by_role("heading", level=2)).to_be_visible()
    for seen in (rates.cards.first, rates.list.locator(".example"), rates.list.locator(".risk")):
        expect(seen).to_be_visible()
    why, more = (rates.cards.first.locator(part).bounding_box() for part in (".why", ".more-figures dl"))
    assert why and more and why["y"] + why["height"] <= more["y"]
    expect(page.locator(".print-only")).to_have_text(
        re.compile(r"^Hearthgate Mortgages, 020 7946 0123\. Sample figures, .*/tools/rates/\?price=300000$")
    )
    for role in ("button", "checkbox", "radio", "textbox", "navigation"):
        assert (role, page.get_by_role(role).filter(visible=True).count()) == (role, 0)
    page.emulate_media(media="screen")
    expect(page.locator(".print-only")).to_be_hidden()
    rates.cards.first.get_by_role("button", name="View details").click()
    expect(rates.dialog).to_be_visible()
    page.emulate_media(media="print")
    expect(rates.dialog.locator(".plate")).to_be_visible()
    expect(rates.cards.first).to_be_hidden()
    expect(page.locator(".print-only")).to_be_visible()


def test_comparison_is_printed_on_one_wide_page_without_the_list(page: Page) -> None:
    rates = RatesPage(page=page)
    rates.open(compare=",".join(ids(answer(), 4)))
    expect(page.locator(".compared tbody tr").first).to_be_visible()
    page.emulate_media(media="print")
    expect(rates.cards.first).to_be_hidden()
    paper = page.pdf(prefer_css_page_size=True)
    (width, height), *others = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
    assert (float(width) > float(height), others) == (True, [])
