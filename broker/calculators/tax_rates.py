"""The rates of tax on buying a home since 2021, as tables of display strings: a row for each day of a change."""

from dataclasses import dataclass
from datetime import date
from math import inf

from broker.lending.money import pounds
from broker.lending.property_tax_rates import HELD_SINCE, RATES, SOURCES, Buyer, Nation, rates_on

TAX_NAMES = {
    Nation.ENGLAND: "Stamp duty, England and Northern Ireland",
    Nation.SCOTLAND: "LBTT, Scotland",
    Nation.WALES: "LTT, Wales",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRow:
    """The rates from a day: of a first home, of moving home, of an additional home."""

    since: str
    rates: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTable:
    """The rates of a nation, the latest first, and where it publishes them."""

    title: str
    source: str
    rows: tuple[RateRow, ...]


def rate_tables() -> tuple[RateTable, ...]:
    """Return a table for each nation."""
    return tuple(RateTable(title=TAX_NAMES[one], source=SOURCES[one], rows=_rows(one)) for one in Nation)


def _rows(nation: Nation) -> tuple[RateRow, ...]:
    days = sorted({rates.since for buyer in Buyer for rates in RATES[nation, buyer]}, reverse=True)
    return tuple(
        RateRow(since=spoken(day), rates=tuple(_rates(nation, buyer, day) for buyer in Buyer))
        for day in days
        if day >= HELD_SINCE
    )


def _rates(nation: Nation, buyer: Buyer, day: date) -> str:
    """Return the slices with their rates, or what comes on top of those of moving home."""
    rates = rates_on(nation, buyer, day=day)
    if rates.whole:
        return f"As for moving home, and {rates.whole:g}% of the price"
    slices = ", ".join(f"{rate:g}% to {pounds(end)}" if end < inf else f"{rate:g}% above" for end, rate in rates.bands)
    return slices if rates.limit == inf else f"{slices}; no relief for a dearer home"


def spoken(day: date) -> str:
    """Return a day as it is spoken of: `1 April 2025`."""
    return f"{day.day} {day:%B %Y}"
