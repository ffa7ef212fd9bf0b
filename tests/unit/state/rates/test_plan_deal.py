"""The deal of a plan in a tab: the lowest true cost for the figures, and what stands there without one."""

from typing import Any

import pytest

from broker.domain.lending.mortgage import monthly_payment
from broker.domain.money import pounds_and_pence
from broker.domain.plans.buying_deal import asked_deal, deal_key
from broker.domain.rates.product import RatesError
from broker.domain.rates.query import SortOrder
from broker.presenters.rates.plan_deal import AWAY, NO_LOAN, NOTHING_FOUND
from broker.state.rates.plan_deal import PlanDealState
from tests.unit.services.sources import ListSource, many
from tests.unit.state.tab import StateTab

KEY = deal_key(306_913, 282_657, term=30, buyer="first")


@pytest.fixture
def tab(source: ListSource) -> StateTab[PlanDealState]:
    source.products = many(6)
    return StateTab(PlanDealState)


async def test_deal_is_the_product_with_the_lowest_true_cost(tab: StateTab[PlanDealState], source: ListSource) -> None:
    await tab.do("find", KEY)
    deal, asked = tab.state.deal, source.asked[0]
    best = min(source.products, key=lambda product: product.yearly_true_cost)
    assert (deal.key, deal.is_found, deal.problem) == (KEY, True, "")
    assert f"product={best.product_id}" in deal.href
    assert (asked.customer, asked.price, asked.amount, asked.term) == ("first-time-buyer", 306_913, 282_657, 30)
    assert (asked.sort, asked.with_fee_free) == (SortOrder.TRUE_COST, True)
    figures = [figure for _, figure, _ in deal.lines]
    dearer = monthly_payment(best.loan_amount, best.initial_rate + 3, best.term_years)
    payments = [f"{pounds_and_pence(payment)} a month" for payment in (best.initial_payment, dearer)]
    assert figures[:2] == payments
    assert deal.example_aprc.endswith("APRC representative.")


async def test_source_that_is_away_or_empty_is_said(tab: StateTab[PlanDealState], source: ListSource) -> None:
    source.away = True
    await tab.do("find", KEY)
    assert (tab.state.deal.key, tab.state.deal.problem) == (KEY, AWAY)
    source.problem = RatesError("the source says why")
    source.problem.words = "Closed today"
    await tab.do("find", deal_key(200_000, 100_000, term=25, buyer="next"))
    assert tab.state.deal.problem == "Closed today"
    source.away, source.products = False, []
    await tab.do("find", deal_key(300_000, 100_000, term=25, buyer="next"))
    assert tab.state.deal.problem == NOTHING_FOUND


HOSTILE: list[Any] = [
    *(None, 7, [], {}, "", "x" * 100_000, "first", "first 1 2 30", "first 100,000 0 30", "first 100,000 100,000 41"),
    *(
        "first 100,000 50,000 0",
        "mover 100,000 50,000 30",
        "first 10,000,000,000 5 30",
        "first ,1 1 30",
        "first ١ 1 30",
    ),
]


@pytest.mark.parametrize("key", HOSTILE, ids=lambda key: repr(key)[:30])
async def test_forged_key_is_ignored(tab: StateTab[PlanDealState], source: ListSource, key: Any) -> None:
    await tab.do("find", key)
    assert (tab.state.deal, source.asked) == (NO_LOAN, [])


def test_key_is_read_back_and_half_a_year_is_a_whole_one() -> None:
    asked = asked_deal(deal_key(1_234_567, 1_000_000, term=27.5, buyer="additional"))
    assert asked
    assert (asked.key, asked.query.term, asked.query.customer) == ("additional 1,234,567 1,000,000 27.5", 28, "")
