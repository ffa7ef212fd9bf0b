"""Every lender's pages in the export: their rates, each with its APRC, an example, the warning, and ways onwards."""

import re
from dataclasses import replace
from decimal import Decimal
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from broker import routes
from broker.lending.money import percent
from broker.markup import parse_page
from broker.rates.customers import default_query
from broker.rates.deal_types import DEAL_TYPES, DealType, ltvs, narrowed
from broker.rates.lender_tables import LOWEST
from broker.rates.market.catalogue import Lender, lenders
from broker.rates.query import RatesQuery
from broker.rates.search_params import search_address
from tests.our_content import STORE
from tests.unit.rates.market.searching import SAMPLE_NOTICE, catalogue, search

LENDERS = lenders(catalogue())
STANDING = re.compile(rf">(\+[\d.]+ points|{LOWEST})<")
RATE = re.compile(r'class="(?:fig|rt)">(\d+\.\d\d%)<')


@pytest.fixture(scope="module")
def html(html: dict[str, str]) -> dict[str, str]:
    return {path: re.sub("<!--.*?-->", "", page) for path, page in html.items()}


def query(lender: Lender) -> RatesQuery:
    return RatesQuery(lender_id=lender.lender_id, residential=lender.residential)


def lowest(asked: RatesQuery) -> list[str]:
    """Return the rate and APRC of the first deal that the market has for a search; nothing where it has none."""
    return [text for best in search(asked).products[:1] for text in (percent(best.initial_rate), percent(best.aprc))]


NEEDED = {
    "a representative example": "Representative example",
    "its APRC": "APRC representative",
    "the warning": STORE.site().risk_warning,
    "that rates are samples": SAMPLE_NOTICE,
}
"""What every page with rates has."""


def complaints(page: str, lender: Lender) -> list[str]:
    site = STORE.site()
    wanted = {**NEEDED, "its logo": f"/art/lender-{lender.slug}.svg"} | (
        {} if lender.residential else {"who regulates it": site.buy_to_let_sentence}
    )
    return [what for what, words in wanted.items() if words not in unescape(page)]


def test_every_lender_has_its_pages_with_everything_that_a_rate_needs(html: dict[str, str]) -> None:
    for lender in LENDERS:
        products = [routes.lender_product(lender.slug, kind.slug) for kind in DEAL_TYPES]
        for path in (routes.lender(lender.slug), *products):
            assert (path, complaints(html[path], lender)) == (path, [])
    assert len(LENDERS) == 83


@pytest.mark.parametrize("kind", DEAL_TYPES, ids=lambda kind: kind.slug)
def test_product_page_shows_best_deals_and_lowest_rates_by_ltv(html: dict[str, str], kind: DealType) -> None:
    for lender in LENDERS:
        best = search(narrowed(query(lender), kind)).products[:3]
        figures = [text for product in best for text in (percent(product.initial_rate), percent(product.aprc))]
        for ltv in ltvs(query(lender)):
            figures += lowest(narrowed(query(lender), kind, ltv=ltv))
        assert RATE.findall(html[routes.lender_product(lender.slug, kind.slug)]) == figures, lender.slug


def test_lender_page_is_one_table_of_its_lowest_rates_beside_the_markets(html: dict[str, str]) -> None:
    for lender in LENDERS:
        page = html[routes.lender(lender.slug)]
        own = query(lender)
        figures = [text for ltv in ltvs(own) for kind in DEAL_TYPES for text in lowest(narrowed(own, kind, ltv=ltv))]
        assert RATE.findall(page)[-len(figures) :] == figures, lender.slug
        assert page.count("<table") == 1
        standings = [text for ltv in ltvs(own) for kind in DEAL_TYPES for text in standing(own, kind, ltv)]
        assert STANDING.findall(unescape(page)) == standings, lender.slug


def standing(own: RatesQuery, kind: DealType, ltv: int) -> list[str]:
    """Return how a lender's lowest rate stands; nothing where it has none."""
    rates = [lowest(narrowed(asked, kind, ltv=ltv))[:1] for asked in (own, replace(own, lender_id=None))]
    if not rates[0]:
        return []
    more = Decimal(rates[0][0].rstrip("%")) - Decimal(rates[1][0].rstrip("%"))
    return [f"+{more} points" if more else LOWEST]


def test_embedded_lender_page_has_no_calculator_and_one_action(html: dict[str, str]) -> None:
    for lender in LENDERS:
        page = unescape(html[routes.lender(lender.slug)])
        landlords = "" if lender.residential else "buy-to-let"
        target = search_address(replace(default_query(landlords), lender_id=lender.lender_id))
        buttons = (link for link in parse_page(page).iter("a") if "btn" in (link.get("class") or "").split())
        (action,) = (
            address
            for link in buttons
            if f"lender={lender.lender_id}" in (address := link.get("href") or "") and "product=" not in address
        )
        assert action == target
        assert f"See {lender.name} deals for your figures" in page
        assert page.count(f">Call us on {STORE.site().phone}") == 1, action
        assert 'class="calc' not in page
        assert "What kind of lender" not in page


def test_list_of_lenders_is_from_a_to_z_with_a_link_to_each_letter(html: dict[str, str]) -> None:
    page = html[routes.LENDERS]
    letters = sorted({lender.name[0].upper() for lender in LENDERS})
    assert re.findall(r'href="#letter-(.)"', page) == [letter.lower() for letter in letters]
    assert re.findall(r'id="letter-(.)"', page) == [letter.lower() for letter in letters]
    names = parse_page(page).xpath("//main//li[@data-words]//strong/text()")
    assert names == sorted((lender.name for lender in LENDERS), key=str.casefold)
    targets = {link.get("href", "") for link in parse_page(page).iter("a")}
    assert {routes.lender(lender.slug) for lender in LENDERS} <= targets
    assert [what for what, words in NEEDED.items() if words not in unescape(page)] == []


def test_lender_page_links_to_its_products_and_to_the_search(html: dict[str, str]) -> None:
    for lender in LENDERS:
        page = html[routes.lender(lender.slug)]
        targets = {unescape(link.get("href", "")) for link in parse_page(page).iter("a")}
        assert {routes.lender_product(lender.slug, kind.slug) for kind in DEAL_TYPES} <= targets
        asked = {parse_qs(urlsplit(target).query).get("lender", [""])[0] for target in targets} - {""}
        assert asked == {str(lender.lender_id)}, lender.slug


def test_live_rate_placeholders_are_empty_in_the_export(html: dict[str, str]) -> None:
    for path, page in html.items():
        assert re.findall(r'class="live-rates">(?!</div>)', page) == [], path
    assert html["/"].count('class="live-rates"></div>') == 1
    assert "This deal is not available" not in html["/lenders/halifax/"]


def test_deal_page_has_its_examples_rates_and_questions(html: dict[str, str]) -> None:
    for deal in STORE.deal_pages():
        page = unescape(html[deal.path])
        assert page.count("Representative example") == 2, deal.path
        assert "Based on value of £200,000 at 50% LTV" in page
        assert len(re.findall('class="acc"', page)) >= 6, deal.path
