"""A search as it stands in the page's address and in the form: text on one side, a RatesQuery on the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from broker.domain.rates.customers import RULES, Option, default_query, restricted
from broker.domain.rates.query import (
    AMOUNT,
    PRICE,
    TERM,
    QueryError,
    RatesQuery,
    SortOrder,
    field_problems,
    whole_pounds,
)
from broker.presenters.rates.filters import FEES_OPTIONS, LENDER, MAX_FEES, is_lender

COMPARE, PRODUCT = "compare", "product"
"""The parameters beside the search: products side by side, their ids parted by commas, and the one that is open."""

RATE, PERIOD, PURPOSE, REPAY, PROPERTY, SORT, FEE_FREE = "rate", "period", "for", "repay", "property", "sort", "feefree"

CHOICES = {
    RATE: ("fixed", "variable"),
    PERIOD: ("2", "3", "5"),
    PURPOSE: (Option.PURCHASE.value, Option.REMORTGAGE.value),
    REPAY: (Option.REPAYMENT.value, Option.INTEREST_ONLY.value),
    PROPERTY: (Option.RESIDENTIAL.value, Option.BUY_TO_LET.value),
    SORT: tuple(order.value for order in SortOrder),
    FEE_FREE: ("", "1"),
    MAX_FEES: tuple(value for value, _ in FEES_OPTIONS),
}
"""The parameters that take one of a few values; the first is the general search's default."""

FIELDS = (PRICE, AMOUNT, TERM, *CHOICES, LENDER)
MAX_TEXT_LENGTH = 40


def form_of(query: RatesQuery) -> dict[str, str]:
    """Return what the form shows for a query, every field by its parameter name."""
    return {
        PRICE: f"{query.price:,}",
        AMOUNT: f"{query.amount:,}",
        TERM: str(query.term),
        RATE: "fixed" if query.fixed else "variable",
        PERIOD: str(query.period),
        PURPOSE: Option.PURCHASE.value if query.purchase else Option.REMORTGAGE.value,
        REPAY: Option.REPAYMENT.value if query.repayment else Option.INTEREST_ONLY.value,
        PROPERTY: Option.RESIDENTIAL.value if query.residential else Option.BUY_TO_LET.value,
        SORT: query.sort.value,
        FEE_FREE: "1" if query.with_fee_free else "",
        MAX_FEES: "" if query.most_fees is None else str(query.most_fees),
        LENDER: "" if query.lender_id is None else str(query.lender_id),
    }


def typed_form(base: RatesQuery, given: Mapping[str, object]) -> dict[str, str]:
    """Return the form for what was given over a query's own: unknown names and values leave that as it is.

    A typed text is kept up to a length at which no number is in order, so that a longer one is an error too.
    """
    form = form_of(base)
    for name in FIELDS:
        value = given.get(name)
        if isinstance(value, str) and _is_in_order(name, value):
            form[name] = value[:MAX_TEXT_LENGTH]
    return form


def _is_in_order(name: str, value: str) -> bool:
    """Tell whether a text is one that its field takes; a typed field takes any."""
    return is_lender(value) if name == LENDER else name not in CHOICES or value in CHOICES[name]


def query_of(customer: str, form: Mapping[str, str]) -> RatesQuery:
    """Return the query of a form that `typed_form` made, with the customer's restrictions; raises QueryError."""
    problems = field_problems(form[PRICE], form[AMOUNT], term=form[TERM])
    wrong = {name: problem for name, problem in problems.items() if problem}
    if wrong:
        raise QueryError(wrong)
    query = RatesQuery(
        customer=customer,
        price=int(whole_pounds(form[PRICE])),
        amount=int(whole_pounds(form[AMOUNT])),
        term=int(form[TERM]),
        fixed=form[RATE] == "fixed",
        variable=form[RATE] == "variable",
        two_years=form[PERIOD] == "2",
        three_years=form[PERIOD] == "3",
        five_years=form[PERIOD] == "5",
        purchase=form[PURPOSE] == Option.PURCHASE.value,
        repayment=form[REPAY] == Option.REPAYMENT.value,
        residential=form[PROPERTY] == Option.RESIDENTIAL.value,
        sort=SortOrder(form[SORT]),
        with_fee_free=form[FEE_FREE] == "1",
        most_fees=int(form[MAX_FEES]) if form[MAX_FEES] else None,
        lender_id=int(form[LENDER]) if form[LENDER] else None,
    )
    return restricted(query)


def query_in(customer: str, given: Mapping[str, object]) -> RatesQuery:
    """Return the query that a page's address asks for; raises QueryError."""
    return query_of(customer, typed_form(default_query(customer), given))


def parameters_of(query: RatesQuery) -> dict[str, str]:
    """Return the address parameters of a query: only what differs from its page's defaults, without commas."""
    opening, form = form_of(default_query(query.customer)), form_of(query)
    return {name: form[name].replace(",", "") for name in FIELDS if form[name] != opening[name]}


def known_customer(customer: object) -> str:
    """Return a customer type that has a page, or the empty, general one."""
    return customer if isinstance(customer, str) and customer in RULES else ""


def in_order(query: RatesQuery, order: object) -> RatesQuery:
    """Return the query in another order; an unknown order leaves it as it is."""
    return replace(query, sort=SortOrder(order)) if isinstance(order, str) and order in CHOICES[SORT] else query
