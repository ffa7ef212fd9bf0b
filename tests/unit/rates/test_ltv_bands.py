from dataclasses import replace
from datetime import timedelta

import pytest

from broker.rates.lowest_rates import LTVS, rates_by_ltv, searches_by_ltv
from broker.rates.query import RatesQuery, SortOrder
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import answer

QUERY = RatesQuery(price=240_000, amount=150_000, term=30, sort=SortOrder.FEES, with_fee_free=True)


def test_searches_change_the_loan_and_the_order_and_nothing_else() -> None:
    searches = searches_by_ltv(QUERY)
    amounts = {50: 120_000, 60: 144_000, 70: 168_000, 75: 180_000, 80: 192_000, 85: 204_000, 90: 216_000, 95: 228_000}
    assert {ltv: query.amount for ltv, query in searches.items()} == amounts
    assert {replace(query, amount=QUERY.amount, sort=QUERY.sort) for query in searches.values()} == {QUERY}
    assert {query.sort for query in searches.values()} == {SortOrder.RATE}


def test_let_property_is_searched_up_to_what_lenders_lend_on_it() -> None:
    query = RatesQuery(residential=False)
    assert list(searches_by_ltv(query)) == [50, 60, 70, 75, 80]
    assert rates_by_ltv(query, {50: answer([], query)}).missing == (50, 60, 70, 75, 80)


@pytest.mark.parametrize("price", [1, 3, 99, 199_999, 9_999_999_999])
def test_no_search_is_for_more_than_its_loan_to_value_or_for_nothing(price: int) -> None:
    for ltv, query in searches_by_ltv(replace(QUERY, price=price, amount=1)).items():
        assert query.amount == 1 or query.ltv <= ltv


def test_each_loan_to_value_has_its_first_product_and_empty_ones_are_named() -> None:
    first, second = priced("first"), priced("second", rate=5)
    both = {60: answer([first, second], QUERY), 50: answer([second], QUERY)}
    assert {row.ltv: row.product.product_id for row in rates_by_ltv(QUERY, both).lowest} == {50: "second", 60: "first"}
    found = rates_by_ltv(QUERY, {ltv: answer([first] if ltv < 85 else [], QUERY) for ltv in LTVS})
    assert ([each.ltv for each in found.lowest], found.missing) == ([50, 60, 70, 75, 80], (85, 90, 95))
    assert rates_by_ltv(QUERY, {50: answer([], QUERY)}).nearest is None


@pytest.mark.parametrize(
    ("amount", "nearest"), [(24_000, 50), (131_999, 50), (132_000, 60), (150_000, 60), (156_000, 70), (240_000, 95)]
)
def test_nearest_row_is_the_visitors_own_and_of_two_the_higher(amount: int, nearest: int) -> None:
    query = replace(QUERY, amount=amount)
    found = rates_by_ltv(query, {ltv: answer([priced(str(ltv))], query) for ltv in LTVS})
    assert found.nearest
    assert found.nearest.ltv == nearest


def test_chart_is_as_old_as_its_oldest_answer() -> None:
    newer = answer([priced("a")], QUERY)
    older = replace(newer, read_at=newer.read_at - timedelta(hours=2), stale=True)
    both = rates_by_ltv(QUERY, {50: newer, 60: older})
    assert (both.oldest, both.stale) == (older, True)
    assert rates_by_ltv(QUERY, {50: newer}).stale is False
