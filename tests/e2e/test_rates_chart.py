"""Below a list of deals: the chart by loan to value and its table, the list as a file, and all of it on paper."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from broker.rates.ltv_bands import LTVS
from broker.rates.product import RateProduct
from broker.rates.rates_by_ltv import HEIGHT
from tests.e2e.axe import violations
from tests.e2e.conftest import DESKTOP, PHONE, OpenPage
from tests.e2e.held_socket import HeldSocket
from tests.e2e.pages import sized, visit
from tests.e2e.rates_page import RatesPage, answer, ids

NARROW = (320, 700)
PAPER = (720, 1000)
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


def test_chart_of_the_pages_own_search_needs_no_scripts(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto("/tools/rates/")
    expect_chart_of(page)
    expect(block(page).locator(".plot")).to_have_attribute(
        "aria-label", re.compile("^Chart of .*The table below has the same")
    )
    expect(block(page).locator(".own")).to_have_text("Example loan: 50%")
    expect(block(page).get_by_text("Your home may be repossessed")).to_be_visible()
    expect(block(page).get_by_text("These are sample rates")).to_be_visible()
    example = lowest()[50]
    expect(block(page).locator(".example")).to_contain_text(f"{example.aprc:.2f}% APRC representative")
    block(page).locator("summary").click()
    expect(block(page).locator("table")).to_be_visible()


def test_another_searchs_chart_is_asked_for_and_never_the_pages_own(rates: RatesPage) -> None:
    asked = {"price": "300000", "amount": "187500", "rate": "variable"}
    rates.open(**asked)
    rates.expect_cards(ids(answer(**asked)))
    expect(block(rates.page).locator(".plot")).to_have_count(0)
    rates.button(SHOW).click()
    expect(block(rates.page).locator(".own")).to_have_text("Your loan: 62.5%")
    expect(block(rates.page).get_by_role("heading")).to_be_focused()
    expect_chart_of(rates.page, **asked)
    rates.choose("Sort by", "Fees")
    rates.expect_address(**asked, sort="fees")
    rates.expect_cards(ids(answer(**asked, sort="fees")))
    expect(block(rates.page).locator(".own")).to_have_text("Your loan: 62.5%")
    rates.choose("Deal length", "5 years")
    rates.update()
    expect(rates.button(SHOW)).to_be_visible()
    expect(block(rates.page).locator(".plot")).to_have_count(0)
    rates.page.goto("/tools/rates/")
    rates.expect_address(price="300000", amount="187500")  # the visitor's own figures, offered on every page
    expect(rates.button(SHOW)).to_be_visible()
    expect(block(rates.page).locator(".plot")).to_have_count(0)
    rates.page.get_by_role("region", name="Search").get_by_role("button", name="Clear my figures").click()
    rates.expect_address()
    expect(block(rates.page).locator(".own")).to_have_text("Example loan: 50%")


def test_chart_under_way_is_told(rates: RatesPage) -> None:
    held = HeldSocket(rates.page)
    rates.open(price="300000")
    rates.expect_cards(ids(answer(price="300000")))
    expect(rates.button(SHOW)).to_be_visible()
    held.hold_after('"loading"')
    rates.button(SHOW).click()
    expect(block(rates.page).get_by_role("status")).to_have_text("Loading rates for each loan size.")
    held.release()
    expect(block(rates.page).locator(".plot")).to_be_visible()


def test_list_is_saved_as_a_file_in_its_own_order(rates: RatesPage, tmp_path: Path) -> None:
    asked = {"amount": "150000", "period": "5", "sort": "fees"}
    rates.open(**asked)
    rates.expect_cards(ids(answer(**asked)))
    with rates.page.expect_download() as saved:
        rates.list.get_by_role("link", name="Download this list (CSV)").click()
    assert re.fullmatch(r"mortgage-rates-\d{4}-\d\d-\d\d\.csv", saved.value.suggested_filename)
    saved.value.save_as(tmp_path / "list.csv")
    with (tmp_path / "list.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    products = answer(**asked).products[: len(rows)]
    assert len(rows) == min(1_000, len(answer(**asked).products))
    figures = ("Lender", "Initial rate %", "APRC %", "Monthly payment £")
    assert [tuple(row[name] for name in figures) for row in rows] == [
        (each.lender_name, f"{each.initial_rate:.2f}", f"{each.aprc:.2f}", f"{each.initial_payment:.2f}")
        for each in products
    ]
    expect(rates.cards.first).to_be_visible()


def test_list_of_a_customer_type_is_saved_without_scripts(open_page: OpenPage) -> None:
    page = open_page(scripts=False)
    page.goto("/first-time-buyer/rates/")
    link = page.get_by_role("link", name="Download this list (CSV)")
    expect(link).to_have_attribute("href", "/rates.csv?customer=first-time-buyer")
    with page.expect_download() as saved:
        link.click()
    assert saved.value.suggested_filename.endswith(".csv")


def test_paper_has_the_list_with_its_source_or_the_open_deal_alone(rates: RatesPage) -> None:
    rates.open(price="300000")
    rates.expect_cards(ids(answer(price="300000")))
    rates.page.emulate_media(media="print")
    expect(rates.cards.first).to_be_visible()
    for seen in (
        rates.list.get_by_role("heading", level=2),
        rates.list.locator(".example"),
        rates.list.locator(".risk"),
    ):
        expect(seen).to_be_visible()
    expect(rates.page.locator(".print-only")).to_have_text(
        re.compile(r"^Hearthgate Mortgages, 020 7946 0123\. Sample figures, .*/tools/rates/\?price=300000$")
    )
    for role in ("button", "checkbox", "radio", "textbox", "navigation"):
        assert (role, rates.page.get_by_role(role).filter(visible=True).count()) == (role, 0)
    rates.page.emulate_media(media="screen")
    expect(rates.page.locator(".print-only")).to_be_hidden()
    rates.cards.first.get_by_role("button", name="View details").click()
    expect(rates.dialog).to_be_visible()
    rates.page.emulate_media(media="print")
    expect(rates.dialog.locator(".plate")).to_be_visible()
    expect(rates.cards.first).to_be_hidden()
    expect(rates.page.locator(".print-only")).to_be_visible()


def test_printed_deals_have_their_charges_above_the_split(rates: RatesPage) -> None:
    rates.open()
    sized(rates.page, PAPER).emulate_media(media="print")
    limits, split = (rates.cards.first.locator(part).bounding_box() for part in (".limits", ".split"))
    assert limits and split and limits["y"] + limits["height"] <= split["y"]


def test_comparison_is_printed_on_one_wide_page_without_the_list(rates: RatesPage) -> None:
    compared = ",".join(ids(answer(), 4))
    rates.open(compare=compared)
    expect(rates.page.locator(".compared tbody tr").first).to_be_visible()
    rates.page.emulate_media(media="print")
    expect(rates.cards.first).to_be_hidden()
    paper = rates.page.pdf(prefer_css_page_size=True)
    (width, height), *others = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
    assert (float(width) > float(height), others) == (True, [])


def test_calculators_are_printed_with_their_workings(page: Page) -> None:
    page.goto("/tools/calculators/")
    page.emulate_media(media="print")
    expect(page.locator(".how ol").first).to_be_visible()
    expect(page.locator(".plate .big").first).to_be_visible()
    expect(page.locator(".slider").first).to_be_hidden()


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
