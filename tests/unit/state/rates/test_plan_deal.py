from typing import Any

import pytest

from broker.lending.money import pounds_and_pence
from broker.lending.mortgage import monthly_payment
from broker.plans.buying import buying_plan
from broker.plans.buying_deal import deal_key, deal_search, plan_key, values_of_key
from broker.plans.buying_plan import BUYING_PLAN
from broker.rates.plan_deal import AWAY, NO_LOAN, NOTHING_FOUND
from broker.rates.product import RatesError
from broker.rates.query import SortOrder
from broker.state.rates.plan_deals import PlanDealState
from tests.unit.rates.products import priced
from tests.unit.rates.sources import ListSource, many
from tests.unit.state.tab import StateTab

FIGURES = {**BUYING_PLAN.defaults(), "goal": "price", "price": 290_000, "savings": 18_500}
KEY = plan_key(FIGURES)
"""Of a plan with a loan of £274,899 while it allows £999 for the lender's fee."""


def key(**changes: Any) -> str:
    return str(plan_key({**FIGURES, **changes}))


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
    assert (asked.customer, asked.price, asked.amount, asked.term) == ("first-time-buyer", 290_000, 274_899, 30)
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
    await tab.do("find", key(buyer="next"))
    assert tab.state.deal.problem == "Closed today"
    source.away, source.products = False, []
    await tab.do("find", key(buyer="next", term=25))
    assert tab.state.deal.problem == NOTHING_FOUND


async def test_fee_that_is_larger_than_usual_is_allowed_for(tab: StateTab[PlanDealState], source: ListSource) -> None:
    source.products = [priced("a", fees=1_995.5), priced("b", rate=9)]
    await tab.do("find", KEY)
    assert (tab.state.deal.fee, tab.state.deal.allowed) == (1_995.5, 1_996)
    assert [asked.amount for asked in source.asked if asked.amount > 270_000] == [274_899, 275_500]
    source.products = [priced("a", fees=0)]
    await tab.do("find", key(term=20))
    assert (tab.state.deal.fee, tab.state.deal.allowed) == (0, 999)
    source.asked.clear()
    await tab.do("find", key(savings=2_000_000))
    assert (tab.state.deal, source.asked) == (NO_LOAN, [])


HOSTILE: list[Any] = [
    *(None, 7, [], {}, "", " " * 8, "x" * 100_000, "first", "most", f"{KEY} 1", KEY.replace("price ", "most ")),
    *(KEY.rpartition(" ")[0], key(term=41), key(term=0), key(buyer="mover"), key(income=10_000_000_000)),
    *(key(nation="france"), KEY.replace("300 ", "-300 "), KEY.replace("300 ", "١ "), KEY.replace("300 ", "1e9 ")),
]


@pytest.mark.parametrize("key", HOSTILE, ids=lambda key: repr(key)[:30])
async def test_forged_key_is_ignored(tab: StateTab[PlanDealState], source: ListSource, key: Any) -> None:
    await tab.do("find", key)
    assert (tab.state.deal, source.asked) == (NO_LOAN, [])


def test_key_of_a_plan_is_read_back() -> None:
    typed = {**FIGURES, "income": 1_234.5, "term": 27.5, "monthly": 7, "lisa": "new", "age": 50}
    read = values_of_key(plan_key(typed))
    assert read
    assert buying_plan(read).loan == buying_plan(typed).loan
    assert plan_key(read) == plan_key(typed)
    most = {**typed, "goal": "most"}
    assert plan_key(most) == "most first england 1,234.50 27,000 300 18,500 27.5"
    assert buying_plan(values_of_key(plan_key(most)) or {}).loan == buying_plan(most).loan


def test_key_is_read_back_and_half_a_year_is_a_whole_one() -> None:
    asked = deal_search(deal_key(1_234_567, 1_000_000, term=27.5, buyer="additional"))
    assert asked
    assert (asked.key, asked.query.term, asked.query.customer) == ("additional 1,234,567 1,000,000 27.5", 28, "")
