"""Tax on buying a home, against the worked examples of the tax authorities and sums by hand."""

from collections.abc import Callable

import pytest

from broker.domain.property_tax import (
    lbtt,
    lbtt_additional,
    lbtt_first_time,
    ltt,
    ltt_higher,
    sdlt,
    sdlt_additional,
    sdlt_first_time,
)

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
