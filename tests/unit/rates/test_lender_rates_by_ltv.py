import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broker.rates.lender_rates import MAX_CONCURRENT, find_rates_by_ltv
from broker.rates.lowest_rates import LTVS, searches_by_ltv
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import RatesService
from tests.unit.rates.market.searching import search
from tests.unit.rates.sources import ListSource, many

QUERY = RatesQuery(price=300_000, amount=187_500)


class CountedSource(ListSource):
    """Answers after every other search has had its turn, and counts how many are under way."""

    now = most = 0

    async def search(self, query: RatesQuery) -> RatesAnswer:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(5):
            await asyncio.sleep(0)
        self.now -= 1
        return await super().search(query)


async def test_every_row_is_what_a_search_of_the_market_puts_first() -> None:
    async def ask(query: RatesQuery) -> RatesAnswer:
        return search(query)

    found = await find_rates_by_ltv(ask, QUERY)
    first = {ltv: search(asked).products[0] for ltv, asked in searches_by_ltv(QUERY).items()}
    assert {each.ltv: each.product for each in found.lowest} == first
    assert [each.ltv for each in found.lowest] == list(LTVS)


async def test_chart_is_searched_four_at_a_time_and_once() -> None:
    source = CountedSource(many(3))
    service = RatesService(source)
    await asyncio.gather(*(find_rates_by_ltv(service.search, QUERY) for _ in range(2)))
    await find_rates_by_ltv(service.search, QUERY)
    assert len(source.asked) == len(LTVS)
    alone = CountedSource(many(3))
    await find_rates_by_ltv(alone.search, QUERY)
    assert (alone.most, len(alone.asked)) == (MAX_CONCURRENT, len(LTVS))


async def test_chart_fails_where_one_of_its_searches_does() -> None:
    source = ListSource(many(3))

    async def ask(query: RatesQuery) -> RatesAnswer:
        source.away = query.ltv > 90
        return await source.search(query)

    with pytest.raises(RatesError, match="away"):
        await find_rates_by_ltv(ask, QUERY)


class RefusedError(RatesError):
    """What a source says in words of its own."""

    words = "The loan is too large"


def refusing(most: int) -> Callable[[RatesQuery], Awaitable[RatesAnswer]]:
    source = ListSource(many(3))

    async def ask(query: RatesQuery) -> RatesAnswer:
        if query.ltv > most:
            raise RefusedError("refused")
        return await source.search(query)

    return ask


async def test_loans_that_the_source_refuses_in_words_are_left_out() -> None:
    for most, shown in ((100, list(LTVS)), (80, [50, 60, 70, 75, 80])):
        assert [each.ltv for each in (await find_rates_by_ltv(refusing(most), QUERY)).lowest] == shown
    with pytest.raises(RefusedError):
        await find_rates_by_ltv(refusing(0), QUERY)
