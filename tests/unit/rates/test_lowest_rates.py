import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from broker.build_inputs import customer_rates
from broker.rates.customers import RULES, Customer, default_query
from broker.rates.deal_types import DEAL_TYPES, TWO_YEARS_FIXED
from broker.rates.lender_rates import MAX_CONCURRENT, lowest_rates, small_deposit_rates
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from tests.unit.rates.products import priced
from tests.unit.rates.sources import ListSource, many
from tests.unit.rates.three_deals import answer

READ = datetime(2026, 3, 4, 9, tzinfo=UTC)


async def dearer_with_the_loan(query: RatesQuery) -> RatesAnswer:
    """Answer with two products at 4% and a hundredth for each percent of loan to value; none above 80%."""
    rate = 4 + query.ltv / 100
    products = [priced(f"{query.period}-{query.ltv:.0f}", rate=rate), priced("dearer", rate=rate + 1)]
    read_at = READ + timedelta(minutes=query.ltv)
    return replace(answer(products if query.ltv <= 80 else [], query), read_at=read_at, stale=query.ltv == 75)


async def test_lowest_rates_are_the_first_of_each_search() -> None:
    lowest = await lowest_rates(dearer_with_the_loan, RatesQuery(), ltvs=(60, 75, 90))
    assert {place: product.product_id for place, product in lowest.found.items()} == {
        (kind, ltv): f"{kind.years}-{ltv}" for kind in DEAL_TYPES for ltv in (60, 75)
    }
    assert (lowest.read_at, lowest.sample, lowest.stale) == (READ + timedelta(minutes=60), True, True)


async def test_small_deposits_are_searched_for_first_time_buyers_alone() -> None:
    asked: list[RatesQuery] = []

    async def search(query: RatesQuery) -> RatesAnswer:
        asked.append(query)
        return answer([priced("only", rate=5)] if query.ltv == 90 else [], query)

    lowest = await small_deposit_rates(search, default_query(Customer.FIRST_TIME_BUYER))
    assert lowest
    assert list(lowest.found) == [(TWO_YEARS_FIXED, 90)]
    assert [(query.ltv, query.period, query.customer) for query in asked] == [
        (90, 2, Customer.FIRST_TIME_BUYER),
        (95, 2, Customer.FIRST_TIME_BUYER),
    ]
    assert await small_deposit_rates(search, default_query(Customer.HOME_MOVER)) is None
    assert len(asked) == 2


async def test_only_a_few_searches_are_under_way_at_once() -> None:
    under_way, most = 0, 0

    async def counted(query: RatesQuery) -> RatesAnswer:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return answer([], query)

    await lowest_rates(counted, RatesQuery(), ltvs=(60, 75, 90))
    assert most == MAX_CONCURRENT


async def test_searches_that_all_fail_fail_the_whole() -> None:
    source = ListSource()
    source.away = True
    with pytest.raises(RatesError, match="away"):
        await lowest_rates(source.search, RatesQuery(), ltvs=(60,))


async def test_search_that_fails_among_others_is_left_out_and_marks_them_stale() -> None:
    async def search(query: RatesQuery) -> RatesAnswer:
        if query.ltv == 60:
            raise RatesError("the source is away")
        return answer([priced("a")], query)

    lowest = await lowest_rates(search, RatesQuery(lender_id=1), ltvs=(60, 75))
    assert ({ltv for _, ltv in lowest.found}, lowest.stale) == ({75}, True)


async def test_pages_are_built_with_every_customers_rates() -> None:
    source = ListSource(many(4))
    customers = await customer_rates(source.search, with_tables={"remortgaging"})
    assert set(customers.opening) == set(RULES)
    assert set(customers.lowest) == {"remortgaging"}
