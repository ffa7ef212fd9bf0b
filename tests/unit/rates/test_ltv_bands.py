import random
from dataclasses import replace
from datetime import timedelta

import pytest

from broker.rates.deal_types import HOME_LTVS
from broker.rates.lowest_rates import LTVS, lower_band, lower_band_search, rates_by_ltv, searches_by_ltv
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.results import band_button, band_sentence
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


NEAR = RatesQuery(price=310_000, amount=187_400)


@pytest.mark.parametrize(
    ("price", "amount", "found"),
    [
        (310_000, 187_400, (60, 186_000)),
        (310_000, 186_000, None),
        (310_000, 186_001, (60, 186_000)),
        (200_000, 131_000, None),
        (200_000, 130_000, (60, 120_000)),
        (200_000, 196_000, (95, 190_000)),
        (200_000, 100_000, None),
        (200_000, 90_000, None),
        (1, 1, None),
        (333_333, 200_001, (60, 199_999)),
    ],
)
def test_lower_band_within_five_points_is_searched_for(price: int, amount: int, found: tuple[int, int] | None) -> None:
    search = lower_band_search(RatesQuery(price=price, amount=amount))
    assert (search and (search[0], search[1].amount)) == found


@pytest.mark.parametrize(
    ("amount", "band"), [(128_000, 60), (132_000, 65), (145_000, None), (152_000, 75), (170_000, 80)]
)
def test_band_of_a_let_property_is_one_of_its_own(amount: int, band: int | None) -> None:
    search = lower_band_search(RatesQuery(price=200_000, amount=amount, residential=False))
    assert (search and search[0]) == band


def test_smaller_loan_is_always_within_its_band_and_no_pound_too_small() -> None:
    drawn = random.Random(16)
    for _ in range(2_000):
        price = drawn.randint(10, 2_000_000)
        search = lower_band_search(RatesQuery(price=price, amount=drawn.randint(1, price)))
        if search:
            ltv, query = search
            assert ltv in HOME_LTVS
            assert query.amount * 100 <= ltv * price < (query.amount + 1) * 100


def test_band_is_worth_a_sentence_only_where_its_rate_as_shown_is_lower() -> None:
    here = answer([priced("here", rate=3.5, loan=187_400)], NEAR)
    below = replace(NEAR, amount=186_000)
    lower, equal = ([priced("there", rate=rate, loan=186_000)] for rate in (3.42, 3.4999))
    band = lower_band(here, 60, below=answer(lower, below))
    assert band is not None
    less = here.products[0].initial_payment - lower[0].initial_payment
    assert band_sentence(band, amount=NEAR.amount) == (
        "£1,400 more deposit, so £1,400 less to borrow, brings you to 60%: from 3.50% to 3.42% for the "
        f"lowest rate, £{less:.0f} a month less."
    )
    assert band_button(band) == "Search with £186,000"
    remortgage = replace(band, query=replace(band.query, purchase=False))
    assert band_sentence(remortgage, amount=NEAR.amount).startswith("£1,400 less to borrow brings you to 60%: ")
    assert lower_band(here, 60, below=answer(equal, below)) is None
    assert lower_band(here, 60, below=answer((), below)) is None
    assert lower_band(answer((), NEAR), 60, below=answer(lower, below)) is None
    assert (band_sentence(None, amount=1), band_button(None)) == ("", "")
