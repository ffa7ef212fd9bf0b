import random
from dataclasses import replace

import pytest

from broker.rates.deal_types import HOME_LTVS
from broker.rates.lowest_rates import lower_band, lower_band_search
from broker.rates.query import RatesQuery
from broker.rates.results import band_button, band_sentence
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import answer

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
