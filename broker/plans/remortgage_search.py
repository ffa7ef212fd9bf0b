"""The search for the deals of a remortgage plan: its question, and what was found."""

import re
from dataclasses import dataclass, replace

from broker.lending.arithmetic import Amount, Text, rounded_up, shared
from broker.lending.money import decimals
from broker.plans.remortgage import Remortgage
from broker.rates.customers import Customer, default_query
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery, SortOrder

_KEY = re.compile(r"([0-9][0-9,]{0,12}) ([0-9][0-9,]{0,12}) ([0-9]{1,2}) ([0-9]{0,9})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the deals of a plan are searched with: whole pounds, whole years, and the id of the lender of today."""

    amount: Amount
    price: Amount
    years: Amount
    lender: Text

    @property
    def key(self) -> Text:
        """Return a text that no other question has."""
        figures = [decimals(each, 0) for each in (self.amount, self.price, self.years)]
        return figures[0] + " " + figures[1] + " " + figures[2] + " " + self.lender


def question(plan: Remortgage, lender: Text) -> Question:
    """Return what to search: the loan that is owed at the end of the deal, over the years left, rounded up."""
    return Question(
        amount=shared((plan.owed_at_end + 0.5) // 1),
        price=shared((plan.value + 0.5) // 1),
        years=shared(rounded_up(plan.rest)),
        lender=lender,
    )


def question_of(key: str) -> Question | None:
    """Return the question of a key; None for a text that is no key."""
    found = _KEY.fullmatch(key)
    if found is None:
        return None
    amount, price, years = (int(figure.replace(",", "")) for figure in found.groups()[:3])
    return Question(amount=amount, price=price, years=years, lender=found[4])


def query_of(question: Question) -> RatesQuery:
    """Return the search of a question: two and five years fixed, by true cost; raises QueryError."""
    return replace(
        default_query(Customer.REMORTGAGING),
        amount=int(question.amount),
        price=int(question.price),
        term=int(question.years),
        five_years=True,
        with_fee_free=True,
        sort=SortOrder.TRUE_COST,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRate:
    """The follow-on rate that we hold for a lender, in percent; a sample is generated, and not the lender's own."""

    lender: str
    rate: float
    is_sample: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDeals:
    """The answer to a question: None where no search can be made of it, or where the source failed with an `error`.

    `held` is the follow-on rate of the lender of today, None where we hold none.
    """

    question: Question
    answer: RatesAnswer | None = None
    held: HeldRate | None = None
    error: RatesError | None = None
