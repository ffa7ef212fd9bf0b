"""Tax on buying a home: stamp duty in England and Northern Ireland, LBTT in Scotland, LTT in Wales.

Amounts in pounds, unrounded, as numbers or browser expressions.
Sources: gov.uk, "Stamp Duty Land Tax: residential property rates" (since 1 April 2025, the surcharge
since 31 October 2024); revenue.scot, "LBTT residential property rates"; gov.wales, "Land Transaction
Tax rates" (main rates since 10 October 2022).
"""

from math import inf

from broker.domain.arithmetic import Amount, choose, maximum, minimum

Bands = tuple[tuple[float, float], ...]
"""The upper end of each band, in pounds, and its rate in percent."""

SDLT: Bands = ((125_000, 0), (250_000, 2), (925_000, 5), (1_500_000, 10), (inf, 12))
SDLT_FIRST_TIME: Bands = ((300_000, 0), (500_000, 5))
SDLT_ADDITIONAL = 5
"""Percentage points added to every band for an additional dwelling."""

LBTT: Bands = ((145_000, 0), (250_000, 2), (325_000, 5), (750_000, 10), (inf, 12))
LBTT_FIRST_TIME: Bands = ((175_000, 0), *LBTT[1:])
LBTT_ADDITIONAL = 8
"""Percent of the whole price added for an additional dwelling in Scotland, since 5 December 2024."""

LTT: Bands = ((225_000, 0), (400_000, 6), (750_000, 7.5), (1_500_000, 10), (inf, 12))
LTT_HIGHER: Bands = ((180_000, 5), (250_000, 8.5), (400_000, 10), (750_000, 12.5), (1_500_000, 15), (inf, 17))
"""Bands for an additional dwelling in Wales, since 11 December 2024."""

ADDITIONAL_FROM = 40_000
"""Price in pounds from which the higher rates apply, in all three systems."""


def sdlt(price: Amount) -> Amount:
    """Return the stamp duty of a home mover in England and Northern Ireland."""
    return _slices(price, SDLT)


def sdlt_first_time(price: Amount) -> Amount:
    """Return the stamp duty of a first-time buyer; no relief above £500,000."""
    return choose(price <= SDLT_FIRST_TIME[-1][0], lambda: _slices(price, SDLT_FIRST_TIME), lambda: sdlt(price))


def sdlt_additional(price: Amount) -> Amount:
    """Return the stamp duty on an additional home, such as one to let; none below £40,000."""
    return choose(price >= ADDITIONAL_FROM, lambda: sdlt(price) + price * SDLT_ADDITIONAL / 100, lambda: 0)


def lbtt(price: Amount) -> Amount:
    """Return the land and buildings transaction tax on a home in Scotland."""
    return _slices(price, LBTT)


def lbtt_first_time(price: Amount) -> Amount:
    """Return LBTT with first-time buyer relief."""
    return _slices(price, LBTT_FIRST_TIME)


def ltt(price: Amount) -> Amount:
    """Return the land transaction tax on a home in Wales, where first-time buyers have no relief."""
    return _slices(price, LTT)


def lbtt_additional(price: Amount) -> Amount:
    """Return LBTT on an additional home, with the supplement on the whole price; none below £40,000."""
    return choose(price >= ADDITIONAL_FROM, lambda: lbtt(price) + price * LBTT_ADDITIONAL / 100, lambda: 0)


def ltt_higher(price: Amount) -> Amount:
    """Return LTT on an additional home, at the higher rates; none below £40,000."""
    return choose(price >= ADDITIONAL_FROM, lambda: _slices(price, LTT_HIGHER), lambda: 0)


def _slices(price: Amount, bands: Bands) -> Amount:
    """Return the tax on a price, each slice of it at its own rate."""
    tax: Amount = 0
    start = 0.0
    for end, rate in bands:
        top = price if end == inf else minimum(price, end)
        tax = tax + maximum(top - start, 0) * rate / 100
        start = end
    return tax
