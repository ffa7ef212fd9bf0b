"""Tax on buying a home: stamp duty in England and Northern Ireland, LBTT in Scotland, LTT in Wales.

Taxes in whole pounds, rounded down as the authorities do; numbers or browser expressions. The rates and their sources
are in `lending/property_tax_rates.py`; the functions without a date take those of today.
"""

from dataclasses import dataclass
from datetime import date
from math import inf

from broker.lending.arithmetic import Amount, Text, choose, looked_up, maximum, minimum, shared, to_pennies
from broker.lending.money import MAX_POUNDS
from broker.lending.property_tax_rates import (
    ADDITIONAL_FROM,
    RATES,
    Bands,
    Buyer,
    Nation,
    abroad_on,
    change_days,
    rates_on,
)

_SLICES = max(len(rates.bands) for listed in RATES.values() for rates in listed)
"""The number of slices that a price has at most."""


def _today(nation: Nation, buyer: Buyer) -> Bands:
    return RATES[nation, buyer][0].bands


SDLT = _today(Nation.ENGLAND, Buyer.NEXT)
SDLT_FIRST_TIME = _today(Nation.ENGLAND, Buyer.FIRST)
SDLT_ADDITIONAL = RATES[Nation.ENGLAND, Buyer.ADDITIONAL][0].whole
"""Percentage points added to every band for an additional dwelling."""

LBTT = _today(Nation.SCOTLAND, Buyer.NEXT)
LBTT_FIRST_TIME = _today(Nation.SCOTLAND, Buyer.FIRST)
LBTT_ADDITIONAL = RATES[Nation.SCOTLAND, Buyer.ADDITIONAL][0].whole
"""Percent of the whole price added for an additional dwelling in Scotland."""

LTT = _today(Nation.WALES, Buyer.NEXT)
LTT_HIGHER = _today(Nation.WALES, Buyer.ADDITIONAL)
"""Bands for an additional dwelling in Wales."""


def sdlt(price: Amount) -> Amount:
    """Return the stamp duty of a home mover in England and Northern Ireland."""
    return _slices(price, SDLT)


def sdlt_first_time(price: Amount) -> Amount:
    """Return the stamp duty of a first-time buyer; no relief above £500,000."""
    return choose(price <= SDLT_FIRST_TIME[-1][0], lambda: _slices(price, SDLT_FIRST_TIME), lambda: sdlt(price))


def sdlt_additional(price: Amount) -> Amount:
    """Return the stamp duty on an additional home, such as one to let; none below £40,000."""
    return choose(price >= ADDITIONAL_FROM, lambda: _slices(price, SDLT, whole=SDLT_ADDITIONAL), lambda: 0)


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
    return choose(price >= ADDITIONAL_FROM, lambda: _slices(price, LBTT, whole=LBTT_ADDITIONAL), lambda: 0)


def ltt_higher(price: Amount) -> Amount:
    """Return LTT on an additional home, at the higher rates; none below £40,000."""
    return choose(price >= ADDITIONAL_FROM, lambda: _slices(price, LTT_HIGHER), lambda: 0)


def _slices(price: Amount, bands: Bands, *, whole: float = 0) -> Amount:
    """Return the tax on a price: each slice of it at its own rate, and `whole` percent of it all."""
    tax: Amount = 0
    start = 0.0
    for end, rate in bands:
        top = price if end == inf else minimum(price, end)
        tax = tax + maximum(top - start, 0) * rate / 100
        start = end
    return _rounded_down(tax + price * whole / 100)


def _rounded_down(tax: Amount) -> Amount:
    return to_pennies(tax) // 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The part of a price in one band: its amount in pounds, 0 where the price ends below, and its rate in percent."""

    amount: Amount
    rate: Amount
    is_first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """The tax on a price: its slices, and percentages of the whole price for a further home and a buyer from abroad.

    `limit` is the price up to which first-time buyers have relief; for other buyers no price reaches it.
    """

    price: Amount
    limit: Amount
    slices: tuple[Slice, ...]
    whole: Amount
    abroad: Amount

    @property
    def tax(self) -> Amount:
        banded = sum((each.amount * each.rate / 100 for each in self.slices), 0)
        return _rounded_down(banded + self.price * self.whole / 100 + self.price * self.abroad / 100)


def charge(price: Amount, *, nation: Text, buyer: Text, since: Text, is_abroad: Amount) -> Charge:
    """Return the tax on a home under the rates that hold from a day of `change_days`, written `2025-04-01`."""
    relief = _row(nation, buyer, since)
    row = shared(choose(price > relief[_LIMIT], lambda: _row(nation, Buyer.NEXT.value, since), lambda: relief))
    is_full = shared(price >= ADDITIONAL_FROM)
    taxed = shared(choose(is_full | (buyer != Buyer.ADDITIONAL.value), lambda: price, lambda: 0))
    start, slices = 0, []
    for place in range(_FIRST, _FIRST + 2 * _SLICES, 2):
        end, rate = row[place], row[place + 1]
        amount = shared(maximum(minimum(taxed, end) - start, 0))
        slices.append(Slice(amount=amount, rate=rate, is_first=place == _FIRST))
        start = end
    return Charge(
        price=price,
        limit=relief[_LIMIT],
        slices=tuple(slices),
        whole=shared(choose(is_full, lambda: row[_WHOLE], lambda: 0)),
        abroad=shared(choose(is_full & is_abroad, lambda: row[_ABROAD], lambda: 0)),
    )


def highest_price(cash: Amount, *, share: float, nation: Text, buyer: Text, since: Text) -> Amount:
    """Return the highest price of which `cash` pays a share and the tax: the inverse of `charge`; 0 without cash.

    `share` is above 0, up to 1. The buyer lives in the UK.
    """
    relief, usual = _row(nation, buyer, since), _row(nation, Buyer.NEXT.value, since)
    limit = relief[_LIMIT]
    relieved = shared(_price_at(cash, share, relief))
    dearer = choose(relieved <= limit, lambda: relieved, lambda: maximum(limit, _price_at(cash, share, usual)))
    taxed = shared(dearer)
    untaxed = minimum(cash / share, ADDITIONAL_FROM - 1)
    is_free = (buyer == Buyer.ADDITIONAL.value) & (taxed < ADDITIONAL_FROM)
    return maximum(choose(is_free, lambda: untaxed, lambda: taxed), 0)


def _price_at(cash: Amount, share: float, row: Amount) -> Amount:
    """Return the price at which a share of it and the tax of a row come to `cash`.

    Rates rise from slice to slice, so the tax is the highest of the lines that its slices lie on, and the price the
    lowest of those at which each line meets the cash.
    """
    whole = share + row[_WHOLE] / 100
    price, start, untaxed, before = cash / whole, 0, 0, 0
    for place in range(_FIRST, _FIRST + 2 * _SLICES, 2):
        rate = shared(maximum(row[place + 1], before))
        untaxed = shared(untaxed + (rate - before) * start / 100)
        price = shared(minimum(price, (cash + untaxed) / (whole + rate / 100)))
        start, before = row[place], rate
    return price


_WHOLE, _ABROAD, _LIMIT, _FIRST = range(4)


def _row(nation: Text, buyer: Text, since: Text) -> Amount:
    return looked_up(looked_up(nation + " " + buyer + " " + since, _NAMES), _ROWS)


def _numbers(nation: Nation, buyer: Buyer, day: date) -> tuple[float, ...]:
    """Return the rates of a day as numbers: the whole, from abroad, the limit, and an end and a rate for each slice."""
    rates = rates_on(nation, buyer, day=day)
    bands = [(min(end, MAX_POUNDS), rate) for end, rate in rates.bands]
    bands += [(MAX_POUNDS, 0)] * (_SLICES - len(bands))
    limit = min(rates.limit, MAX_POUNDS)
    return (rates.whole, abroad_on(nation, day), limit, *(number for band in bands for number in band))


def _tables() -> tuple[dict[str, str], dict[str, tuple[float, ...]]]:
    """Return the name of the numbers of each nation, buyer and day, and the numbers of each name."""
    names: dict[str, str] = {}
    rows: dict[tuple[float, ...], str] = {}
    for nation, buyer in RATES:
        for day in change_days():
            numbers = _numbers(nation, buyer, day)
            names[f"{nation} {buyer} {day}"] = rows.setdefault(numbers, f"r{len(rows)}")
    return names, {name: numbers for numbers, name in rows.items()}


_NAMES, _ROWS = _tables()
