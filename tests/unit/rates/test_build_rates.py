import asyncio
from datetime import timedelta

import pytest

from broker import build_inputs
from broker.build_inputs import MAX_AGE, MAX_SEARCHES, MAX_UNREAD, build_search, customer_rates
from broker.rates.archive import MAX_ANSWERS
from broker.rates.customers import RULES, default_query
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import RatesService
from tests.unit.rates.sources import ListSource, MemoryArchive, many

SECOND = timedelta(seconds=1)


class BusySource(ListSource):
    """Counts the most searches that are under way at a time."""

    under_way = most = 0

    async def search(self, query: RatesQuery) -> RatesAnswer:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0)
        self.under_way -= 1
        return await super().search(query)


async def built(source: ListSource, archive: MemoryArchive | None = None, *, after: timedelta = timedelta(0)) -> None:
    rates = RatesService(source, fresh_for=timedelta(minutes=10), archive=archive)
    search = build_search(rates, now=source.read_at + after)
    await customer_rates(search, with_tables=RULES)
    await rates.wait_until_saved()


async def test_searches_of_all_customers_share_the_places() -> None:
    source = BusySource(many(1))
    await built(source)
    assert source.most == MAX_SEARCHES


@pytest.mark.parametrize(
    ("after", "is_asked"), [(timedelta(0), False), (MAX_AGE, False), (MAX_AGE + SECOND, True), (-SECOND, True)]
)
async def test_answers_of_the_last_hours_are_used_again(after: timedelta, is_asked: bool) -> None:
    source, archive = ListSource(many(1)), MemoryArchive()
    await built(source, archive)
    asked = len(source.asked)
    await built(source, archive, after=after)
    assert len(source.asked) == (2 * asked if is_asked else asked)


async def test_empty_answer_is_fetched_again() -> None:
    source, archive = ListSource(), MemoryArchive()
    await built(source, archive)
    asked = len(source.asked)
    await built(source, archive)
    assert len(source.asked) == 2 * asked


async def test_archive_holds_every_answer_of_a_build() -> None:
    source = ListSource(many(1))
    await built(source)
    assert len(set(source.asked)) < MAX_ANSWERS


async def test_failed_search_is_read_from_the_archive_at_any_age_else_empty_and_stale() -> None:
    source, archive = ListSource(many(1)), MemoryArchive()
    await built(source, archive)
    source.away = True
    rates = RatesService(source, fresh_for=timedelta(minutes=10), archive=archive)
    search = build_search(rates, now=source.read_at + timedelta(days=3), timeout=0)
    old = await search(default_query(""))
    assert (len(old.products), old.stale, old.read_at) == (1, True, source.read_at)
    unread = await search(RatesQuery(price=123_456))
    assert (list(unread.products), unread.stale) == ([], True)


async def test_build_ends_where_the_source_is_away_and_nothing_was_read() -> None:
    source = ListSource(many(1))
    source.away = True
    search = build_search(RatesService(source, fresh_for=timedelta(minutes=10)), now=source.read_at, timeout=0)
    for price in range(200_000, 200_000 + MAX_UNREAD):
        assert (await search(RatesQuery(price=price))).stale
    with pytest.raises(RatesError):
        await search(RatesQuery())


async def test_build_asks_again_for_what_it_never_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_inputs, "RETRY_SECONDS", 0)
    source = ListSource(many(1))
    source.away = True
    search = build_search(RatesService(source, fresh_for=timedelta(minutes=10)), now=source.read_at)
    asked = asyncio.ensure_future(search(RatesQuery()))
    await asyncio.sleep(0)
    source.away = False
    answer = await asked
    assert (len(answer.products), answer.stale) == (1, False)
