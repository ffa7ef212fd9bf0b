"""The search for the deal of a plan to buy, and the keys of plans and deals that a browser sends."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from broker.calculators.calculator import input_problem
from broker.calculators.view import read_values
from broker.lending.arithmetic import Amount, Text, choose, rounded_up
from broker.lending.money import MAX_POUNDS, decimals, exact, halves
from broker.lending.property_tax_rates import Buyer
from broker.plans.buying import PRICE
from broker.plans.buying_plan import BUYING_PLAN
from broker.rates.customers import Customer, default_query
from broker.rates.lowest_rates import LowerBand
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import MAX_TERM, RatesQuery, SortOrder

_CUSTOMERS: dict[str, str] = {
    Buyer.FIRST: Customer.FIRST_TIME_BUYER,
    Buyer.NEXT: Customer.HOME_MOVER,
    Buyer.ADDITIONAL: "",
}

_MAX_KEY_LENGTH = 150

_CHOSEN, _TYPED = ("goal", "buyer", "nation"), ("income", "income2", "outgoings", "savings", "term", "price")
"""The choices and the fields that decide the deal of a plan, in the order of its key."""

_NUMBER = "[0-9][0-9,]*"
_KEY = re.compile(
    rf"(?P<buyer>{'|'.join(_CUSTOMERS)}) (?P<price>{_NUMBER}) (?P<loan>{_NUMBER}) (?P<term>[0-9]+(\.5)?)", re.ASCII
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSearch:
    """The search for a plan's deal, and its key."""

    key: str
    query: RatesQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDeal:
    """The result of the search for a plan's deal; `answer` is None if the source failed with an `error`.

    `allowed` is the lender's fee in pounds that the plan allows.
    """

    asked: DealSearch
    allowed: int
    answer: RatesAnswer | None = None
    band: LowerBand | None = None
    error: RatesError | None = None


def plan_key(values: Mapping[str, Amount]) -> Text:
    """Return the key of a plan: the values that decide its deal; the price is one only if the goal is a price."""
    *amounts, term, price = (values[name] for name in _TYPED)
    key = values[_CHOSEN[0]]
    for text in (*(values[name] for name in _CHOSEN[1:]), *map(exact, amounts), halves(term)):
        key = key + " " + text
    return key + choose(values["goal"] == PRICE, lambda: " " + exact(price), lambda: "")


def values_of_key(key: object) -> dict[str, Amount] | None:
    """Return the values of a plan's key; None for a forged one."""
    parts = key.split(" ") if isinstance(key, str) and len(key) <= _MAX_KEY_LENGTH else []
    names = (*_CHOSEN, *_TYPED) if parts[:1] == [PRICE] else (*_CHOSEN, *_TYPED)[:-1]
    if len(parts) != len(names):
        return None
    given = dict(zip(names, parts, strict=True))
    is_known = all(given[each.name] in dict(each.options) for each in BUYING_PLAN.choices if each.name in given)
    is_number = not any(input_problem(each, given[each.name]) for each in BUYING_PLAN.fields if each.name in given)
    return read_values(BUYING_PLAN, given) if is_known and is_number else None


def deal_key(price: Amount, loan: Amount, *, term: Amount, buyer: Text) -> Text:
    """Return the key of a deal; empty without a loan."""
    figures = " " + decimals(price, 0) + " " + decimals(loan, 0) + " " + halves(term)
    return choose(loan > 0, lambda: buyer + figures, lambda: "")


def deal_search(key: object) -> DealSearch | None:
    """Return the search of a deal's key, over whole years, with fee-free deals; None for a forged key or no loan."""
    found = _KEY.fullmatch(key) if isinstance(key, str) and len(key) <= _MAX_KEY_LENGTH else None
    if found is None:
        return None
    price, loan = (int(found[name].replace(",", "")) for name in ("price", "loan"))
    term = int(rounded_up(float(found["term"])))
    if not (1 <= loan <= price < MAX_POUNDS and 1 <= term <= MAX_TERM):
        return None
    query = replace(
        default_query(_CUSTOMERS[found["buyer"]]),
        price=price,
        amount=loan,
        term=term,
        sort=SortOrder.TRUE_COST,
        with_fee_free=True,
    )
    return DealSearch(key=found[0], query=query)
