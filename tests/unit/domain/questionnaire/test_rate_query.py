"""The rates search of a rate step: the visitor's own figures, or the nearest there can be with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from broker.domain.questionnaire.check import checked
from broker.domain.questionnaire.flow_reader import read
from broker.domain.questionnaire.journey import Journey, replay
from broker.domain.questionnaire.rate_query import Search, search_of
from broker.domain.rates.customers import restricted
from broker.domain.rates.query import RatesQuery
from tests.unit.domain.questionnaire.flows import FLOW, reply, tree
from tests.unit.domain.questionnaire.journeys import JOURNEYS

WAYS = {
    "q107": ("q3", {"q3": "save-money"}, "q4"),
    "q108": ("q2", {"q2": "residential", "q18": "save-money"}, "q19"),
    "q109": ("q33", {"q33": "yes"}, "q34"),
    "q110": ("q66", {"q66": "yes"}, "q55"),
    "q111": ("q96", {"q96": "yes"}, "q77"),
}
"""How each rate step is reached: its entry, the answers before, and the step with the figures."""


def at(step: str, first: int, second: int) -> Journey:
    """Return the journey that has come to a rate step with two figures."""
    entry, answers, figures = WAYS[step]
    return replay(FLOW, entry, {**answers, figures: {"01": first, "02": second}})


FIGURES: dict[str, tuple[tuple[int, int], RatesQuery]] = {
    "q107": (
        (250_000, 150_000),
        RatesQuery(customer="buy-to-let-remortgage", price=250_000, amount=150_000, purchase=False, residential=False),
    ),
    "q108": ((400_000, 21_000), RatesQuery(customer="remortgaging", price=400_000, amount=21_000, purchase=False)),
    "q109": (
        (200_000, 60_000),
        RatesQuery(customer="buy-to-let-purchase", price=200_000, amount=140_000, residential=False),
    ),
    "q110": ((500_000, 200_000), RatesQuery(customer="home-mover", price=500_000, amount=300_000)),
    "q111": ((1_000_000, 25_000), RatesQuery(customer="first-time-buyer", price=1_000_000, amount=975_000)),
}


@pytest.mark.parametrize("step", FIGURES)
def test_search_has_the_visitors_figures(step: str) -> None:
    (first, second), query = FIGURES[step]
    assert search_of(at(step, first, second)) == Search(query=query, remarks=())


CLAMPED: dict[str, tuple[str, int, int, int, str]] = {
    "more owed than it is worth": (
        "q108",
        100_000,
        250_000,
        100_000,
        "You owe more than the property is worth, so these deals are for a loan of £100,000. "
        "An adviser can tell you what is possible.",
    ),
    "the deposit is the price": (
        "q111",
        100_000,
        100_000,
        21_000,
        "Your deposit covers the price, so these deals are for a loan of £21,000, to give you an idea.",
    ),
    "the deposit is above the price": (
        "q109",
        50_000,
        500_000,
        21_000,
        "Your deposit covers the price, so these deals are for a loan of £21,000, to give you an idea.",
    ),
    "a loan of a pound": (
        "q110",
        50_001,
        50_000,
        21_000,
        "A loan of £1 is smaller than most, so these deals are for a loan of £21,000, to give you an idea.",
    ),
}


@pytest.mark.parametrize(("step", "first", "second", "amount", "remark"), CLAMPED.values(), ids=CLAMPED)
def test_figures_that_make_no_loan_are_changed_with_a_sentence(
    step: str, first: int, second: int, *, amount: int, remark: str
) -> None:
    search = search_of(at(step, first, second))
    assert search
    assert (search.query.price, search.query.amount, search.remarks) == (first, amount, (remark,))


def test_loan_of_the_whole_value_is_the_visitors_own() -> None:
    search = search_of(at("q108", 100_000, 100_000))
    assert search
    assert (search.query.amount, search.remarks) == (100_000, ())


def test_figures_are_those_asked_last() -> None:
    asked = tree()
    asked["q8"] = {**asked["q5"], "query_id": "q8"}
    asked["q5"] = {**asked["q5"], "next_option": {"next_id": "q8"}}
    given = {"02": 50_000, "04": "free"}
    journey = replay(read(asked), "q1", {"q1": "buy", "q5": {"01": 90_000, **given}, "q8": {"01": 80_000, **given}})
    search = search_of(journey, "q6")
    assert search
    assert (search.query.price, search.query.amount) == (80_000, 30_000)


def complete(name: str, **changed: Any) -> Journey:
    """Return a journey told by the specification, with some answers changed."""
    told = JOURNEYS[name]
    answers = {step: reply(FLOW.steps[step], words) for step, words in told.replies}
    return replay(FLOW, told.entry, {**answers, **changed})


def test_mortgage_type_chosen_later_counts_when_the_deals_are_seen_again() -> None:
    name = "buy-to-let remortgage, neither"
    found = [search_of(complete(name, q11=kind), "q107") for kind in ("interest-only", "repayment")]
    assert [(search.query.repayment, search.remarks) for search in found if search] == [(False, ()), (True, ())]


def test_mortgage_type_that_the_customer_cannot_have_is_said() -> None:
    search = search_of(complete("home mover, property found, no loan", q60="interest-only"), "q110")
    assert search
    assert (search.query.repayment, search.remarks) == (
        True,
        ("Home movers: purchase, repayment and residential only.",),
    )


@pytest.mark.parametrize("step", ["q1", "q4", "q109", "q17", "submit", "", "q0"])
def test_other_steps_have_no_search(step: str) -> None:
    assert search_of(complete("buy-to-let remortgage, neither"), step) is None


def test_rates_before_any_figures_are_for_the_figures_named() -> None:
    flow = checked(
        """{"q1": {"query_id": "q1", "query": "Deals", "rates": {"input_type": "remortgage", "next_id": "submit"}}}"""
    )
    assert search_of(replay(flow, "q1", {})) == Search(
        query=restricted(RatesQuery(customer="remortgaging")),
        remarks=("These deals are for a loan of £100,000 on a property worth £200,000.",),
    )
