from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from broker.lending.days import day_number
from broker.lending.money import pounds_and_pence
from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow
from broker.plans.remortgage import remortgage
from broker.plans.remortgage_plan import remortgage_plan
from broker.plans.remortgage_search import FoundDeals, question
from broker.rates.plan_searches import find_remortgage_deals
from broker.rates.remortgage_deals import NO_DEALS, remortgage_deals, values_of_deals
from broker.watches.figures import plan_figures, search_of, watch_plan
from broker.watches.market_prices import Band, BandDeals, WatchPlans
from broker.watches.watch import DATE_TELLS, DealKind, Watch, plan_values
from tests.unit.enquiries.enquiring import Calendar
from tests.unit.watches.market import MovingMarket
from tests.unit.watches.watching import TODAY, watch

DEAR: dict[str, Any] = {"rate": 6.4, "follow_on": 8.2}
"""A rate at which switching now is worth its charge."""

WATCHES: dict[str, Watch] = {
    "as in the walk": watch(),
    "a dear rate": watch(**DEAR),
    "no charge": watch(charge_percent=0, **DEAR),
    "a charge in pounds": watch(charge="pounds", charge_percent=0, charge_pounds=3_500, **DEAR),
    "interest only": watch(repay="interest-only", **DEAR),
    "let": watch(home="let", repay="interest-only", value=260_000, **DEAR),
    "half years": watch(years=7.5, **DEAR),
    "an offer": watch(offer_rate=4.24, offer_fee=999, offer_end=date(2031, 12, 31), **DEAR),
    "little time": watch(deal_end=date(2026, 5, 2), **DEAR),
    "years away": watch(deal_end=date(2030, 2, 28), **DEAR),
    "a small loan": watch(balance=26_000, value=90_000, **DEAR),
    "a large loan": watch(balance=1_250_000, value=1_700_000, **DEAR),
    "little of the home": watch(balance=265_000, legal=450, **DEAR),
    "a short term": watch(years=2, **DEAR),
}


def plans_of(*watches: Watch) -> WatchPlans:
    return WatchPlans(watches, today=TODAY, windows=[USUAL_WINDOW] * len(watches))


@pytest.fixture
def market(calendar: Calendar) -> MovingMarket:
    return MovingMarket(calendar)


@pytest.mark.parametrize("kept", WATCHES.values(), ids=WATCHES)
async def test_figures_are_those_that_the_page_of_the_plan_shows(kept: Watch, market: MovingMarket) -> None:
    window = TransferWindow(months=3, days=5, words="Book then.")
    planned = watch_plan(kept, today=TODAY, window=window)
    found = plan_figures(planned, await market.search(search_of(planned)))
    values = plan_values(kept, today=TODAY)
    asked = question(remortgage(values | values_of_deals(NO_DEALS)), values)
    deals = remortgage_deals(await find_remortgage_deals(market.search, asked), logos={}, window=window)
    plan = remortgage_plan(values | values_of_deals(deals))
    figures = remortgage(values | values_of_deals(deals))
    assert (found.plan.verdict, found.plan.ways, found.plan.facts) == (plan.verdict, plan.ways, plan.facts)
    month = figures.five_years
    others = [figures.doing_nothing(month), figures.switching(month)]
    others += [figures.staying(month)] if figures.has_offer else []
    assert found.prices
    assert found.prices.saving == pytest.approx(min(others) - figures.switching_now(month), abs=1e-9)
    assert planned.opens == figures.book_from


def test_check_of_all_watches_finds_what_the_search_of_each_finds(calendar: Calendar) -> None:
    market, watches = (
        MovingMarket(calendar),
        [*WATCHES.values(), watch(balance=320_000), watch(tells=frozenset(DATE_TELLS))],
    )
    plans, planned = plans_of(*watches), [watch_plan(kept, today=TODAY) for kept in watches]
    answers = {band: market._source.answer(band.query) for band in plans.bands}
    deals = {band: BandDeals(answer) if answer.products else None for band, answer in answers.items()}
    checked = plans.prices(deals)
    own = [
        plan_figures(each, replace(market._source.answer(search_of(each)), sample=False)).prices
        for each in planned[: len(WATCHES)]
    ]
    assert [each and each.lowest for each in checked] == [*(each and each.lowest for each in own), None, None]
    for found, expected in zip(checked, own, strict=False):
        assert found
        assert expected
        assert found.saving == pytest.approx(expected.saving, abs=0.011)
    assert checked[len(WATCHES) :] == [None, None]
    assert plans.opens == [each.opens for each in planned]
    assert plans.prices({}) == [None] * len(watches)


def simulated(kept: Watch, *, rate: float, fees: float, months: int, leave: int, until: int) -> float:
    """Return interest, fees and charge month by month: of leaving after some months, and a new deal again and again."""
    whole, owed, cost = round(kept.years * 12), kept.balance, 0.0
    ends = (kept.deal_end.year - TODAY.year) * 12 + kept.deal_end.month - TODAY.month
    for month in range(min(until, whole)):
        if month == leave:
            owed = round(owed, 2)
            cost += round(owed * kept.charge_percent / 100, 2) if leave < ends else 0
        if month >= leave and (month - leave) % months == 0:
            cost += fees
        yearly = rate if month >= leave else kept.rate
        interest = owed * yearly / 1200
        left = whole - month
        cost += interest
        if kept.repay == "repayment":
            owed += interest - owed * yearly / 1200 / (1 - (1 + yearly / 1200) ** -left)
    return cost


@pytest.mark.parametrize("name", ["a dear rate", "no charge", "interest only", "half years", "a large loan"])
async def test_saving_is_that_of_a_simulation_month_by_month(name: str, market: MovingMarket) -> None:
    kept = replace(WATCHES[name], charge="percent")
    planned = watch_plan(kept, today=TODAY)
    found = plan_figures(planned, await market.search(search_of(planned)))
    assert found.product
    assert found.prices
    deal = {
        "rate": found.product.initial_rate,
        "fees": found.product.total_fees - found.product.incentives.cashback,
        "months": found.product.initial_months,
    }
    left = int(found.figures.left)
    now, at_end = (simulated(kept, leave=leave, until=left + 60, **deal) for leave in (0, left))
    assert found.prices.saving == pytest.approx(at_end - now, abs=0.02)


def test_loans_share_the_search_of_their_band() -> None:
    def band(**changes: Any) -> Band | None:
        return next(iter(plans_of(watch(deal_end=date(2026, 4, 2), **changes)).bands), None)

    assert band(balance=186_000) == band(balance=120_000, years=7) == Band(ltv=60, repay="repayment", home="home")
    assert [band(balance=balance) for balance in (187_000, 310_000, 320_000)] == [
        *(Band(ltv=65, repay="repayment", home="home"), Band(ltv=100, repay="repayment", home="home"), None)
    ]
    asked = Band(ltv=75, repay="interest-only", home="let").query
    assert (asked.repayment, asked.residential, asked.purchase, 74.9 < asked.ltv <= 75) == (False, False, False, True)


async def test_deals_of_the_present_lender_count_for_others_alone(market: MovingMarket) -> None:
    planned = watch_plan(watch(lender_id=None), today=TODAY)
    answer = await market.search(search_of(planned))
    first = answer.products[0]
    own = watch_plan(watch(lender_id=first.lender_id), today=TODAY)
    found = [plan_figures(each, answer).product for each in (planned, own)]
    assert found[0] == first
    assert found[1]
    assert found[1].lender_id != first.lender_id
    deals = BandDeals(answer)
    best = [deals.cheapest(181_000, 19, lender_id=lender) for lender in (None, first.lender_id)]
    assert best[0]
    assert best[1]
    assert (best[0].rate, best[0].months) == (first.initial_rate, first.initial_months)
    others = {(each.initial_rate, each.initial_months) for each in answer.products if each.lender_id != first.lender_id}
    assert (best[1].rate, best[1].months) in others
    for kind in DealKind:
        rates = [
            (each.initial_rate, each.lender_id)
            for each in answer.products
            if (each.initial_months <= 30) == (kind is DealKind.TWO_YEARS)
        ]
        cheapest = min(rates)
        others = [rate for rate, lender in rates if lender != cheapest[1]]
        assert deals.lowest(kind, lender_id=None) == cheapest[0]
        assert deals.lowest(kind, lender_id=cheapest[1]) == min(others, default=None)


@pytest.mark.parametrize("name", ["stale", "sample", "empty"])
async def test_answer_that_cannot_be_trusted_gives_no_prices(name: str, market: MovingMarket) -> None:
    setattr(market, name, True)
    planned = watch_plan(watch(), today=TODAY)
    found = plan_figures(planned, await market.search(search_of(planned)))
    assert (found.prices, found.product, found.read) == (None, None, None)
    assert plan_figures(planned, None).figures.owed_at_end == planned.figures.owed_at_end


def test_lender_that_disappears_leaves_the_watch_with_the_usual_window() -> None:
    planned = watch_plan(watch(lender_id=999_999_999), today=TODAY)
    assert planned.opens == 20_260_825
    assert planned.figures.book_from == day_number(date(2026, 8, 25))


def test_found_deals_are_not_needed_for_the_payment_of_doing_nothing() -> None:
    planned = watch_plan(watch(), today=TODAY)
    plan = plan_figures(planned, None).plan
    assert FoundDeals(question=planned.question).answer is None
    assert pounds_and_pence(planned.figures.payment(planned.figures.owed_at_end, 7.5, years=planned.figures.rest)) in (
        plan.ways[0].key
    )
