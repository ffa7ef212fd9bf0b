"""The search for the deal of a plan to buy, and the key by which its answer is known."""

import re
from dataclasses import dataclass, replace

from broker.domain.arithmetic import Amount, Text, choose, rounded_up
from broker.domain.lending.property_tax_rates import Buyer
from broker.domain.money import MAX_POUNDS, decimals, halves
from broker.domain.rates.customers import Customer, default_query
from broker.domain.rates.query import MAX_TERM, RatesQuery, SortOrder

_CUSTOMERS: dict[str, str] = {
    Buyer.FIRST: Customer.FIRST_TIME_BUYER,
    Buyer.NEXT: Customer.HOME_MOVER,
    Buyer.ADDITIONAL: "",
}

MAX_KEY_LENGTH = 50
_NUMBER = "[0-9][0-9,]*"
_KEY = re.compile(
    rf"(?P<buyer>{'|'.join(_CUSTOMERS)}) (?P<price>{_NUMBER}) (?P<loan>{_NUMBER}) (?P<term>[0-9]+(\.5)?)", re.ASCII
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedDeal:
    """A deal that a plan asks for: its key, and the search for it."""

    key: str
    query: RatesQuery


def deal_key(price: Amount, loan: Amount, *, term: Amount, buyer: Text) -> Text:
    """Return the key of a deal by what decides it; empty without a loan."""
    figures = " " + decimals(price, 0) + " " + decimals(loan, 0) + " " + halves(term)
    return choose(loan > 0, lambda: buyer + figures, lambda: "")


def asked_deal(key: object) -> AskedDeal | None:
    """Return the deal of a key, which may be forged, over whole years; None where it makes no loan or no sense.

    Deals without a lender's fee are among those searched.
    """
    found = _KEY.fullmatch(key) if isinstance(key, str) and len(key) <= MAX_KEY_LENGTH else None
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
    return AskedDeal(key=found[0], query=query)
