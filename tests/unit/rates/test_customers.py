"""The customers' restrictions of specification 4, as a table, and that nothing gets round them."""

from dataclasses import fields, replace
from itertools import product

import pytest

from broker.rates.customers import RULES, Customer, Option, UnknownCustomerError, default_query, restricted
from broker.rates.query import RatesQuery, SortOrder

RESTRICTIONS: dict[str, set[str]] = {
    "": set(),
    "first-time-buyer": {"interest-only", "remortgage", "buy-to-let"},
    "home-mover": {"interest-only", "remortgage", "buy-to-let"},
    "remortgaging": {"purchase", "buy-to-let"},
    "buy-to-let-remortgage": {"purchase", "residential"},
    "buy-to-let-purchase": {"remortgage", "residential"},
    "buy-to-let": {"residential"},
}
"""What each type rules out; the empty type is the general search."""

OPENINGS: dict[str, tuple[tuple[str, str, str], str]] = {
    "": (("purchase", "repayment", "residential"), ""),
    "first-time-buyer": (("purchase", "repayment", "residential"), "first-time-buyer"),
    "home-mover": (("purchase", "repayment", "residential"), "home-mover"),
    "remortgaging": (("remortgage", "repayment", "residential"), "remortgaging"),
    "buy-to-let-remortgage": (("remortgage", "repayment", "buy-to-let"), "buy-to-let"),
    "buy-to-let-purchase": (("purchase", "repayment", "buy-to-let"), "buy-to-let-purchase"),
    "buy-to-let": (("purchase", "repayment", "buy-to-let"), "buy-to-let"),
}
"""The options that each type's page opens with, and the type that is sent to the feed."""


def chosen(query: RatesQuery) -> tuple[str, str, str]:
    return (
        "purchase" if query.purchase else "remortgage",
        "repayment" if query.repayment else "interest-only",
        "residential" if query.residential else "buy-to-let",
    )


def test_customer_types_rule_out_what_the_specification_says() -> None:
    assert {"", *(customer.value for customer in Customer)} == set(RULES)
    assert {name: {option.value for option in rule.excluded} for name, rule in RULES.items()} == RESTRICTIONS
    assert {name for name, rule in RULES.items() if rule.reason} == {name for name, out in RESTRICTIONS.items() if out}


@pytest.mark.parametrize("customer", OPENINGS)
def test_page_opens_with_the_defaults_of_its_customer(customer: str) -> None:
    query = default_query(customer)
    assert (chosen(query), RULES[customer].sent_type) == OPENINGS[customer]
    assert replace(query, purchase=True, repayment=True, residential=True) == RatesQuery(customer=customer)


COMBINATIONS = list(product(RESTRICTIONS, *[(True, False)] * 3))


@pytest.mark.parametrize(("customer", "purchase", "repayment", "residential"), COMBINATIONS)
def test_restricted_query_stays_inside(customer: str, *, purchase: bool, repayment: bool, residential: bool) -> None:
    options = {"purchase": purchase, "repayment": repayment, "residential": residential}
    query = replace(RatesQuery(customer=customer, sort=SortOrder.FEES, price=333_333), **options)
    settled = restricted(query)
    assert set(chosen(settled)).isdisjoint(RESTRICTIONS[customer])
    assert restricted(settled) == settled
    changed = {field.name for field in fields(query) if getattr(query, field.name) != getattr(settled, field.name)}
    assert len(changed) == len(set(chosen(query)) & RESTRICTIONS[customer])
    assert changed <= set(options)


def test_no_customer_rules_out_both_of_a_pair() -> None:
    pairs = [{Option.PURCHASE, Option.REMORTGAGE}, {Option.REPAYMENT, Option.INTEREST_ONLY}]
    pairs += [{Option.RESIDENTIAL, Option.BUY_TO_LET}]
    assert [customer for customer in RULES for pair in pairs if pair <= RULES[customer].excluded] == []


def test_unknown_customer_has_no_default_query() -> None:
    with pytest.raises(UnknownCustomerError, match="landlord"):
        default_query("landlord")


PERIODS = {(True, False, False): 2, (False, True, False): 3, (False, False, True): 5}
PERIODS |= {(True, True, True): 2, (False, True, True): 3}


def test_period_of_a_query_is_its_shortest() -> None:
    for (two, three, five), years in PERIODS.items():
        assert RatesQuery(two_years=two, three_years=three, five_years=five).period == years
