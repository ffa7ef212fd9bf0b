"""Rates of tax on buying a home by the date of completion, since 1 January 2021, each with its source.

England and Northern Ireland have stamp duty (SDLT), Scotland LBTT, Wales LTT. Prices in pounds, rates in percent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import inf

Bands = tuple[tuple[float, float], ...]
"""The upper end of each band, in pounds, and its rate in percent."""

HELD_SINCE = date(2021, 1, 1)
"""The first day that the rates cover."""

ADDITIONAL_FROM = 40_000
"""Price in pounds from which the higher rates and the charge on buyers from abroad apply, in all three systems."""


class Nation(StrEnum):
    ENGLAND = "england"
    """England and Northern Ireland."""
    SCOTLAND = "scotland"
    WALES = "wales"


class Buyer(StrEnum):
    FIRST = "first"
    NEXT = "next"
    ADDITIONAL = "additional"


SOURCES: Mapping[Nation, str] = {
    Nation.ENGLAND: "https://www.gov.uk/government/publications/rates-and-allowances-stamp-duty-land-tax",
    Nation.SCOTLAND: "https://revenue.scot/taxes/land-buildings-transaction-tax/residential-property",
    Nation.WALES: "https://www.gov.wales/land-transaction-tax-rates-and-bands",
}
"""Where each nation publishes the rates below, with earlier ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The rates of one kind of buyer from a day on.

    `whole` is a percentage of the whole price on top of the bands. A first-time buyer's relief ends with the last band:
    a dearer home is taxed like any other.
    """

    since: date
    bands: Bands
    whole: float = 0

    @property
    def limit(self) -> float:
        return self.bands[-1][0]


_TOP: Bands = ((925_000, 5), (1_500_000, 10), (inf, 12))
_SDLT: Bands = ((125_000, 0), (250_000, 2), *_TOP)
_SDLT_250: Bands = ((250_000, 0), *_TOP)
_SDLT_500: Bands = ((500_000, 0), *_TOP)
_SDLT_FIRST: Bands = ((300_000, 0), (500_000, 5))

_LBTT: Bands = ((145_000, 0), (250_000, 2), (325_000, 5), (750_000, 10), (inf, 12))
_LBTT_250: Bands = ((250_000, 0), *_LBTT[2:])

_LTT_TOP: Bands = ((750_000, 7.5), (1_500_000, 10), (inf, 12))
_LTT: tuple[Rates, ...] = (
    Rates(since=date(2022, 10, 10), bands=((225_000, 0), (400_000, 6), *_LTT_TOP)),
    Rates(since=date(2021, 7, 1), bands=((180_000, 0), (250_000, 3.5), (400_000, 5), *_LTT_TOP)),
    Rates(since=HELD_SINCE, bands=((250_000, 0), (400_000, 5), *_LTT_TOP)),
)
_LTT_HIGHER_2020: Bands = ((180_000, 4), (250_000, 7.5), (400_000, 9), (750_000, 11.5), (1_500_000, 14), (inf, 16))

RATES: Mapping[tuple[Nation, Buyer], tuple[Rates, ...]] = {
    (Nation.ENGLAND, Buyer.NEXT): (
        Rates(since=date(2025, 4, 1), bands=_SDLT),
        Rates(since=date(2022, 9, 23), bands=_SDLT_250),
        Rates(since=date(2021, 10, 1), bands=_SDLT),
        Rates(since=date(2021, 7, 1), bands=_SDLT_250),
        Rates(since=HELD_SINCE, bands=_SDLT_500),
    ),
    (Nation.ENGLAND, Buyer.FIRST): (
        Rates(since=date(2025, 4, 1), bands=_SDLT_FIRST),
        Rates(since=date(2022, 9, 23), bands=((425_000, 0), (625_000, 5))),
        Rates(since=date(2021, 7, 1), bands=_SDLT_FIRST),
        Rates(since=HELD_SINCE, bands=_SDLT_500),
    ),
    (Nation.ENGLAND, Buyer.ADDITIONAL): (
        Rates(since=date(2025, 4, 1), bands=_SDLT, whole=5),
        Rates(since=date(2024, 10, 31), bands=_SDLT_250, whole=5),
        Rates(since=date(2022, 9, 23), bands=_SDLT_250, whole=3),
        Rates(since=date(2021, 10, 1), bands=_SDLT, whole=3),
        Rates(since=date(2021, 7, 1), bands=_SDLT_250, whole=3),
        Rates(since=HELD_SINCE, bands=_SDLT_500, whole=3),
    ),
    (Nation.SCOTLAND, Buyer.NEXT): (
        Rates(since=date(2021, 4, 1), bands=_LBTT),
        Rates(since=HELD_SINCE, bands=_LBTT_250),
    ),
    (Nation.SCOTLAND, Buyer.FIRST): (
        Rates(since=date(2021, 4, 1), bands=((175_000, 0), *_LBTT[1:])),
        Rates(since=HELD_SINCE, bands=_LBTT_250),
    ),
    (Nation.SCOTLAND, Buyer.ADDITIONAL): (
        Rates(since=date(2024, 12, 5), bands=_LBTT, whole=8),
        Rates(since=date(2022, 12, 16), bands=_LBTT, whole=6),
        Rates(since=date(2021, 4, 1), bands=_LBTT, whole=4),
        Rates(since=HELD_SINCE, bands=_LBTT_250, whole=4),
    ),
    (Nation.WALES, Buyer.NEXT): _LTT,
    (Nation.WALES, Buyer.FIRST): _LTT,
    (Nation.WALES, Buyer.ADDITIONAL): (
        Rates(
            since=date(2024, 12, 11),
            bands=((180_000, 5), (250_000, 8.5), (400_000, 10), (750_000, 12.5), (1_500_000, 15), (inf, 17)),
        ),
        Rates(since=HELD_SINCE, bands=_LTT_HIGHER_2020),
    ),
}
"""The rates of each nation and buyer, the latest first. Wales has no relief for first-time buyers."""

ABROAD_SINCE = date(2021, 4, 1)
"""The day from which buyers who do not live in the UK pay more in England and Northern Ireland."""

ABROAD = 2
"""Percent of the whole price that they pay on top."""


def change_days() -> tuple[date, ...]:
    """Return each day from which any rate holds, the latest first."""
    days = {rates.since for listed in RATES.values() for rates in listed}
    return tuple(sorted({*days, ABROAD_SINCE}, reverse=True))


def rates_on(nation: Nation, buyer: Buyer, *, day: date) -> Rates:
    """Return the rates that held on a day; raises ValueError for a day before `HELD_SINCE`."""
    for rates in RATES[nation, buyer]:
        if rates.since <= day:
            return rates
    raise ValueError(f"the rates of {nation} are held since {HELD_SINCE}, not for {day}")


def abroad_on(nation: Nation, day: date) -> float:
    """Return the percent of the whole price that a buyer from abroad pays on top on a day."""
    return ABROAD if nation is Nation.ENGLAND and day >= ABROAD_SINCE else 0
