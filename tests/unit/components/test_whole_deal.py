"""Everything a lender says of a product is drawn: on its card, in its details, in a comparison and in the file."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
import reflex as rx

from broker.components.rates.product_card import product_card
from broker.components.rates.rate_tables import rate_table
from broker.pages.rates.comparison import compared
from broker.pages.rates.rate_details import details_body
from broker.rates.comparison import comparison
from broker.rates.deal_types import TWO_YEARS_FIXED
from broker.rates.downloads import rates_csv
from broker.rates.lender_tables import RatesTable, table_by_type, tables_by_ltv
from broker.rates.lowest_rates import LowestRates
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.product_text import early_repayment_sentence, incentive_lines, incentives_in_a_line, overpayment_text
from broker.rates.query import RatesQuery
from broker.rates.rate_details import rate_details
from broker.rates.results import rate_cards
from tests.our_content import STORE
from tests.unit.rates.feed.recorded import names, recorded
from tests.unit.rates.market.searching import search
from tests.unit.rates.three_deals import answer

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_TAG = re.compile(r"<[^>]*>")


def words_of(*components: rx.Component) -> str:
    """Return the text of components in reading order, in one line; of a condition, the branch that it takes."""
    parts = (part for component in components for part in _words(component.render()))
    return " ".join(" ".join(parts).split())


def plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def _words(tree: Any) -> Iterator[str]:
    if isinstance(tree, list | tuple):
        for each in tree:
            yield from _words(each)
    if not isinstance(tree, dict):
        return
    contents = tree.get("contents", "")
    if _STRING.fullmatch(contents):
        yield json.loads(contents)
    if "cond_state" in tree:
        yield from _words(tree["false_value" if tree["cond_state"] == "false" else "true_value"])
    for prop in tree.get("props", ()):
        if prop.startswith(("dangerouslySetInnerHTML", '"dangerouslySetInnerHTML"')):
            yield from (plain(json.loads(text)) for text in _STRING.findall(prop) if "<" in text)
    yield from _words(tree.get("children", ()))


SITE = STORE.site()

QUERIES = [
    RatesQuery(with_fee_free=True),
    RatesQuery(fixed=False, variable=True, filters=frozenset({"noerc"}), with_fee_free=True),
    RatesQuery(filters=frozenset({"cashback"}), with_fee_free=True, price=310_000, amount=187_400),
    RatesQuery(five_years=True, two_years=False, purchase=False, with_fee_free=True),
    RatesQuery(residential=False, repayment=False, with_fee_free=True, three_years=True, two_years=False),
]
SAMPLED = 80
READ_AT = datetime(2026, 3, 4, 9, tzinfo=UTC)


def sampled(query: RatesQuery) -> RatesAnswer:
    """Return an answer with products spread over the list, so that rare incentives and charges occur."""
    products = list(search(query).products)
    return answer(products[:: max(1, len(products) // SAMPLED)][:SAMPLED], query)


def check_drawn(found: RatesAnswer) -> None:
    products = list(found.products)
    cards = rate_cards(products, found, logos={})
    rows = list(csv.DictReader(io.StringIO(rates_csv(found).lstrip("\ufeff"))))
    for product, card, row in zip(products, cards, rows, strict=True):
        check_card(product, words_of(product_card(card, rx.console_log(""))))
        details = rate_details(product, logo="", unregulated=False, sample=True)
        drawn = words_of(details_body(details, SITE))
        assert details.title == product.title
        check_full(product, drawn)
        assert plain(product.description) in drawn
        assert plain(product.notes) in drawn
        assert row["Product"].lstrip("'") == product.title
        assert (plain(product.description), plain(product.notes)) == (row["Description"], row["Notes"])
        assert float(row["Cashback £"]) == product.incentives.cashback
        assert {text for name, text in incentive_lines(product)[1:]} <= set(row.values())
    check_tables(products)
    for pair in pairwise(products):
        drawn = words_of(compared(comparison(pair, logos=["", ""])))
        for product in pair:
            check_full(product, drawn)
            assert product.title in drawn
            assert plain(product.description) in drawn
            assert plain(product.notes) in drawn


def check_tables(products: list[RateProduct]) -> None:
    """Check that the tables of lender pages and of a deal type name each product's labels."""
    found = {(TWO_YEARS_FIXED, place): product for place, product in enumerate(products, 1)}
    lowest = LowestRates(query=RatesQuery(), found=found, read_at=READ_AT, sample=True, stale=False)
    tables = (
        table_by_type(lowest, TWO_YEARS_FIXED).tables[0],
        *tables_by_ltv(lowest, ltvs=range(1, len(products) + 1)).tables,
    )
    rows = [row for table in tables for row in table.rows]
    for row, product in zip(rows, products * 2, strict=True):
        table = RatesTable(title="One", basis="One", rows=(row,))
        drawn = words_of(rate_table(table, first_head="Deal"))
        assert incentives_in_a_line(product) in drawn


def check_card(product: RateProduct, drawn: str) -> None:
    for text in (
        product.title,
        incentives_in_a_line(product),
        early_repayment_sentence(product),
        overpayment_text(product),
    ):
        assert text in drawn


def check_full(product: RateProduct, drawn: str) -> None:
    assert early_repayment_sentence(product).rstrip(".") in drawn
    for name, text in incentive_lines(product):
        assert name in drawn
        assert text in drawn


@pytest.mark.parametrize("query", QUERIES)
def test_product_of_the_sample_market_is_shown_whole(query: RatesQuery) -> None:
    check_drawn(sampled(query))


def test_sample_has_every_incentive_and_charge() -> None:
    products = [product for query in QUERIES for product in sampled(query).products]
    offered = [product.incentives for product in products]
    assert {bool(each.cashback) for each in offered} == {True, False}
    assert {each.free_valuation for each in offered} == {True, False}
    assert {each.free_legal_work for each in offered} == {True, False}
    assert {each.is_portable for each in offered} >= {True, False}
    assert {each.overpayment_percent for each in offered} >= {10, 20, 100}
    assert {product.has_no_charge for product in products} == {True, False}
    assert any(each.eligibility for each in offered)


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("get_rates_ok")])
def test_product_of_a_recorded_answer_is_shown_whole(name: str) -> None:
    products: Iterable[RateProduct] = recorded(name).read().products
    found = answer(list(products), RatesQuery())
    assert any(product.notes for product in found.products)
    assert any(product.description for product in found.products)
    check_drawn(found)
