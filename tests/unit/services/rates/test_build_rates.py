"""The searches of a build: how many at a time, and which answers are used again."""

import asyncio
from datetime import timedelta

import pytest

from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.services.rates.build_rates import MAX_AGE, MAX_SEARCHES, build_search, customer_rates, lender_rates
from broker.services.rates.search import RatesService
from broker.storage.rates_archive import MAX_ANSWERS
from tests.unit.services.memory_archive import MemoryArchive
from tests.unit.services.sources import ListSource, many

LENDERS = [KnownLender(lender_id=number, name=f"Bank {number}", slug=f"bank-{number}") for number in range(1, 101)]
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
    await customer_rates(search)
    await lender_rates(search, LENDERS)
    await rates.wait_until_saved()


async def test_searches_of_all_lenders_share_the_places() -> None:
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


async def test_search_that_found_nothing_is_asked_again() -> None:
    source, archive = ListSource(), MemoryArchive()
    await built(source, archive)
    asked = len(source.asked)
    await built(source, archive)
    assert len(source.asked) == 2 * asked


async def test_archive_holds_every_answer_of_a_build() -> None:
    source = ListSource(many(1))
    await built(source)
    assert len(set(source.asked)) < MAX_ANSWERS
