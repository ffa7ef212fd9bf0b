from dataclasses import replace

import pytest

from broker.questionnaire.check import load_flow
from broker.questionnaire.flow import SecondValue
from broker.questionnaire.flow_reader import read_flow
from broker.questionnaire.journey import Journey, replay
from broker.questionnaire.rate_query import RateSearch, rate_search
from broker.rates.customers import restricted
from broker.rates.query import RatesQuery
from tests.unit.questionnaire.flows import tree

LOAN, DEPOSIT = SecondValue.LOAN, SecondValue.DEPOSIT
KINDS: dict[str, tuple[str, SecondValue]] = {
    "buy-to-let-remortgage": ("buy-to-let-remortgage", LOAN),
    "remortgaging": ("remortgage", LOAN),
    "buy-to-let-purchase": ("buy-to-let-purchase", DEPOSIT),
    "home-mover": ("first-time-buyer", DEPOSIT),
    "first-time-buyer": ("first-time-buyer", DEPOSIT),
}
"""The kind of each customer type's rate step, and what its second figure is."""


def at(customer: str, first: int, second: int, *, mortgage: str = "") -> Journey:
    """Return the journey of a small flow that has come to its rate step q6, or past it to the mortgage type."""
    kind, second_kind = KINDS[customer]
    money = {"input_type": "range", "range_from": 0, "range_to": 1_000_000}
    share = {"input_type": "calculator", "value_01": "01", "value_02": "02", "value_02_kind": second_kind.value}
    figures = {
        number: {"input_query": number, **each} for number, each in (("01", money), ("02", money), ("03", share))
    }
    types = {name: {"text": name, "next_id": "submit"} for name in ("repayment", "interest-only")}
    steps = {
        "q1": {"input_options": figures, "next_option": {"next_id": "q6"}},
        "q6": {"rates": {"input_type": kind, "customer": customer, "next_id": "q8"}},
        "q8": {"options": types},
    }
    flow = read_flow({id_: {"query_id": id_, "query": id_, **step} for id_, step in steps.items()})
    later = {"q6": "seen", "q8": mortgage} if mortgage else {}
    return replay(flow, "q1", {"q1": {"01": first, "02": second}, **later})


FIGURES: dict[str, tuple[int, int, RatesQuery]] = {
    "buy-to-let-remortgage": (250_000, 150_000, RatesQuery(amount=150_000, purchase=False, residential=False)),
    "remortgaging": (400_000, 21_000, RatesQuery(price=400_000, amount=21_000, purchase=False)),
    "buy-to-let-purchase": (200_000, 60_000, RatesQuery(amount=140_000, residential=False)),
    "home-mover": (500_000, 200_000, RatesQuery(price=500_000, amount=300_000)),
    "first-time-buyer": (1_000_000, 25_000, RatesQuery(price=1_000_000, amount=975_000)),
}


@pytest.mark.parametrize("customer", FIGURES)
def test_search_has_the_visitors_figures(customer: str) -> None:
    first, second, query = FIGURES[customer]
    wanted = replace(query, customer=customer, price=first)
    assert rate_search(at(customer, first, second)) == RateSearch(query=wanted, remarks=())


@pytest.mark.parametrize(("term", "used"), [(0, 25), (1, 1), (19, 19), (40, 40), (41, 25), (-1, 25)])
def test_search_has_the_visitors_term(term: int, used: int) -> None:
    search = rate_search(at("home-mover", 500_000, 200_000), term=term)
    assert search
    assert search.query.term == used


IDEA = "these deals are for a loan of £21,000, to give you an idea."
MORE_THAN_WORTH = (
    "You owe more than the property is worth, so these deals are for a loan of £100,000. "
    "An adviser can tell you what is possible."
)
CLAMPED: list[tuple[str, int, int, int, list[str]]] = [
    ("remortgaging", 100_000, 250_000, 100_000, [MORE_THAN_WORTH]),
    ("remortgaging", 100_000, 100_000, 100_000, []),
    ("first-time-buyer", 100_000, 100_000, 21_000, [f"Your deposit covers the price, so {IDEA}"]),
    ("buy-to-let-purchase", 50_000, 500_000, 21_000, [f"Your deposit covers the price, so {IDEA}"]),
    ("home-mover", 50_001, 50_000, 21_000, [f"A loan of £1 is smaller than most, so {IDEA}"]),
]


@pytest.mark.parametrize(("customer", "first", "second", "amount", "remarks"), CLAMPED)
def test_figures_that_make_no_loan_are_changed_with_a_sentence(
    customer: str, first: int, second: int, *, amount: int, remarks: list[str]
) -> None:
    search = rate_search(at(customer, first, second))
    assert search
    assert (search.query.price, search.query.amount, search.remarks) == (first, amount, tuple(remarks))


def test_figures_are_those_asked_last() -> None:
    flow_tree = tree()
    flow_tree["q8"] = {**flow_tree["q5"], "query_id": "q8"}
    flow_tree["q5"] = {**flow_tree["q5"], "next_option": {"next_id": "q8"}}
    first = {"01": 90_000, "02": 50_000, "04": "free"}
    journey = replay(read_flow(flow_tree), "q1", {"q1": "buy", "q5": first, "q8": {**first, "01": 80_000}})
    search = rate_search(journey, "q6")
    assert search
    assert (search.query.price, search.query.amount) == (80_000, 30_000)


def test_mortgage_type_chosen_later_counts_on_return() -> None:
    """A type that the customer cannot have is changed, with a sentence."""
    cases = {
        ("buy-to-let-remortgage", "interest-only"): (False, ()),
        ("buy-to-let-remortgage", "repayment"): (True, ()),
        ("home-mover", "interest-only"): (True, ("Home movers: purchase, repayment and residential only.",)),
    }
    for (customer, mortgage), found in cases.items():
        search = rate_search(at(customer, 90_000, 50_000, mortgage=mortgage), "q6")
        assert search
        assert (search.query.repayment, search.remarks) == found, customer


def test_other_steps_have_no_search() -> None:
    journey = at("remortgaging", 90_000, 50_000, mortgage="repayment")
    assert {rate_search(journey, step) for step in ("q1", "q8", "q109", "submit", "", "q0")} == {None}


def test_rates_before_any_figures_are_for_the_figures_named() -> None:
    flow = load_flow(
        """{"q1": {"query_id": "q1", "query": "Deals", "rates": {"input_type": "remortgage", "next_id": "submit"}}}"""
    )
    assert rate_search(replay(flow, "q1", {})) == RateSearch(
        query=restricted(RatesQuery(customer="remortgaging")),
        remarks=("These deals are for a loan of £100,000 on a property worth £200,000.",),
    )
