"""The sentence for when cash and true cost name different winners (decision 14)."""

from __future__ import annotations

from broker.domain.money import pounds
from broker.domain.rates.cost import break_even, cost_terms
from broker.domain.rates.product import RateProduct
from broker.presenters.rates.product_text import named


def winners_note(cash: RateProduct | None, true: RateProduct | None) -> str:
    """Name both winners and the loan at which they change places; empty where one deal wins by both."""
    if cash is None or true is None or cash.product_id == true.product_id:
        return ""
    crossing = break_even(cost_terms(cash), cost_terms(true))
    change = f" By true cost the two change places at a loan of {pounds(crossing.true)}" if crossing.true else ""
    by_cash = f", by cash at {pounds(crossing.cash)}" if change and crossing.cash else ""
    return (
        f"{named(cash)} costs least in cash over the deal, but {named(true)} has the lowest true cost, because it "
        f"leaves you owing less.{change}{by_cash}{'.' if change else ''}"
    )
