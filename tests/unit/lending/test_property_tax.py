"""Tax on buying a home, against sums by hand (published figures: `test_published_figures`)."""

from collections.abc import Callable
from datetime import date

import pytest

from broker.lending.property_tax import (
    charge,
    lbtt,
    lbtt_additional,
    lbtt_first_time,
    ltt,
    ltt_higher,
    sdlt,
    sdlt_additional,
    sdlt_first_time,
)
from broker.lending.property_tax_rates import Buyer, Nation, change_days, rates_on

CASES: dict[Callable[[float], float], dict[float, float]] = {
    sdlt: {
        125_001: 0,
        250_000: 2_500,
        295_000: 4_750,
        300_001: 5_000,
        925_000: 36_250,
        1_500_000: 93_750,
        2e6: 153_750,
    },
    sdlt_first_time: {300_000: 0, 425_000: 6_250, 500_000: 10_000, 500_001: 15_000},
    sdlt_additional: {39_999: 0, 300_000: 20_000, 300_019: 20_001},
    lbtt: {145_000: 0, 280_000: 3_600, 325_000: 5_850},
    lbtt_first_time: {175_000: 0, 280_000: 3_000},
    lbtt_additional: {39_999: 0, 300_000: 28_600},
    ltt: {225_000: 0, 280_000: 3_300, 500_000: 18_000},
    ltt_higher: {39_999: 0, 180_000: 9_000, 300_000: 19_950, 2_000_000: 271_200},
}


@pytest.mark.parametrize("tax", CASES, ids=lambda tax: tax.__name__)
def test_tax_is_that_of_its_bands(tax: Callable[[float], float]) -> None:
    assert {price: tax(price) for price in CASES[tax]} == CASES[tax]


def tax(price: float, nation: str, buyer: str, *, since: str = "2025-04-01", is_abroad: bool = False) -> float:
    """Return the tax under the rates of a day, today's at first."""
    return charge(price, nation=nation, buyer=buyer, since=since, is_abroad=is_abroad).tax


DATED: list[tuple[str, str, str, float, float]] = [
    # the stamp duty holiday, and the nil bands of 250,000 that followed it and that began in 2022
    ("2021-01-01", "england", "next", 500_000, 0),
    ("2021-01-01", "england", "first", 600_000, 5_000),
    ("2021-01-01", "england", "additional", 500_000, 15_000),
    ("2021-07-01", "england", "next", 500_000, 12_500),
    ("2021-07-01", "england", "first", 500_000, 10_000),
    ("2021-10-01", "england", "next", 500_000, 15_000),
    ("2022-09-23", "england", "next", 500_000, 12_500),
    ("2022-09-23", "england", "first", 625_000, 10_000),
    ("2022-09-23", "england", "first", 625_001, 18_750),
    ("2022-09-23", "england", "additional", 300_000, 11_500),
    ("2024-10-31", "england", "additional", 300_000, 17_500),
    ("2024-12-11", "england", "next", 300_000, 2_500),
    ("2025-04-01", "england", "additional", 300_000, 20_000),
    # Scotland's own nil band of 250,000 ended on 31 March 2021; its supplement rose from 4% to 6% and 8%
    ("2021-01-01", "scotland", "next", 300_000, 2_500),
    ("2021-04-01", "scotland", "next", 300_000, 4_600),
    ("2022-10-10", "scotland", "additional", 300_000, 16_600),
    ("2022-12-16", "scotland", "additional", 300_000, 22_600),
    ("2024-12-05", "scotland", "additional", 300_000, 28_600),
    # Wales: 250,000 free until 30 June 2021, then 180,000, then 225,000; the higher rates rose by a point in 2024
    ("2021-01-01", "wales", "next", 400_000, 7_500),
    ("2021-07-01", "wales", "next", 400_000, 9_950),
    ("2022-10-10", "wales", "first", 400_000, 10_500),
    ("2022-10-10", "wales", "additional", 300_000, 16_950),
    ("2024-12-11", "wales", "additional", 300_000, 19_950),
]


@pytest.mark.parametrize(("since", "nation", "buyer", "price", "expected"), DATED)
def test_tax_is_that_of_its_day(since: str, nation: str, buyer: str, price: float, expected: float) -> None:
    assert tax(price, nation, buyer, since=since) == expected


def test_buyers_from_abroad_pay_two_points_more_in_england_only() -> None:
    assert tax(300_000, "england", "next", is_abroad=True) == 11_000
    assert tax(300_000, "england", "first", is_abroad=True) == 6_000
    assert tax(300_000, "england", "additional", is_abroad=True) == 26_000
    assert tax(39_999, "england", "additional", is_abroad=True) == 0
    assert tax(300_000, "england", "next", since="2021-01-01", is_abroad=True) == 0
    assert tax(500_000, "england", "next", since="2021-04-01", is_abroad=True) == 10_000
    assert [tax(300_000, nation, "next", is_abroad=True) for nation in ("scotland", "wales")] == [4_600, 4_500]


@pytest.mark.parametrize("price", [0, 1, 40_000, 225_001, 500_000, 500_001, 9_999_999_999.99])
def test_tax_of_today_has_one_source(price: float) -> None:
    today = change_days()[0].isoformat()
    functions = {
        ("england", "first"): sdlt_first_time,
        ("england", "next"): sdlt,
        ("england", "additional"): sdlt_additional,
        ("scotland", "first"): lbtt_first_time,
        ("scotland", "next"): lbtt,
        ("scotland", "additional"): lbtt_additional,
        ("wales", "next"): ltt,
        ("wales", "additional"): ltt_higher,
    }
    for (nation, buyer), function in functions.items():
        assert tax(price, nation, buyer, since=today) == function(price), (nation, buyer)


def test_days_before_the_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="held since 2021-01-01, not for 2020-12-31"):
        rates_on(Nation.WALES, Buyer.NEXT, day=date(2020, 12, 31))
