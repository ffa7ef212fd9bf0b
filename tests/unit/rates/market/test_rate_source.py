from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broker.rates.customers import default_query
from broker.rates.product import NO_WINNERS, RateProduct, RateType
from broker.rates.query import RatesQuery, SortOrder
from tests.unit.rates.market.searching import WIDEST, catalogue, product, search

LET = RatesQuery(residential=False, with_fee_free=True)


PARTS: list[tuple[RatesQuery, Callable[[RateProduct], bool]]] = [
    (WIDEST, lambda found: "-buy-to-let-" not in found.product_id and "-purchase-" in found.product_id),
    (replace(WIDEST, fixed=False), lambda found: found.rate_type is RateType.VARIABLE),
    (replace(WIDEST, variable=False), lambda found: found.rate_type is RateType.FIXED),
    (RatesQuery(), lambda found: 22 <= found.initial_months <= 27),
    (RatesQuery(two_years=False, three_years=True), lambda found: 34 <= found.initial_months <= 39),
    (RatesQuery(two_years=False, five_years=True), lambda found: 58 <= found.initial_months <= 63),
    (replace(WIDEST, purchase=False), lambda found: "-remortgage-" in found.product_id),
    (replace(WIDEST, residential=False), lambda found: "-buy-to-let-purchase-" in found.product_id),
    (replace(WIDEST, repayment=False), lambda found: found.interest_only and found.most_ltv <= 75),
    (replace(WIDEST, amount=150_001), lambda found: found.most_ltv >= 80),
    (replace(WIDEST, amount=190_000), lambda found: found.most_ltv == 95),
    (replace(WIDEST, lender_id=711), lambda found: found.lender_name == "first direct"),
    (replace(WIDEST, amount=25_000), lambda found: (found.least_loan or 0) <= 25_000),
    (replace(WIDEST, price=4_000_000, amount=1_900_000), lambda found: found.most_loan == 2_000_000),
]


@pytest.mark.parametrize(("query", "fits"), PARTS)
def test_search_finds_only_what_fits(query: RatesQuery, fits: Callable[[RateProduct], bool]) -> None:
    products = search(query).products
    assert [found.product_id for found in products if not fits(found)] == []
    assert len(products) > 0


def test_filters_split_the_market_without_loss() -> None:
    whole = len(search(WIDEST).products)
    assert whole >= 10_000
    kinds = [replace(WIDEST, fixed=fixed, variable=not fixed) for fixed in (True, False)]
    lengths = [(True, False, False), (False, True, False), (False, False, True)]
    periods = [replace(WIDEST, two_years=two, three_years=three, five_years=five) for two, three, five in lengths]
    lenders = [replace(WIDEST, lender_id=lender) for lender in catalogue().lenders]
    for parts in (kinds, periods, lenders):
        assert sum(len(search(part).products) for part in parts) == whole


@pytest.mark.parametrize(
    ("amount", "least"), [(150_000, 75), (150_001, 80), (160_000, 80), (170_000, 85), (180_000, 90)]
)
def test_loan_to_value_may_reach_the_highest_one(amount: int, least: int) -> None:
    assert min(found.most_ltv for found in search(replace(WIDEST, amount=amount)).products) == least


@pytest.mark.parametrize(
    "nothing", [{"amount": 191_000}, {"amount": 200_000}, {"fixed": False}, {"two_years": False}, {"lender_id": 9_999}]
)
def test_search_for_nothing_finds_nothing(nothing: dict[str, int]) -> None:
    answer = search(replace(RatesQuery(), **nothing))
    assert (list(answer.products), answer.winners) == ([], NO_WINNERS)


def test_answer_says_what_it_is() -> None:
    answer = search(default_query("buy-to-let-remortgage"))
    assert (answer.sample, answer.read_at) == (True, datetime(2026, 8, 31, tzinfo=UTC))
    assert {found.product_id.count("-buy-to-let-remortgage-") for found in answer.products} == {1}


def test_listing_slices_into_tuples_and_counts_from_the_end() -> None:
    products = search(RatesQuery()).products
    assert products[:5] == tuple(products[place] for place in range(5))
    assert products[-1] == products[len(products) - 1]
    assert list(products) == list(products[:])
    with pytest.raises(IndexError):
        products[len(products)]


def test_product_is_found_whatever_the_filters_and_priced_for_the_loan() -> None:
    listed = search(RatesQuery()).products[0]
    for query in (RatesQuery(), RatesQuery(lender_id=1, fixed=False, variable=True)):
        alone = product(query, listed.product_id)
        assert alone is not None
        assert alone.aprc == pytest.approx(listed.aprc, abs=1e-9)  # fewer steps of Newton's method than in a list
        assert replace(alone, aprc=listed.aprc) == listed
    larger = product(RatesQuery(amount=150_000), listed.product_id)
    assert larger is not None
    assert larger.initial_payment == pytest.approx(listed.initial_payment * 1.5)


def test_product_is_none_for_an_unknown_id_or_a_loan_its_fee_eats_up() -> None:
    listed = search(RatesQuery(sort=SortOrder.FEES)).products[-1]
    assert product(RatesQuery(), "no-such-product") is None
    assert product(RatesQuery(amount=int(listed.total_fees)), listed.product_id) is None


def test_percentage_fee_follows_the_loan() -> None:
    found = [one for one in search(LET).products if one.product_id.endswith("-3pc-fee")]
    assert {one.total_fees for one in found} == {3_000.0}


@pytest.mark.parametrize(("term", "months"), [(1, {12}), (2, {24})])
def test_deal_longer_than_the_term_ends_with_it(term: int, months: set[int]) -> None:
    products = search(replace(WIDEST, term=term)).products
    assert {found.initial_months for found in products} == months
    assert {(found.follow_on_months, found.follow_on_payment) for found in products} == {(0, 0.0)}
    assert {round(found.capital_repaid, 6) for found in products} == {100_000}


def test_description_says_how_the_rate_goes_on() -> None:
    listed = product(RatesQuery(), "halifax-purchase-2-year-fixed-75-ltv-0-fee")
    assert listed is not None
    rates = f"Fixed at {listed.initial_rate:.2f}% for 24 months, then {listed.follow_on_rate:.2f}%"
    assert listed.description == f"<p>{rates}, the lender’s follow-on rate, which may change.</p>"
