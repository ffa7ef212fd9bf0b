import pytest

from broker.plans.remortgage_search import Question, question_of
from broker.rates.remortgage_deals import NONE_FITS, values_of_deals
from broker.rates.search_page import AWAY
from broker.state.rates.plan_deals import RemortgageDealsState
from tests.unit.rates.sources import ListSource
from tests.unit.state.rates.test_forged_events import HOSTILE
from tests.unit.state.tab import StateTab

KIND = " repayment home"

KEY = "184,579 310,000 19 2" + KIND


@pytest.fixture
def plan(source: ListSource) -> StateTab[RemortgageDealsState]:  # noqa: ARG001 - a tab needs the services to be there
    return StateTab(RemortgageDealsState)


def test_key_of_a_question_is_read_as_that_question() -> None:
    question = Question(amount=184_579, price=310_000, years=19, lender="2")
    assert (question.key, question_of(KEY)) == (KEY, question)


async def test_deals_are_those_of_the_question(plan: StateTab[RemortgageDealsState], source: ListSource) -> None:
    await plan.do("find", KEY)
    (deals,) = plan.state.found
    assert (deals.key, deals.problem, deals.rate, deals.months) == (KEY, "", 4, 24)
    assert [(asked.amount, asked.price, asked.term, asked.lender_id) for asked in source.asked] == [
        (184_579, 310_000, 19, None),
        (184_579, 310_000, 19, 2),
    ]
    assert len(deals.best.deals) == 3
    assert values_of_deals(deals)["heldFollowOn"] == 7.5
    assert deals.held == (
        "After its deals Alder Bank charges 7.50%, by our sample figures, which are not the lender’s own"
    )


async def test_landlords_and_interest_only_loans_are_searched_as_such(
    plan: StateTab[RemortgageDealsState], source: ListSource
) -> None:
    await plan.do("find", "184,579 310,000 19  interest-only let")
    (asked,) = source.asked
    assert (asked.customer, asked.repayment, asked.residential) == ("buy-to-let-remortgage", False, False)
    assert plan.state.found[0].best.href.startswith("/buy-to-let-remortgage/")


async def test_deal_of_the_present_lender_is_no_switch(plan: StateTab[RemortgageDealsState]) -> None:
    await plan.do("find", "184,579 310,000 19 1" + KIND)
    (deals,) = plan.state.found
    assert (deals.problem, deals.window.months, deals.window.days) == (NONE_FITS, 4, 0)
    assert deals.window.words.startswith("We hold no dates for Alder Bank.")


async def test_source_that_is_away_leaves_a_sentence(plan: StateTab[RemortgageDealsState], source: ListSource) -> None:
    source.away = True
    await plan.do("find", KEY)
    assert (plan.state.found[0].key, plan.state.found[0].problem) == (KEY, AWAY)


@pytest.mark.parametrize("key", [f"{figures} {KIND}" for figures in ("310,001 310,000 19", "0 310,000 19", "1 1 41")])
async def test_loan_that_no_lender_offers_leaves_a_sentence(plan: StateTab[RemortgageDealsState], key: str) -> None:
    await plan.do("find", key)
    assert (plan.state.found[0].key, plan.state.found[0].problem) == (key, NONE_FITS)


async def test_forged_key_is_ignored(plan: StateTab[RemortgageDealsState], source: ListSource) -> None:
    for forged in (*HOSTILE.values(), "1 2 3", "1 2 3 x", "1 2 3 1", f"-1 2 3 {KIND}", f"1,,, ,2 3 {KIND}"):
        await plan.do("find", forged)
    assert (plan.state.found, [asked for asked in source.asked if asked.price > 2]) == ((), [])
