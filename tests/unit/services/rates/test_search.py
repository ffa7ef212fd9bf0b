"""The rates service: what is asked of the source, and what is kept."""

import asyncio
import sys
from dataclasses import replace
from datetime import timedelta
from types import FrameType

import pytest

from broker.rates.customers import RULES, UnknownCustomerError, default_query, restricted
from broker.rates.product import RatesError
from broker.rates.query import RatesQuery
from broker.rates.search import RatesService
from broker.rates.search_params import query_or_default
from tests.unit.services.sources import ListSource, many


def priced_at(price: int) -> RatesQuery:
    return RatesQuery(price=price)


async def test_same_search_is_asked_once() -> None:
    source = ListSource(many(3))
    service = RatesService(source)
    assert await service.search(priced_at(300_000)) is await service.search(priced_at(300_000))
    assert source.asked == [priced_at(300_000)]
    source.asked.clear()
    await service.search(RatesQuery(customer="first-time-buyer", repayment=False))
    await service.search(RatesQuery(customer="first-time-buyer", purchase=False))
    assert source.asked == [default_query("first-time-buyer")]


async def test_restrictions_hold_whatever_is_asked() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    queries = [RatesQuery(customer=each, purchase=False, repayment=False, residential=False) for each in RULES]
    for query in queries:
        await service.search(query)
        await service.product(query, "p000")
    assert source.asked == [restricted(query) for query in queries for _ in range(2)]


async def test_unknown_customer_type_is_refused_and_never_asked() -> None:
    source = ListSource(many(1))
    service, query = RatesService(source), RatesQuery(customer="pirate")
    assert issubclass(UnknownCustomerError, RatesError)
    for search_ in (service.search(query), service.product(query, "p")):
        with pytest.raises(UnknownCustomerError, match=r"^no customer type is called 'pirate'$"):
            await search_
    assert source.asked == []


async def test_restrictions_are_applied_once_a_search() -> None:
    """From the address to the source, with the customer type's default search worked out before."""
    service, counted = RatesService(ListSource(many(1))), 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal counted
        counted += event == "call" and frame.f_code is restricted.__code__

    default_query("home-mover")
    sys.setprofile(count)
    try:
        await service.search(query_or_default("home-mover", {"price": "300000", "for": "remortgage"}))
    finally:
        sys.setprofile(None)
    assert counted == 1


async def test_failure_is_passed_on_and_not_kept() -> None:
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
    answers = await asyncio.gather(*(service.search(priced_at(200_000 + place)) for place in range(2_000)))
    assert [answer.query for answer in answers] == [priced_at(200_000 + place) for place in range(2_000)]


async def test_product_is_one_of_the_source_or_none() -> None:
    service = RatesService(ListSource(many(3)))
    found = await service.product(RatesQuery(), "p001")
    assert found == many(3)[1]
    assert await service.product(RatesQuery(), "p999") is None


async def test_live_product_may_be_of_another_search_for_the_same_loan() -> None:
    source = ListSource(many(3))
    service = RatesService(source, fresh_for=timedelta(minutes=10))
    await service.search(RatesQuery())
    await service.search(priced_at(300_000))
    source.products = many(1)
    longer = replace(RatesQuery(), two_years=False, five_years=True)
    assert await service.product(longer, "p002") == many(3)[2]
    assert await service.product(replace(longer, term=30), "p002") is None
