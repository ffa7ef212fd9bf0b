"""How a product compares with all that its search found: its tag, and a sentence on its true cost.

Figures are compared as they are shown, so that no tag and no difference contradicts a figure beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.lending.money import exact_pounds, percent, pounds
from broker.presenters.rates.product_text import product_name, whole_pounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The products of a search with the lowest rate and the lowest true cost a year, and how many it found."""

    rate: RateProduct
    true: RateProduct
    count: int

    @classmethod
    def of(cls, answer: RatesAnswer) -> Standing | None:
        """Return the standing of an answer's products; None where there are none."""
        rate, true = answer.winners.rate, answer.winners.true
        return None if rate is None or true is None else cls(rate=rate, true=true, count=len(answer.products))

    def is_lowest_rate(self, product: RateProduct) -> bool:
        """Return whether no product has a lower rate, as shown."""
        return percent(product.initial_rate) == percent(self.rate.initial_rate)

    def is_cheapest(self, product: RateProduct) -> bool:
        """Return whether no product has a lower true cost a year, in whole pounds."""
        return self._more(product) <= 0

    def tag(self, product: RateProduct) -> str:
        """Return what a product is the lowest of; empty for nothing."""
        if self.is_cheapest(product):
            return "Lowest rate and true cost" if self.is_lowest_rate(product) else "Lowest true cost"
        return "Lowest rate" if self.is_lowest_rate(product) else ""

    def sentence(self, product: RateProduct) -> str:
        """Return a sentence that compares the product's true cost a year with the lowest."""
        if self.count == 1:
            return "The only deal that fits this search."
        every = f"all {self.count:,} deals"
        if not self.is_cheapest(product):
            dearer = f"{pounds(self._more(product))} a year"
            if self.is_lowest_rate(product):
                return f"Lowest rate of {every}, but {dearer} more in true cost than {product_name(self.true)}."
            return f"{dearer} more than {product_name(self.true)}, the lowest true cost of {every}."
        if self.is_lowest_rate(product):
            return f"Lowest rate and lowest true cost of {every}."
        less = self.rate.total_fees - product.total_fees
        fees = f", but its fees are {exact_pounds(less)} lower" if less > 0 else ""
        higher = f" Its rate is higher than that of {product_name(self.rate)}{fees}." if fees else ""
        return f"Lowest true cost of {every}.{higher}"

    def _more(self, product: RateProduct) -> int:
        return whole_pounds(product.yearly_true_cost) - whole_pounds(self.true.yearly_true_cost)
