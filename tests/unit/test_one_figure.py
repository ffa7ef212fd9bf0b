"""One figure for one thing: plans against the calculators, the search that they lead to, and their deals."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from hypothesis import given, settings

from broker.calculators.repayment import CALCULATOR as REPAYMENT
from broker.lending.lending_rules import CAREFUL_RISE
from broker.plans.buying import buying_plan
from broker.plans.buying_deal import DealSearch, deal_key, deal_search
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.remortgage import REPAYMENT as REPAYING
from broker.plans.remortgage import remortgage
from broker.plans.remortgage_plan import remortgage_plan
from broker.plans.remortgage_search import FoundDeals, query_of, question
from broker.rates.plan_deal import PlanDeal, found_deal
from broker.rates.query import QueryError, RatesQuery
from broker.rates.remortgage_deals import NO_DEALS, remortgage_deals, values_of_deals
from broker.rates.results import RateCard, rates_list
from broker.rates.search_params import query_in
from tests.unit.plans.test_buying import figures
from tests.unit.plans.test_remortgage import WALK, inputs
from tests.unit.rates.market.searching import search

unhurried = settings(deadline=None)
"""A first search or a first import takes longer than those after."""

MONTH = 2026 * 12 + 10


def asked_in(typed: dict[str, Any]) -> DealSearch | None:
    plan = buying_plan({**BUYING_PLAN.defaults(), "thisMonth": MONTH, **typed})
    return deal_search(deal_key(plan.price, plan.loan, term=typed["term"], buyer=typed["buyer"]))


def payment(loan: float, rate: float, *, years: float) -> str:
    return str(REPAYMENT.calculate({"loan": loan, "rate": rate, "term": years}).figure)


def query_at(address: str) -> RatesQuery:
    """Return the search of an address."""
    parts = urlsplit(address)
    return query_in(parts.path.removesuffix("rates/").strip("/").removeprefix("tools"), dict(parse_qsl(parts.query)))


def first_card(query: RatesQuery) -> RateCard | None:
    return next(iter(rates_list(search(query), 1, logos={}).cards), None)


def deal_of(asked: DealSearch) -> PlanDeal:
    return found_deal(asked, search(asked.query), band=None, logos={})


@unhurried
@given(figures)
def test_deal_of_a_buying_plan_is_the_first_of_its_search(typed: dict[str, Any]) -> None:
    asked = asked_in(typed)
    if asked is None:
        return
    deal, card = deal_of(asked), first_card(query_at(deal_of(asked).search))
    assert (query_at(deal.search), deal.is_found) == (asked.query, card is not None)
    if card is None:
        return
    lines = {label: figure for label, figure, _ in deal.lines}
    assert (deal.headline, lines["You would pay"]) == (card.headline, f"{card.payment} a month")
    assert (lines["Lender’s fees"], lines[card.true_label]) == (card.fees, card.true_cost)
    assert urlsplit(deal.href).query.endswith(card.product_id)


@unhurried
@given(figures)
def test_payments_of_a_buying_plan_are_those_of_the_repayment_one(typed: dict[str, Any]) -> None:
    asked = asked_in(typed)
    product = search(asked.query).winners.true if asked else None
    if asked is None or product is None:
        return
    lines = {label: figure for label, figure, _ in deal_of(asked).lines}
    rate, years = product.initial_rate, asked.query.term
    assert lines["You would pay"] == f"{payment(asked.query.amount, rate, years=years)} a month"
    dearer = payment(asked.query.amount, rate + CAREFUL_RISE, years=years)
    assert lines["If rates were 3 points higher"] == f"{dearer} a month"


@unhurried
@given(inputs)
def test_deal_of_a_remortgage_plan_is_the_first_of_its_search(typed: dict[str, Any]) -> None:
    asked = question(remortgage(typed), typed)
    try:
        query = query_of(asked)
    except QueryError:
        return
    deals = remortgage_deals(FoundDeals(question=asked, answer=search(query)), logos={})
    card = first_card(query)
    assert bool(deals.problem) == (card is None)
    if card is None:
        return
    best = deals.best.deals[0]
    for shown in (card, first_card(query_at(deals.best.href)) if query.term > 2 else card):
        assert shown is not None
        assert (best.headline, best.payment, best.fees) == (shown.headline, shown.payment, shown.fees)
        assert (best.true_year, best.product_id) == (shown.true_year, shown.product_id)
    switch = remortgage_plan({**typed, **values_of_deals(deals)}).ways[2]
    assert f"{card.headline.rate} ({card.headline.aprc} APRC, a sample)" in switch.words


@unhurried
@given(inputs)
def test_payments_of_a_remortgage_plan_are_those_of_the_repayment_one(typed: dict[str, Any]) -> None:
    typed = {**typed, "repay": REPAYING, "offerRate": 4.5}
    plan, working = remortgage(typed), remortgage_plan(typed).working
    assert working.table
    today = payment(plan.balance, plan.rate, years=plan.months / 12)
    nothing = payment(plan.owed_at_end, plan.follow_on, years=plan.rest)
    staying, switching = (
        payment(start.owed, rate, years=plan.years_from(start.month))
        for start, rate in ((plan.own, plan.offer.rate), (plan.at_end, plan.new.rate))
    )
    now = payment(plan.balance, plan.new.rate, years=plan.months / 12)
    at_once = (today, switching) if plan.is_late else (now, now)
    assert [row[1:3] for row in working.table.rows] == [(today, nothing), (today, staying), (today, switching), at_once]


def test_example_without_deals_is_that_of_the_remortgage_calculator() -> None:
    plan = remortgage({**WALK, **values_of_deals(NO_DEALS)})
    assert plan.new.rate == REPAYMENT.defaults()["rate"]
