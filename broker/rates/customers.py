"""Customer types, and the options that each may search with (specification 3 and 4)."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from broker.rates.product import FIRST_TIME_BUYERS_ONLY, HOME_MOVERS_ONLY, RatesError
from broker.rates.query import RatesQuery


class Customer(StrEnum):
    """The six customer types of the specification, by the slug of their pages."""

    FIRST_TIME_BUYER = "first-time-buyer"
    HOME_MOVER = "home-mover"
    REMORTGAGING = "remortgaging"
    BUY_TO_LET_REMORTGAGE = "buy-to-let-remortgage"
    BUY_TO_LET_PURCHASE = "buy-to-let-purchase"
    BUY_TO_LET = "buy-to-let"


class Option(StrEnum):
    PURCHASE = "purchase"
    REMORTGAGE = "remortgage"
    REPAYMENT = "repayment"
    INTEREST_ONLY = "interest-only"
    RESIDENTIAL = "residential"
    BUY_TO_LET = "buy-to-let"


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerRules:
    """A customer type; `reason` is the sentence on the options that it excludes, `sent_type` its name in the feed."""

    title: str
    sent_type: str
    excluded: frozenset[Option] = frozenset()
    reason: str = ""


_OWN_HOME = frozenset({Option.INTEREST_ONLY, Option.REMORTGAGE, Option.BUY_TO_LET})

RULES: dict[str, CustomerRules] = {
    "": CustomerRules(title="Mortgage", sent_type=""),
    Customer.FIRST_TIME_BUYER: CustomerRules(
        title="First Time Buyer",
        sent_type="first-time-buyer",
        excluded=_OWN_HOME,
        reason="First-time buyers: purchase, repayment and residential only.",
    ),
    Customer.HOME_MOVER: CustomerRules(
        title="Home Mover",
        sent_type="home-mover",
        excluded=_OWN_HOME,
        reason="Home movers: purchase, repayment and residential only.",
    ),
    Customer.REMORTGAGING: CustomerRules(
        title="Remortgage",
        sent_type="remortgaging",
        excluded=frozenset({Option.PURCHASE, Option.BUY_TO_LET}),
        reason="Remortgaging: remortgage and residential only.",
    ),
    Customer.BUY_TO_LET_REMORTGAGE: CustomerRules(
        title="Buy to Let Remortgage",
        sent_type="buy-to-let",
        excluded=frozenset({Option.PURCHASE, Option.RESIDENTIAL}),
        reason="Buy-to-let remortgage: remortgage and buy to let only.",
    ),
    Customer.BUY_TO_LET_PURCHASE: CustomerRules(
        title="Buy to Let Purchase",
        sent_type="buy-to-let-purchase",
        excluded=frozenset({Option.REMORTGAGE, Option.RESIDENTIAL}),
        reason="Buy-to-let purchase: purchase and buy to let only.",
    ),
    Customer.BUY_TO_LET: CustomerRules(
        title="Buy to Let",
        sent_type="buy-to-let",
        excluded=frozenset({Option.RESIDENTIAL}),
        reason="Buy to let: buy-to-let property only.",
    ),
}
"""The restrictions of specification 4, one entry a customer type; the empty type is the general search."""


_ELIGIBLE = {FIRST_TIME_BUYERS_ONLY: Customer.FIRST_TIME_BUYER, HOME_MOVERS_ONLY: Customer.HOME_MOVER}


def may_apply(customer: str, eligibility: str) -> bool:
    """Return whether a customer type may have a product of an eligibility; the general search lists every product."""
    return not customer or eligibility not in _ELIGIBLE or _ELIGIBLE[eligibility] == customer


class UnknownCustomerError(RatesError):
    """A search for a customer type that the specification does not have."""


def restricted(query: RatesQuery) -> RatesQuery:
    """Return the query with every excluded option replaced by its alternative.

    Raises UnknownCustomerError.
    """
    if query.customer not in RULES:
        raise UnknownCustomerError(f"no customer type is called {query.customer!r}")
    out = RULES[query.customer].excluded
    return replace(
        query,
        purchase=_allowed(query.purchase, out, Option.PURCHASE, Option.REMORTGAGE),
        repayment=_allowed(query.repayment, out, Option.REPAYMENT, Option.INTEREST_ONLY),
        residential=_allowed(query.residential, out, Option.RESIDENTIAL, Option.BUY_TO_LET),
    )


@cache
def default_query(customer: str) -> RatesQuery:
    """Return the search that a customer type's page opens with; raises UnknownCustomerError."""
    return restricted(RatesQuery(customer=customer))


def _allowed(chosen: bool, out: frozenset[Option], when_true: Option, when_false: Option) -> bool:
    if when_true in out:
        return False
    return True if when_false in out else chosen
