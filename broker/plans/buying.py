"""The figures of a plan to buy: the price, the cash for it, the loan, and the time until the savings are there."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.calculators.buying.deposit import LISA, LISA_OPEN, Saving, saving
from broker.domain.rates.deal_types import HOME_LTVS
from broker.lending.arithmetic import Amount, Text, choose, maximum, minimum, rounded_up, shared
from broker.lending.mortgage import MONTHS
from broker.lending.property_tax import Charge, charge
from broker.lending.property_tax_rates import Buyer
from broker.plans.buying_costs import LENDER_FEE
from broker.plans.buying_limits import MAX_LTV, ROUNDING, TODAY, Limits, costs, limits

MOST, PRICE = "most", "price"
"""What a visitor asks: what could we buy, or can we buy at this price."""

NO_LISA, OPEN_LISA, NEW_LISA = "no", "open", "new"
"""A Lifetime ISA: none, one opened 12 months ago or more, or one that is newer or to be opened."""

DEAL_FEE, HAS_DEAL = "dealFee", "hasDeal"
"""The names of the fee of the deal among the values of a plan, in pounds, and of whether one was found."""

MAX_MONTHS = 10 * MONTHS
"""The longest that a plan looks ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What is saved for: `target` pounds, which is the cash needed, or reaches the next lower band of loan to value.

    `band` is that band in percent, 0 for none, and `extra` the pounds of deposit that it takes. `months` is above
    `MAX_MONTHS` where it takes longer.
    """

    target: Amount
    band: Amount
    extra: Amount
    saving: Saving
    has_bonus: Amount
    months: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyingPlan:
    """A plan in whole pounds: `least` is the smallest deposit that the limits allow, `short` what the savings lack.

    `fee` is the lender's: that of the deal, or the one that the plan allows until a deal is found. `relief` is what a
    first-time buyer saves of the tax.
    """

    limits: Limits
    price: Amount
    charge: Charge
    tax: Amount
    relief: Amount
    fee: Amount
    savings: Amount
    least: Amount
    deposit: Amount
    loan: Amount
    short: Amount
    goal: Goal

    @property
    def needed(self) -> Amount:
        """Return the least cash to have ready on the day."""
        return self.least + self.tax + costs(self.fee)

    @property
    def cash(self) -> Amount:
        """Return the cash that the plan spends on the day."""
        return self.deposit + self.tax + costs(self.fee)


def buying_plan(values: Mapping[str, Amount]) -> BuyingPlan:
    """Return the figures of a plan's values, which are numbers or browser expressions."""
    found, fee = limits(values), values.get(DEAL_FEE, LENDER_FEE.allowed)
    price = shared(choose(values["goal"] == PRICE, lambda: values["price"] // 1, lambda: found.price))

    def charged(buyer: Text) -> Charge:
        return charge(price, nation=values["nation"], buyer=buyer, since=TODAY, is_abroad=False)

    taxed = charged(values["buyer"])
    tax, savings = shared(taxed.tax), shared(values["savings"] // 1)
    smallest = maximum(price * (100 - MAX_LTV) / 100, price - found.loan)
    least = shared(minimum(rounded_up(smallest - ROUNDING), price))
    deposit = shared(minimum(maximum(least, found.spendable - tax), price))
    short = shared(maximum(least + tax + costs(fee) - savings, 0))
    loan = shared(price - deposit)
    return BuyingPlan(
        limits=found,
        price=price,
        charge=taxed,
        tax=tax,
        relief=shared(charged(Buyer.NEXT.value).tax - tax),
        fee=fee,
        savings=savings,
        least=least,
        deposit=deposit,
        loan=loan,
        short=short,
        goal=_goal(values, price, loan=loan, short=short),
    )


def next_band(loan: Amount, price: Amount) -> Amount:
    """Return the next band of loan to value below that of a loan, in percent; 0 where there is none."""
    band: Amount = 0
    for ltv in HOME_LTVS:
        band = choose(price * ltv < loan * 100, lambda ltv=ltv: ltv, lambda band=band: band)
    return band


def _goal(values: Mapping[str, Amount], price: Amount, *, loan: Amount, short: Amount) -> Goal:
    savings = values["savings"] // 1
    band = shared(choose(short > 0, lambda: 0, lambda: next_band(loan, price)))
    extra = shared(choose(band > 0, lambda: loan - price * band // 100, lambda: 0))
    target = shared(savings + short + extra)
    figures = {"goal": target, "saved": savings, "price": price, "rate": 0}
    lisa = {
        LISA: (values[LISA] != NO_LISA) & (values["buyer"] == Buyer.FIRST.value),
        LISA_OPEN: values[LISA] == OPEN_LISA,
    }
    found = saving({**figures, **lisa, "monthly": values["monthly"], "age": values["age"]})
    return Goal(
        target=target,
        band=band,
        extra=extra,
        saving=found,
        has_bonus=shared((found.bonus > 0) & (target > savings)),
        months=shared(found.months),
    )
