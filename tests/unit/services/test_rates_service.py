"""The rates service over a source that is slow, or goes away."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery
from broker.services.rates.search import RatesService
from tests.unit.services.clock import Clock
from tests.unit.services.memory_archive import MemoryArchive
from tests.unit.services.sources import ListSource, many

QUERY = RatesQuery(price=300_000)


def test_same_search_at_once_is_asked_once() -> None:
    source = ListSource(many(2))
    source.waits[QUERY.price] = asyncio.Event()

    async def hundred() -> int:
        service = RatesService(source)
        visitors = [asyncio.create_task(service.search(QUERY)) for _ in range(100)]
        await asyncio.sleep(0)
        visitors[0].cancel()
        source.waits[QUERY.price].set()
        answers = await asyncio.gather(*visitors[1:])
        return len({id(answer) for answer in answers})

    assert asyncio.run(hundred()) == 1
    assert source.asked == [QUERY]


def test_answer_is_asked_for_again_once_it_is_no_longer_fresh() -> None:
    source, clock = ListSource(many(1)), Clock()

    async def thrice() -> None:
        service = RatesService(source, fresh_for=timedelta(seconds=60), clock=clock)
        for clock.now in (0.0, 59.9, 60.0):
            await service.search(QUERY)

    asyncio.run(thrice())
    assert source.asked == [QUERY, QUERY]


def test_last_good_answer_is_shown_as_stale_while_the_source_is_away() -> None:
    source, clock = ListSource(many(1)), Clock()

    async def away_and_back() -> list[bool]:
        service = RatesService(source, fresh_for=timedelta(seconds=1), clock=clock)
        seen = []
        for clock.now, source.away in ((0.0, False), (2.0, True), (3.0, True), (4.0, False), (4.5, True)):
            seen.append((await service.search(QUERY)).stale)
        return seen

    assert asyncio.run(away_and_back()) == [False, True, True, False, False]


def test_search_that_was_never_answered_fails_with_the_source() -> None:
    source = ListSource()
    source.away = True
    with pytest.raises(RatesError):
        asyncio.run(RatesService(source).search(QUERY))


def test_last_good_answer_is_shown_after_a_restart() -> None:
    source, logo_cache = ListSource(many(2)), MemoryArchive()

    def started() -> RatesService:
        return RatesService(source, fresh_for=timedelta(seconds=60), archive=logo_cache)

    async def before() -> RatesAnswer:
        service = started()
        answer = await service.search(QUERY)
        await service.wait_until_saved()
        return answer

    async def after() -> list[RatesAnswer]:
        service = started()
        return [await service.search(QUERY) for _ in range(3)]

    answer = asyncio.run(before())
    source.away = True
    assert asyncio.run(after()) == [replace(answer, stale=True)] * 3
    assert logo_cache.loads == 1


def test_search_that_the_archive_does_not_have_fails_with_the_source() -> None:
    source = ListSource()
    source.away = True
    with pytest.raises(RatesError):
        asyncio.run(RatesService(source, fresh_for=timedelta(seconds=60), archive=MemoryArchive()).search(QUERY))


def test_answer_from_before_a_restart_gives_way_to_a_new_one() -> None:
    source, logo_cache, clock = ListSource(many(1)), MemoryArchive(), Clock()

    async def away_and_back() -> list[bool]:
        await logo_cache.save(await source.search(QUERY))
        service = RatesService(source, fresh_for=timedelta(seconds=60), archive=logo_cache, clock=clock)
        seen = []
        for clock.now, source.away in ((0.0, True), (1.0, False), (2.0, False)):
            seen.append((await service.search(QUERY)).stale)
        return seen

    assert asyncio.run(away_and_back()) == [True, True, False]


def test_empty_answer_expires_soon_and_keeps_the_last_good_one() -> None:
    source, logo_cache, clock = ListSource(many(1)), MemoryArchive(), Clock()

    async def emptied() -> list[tuple[int, bool]]:
        service = RatesService(source, fresh_for=timedelta(seconds=60), archive=logo_cache, clock=clock)
        seen = []
        for clock.now, source.products, source.away in (
            (0.0, many(1), False),
            (60.0, (), False),
            (64.0, many(2), False),
            (65.0, (), True),
            (68.0, many(2), False),
        ):
            answer = await service.search(QUERY)
            await service.wait_until_saved()
            seen.append((len(answer.products), answer.stale))
        return seen

    assert asyncio.run(emptied()) == [(1, False), (0, False), (0, False), (1, True), (2, False)]


def test_refresh_reads_every_answer_anew_and_reports_failure() -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=timedelta(hours=1), clock=clock)

    async def refreshed() -> list[bool]:
        await service.search(QUERY)
        assert service.source_status.last.read_at
        seen = []
        for source.away in (True, False):
            try:
                await service.refresh()
            except RatesError:
                assert service.source_status.last.problem == "the source is away"
            clock.now += 5
            seen.append((await service.search(QUERY)).stale)
        return seen

    assert asyncio.run(refreshed()) == [True, False]
    assert source.asked.count(QUERY) == 3
    assert not service.source_status.last.is_failing
