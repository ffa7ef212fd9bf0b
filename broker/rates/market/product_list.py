"""A lazy list of priced products, and their texts.

A deal that does not last whole years is written in months: a date would be past one day.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import overload

import numpy as np
from markupsafe import Markup

from broker.rates.market.catalogue import Catalogue, Floats, Rows
from broker.rates.market.pricing import Prices
from broker.rates.product import NO_CHARGE, NO_WINNERS, RateProduct, RateType, Winners
from broker.rates.query import RatesQuery


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PricedProducts(Sequence[RateProduct]):
    """Products of a catalogue, priced for a query; `order` holds indices of `rows` in another order."""

    catalogue: Catalogue
    query: RatesQuery
    rows: Rows
    prices: Prices
    order: Rows | None = None

    def __len__(self) -> int:
        """Return the number of products."""
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> RateProduct: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RateProduct, ...]: ...
    def __getitem__(self, index: int | slice) -> RateProduct | tuple[RateProduct, ...]:
        """Return one product, or a tuple of them for a slice; raises IndexError beyond the ends."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        place = range(len(self))[index]
        return self._product(place if self.order is None else int(self.order[place]))

    def __iter__(self) -> Iterator[RateProduct]:
        """Yield every product in order."""
        return (self[place] for place in range(len(self)))

    def winners(self) -> Winners:
        """Return the products with the lowest rate, net cost a year and true cost a year, the first of equals."""
        if not len(self):
            return NO_WINNERS
        return Winners(
            rate=self._least(self.catalogue.initial_rate[self.rows]),
            cash=self._least(self.prices.yearly_net_cost),
            true=self._least(self.prices.yearly_true_cost),
        )

    def counts(self) -> dict[str, int]:
        """Return how many products pass each filter, by its parameter."""
        filters = self.catalogue.filters
        return {name: int(np.count_nonzero(passing[self.rows])) for name, passing in filters.items()}

    def _least(self, costs: Floats) -> RateProduct:
        return self[int((costs if self.order is None else costs[self.order]).argmin())]

    def _product(self, place: int) -> RateProduct:
        market, prices, row = self.catalogue, self.prices, int(self.rows[place])
        lender = market.lenders[int(market.lender_id[row])]
        return RateProduct(
            lender_id=lender.lender_id,
            lender_name=lender.name,
            rate_type=RateType.FIXED if market.fixed[row] else RateType.VARIABLE,
            loan_amount=float(self.query.amount),
            term_years=self.query.term,
            interest_only=not self.query.repayment,
            initial_rate=float(market.initial_rate[row]),
            initial_months=int(prices.months[place]),
            initial_payment=float(prices.payment[place]),
            most_ltv=float(market.most_ltv[row]),
            total_fees=float(prices.fees[place]),
            fee_percent=float(market.fee_percent[row]),
            aprc=float(prices.aprc[place]),
            cash_cost=float(prices.cash_cost[place]),
            true_cost=float(prices.true_cost[place]),
            follow_on_rate=float(market.follow_on_rate[row]),
            follow_on_payment=float(prices.follow_on_payment[place]),
            least_loan=float(market.least_loan[row]),
            most_loan=float(market.most_loan[row]),
            incentives=market.incentives[row],
            **self._words(place, row),
        )

    def _words(self, place: int, row: int) -> dict[str, str]:
        market, months = self.catalogue, int(self.catalogue.initial_months[row])
        return {
            "product_id": market.product_id[row],
            "title": title(
                months=months,
                is_fixed=bool(market.fixed[row]),
                is_let=not market.residential[row],
                most_ltv=int(market.most_ltv[row]),
                fee=float(market.fee[row]),
                fee_percent=float(market.fee_percent[row]),
            ),
            "early_repayment_charge": early_repayment_charge(market.yearly_charges[row], months),
            "description": self._description(place, row),
        }

    def _description(self, place: int, row: int) -> str:
        """Return a sentence about the initial and the follow-on rate, as HTML."""
        market, months = self.catalogue, int(self.prices.months[place])
        start = "Fixed at" if market.fixed[row] else "Tracks Bank Rate: to begin with"
        end = f", then {float(market.follow_on_rate[row]):.2f}%, the lender's follow-on rate, which may change"
        if months == self.query.term * 12:
            end = ", which is the whole term"
        sentence = f"{start} {float(market.initial_rate[row]):.2f}% for {months} months{end}."
        return str(Markup("<p>") + Markup(sentence) + Markup("</p>"))


@lru_cache(maxsize=4_096)
def title(*, months: int, is_fixed: bool, is_let: bool, most_ltv: int, fee: float, fee_percent: float) -> str:
    """Return the product's short title, for example `2-year fixed, up to 75% LTV, £999 fee`."""
    length = f"{months}-month" if months % 12 else f"{months // 12}-year"
    deal = f"{length} {'fixed' if is_fixed else 'tracker'}"
    return f"{f'Buy to let {deal}' if is_let else deal}, up to {most_ltv}% LTV, {_fee(fee, fee_percent)}"


@lru_cache(maxsize=1_024)
def early_repayment_charge(yearly_charges: str, months: int) -> str:
    """Return the early repayment charge in words, from the percentages of its years, as `3;2;1`; empty for none.

    The first of them lasts longer where the deal is longer than whole years.
    """
    if not yearly_charges:
        return NO_CHARGE
    charges = yearly_charges.split(";")
    if len(set(charges)) == 1:
        return f"{charges[0]}% of the balance until the deal ends, then none"
    first, *later = _steps(charges, months)
    return ", then ".join([first.replace("%", "% of the balance"), *later, "none"])


def _steps(charges: Sequence[str], months: int) -> list[str]:
    extra = months - 12 * len(charges)
    if not extra:
        return [f"{percent}% in year {year}" for year, percent in enumerate(charges, 1)]
    ends = ((percent, 12 * year + extra) for year, percent in enumerate(charges, 1))
    lasts = [(percent, max(end for _, end in same)) for percent, same in groupby(ends, key=lambda step: step[0])]
    (first, end), *later = lasts
    return [f"{first}% in the first {end} months", *(f"{percent}% until month {end}" for percent, end in later)]


def _fee(fee: float, percent: float) -> str:
    if percent:
        return f"{percent:g}% fee"
    return f"£{fee:,.0f} fee" if fee else "no fee"
