"""The search for the deals of a remortgage plan, and its result."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from broker.lending.arithmetic import Amount, Text, rounded_up, shared
from broker.lending.money import decimals
from broker.plans.remortgage import INTEREST_ONLY, LET, OWN_HOME, REPAYMENT, Remortgage
from broker.rates.customers import Customer, default_query
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery, SortOrder

_KEY = re.compile(
    r"([0-9][0-9,]{0,12}) ([0-9][0-9,]{0,12}) ([0-9]{1,2}) ([0-9]{0,9})"
    f" ({REPAYMENT}|{INTEREST_ONLY}) ({OWN_HOME}|{LET})",
    re.ASCII,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The figures of the search in whole pounds and years, the id of today's lender, and two choices of the form."""

    amount: Amount
    price: Amount
    years: Amount
    lender: Text
    repay: Text = REPAYMENT
    home: Text = OWN_HOME

    @property
    def key(self) -> Text:
        """Return a text that is unique to the question; a browser sends it."""
        figures = [decimals(each, 0) for each in (self.amount, self.price, self.years)]
        kind = " " + self.repay + " " + self.home
        return figures[0] + " " + figures[1] + " " + figures[2] + " " + self.lender + kind


def question(plan: Remortgage, values: Mapping[str, Amount]) -> Question:
    """Return the question of a plan and of the choices of its form.

    It is the balance at the end of the deal, over the years left, rounded up.
    """
    return Question(
        amount=shared((plan.owed_at_end + 0.5) // 1),
        price=shared((plan.value + 0.5) // 1),
        years=shared(rounded_up(plan.rest)),
        lender=values["lender"],
        repay=values["repay"],
        home=values["home"],
    )


def question_of(key: str) -> Question | None:
    """Return the question of a key; None for a forged one."""
    found = _KEY.fullmatch(key)
    if found is None:
        return None
    amount, price, years = (int(figure.replace(",", "")) for figure in found.groups()[:3])
    return Question(amount=amount, price=price, years=years, lender=found[4], repay=found[5], home=found[6])


def query_of(question: Question) -> RatesQuery:
    """Return the search of a question: two and five years fixed, by true cost. Raise QueryError."""
    return replace(
        default_query(Customer.BUY_TO_LET_REMORTGAGE if question.home == LET else Customer.REMORTGAGING),
        amount=int(question.amount),
        price=int(question.price),
        term=int(question.years),
        repayment=question.repay == REPAYMENT,
        five_years=True,
        with_fee_free=True,
        sort=SortOrder.TRUE_COST,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRate:
    """The follow-on rate in percent that we hold for a lender; a sample rate is generated, not the lender's own."""

    lender: str
    rate: float
    is_sample: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDeals:
    """The result of a question; `answer` is None if it makes no valid search, or the source failed with an `error`.

    `held` is the follow-on rate of today's lender, None if we hold none.
    """

    question: Question
    answer: RatesAnswer | None = None
    held: HeldRate | None = None
    error: RatesError | None = None
