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

CASES: list[tuple[Callable[[float], float], float, float]] = [
    (sdlt, 125_000, 0),
    (sdlt, 125_001, 0.02),
    (sdlt, 250_000, 2_500),
    (sdlt, 295_000, 4_750),  # gov.uk's own example
    (sdlt, 925_000, 36_250),
    (sdlt, 1_500_000, 93_750),
    (sdlt, 2_000_000, 153_750),
    (sdlt_first_time, 300_000, 0),
    (sdlt_first_time, 425_000, 6_250),
    (sdlt_first_time, 500_000, 10_000),
    (sdlt_first_time, 500_001, 15_000.05),
    (sdlt_additional, 39_999, 0),
    (sdlt_additional, 300_000, 20_000),  # gov.uk's own example
    (lbtt, 145_000, 0),
    (lbtt, 280_000, 3_600),
    (lbtt, 325_000, 5_850),
    (lbtt_first_time, 175_000, 0),
    (lbtt_first_time, 280_000, 3_000),
    (ltt, 225_000, 0),
    (ltt, 280_000, 3_300),
    (ltt, 500_000, 18_000),
    (lbtt_additional, 39_999, 0),
    (lbtt_additional, 300_000, 28_600),
    (ltt_higher, 39_999, 0),
    (ltt_higher, 180_000, 9_000),
    (ltt_higher, 300_000, 19_950),
    (ltt_higher, 2_000_000, 271_200),
]


@pytest.mark.parametrize(("tax", "price", "due"), CASES, ids=lambda value: getattr(value, "__name__", str(value)))
def test_tax_is_that_of_its_bands(tax: Callable[[float], float], price: float, due: float) -> None:
    assert tax(price) == pytest.approx(due, abs=0.001)
