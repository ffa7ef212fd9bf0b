import random

import pytest

from broker.rates.query import SortOrder
from broker.rates.ranking import MAX_VISIBLE, ranked, visible_range, winners, with_fees
from tests.unit.rates.products import drawn, priced

LIST = [
    priced("d", rate=4.5, fees=999),
    priced("c", rate=4.5, fees=499),
    priced("b", rate=4.7, fees=0.01),
    priced("a", rate=4.5, fees=999),
    priced("e", rate=4.2, fees=1_999, months=60),
]


@pytest.mark.parametrize(
    ("order", "ids"), [(SortOrder.RATE, "ecadb"), (SortOrder.FEES, "bcade"), (SortOrder.TRUE_COST, "ebcad")]
)
def test_ranked_puts_products_in_order_with_fees_then_ids_as_tie_breaks(order: SortOrder, ids: str) -> None:
    assert "".join(product.product_id for product in ranked(LIST, order)) == ids


@pytest.mark.parametrize("order", list(SortOrder))
def test_ranking_does_not_depend_on_the_order_of_products(order: SortOrder) -> None:
    draw = random.Random(7)
    products = [drawn(draw, f"p{place:03}") for place in range(100)]
    once = ranked(products, order)
    draw.shuffle(products)
    assert ranked(products, order) == once


def test_products_whose_fees_are_not_above_nought_are_left_out() -> None:
    products = [priced("a", fees=0), priced("b", fees=0.01), priced("c", fees=999), priced("d", fees=-1)]
    assert [product.product_id for product in with_fees(products)] == ["b", "c"]


@pytest.mark.parametrize(
    ("total", "pages", "count"),
    [(23, 1, 5), (23, 2, 10), (23, 3, 15), (23, 4, 20), (23, 5, 23), (23, 6, 23), (3, 1, 3), (0, 1, 0), (5, 1, 5)],
)
def test_see_more_shows_five_more_at_a_time(total: int, pages: int, count: int) -> None:
    assert visible_range(total, pages) == (0, count)


def test_late_page_leaves_out_the_first_products() -> None:
    assert [visible_range(1_277, page) for page in (10, 11, 255, 256, 99_999)] == [
        (0, 50),
        (5, 55),
        (1_225, 1_275),
        (1_230, 1_277),
        (1_230, 1_277),
    ]
    assert MAX_VISIBLE == 50


def test_winners_are_the_cheapest_by_the_year_and_the_first_of_equals() -> None:
    best = winners(LIST)
    assert best.cash is not None
    assert best.true is not None
    assert (best.cash.product_id, best.true.product_id) == ("b", "e")
    lower_rate = priced("fee", rate=4.5, fees=1_999, loan=600_000)
    no_fee = priced("free", rate=4.7, fees=0, loan=600_000)
    best = winners([lower_rate, no_fee])
    assert (best.cash, best.true) == (no_fee, lower_rate)
    twins = [priced("b"), priced("a")]
    assert winners(twins).cash is winners(twins).true is twins[0]
    assert (winners([]).cash, winners([]).true) == (None, None)
