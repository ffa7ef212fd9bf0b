"""The figures of a plan to buy: the price, the cash for it, the loan, and the time until the savings are there."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.calculators.buying.deposit import LISA, LISA_OPEN, Saving, saving
from broker.calculators.buying.purchase import MARKET_RATE
from broker.lending.arithmetic import Amount, Text, choose, maximum, minimum, rounded_up, shared
from broker.lending.lending_rules import HIGH_MULTIPLE, LEAST_RISE, Source, affordable_payment, loan_paid_by
from broker.lending.money import MAX_POUNDS
from broker.lending.mortgage import MONTHS
from broker.lending.property_tax import Charge, charge, highest_price
from broker.lending.property_tax_rates import Buyer, change_days
from broker.rates.deal_types import HOME_LTVS


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A cost in pounds: the plan counts `allowed`; the typical range, from `low` to `high`, is that of `named`."""

    label: str
    allowed: int
    low: int
    high: int
    named: str


LENDER_FEE = Cost(label="Lender’s fee", allowed=999, low=0, high=1_999, named="Which?")
SURVEY = Cost(label="Survey", allowed=600, low=400, high=1_500, named="Zoopla")
LEGAL = Cost(label="Legal work", allowed=1_800, low=1_260, high=2_000, named="from Which?, 2021; to Zoopla")

COSTS = (LENDER_FEE, SURVEY, LEGAL)
ALLOWED = sum(cost.allowed for cost in COSTS)

SOURCES = (
    Source(
        title="Which?: The cost of buying a house",
        address="https://www.which.co.uk/money/mortgages-and-property/first-time-buyers/buying-a-home/"
        "the-cost-of-buying-a-house-asdg78z63xuq",
        since="averages of October 2021",
    ),
    Source(
        title="Zoopla: The cost of buying a home explained",
        address="https://www.zoopla.co.uk/discover/buying/buying-costs/",
        since="undated",
    ),
)
"""Of the ranges."""


TESTED_RATE = MARKET_RATE + LEAST_RISE
"""The rate, in percent, at which the budget must still pay for the loan.

With the multiple of the income it makes the upper end of the range of the affordability calculator.
"""

MAX_LTV = HOME_LTVS[-1]
"""The highest loan to value of the deals that we search, in percent."""

TODAY = change_days()[0].isoformat()
"""The day from which today's rates of tax hold."""

ALLOWED_FEE = "allowedFee"
"""The name of the lender's fee, in pounds, that a plan allows; the usual one where the values have none."""

ROUNDING = 1e-6
"""The part of a pound that is taken for a rounding error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The loan that the income and the budget allow, and the highest price that each limit allows, in whole pounds.

    `spendable` is what the fees leave of the savings, for the deposit and the tax; `room` is the payment that the
    budget allows.
    """

    spendable: Amount
    income_loan: Amount
    room: Amount
    budget_loan: Amount
    by_income: Amount
    by_budget: Amount
    by_deposit: Amount

    @property
    def loan(self) -> Amount:
        return minimum(self.income_loan, self.budget_loan)

    @property
    def price(self) -> Amount:
        """Return the highest price that all three allow."""
        return minimum(minimum(self.by_income, self.by_budget), self.by_deposit)


def costs(lender_fee: Amount) -> Amount:
    """Return what the plan counts for the survey, the legal work and a lender's fee, in pounds."""
    return ALLOWED - LENDER_FEE.allowed + lender_fee


def limits(values: Mapping[str, Amount]) -> Limits:
    """Return the limits of a plan's values."""
    income, second = values["income"], values["income2"]
    spendable = shared(values["savings"] // 1 - costs(values.get(ALLOWED_FEE, LENDER_FEE.allowed)))
    income_loan = shared(HIGH_MULTIPLE * (income + second))
    room = shared(affordable_payment(income + second, values["outgoings"]))
    budget_loan = shared(loan_paid_by(room, TESTED_RATE, term=values["term"]))

    def price(cash: Amount, share: float) -> Amount:
        nation, buyer = values["nation"], values["buyer"]
        return _whole(highest_price(cash, share=share, nation=nation, buyer=buyer, since=TODAY))

    return Limits(
        spendable=spendable,
        income_loan=income_loan,
        room=room,
        budget_loan=budget_loan,
        by_income=price(spendable + income_loan, 1),
        by_budget=price(spendable + budget_loan, 1),
        by_deposit=price(spendable, 1 - MAX_LTV / 100),
    )


def _whole(price: Amount) -> Amount:
    """Return a price in whole pounds, below the first that a search refuses."""
    return shared(minimum((price + ROUNDING) // 1, MAX_POUNDS - 1))


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
