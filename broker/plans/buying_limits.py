"""The three limits on what can be bought: the income, the monthly budget and the deposit, each as a loan or a price."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker.calculators.buying.purchase import MARKET_RATE
from broker.domain.rates.deal_types import HOME_LTVS
from broker.lending.arithmetic import Amount, minimum, shared
from broker.lending.lending_rules import HIGH_MULTIPLE, LEAST_RISE, affordable_payment, loan_paid_by
from broker.lending.money import MAX_POUNDS
from broker.lending.property_tax import highest_price
from broker.lending.property_tax_rates import change_days
from broker.plans.buying_costs import ALLOWED, LENDER_FEE

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
