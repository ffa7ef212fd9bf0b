"""A lazy list of priced products."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from markupsafe import Markup

from broker.domain.rates.product import NO_WINNERS, RateProduct, RateType, Winners
from broker.domain.rates.query import RatesQuery
from broker.market.catalogue import FIXED_BIT, NO_CHARGE_BIT, RESIDENTIAL_BIT, Catalogue, Floats, Rows
from broker.market.pricing import Prices
from broker.market.product_text import early_repayment_charge, title


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

    def with_cashback(self) -> int:
        """Return how many products pay cashback."""
        return int(np.count_nonzero(self.prices.cashback))

    def without_charge(self) -> int:
        """Return how many products have no early repayment charge."""
        return int(np.count_nonzero(self.catalogue.sort[self.rows] & NO_CHARGE_BIT))

    def _least(self, costs: Floats) -> RateProduct:
        return self[int((costs if self.order is None else costs[self.order]).argmin())]

    def _product(self, place: int) -> RateProduct:
        market, prices, row = self.catalogue, self.prices, int(self.rows[place])
        lender = market.lenders[int(market.lender_id[row])]
        return RateProduct(
            lender_id=lender.lender_id,
            lender_name=lender.name,
            rate_type=RateType.FIXED if market.sort[row] & FIXED_BIT else RateType.VARIABLE,
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
        market, sort, months = self.catalogue, int(self.catalogue.sort[row]), int(self.catalogue.initial_months[row])
        return {
            "product_id": market.product_id[row],
            "title": title(
                months=months,
                is_fixed=bool(sort & FIXED_BIT),
                is_let=not sort & RESIDENTIAL_BIT,
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
        start = "Fixed at" if market.sort[row] & FIXED_BIT else "Tracks Bank Rate: to begin with"
        end = f", then {float(market.follow_on_rate[row]):.2f}%, the lender's follow-on rate, which may change"
        if months == self.query.term * 12:
            end = ", which is the whole term"
        sentence = f"{start} {float(market.initial_rate[row]):.2f}% for {months} months{end}."
        return str(Markup("<p>") + Markup(sentence) + Markup("</p>"))
