"""Deals on let property whose rent test a rent passes, each at its own rate: the search, and its view."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from broker import routes
from broker.calculators.buying.rental_cover import LANDLORD, rent_answer
from broker.lending.arithmetic import Amount, Text, choose
from broker.lending.immutable import Immutable
from broker.lending.lending_rules import COVERS, FLOOR_TEST, LONG_MONTHS, OWN_RATE_TEST
from broker.lending.money import MAX_POUNDS, decimals, exact_pounds, pounds
from broker.rates.best_deals import BestDeals, best_deals
from broker.rates.customers import Customer, default_query
from broker.rates.product import RateProduct, RatesAnswer, RatesError, RateType
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import BEST_PER_LENDER
from broker.rates.search_page import AWAY
from broker.rates.search_params import search_address

OWN_NAME = (
    "These deals are for borrowing in your own name; a limited company often pays a higher rate, its directors "
    f"normally give a personal guarantee, and lenders commonly test its rent at {COVERS['company']}% cover."
)
"""A sentence for every block of deals on let property: no source of rates says which a company may have."""

MAX_KEY_LENGTH = 60
_NUMBER = "[0-9][0-9,]*"
_KEY = re.compile(rf"(?P<who>{'|'.join(COVERS)}) (?P<rent>{_NUMBER}\.[0-9]{{2}}) ({_NUMBER}) ({_NUMBER})", re.ASCII)


def lets_key(values: Mapping[str, Amount]) -> Text:
    """Return the key of a search by what decides it; empty where the loan is above the value."""
    rent, value, loan = values["rent"], values["value"], values["loan"]
    figures = " " + decimals(rent, 2) + " " + decimals(value, 0) + " " + decimals(loan, 0)
    return choose((loan + 0.5) // 1 > (value + 0.5) // 1, lambda: "", lambda: values[LANDLORD] + figures)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedLets:
    """A search for deals that a rent passes: its key, who lets, the `rent` a month and the query."""

    key: str
    landlord: str
    rent: float
    query: RatesQuery

    def passes(self, product: RateProduct) -> bool:
        """Return whether the rent covers a deal in the least strict test for its kind of rate."""
        is_long = product.rate_type is RateType.FIXED and product.initial_months >= LONG_MONTHS
        values = {"rent": self.rent, "value": self.query.price, "loan": self.query.amount, LANDLORD: self.landlord}
        answer = rent_answer(OWN_RATE_TEST if is_long else FLOOR_TEST, {**values, "rate": product.initial_rate})
        return answer.limit >= self.query.amount


def asked_lets(key: object) -> AskedLets | None:
    """Return the search of a key, which may be forged: interest-only, every fixed deal; None where it makes none."""
    found = _KEY.fullmatch(key) if isinstance(key, str) and len(key) <= MAX_KEY_LENGTH else None
    if found is None:
        return None
    price, amount = (int(figure.replace(",", "")) for figure in found.groups()[2:])
    if not 1 <= amount <= price < MAX_POUNDS:
        return None
    query = replace(
        default_query(Customer.BUY_TO_LET_PURCHASE),
        price=price,
        amount=amount,
        repayment=False,
        three_years=True,
        five_years=True,
        with_fee_free=True,
        sort=SortOrder.TRUE_COST,
    )
    return AskedLets(key=found[0], landlord=found["who"], rent=float(found["rent"].replace(",", "")), query=query)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLets:
    """The deals of a search that pass, the cheapest first; `failed` cheaper ones than the first do not.

    `answer` holds those that pass of `count` deals; None where the source failed with an `error`.
    """

    asked: AskedLets
    answer: RatesAnswer | None = None
    count: int = 0
    failed: int = 0
    error: RatesError | None = None


def passing_lets(asked: AskedLets, answer: RatesAnswer) -> FoundLets:
    """Return the first deals of an answer that pass; the others are not priced."""
    products: Sequence[RateProduct] = answer.products
    places = (place for place, product in enumerate(products) if asked.passes(product))
    first = list(islice(places, BEST_PER_LENDER))
    passing = replace(answer, products=[products[place] for place in first])
    return FoundLets(asked=asked, answer=passing, count=len(products), failed=first[0] if first else len(products))


_NONE = "No deal that we list fits this loan and value. Call us: some lenders are not in our list."


@dataclass(frozen=True, slots=True, kw_only=True)
class LetDeals(Immutable):
    """The deals of a key, or the `problem`; both are empty while the search runs.

    `basis` describes the loan, and `rule` the test.
    """

    key: str = ""
    problem: str = ""
    basis: str = ""
    rule: str = ""
    best: BestDeals = field(default_factory=BestDeals)
    search: str = routes.deals(Customer.BUY_TO_LET_PURCHASE)


WAITING = LetDeals(key="?")
"""The initial value, until the first search ends."""

ABOVE_VALUE = LetDeals(problem="The loan is above the value, and no lender lends so much. Check both figures.")


def let_deals(found: FoundLets, *, logos: Mapping[int, str]) -> LetDeals:
    """Return the deals that were found; `logos` maps a lender's id to its picture."""
    asked, answer = found.asked, found.answer
    search = search_address(asked.query)
    if answer is None:
        return LetDeals(key=asked.key, problem=(found.error and found.error.words) or AWAY, search=search)
    loan = f"{pounds(asked.query.amount)} on a value of {pounds(asked.query.price)}"
    if not answer.products:
        none = f"At {exact_pounds(asked.rent)} a month the rent passes none of the {found.count:,} deals for {loan}. "
        advice = "Try a smaller loan, or ask us about lenders who count your other income."
        return LetDeals(key=asked.key, problem=none + advice if found.count else _NONE, search=search)
    return LetDeals(
        key=asked.key,
        basis=f"For {loan}: interest-only over {asked.query.term} years, fixed for two, three or five, the lowest true "
        "cost a year first.",
        rule=f"Each is tested at its own rate for {COVERS[asked.landlord]}% cover: at that rate where it is fixed for "
        f"five years, else two points up and at 5.5% at the least. Its lender may ask for more. {_failed(found)}",
        best=best_deals(answer, logos=logos),
        search=search,
    )


def _failed(found: FoundLets) -> str:
    if not found.failed:
        return "The cheapest of all passes."
    deals = "1 cheaper deal does" if found.failed == 1 else f"{found.failed:,} cheaper deals do"
    return f"{deals} not pass at this rent."
