"""Below a list of deals: the chart by loan to value and its table."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from broker.rates.lowest_rates import LTVS
from broker.rates.product import RateProduct
from broker.rates.rates_by_ltv import HEIGHT
from tests.e2e.axe import violations
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import sized, visit
from tests.e2e.rates_page import RatesPage, answer, ids

NARROW = (320, 700)
SHOW = "Show it for this search"


@pytest.fixture
def rates(page: Page) -> RatesPage:
    return RatesPage(page=page)


def block(page: Page) -> Locator:
    return page.get_by_role("region", name="Rate by loan to value", exact=True)


def table(page: Page) -> list[list[str]]:
    """Return the figures of the table: loan to value, rate, APRC, payment, fees, lender."""
    rows = block(page).locator("tbody tr").all()
    names = [row.locator("th .rt").text_content() or "" for row in rows]
    return [
        [name, *(cell.strip() for cell in row.locator("td").all_text_contents())]
        for name, row in zip(names, rows, strict=True)
    ]


def drawn(page: Page, dots: str) -> list[float]:
    """Return the rates at which a line's dots stand, read off the scale at the side."""
    scale = [float(text.rstrip("%")) for text in block(page).locator(".plot .up").all_text_contents()]
    path = block(page).locator(f"path.{dots}").get_attribute("d") or ""
    heights = [float(down) / HEIGHT for down in re.findall(r"M[\d.]+ ([\d.]+)h", path)]
    return [round(scale[-1] - height * (scale[-1] - scale[0]), 2) for height in heights]


def lowest(**asked: str) -> dict[int, RateProduct]:
    price = int(asked.get("price", "200000"))
    found = {ltv: answer(**{**asked, "amount": str(price * ltv // 100)}).products for ltv in LTVS}
    return {ltv: products[0] for ltv, products in found.items() if products}


def expect_chart_of(page: Page, **asked: str) -> None:
    """Check that drawing and table have the first product of a search at each loan to value."""
    products = lowest(**asked)
    assert table(page) == [
        [
            f"{ltv}%",
            f"{product.initial_rate:.2f}%",
            f"{product.aprc:.2f}%",
            f"£{product.initial_payment:,.2f}",
            f"£{product.total_fees:,.0f}",
            product.lender_name,
        ]
        for ltv, product in products.items()
    ]
    assert drawn(page, "dots-0") == [float(row[1].rstrip("%")) for row in table(page)]
    assert drawn(page, "dots-1") == [float(row[2].rstrip("%")) for row in table(page)]


def test_chart_of_another_search_is_asked_for_and_is_never_the_pages_own(rates: RatesPage) -> None:
    held, asked = HeldSocket(rates.page), {"price": "300000", "amount": "187500", "rate": "variable"}
    rates.open(**asked)
    rates.expect_cards(ids(answer(**asked)))
    expect(block(rates.page).locator(".plot")).to_have_count(0)
    expect(rates.button(SHOW)).to_be_visible()
    held.hold_after('"loading"')
    rates.button(SHOW).click()
    expect(block(rates.page).get_by_role("status")).to_have_text("Loading rates for each loan size.")
    held.release()
    expect(block(rates.page).locator(".own")).to_have_text("Your loan: 62.5%")
    expect(block(rates.page).get_by_role("heading")).to_be_focused()
    expect_chart_of(rates.page, **asked)
    rates.choose("Deal length", "5 years")
    rates.update()
    expect(rates.button(SHOW)).to_be_visible()
    expect(block(rates.page).locator(".plot")).to_have_count(0)
    rates.page.get_by_role("region", name="Search").get_by_role("button", name="Clear my figures").click()
    rates.page.goto("/tools/rates/")
    expect(block(rates.page).locator(".own")).to_have_text("Example loan: 50%")


def test_chart_and_table_are_within_wcag_and_the_narrowest_screen(open_page: OpenPage) -> None:
    page = open_page(PHONE)
    for path in ("/buy-to-let/rates/?price=350000", "/tools/rates/"):
        visit(page, path)
        if "?" in path:
            page.get_by_role("button", name=SHOW).click()
        block(page).locator("summary").click()
        expect(block(page).locator("table")).to_be_visible()
        for size in (DESKTOP, PHONE):
            assert (path, size, violations(sized(page, size))) == (path, size, [])
        assert block(page).evaluate("each => parseFloat(getComputedStyle(each).paddingLeft)") >= 18
    sized(page, NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW[0]
    cut = (
        block(page)
        .locator(".plot span")
        .evaluate_all(
            "all => all.filter(each => each.getBoundingClientRect().right > innerWidth).map(each => each.textContent)"
        )
    )
    assert cut == []
