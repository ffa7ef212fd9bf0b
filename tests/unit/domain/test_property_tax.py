"""Tax on buying a home, against the worked examples of the tax authorities and sums by hand."""

from collections.abc import Callable
from datetime import date

import pytest

from broker.domain.property_tax import (
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
from broker.domain.property_tax_rates import Buyer, Nation, change_days, rates_on

CASES: dict[Callable[[float], float], dict[float, float]] = {
    # 295,000 and, of the additional rates, 300,000 are gov.uk's own examples
    sdlt: {125_000: 0, 125_001: 0.02, 250_000: 2_500, 295_000: 4_750, 925_000: 36_250, 1_500_000: 93_750, 2e6: 153_750},
    sdlt_first_time: {300_000: 0, 425_000: 6_250, 500_000: 10_000, 500_001: 15_000.05},
    sdlt_additional: {39_999: 0, 300_000: 20_000},
    lbtt: {145_000: 0, 280_000: 3_600, 325_000: 5_850},
    lbtt_first_time: {175_000: 0, 280_000: 3_000},
    lbtt_additional: {39_999: 0, 300_000: 28_600},
    ltt: {225_000: 0, 280_000: 3_300, 500_000: 18_000},
    ltt_higher: {39_999: 0, 180_000: 9_000, 300_000: 19_950, 2_000_000: 271_200},
}


@pytest.mark.parametrize("tax", CASES, ids=lambda tax: tax.__name__)
def test_tax_is_that_of_its_bands(tax: Callable[[float], float]) -> None:
    assert {price: tax(price) for price in CASES[tax]} == pytest.approx(CASES[tax], abs=0.001)


PUBLISHED: dict[tuple[str, str], dict[float, float]] = {
    ("england", "first"): {0: 0, 185_000: 0, 300_019: 0, 310_000: 500, 400_012: 5_000, 490_000: 9_500, 510_000: 15_500},
    ("england", "next"): {
        125_000: 0,
        185_000: 1_200,
        275_000: 3_750,
        300_019: 5_000,
        400_012: 10_000,
        490_000: 14_500,
        510_000: 15_500,
        937_000: 37_450,
        988_882: 42_638,
        2_100_000: 165_750,
    },
    ("england", "additional"): {
        39_000: 0,
        40_000: 2_000,
        125_000: 6_250,
        185_000: 10_450,
        275_000: 17_500,
        300_019: 20_001,
        400_012: 30_001,
        937_000: 84_300,
        988_882: 92_082,
        2_100_000: 270_750,
    },
    ("scotland", "first"): {
        40_000: 0,
        175_000: 0,
        201_000: 520,
        250_000: 1_500,
        300_000: 4_000,
        325_000: 5_250,
        400_000: 12_750,
        743_000: 47_050,
        750_000: 47_750,
        1_200_000: 101_750,
    },
    ("scotland", "next"): {
        120_000: 0,
        260_000: 2_600,
        300_019: 4_600,
        350_000: 8_350,
        550_000: 28_350,
        901_000: 66_470,
    },
    ("scotland", "additional"): {
        39_000: 0,
        80_000: 6_400,
        150_000: 12_100,
        300_521: 28_667,
        350_000: 36_350,
        610_000: 83_150,
        800_505: 118_451,
        1_530_000: 264_350,
        5_000_000: 958_350,
    },
    ("wales", "next"): {
        179_000: 0,
        260_000: 2_100,
        333_333: 6_499,
        467_895: 15_592,
        800_000: 41_750,
        2_000_000: 171_750,
    },
    ("wales", "additional"): {
        39_000: 0,
        40_000: 2_000,
        145_000: 7_250,
        185_000: 9_425,
        275_000: 17_450,
        300_000: 19_950,
        490_000: 41_200,
        510_000: 43_700,
        937_500: 101_825,
        2_100_000: 288_200,
    },
}
"""MoneyHelper's own cases (maps-apps, apps/stamp-duty-calculator/utils) in whole pounds; its Welsh figures lose a tenth
of a penny where a slice begins."""


def tax(price: float, nation: str, buyer: str, *, since: str = "2025-04-01", is_abroad: bool = False) -> float:
    """Return the tax under the rates of a day, today's at first."""
    return charge(price, nation=nation, buyer=buyer, since=since, is_abroad=is_abroad).tax


@pytest.mark.parametrize(("nation", "buyer"), PUBLISHED)
def test_tax_is_the_published_figure(nation: str, buyer: str) -> None:
    expected = PUBLISHED[nation, buyer]
    assert {price: tax(price, nation, buyer) for price in expected} == expected


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
        assert tax(price, nation, buyer, since=today) == pytest.approx(function(price), abs=1), (nation, buyer)


def test_days_before_the_rates_are_refused() -> None:
    with pytest.raises(ValueError, match="held since 2021-01-01, not for 2020-12-31"):
        rates_on(Nation.WALES, Buyer.NEXT, day=date(2020, 12, 31))
