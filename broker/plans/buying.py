"""The figures of a plan to buy: the price, the cash, the loan, and the time until the savings reach the goal."""

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
    """A cost in pounds: the plan counts `allowed`; the source `named` gives the range from `low` to `high`."""

    label: str
    allowed: int
    low: int
    high: int
    named: str


LENDER_FEE = Cost(label="Lender’s fee", allowed=999, low=0, high=1_999, named="Which?, 2021")
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
"""The sources of the ranges."""

TESTED_RATE = MARKET_RATE + LEAST_RISE
"""The rate in percent at which the budget must pay for the loan, as at the affordability calculator's upper end."""

MAX_LTV = HOME_LTVS[-1]
"""The highest loan to value in percent of the deals that we search."""

TAX_SINCE = change_days()[0].isoformat()
"""The first day of today's tax rates."""

ALLOWED_FEE = "allowedFee"
"""The name of the lender's fee in pounds that a plan allows; without a value it is that of `LENDER_FEE`."""

_ROUNDING = 1e-6
"""Pounds below this are a rounding error of binary fractions."""

MOST, PRICE = "most", "price"
"""The options of the goal: what could we buy, or can we buy at this price."""

NO_LISA, OPEN_LISA, NEW_LISA = "no", "open", "new"
"""The options of a Lifetime ISA: none, one opened 12 months ago or more, or a newer or future one."""

DEAL_FEE, HAS_DEAL = "dealFee", "hasDeal"
"""The names of the deal's fee in pounds among the values of a plan, and of whether a deal was found."""

THIS_MONTH = "thisMonth"
"""The name of today's month, counted from the year 0 (`lending.days`), among the values of a plan."""

MAX_MONTHS = 10 * MONTHS
"""How far a plan looks ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The loan that the income and the budget allow, and the highest price that each limit allows, in whole pounds.

    `spendable` are the savings for the deposit and the tax, after fees; `room` is the payment that the budget allows.
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
        return minimum(minimum(self.by_income, self.by_budget), self.by_deposit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The `target` of the savings in pounds: the cash needed, or enough for the next lower band of loan to value.

    `band` is that band in percent, 0 for none, and `extra` the deposit for it in pounds. `months` above `MAX_MONTHS`
    mean longer than a plan looks ahead.
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

    `fee` is the deal's, or the allowance until a deal is found. `relief` is a first-time buyer's saving of tax.
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
        """Return the cash for the day with the smallest deposit."""
        return self.least + self.tax + costs(self.fee)

    @property
    def cash(self) -> Amount:
        """Return the cash for the day with the planned deposit."""
        return self.deposit + self.tax + costs(self.fee)


def buying_plan(values: Mapping[str, Amount]) -> BuyingPlan:
    found, fee = limits(values), values.get(DEAL_FEE, LENDER_FEE.allowed)
    price = shared(choose(values["goal"] == PRICE, lambda: values["price"] // 1, lambda: found.price))

    def charged(buyer: Text) -> Charge:
        return charge(price, nation=values["nation"], buyer=buyer, since=TAX_SINCE, is_abroad=False)

    taxed = charged(values["buyer"])
    tax, savings = shared(taxed.tax), shared(values["savings"] // 1)
    smallest = maximum(price * (100 - MAX_LTV) / 100, price - found.loan)
    least = shared(minimum(rounded_up(smallest - _ROUNDING), price))
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


def costs(lender_fee: Amount) -> Amount:
    """Return the fees of a plan: survey, legal work and the lender's."""
    return ALLOWED - LENDER_FEE.allowed + lender_fee


def limits(values: Mapping[str, Amount]) -> Limits:
    income, second = values["income"], values["income2"]
    spendable = shared(values["savings"] // 1 - costs(values.get(ALLOWED_FEE, LENDER_FEE.allowed)))
    income_loan = shared(HIGH_MULTIPLE * (income + second))
    room = shared(affordable_payment(income + second, values["outgoings"]))
    budget_loan = shared(loan_paid_by(room, TESTED_RATE, term=values["term"]))

    def price(cash: Amount, share: float) -> Amount:
        nation, buyer = values["nation"], values["buyer"]
        return _whole(highest_price(cash, share=share, nation=nation, buyer=buyer, since=TAX_SINCE))

    return Limits(
        spendable=spendable,
        income_loan=income_loan,
        room=room,
        budget_loan=budget_loan,
        by_income=price(spendable + income_loan, 1),
        by_budget=price(spendable + budget_loan, 1),
        by_deposit=price(spendable, 1 - MAX_LTV / 100),
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


def _whole(price: Amount) -> Amount:
    """Return a price in whole pounds, low enough for a search."""
    return shared(minimum((price + _ROUNDING) // 1, MAX_POUNDS - 1))
