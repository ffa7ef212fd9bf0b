import asyncio
from collections.abc import Awaitable, Callable

import pytest

from broker.rates import search as lower_band
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import search_with_band
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.rates.sources import ListSource, many

NEAR = RatesQuery(price=310_000, amount=187_400)


def source_whose_band(answers: Callable[[], Awaitable[None]]) -> tuple[list[RatesQuery], lower_band.Search]:
    source = ListSource(many(3))

    async def search(query: RatesQuery) -> RatesAnswer:
        if query != NEAR:
            await answers()
        return await source.search(query)

    return source.asked, search


async def test_list_does_not_wait_long_for_the_band(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower_band, "MAX_WAIT", 0.01)
    never = asyncio.Event()

    async def wait() -> None:
        await never.wait()

    asked, search = source_whose_band(wait)
    answer, band = await asyncio.wait_for(search_with_band(search, NEAR), timeout=ANSWER_TIMEOUT)
    assert (len(answer.products), band, asked) == (3, None, [NEAR])


async def test_band_that_fails_leaves_the_list() -> None:
    async def fail() -> None:
        raise RatesError("away")

    _, search = source_whose_band(fail)
    answer, band = await search_with_band(search, NEAR)
    assert (len(answer.products), band) == (3, None)
