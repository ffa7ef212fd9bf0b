"""The rates service: what is asked of the source, and what is kept."""

import asyncio
import sys
from collections.abc import Coroutine
from dataclasses import replace
from datetime import timedelta
from types import FrameType
from typing import Any, TypeVar

import pytest

from broker.domain.rates.customers import RULES, UnknownCustomerError, default_query, restricted
from broker.domain.rates.product import RatesError
from broker.domain.rates.query import RatesQuery
from broker.presenters.rates.search_params import query_or_default
from broker.services.rates import search
from broker.services.rates.search import MAX_ANSWERS, RatesService
from tests.unit.services.sources import ListSource, many

Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Return what a coroutine gives."""
    return asyncio.run(work)


def priced_at(price: int) -> RatesQuery:
    """Return a search of its own."""
    return RatesQuery(price=price)


def test_same_search_is_asked_once() -> None:
    source = ListSource(many(3))
    service = RatesService(source)
    first, second = run(service.search(priced_at(300_000))), run(service.search(priced_at(300_000)))
    assert first is second
    assert source.asked == [priced_at(300_000)]


def test_searches_that_a_restriction_makes_the_same_are_asked_once() -> None:
    source = ListSource()
    service = RatesService(source)
    run(service.search(RatesQuery(customer="first-time-buyer", repayment=False)))
    run(service.search(RatesQuery(customer="first-time-buyer", purchase=False)))
    assert source.asked == [default_query("first-time-buyer")]


def test_restrictions_hold_whatever_is_asked() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    queries = [RatesQuery(customer=each, purchase=False, repayment=False, residential=False) for each in RULES]
    for query in queries:
        run(service.search(query))
        run(service.product(query, "p000"))
    assert source.asked == [restricted(query) for query in queries for _ in range(2)]


def test_unknown_customer_type_is_refused_and_never_asked() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    for asked in (service.search(RatesQuery(customer="pirate")), service.product(RatesQuery(customer="pirate"), "p")):
        with pytest.raises(UnknownCustomerError, match=r"^no customer type is called 'pirate'$"):
            run(asked)
    assert source.asked == []


def test_restrictions_are_applied_once_a_search() -> None:
    """From the address to the source, with the customer type's default search worked out before."""
    service, counted = RatesService(ListSource(many(1))), 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal counted
        counted += event == "call" and frame.f_code is restricted.__code__

    default_query("home-mover")
    sys.setprofile(count)
    try:
        run(service.search(query_or_default("home-mover", {"price": "300000", "for": "remortgage"})))
    finally:
        sys.setprofile(None)
    assert counted == 1


def test_as_many_answers_as_said_are_kept_and_the_oldest_goes_first() -> None:
    source = ListSource()
    service = RatesService(source)
    for price in range(MAX_ANSWERS + 1):
        run(service.search(priced_at(200_000 + price)))
    assert len(source.asked) == MAX_ANSWERS + 1
    run(service.search(priced_at(200_001)))
    assert len(source.asked) == MAX_ANSWERS + 1
    run(service.search(priced_at(200_000)))
    assert source.asked[-1] == priced_at(200_000)
    assert len(source.asked) == MAX_ANSWERS + 2


def test_large_answers_make_place_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_PRODUCTS", 10)
    source = ListSource(many(4))
    service = RatesService(source)
    for price in (200_000, 200_001, 200_002, 200_001, 200_002, 200_000):
        run(service.search(priced_at(price)))
    assert [query.price for query in source.asked] == [200_000, 200_001, 200_002, 200_000]
    source.products = many(50)
    run(service.search(priced_at(300_000)))
    run(service.search(priced_at(300_000)))
    assert [query.price for query in source.asked][4:] == [300_000]


def test_answer_that_is_used_again_is_kept_longer() -> None:
    source = ListSource()
    service = RatesService(source)
    for price in range(MAX_ANSWERS):
        run(service.search(priced_at(200_000 + price)))
    run(service.search(priced_at(200_000)))
    run(service.search(priced_at(900_000)))
    run(service.search(priced_at(200_000)))
    assert source.asked.count(priced_at(200_000)) == 1


def test_failure_is_passed_on_and_not_kept() -> None:
    source = ListSource(many(1))
    service = RatesService(source)
    source.away = True
    for _ in range(2):
        with pytest.raises(RatesError, match="the source is away"):
            run(service.search(RatesQuery()))
    source.away = False
    assert len(run(service.search(RatesQuery())).products) == 1
    assert len(source.asked) == 3


def test_searches_at_the_same_time_get_their_own_answers() -> None:
    source = ListSource(many(1))
    service = RatesService(source)

    async def both() -> list[RatesQuery]:
        answers = await asyncio.gather(
            *(service.search(priced_at(200_000 + place)) for place in range(MAX_ANSWERS * 2))
        )
        return [answer.query for answer in answers]

    assert run(both()) == [priced_at(200_000 + place) for place in range(MAX_ANSWERS * 2)]


def test_product_is_one_of_the_source_or_none() -> None:
    service = RatesService(ListSource(many(3)))
    found = run(service.product(RatesQuery(), "p001"))
    assert found == many(3)[1]
    assert run(service.product(RatesQuery(), "p999")) is None


def test_live_product_may_be_of_another_search_for_the_same_loan() -> None:
    source = ListSource(many(3))
    service = RatesService(source, fresh_for=timedelta(minutes=10))
    run(service.search(RatesQuery()))
    run(service.search(priced_at(300_000)))
    source.products = many(1)
    longer = replace(RatesQuery(), two_years=False, five_years=True)
    assert run(service.product(longer, "p002")) == many(3)[2]
    assert run(service.product(replace(longer, term=30), "p002")) is None


def test_search_of_an_unknown_customer_fails_as_the_port_says() -> None:
    with pytest.raises(RatesError):
        run(RatesService(ListSource()).search(RatesQuery(customer="landlord")))
