"""The rates service over a source that is slow, or goes away."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from broker.rates.product import RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import RatesService
from tests.unit.services.clock import Clock
from tests.unit.services.memory_archive import MemoryArchive
from tests.unit.services.sources import ListSource, many

QUERY = RatesQuery(price=300_000)


async def test_same_search_at_once_is_asked_once() -> None:
    source = ListSource(many(2))
    source.waits[QUERY.price] = asyncio.Event()
    service = RatesService(source)
    visitors = [asyncio.create_task(service.search(QUERY)) for _ in range(100)]
    await asyncio.sleep(0)
    visitors[0].cancel()
    source.waits[QUERY.price].set()
    answers = await asyncio.gather(*visitors[1:])
    assert len({id(answer) for answer in answers}) == 1
    assert source.asked == [QUERY]


async def test_answer_is_asked_for_again_once_it_is_no_longer_fresh() -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=timedelta(seconds=60), clock=clock)
    for clock.now in (0.0, 59.9, 60.0):
        await service.search(QUERY)
    assert source.asked == [QUERY, QUERY]


async def test_last_good_answer_is_shown_as_stale_while_the_source_is_away() -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=timedelta(seconds=1), clock=clock)
    seen = []
    for clock.now, source.away in ((0.0, False), (2.0, True), (3.0, True), (4.0, False), (4.5, True)):
        seen.append((await service.search(QUERY)).stale)
    assert seen == [False, True, True, False, False]


async def test_last_good_answer_is_shown_after_a_restart() -> None:
    source, archive = ListSource(many(2)), MemoryArchive()
    before, after = (RatesService(source, fresh_for=timedelta(seconds=60), archive=archive) for _ in range(2))
    answer = await before.search(QUERY)
    await before.wait_until_saved()
    source.away = True
    assert [await after.search(QUERY) for _ in range(3)] == [replace(answer, stale=True)] * 3
    assert archive.loads == 1


async def test_fresh_answer_of_another_worker_is_used_until_it_is_old() -> None:
    source, archive, clock = ListSource(many(2)), MemoryArchive(), Clock()
    service = partial(RatesService, source, fresh_for=timedelta(seconds=60), archive=archive, is_shared=True)
    now = [source.read_at]
    one, other = (service(clock=clock, now=lambda: now[0]) for _ in range(2))
    answer = await one.search(QUERY)
    await one.wait_until_saved()
    now[0] += timedelta(seconds=50)
    assert (await other.search(QUERY), source.asked) == (answer, [QUERY])
    clock.now, now[0] = 11.0, now[0] + timedelta(seconds=11)
    await other.search(QUERY)
    assert source.asked == [QUERY, QUERY]


async def test_search_that_was_never_answered_fails_with_the_source() -> None:
    source = ListSource()
    source.away = True
    for archive in (None, MemoryArchive()):
        service = RatesService(source, fresh_for=timedelta(seconds=60) if archive else None, archive=archive)
        with pytest.raises(RatesError):
            await service.search(QUERY)


async def test_answer_from_before_a_restart_gives_way_to_a_new_one() -> None:
    source, archive, clock = ListSource(many(1)), MemoryArchive(), Clock()
    await archive.save(await source.search(QUERY))
    service = RatesService(source, fresh_for=timedelta(seconds=60), archive=archive, clock=clock)
    seen = []
    for clock.now, source.away in ((0.0, True), (1.0, False), (2.0, False)):
        seen.append((await service.search(QUERY)).stale)
    assert seen == [True, True, False]


async def test_empty_answer_expires_soon_and_keeps_the_last_good_one() -> None:
    source, archive, clock = ListSource(many(1)), MemoryArchive(), Clock()
    service = RatesService(source, fresh_for=timedelta(seconds=60), archive=archive, clock=clock)
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
    assert seen == [(1, False), (0, False), (0, False), (1, True), (2, False)]


async def test_refresh_reads_every_answer_anew_and_reports_failure() -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=timedelta(hours=1), clock=clock)
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
    assert seen == [True, False]
    assert source.asked.count(QUERY) == 3
    assert not service.source_status.last.is_failing
