import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from broker.rates.customers import RULES, UnknownCustomerError, default_query, restricted
from broker.rates.product import RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import RatesService
from tests.unit.rates.sources import Clock, ListSource, MemoryArchive, many

QUERY = RatesQuery(price=300_000)
MINUTE = timedelta(seconds=60)


async def test_repeated_search_is_sent_to_the_source_once() -> None:
    source = ListSource(many(3))
    service = RatesService(source)
    assert await service.search(QUERY) is await service.search(QUERY)
    assert source.asked == [QUERY]
    source.asked.clear()
    await service.search(RatesQuery(customer="first-time-buyer", repayment=False))
    await service.search(RatesQuery(customer="first-time-buyer", purchase=False))
    assert source.asked == [default_query("first-time-buyer")]


async def test_excluded_options_are_replaced_before_the_source_is_searched() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    queries = [RatesQuery(customer=each, purchase=False, repayment=False, residential=False) for each in RULES]
    for query in queries:
        await service.search(query)
        await service.product(query, "p000")
    assert source.asked == [restricted(query) for query in queries for _ in range(2)]


async def test_unknown_customer_type_is_refused_before_the_source() -> None:
    source = ListSource(many(1))
    service, query = RatesService(source), RatesQuery(customer="pirate")
    assert issubclass(UnknownCustomerError, RatesError)
    for search_ in (service.search(query), service.product(query, "p")):
        with pytest.raises(UnknownCustomerError, match=r"^no customer type is called 'pirate'$"):
            await search_
    assert source.asked == []


async def test_failure_is_raised_and_not_cached() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    source.away = True
    for _ in range(2):
        with pytest.raises(RatesError, match="the source is away"):
            await service.search(RatesQuery())
    source.away = False
    assert len((await service.search(RatesQuery())).products) == 1
    assert len(source.asked) == 3


async def test_searches_at_the_same_time_get_their_own_answers() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    answers = await asyncio.gather(*(service.search(RatesQuery(price=200_000 + place)) for place in range(2_000)))
    assert [answer.query for answer in answers] == [RatesQuery(price=200_000 + place) for place in range(2_000)]


async def test_product_is_one_of_the_source_or_none() -> None:
    service = RatesService(ListSource(many(3)))
    found = await service.product(RatesQuery(), "p001")
    assert found == many(3)[1]
    assert await service.product(RatesQuery(), "p999") is None


async def test_live_product_may_be_of_another_search_for_the_same_loan() -> None:
    source = ListSource(many(3))
    service = RatesService(source, fresh_for=timedelta(minutes=10))
    await service.search(RatesQuery())
    await service.search(QUERY)
    source.products = many(1)
    longer = replace(RatesQuery(), two_years=False, five_years=True)
    assert await service.product(longer, "p002") == many(3)[2]
    assert await service.product(replace(longer, term=30), "p002") is None


async def test_simultaneous_equal_searches_share_one_request() -> None:
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


async def test_answer_is_fetched_again_after_it_expires() -> None:
    source, clock = ListSource(many(1)), Clock()
    service = RatesService(source, fresh_for=MINUTE, clock=clock)
    for clock.now in (0.0, 59.9, 60.0):
        await service.search(QUERY)
    assert source.asked == [QUERY, QUERY]


async def test_fresh_answer_of_another_worker_is_used_until_it_is_old() -> None:
    source, archive, clock = ListSource(many(2)), MemoryArchive(), Clock()
    service = partial(RatesService, source, fresh_for=MINUTE, archive=archive, is_shared=True)
    now = [source.read_at]
    one, other = (service(clock=clock, now=lambda: now[0]) for _ in range(2))
    answer = await one.search(QUERY)
    await one.wait_until_saved()
    now[0] += timedelta(seconds=50)
    assert (await other.search(QUERY), source.asked) == (answer, [QUERY])
    clock.now, now[0] = 11.0, now[0] + timedelta(seconds=11)
    await other.search(QUERY)
    assert source.asked == [QUERY, QUERY]


async def test_answer_from_before_a_restart_is_stale_until_there_is_a_new_one() -> None:
    source, archive, clock = ListSource(many(2)), MemoryArchive(), Clock()
    before, after = (RatesService(source, fresh_for=MINUTE, archive=archive, clock=clock) for _ in range(2))
    answer = await before.search(QUERY)
    await before.wait_until_saved()
    seen = []
    for clock.now, source.away in ((0.0, True), (0.5, True), (1.0, False), (2.0, False)):
        seen.append(await after.search(QUERY))
    assert seen == [replace(answer, stale=True)] * 3 + [answer]
    assert archive.loads == 1


async def test_empty_answer_expires_soon_and_keeps_the_last_good_one() -> None:
    source, archive, clock = ListSource(many(1)), MemoryArchive(), Clock()
    service = RatesService(source, fresh_for=MINUTE, archive=archive, clock=clock)
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


async def test_refresh_reads_every_answer_again_and_reports_failure() -> None:
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
