"""The filters above a list: where each leads, and how many deals are there."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

from broker.rates.query import RatesQuery
from broker.rates.results import list_filters, with_free_href
from broker.rates.search_params import query_in
from tests.unit.rates.market.searching import search
from tests.unit.rates.three_deals import THREE, answer

CASHBACK = RatesQuery(filters=frozenset({"cashback"}))


def followed(address: str) -> RatesQuery:
    return query_in("", dict(parse_qsl(urlsplit(address).query)))


@pytest.mark.parametrize("query", [RatesQuery(), RatesQuery(variable=True, fixed=False, term=31, most_fees=1_000)])
def test_filter_finds_as_many_deals_as_it_counts(query: RatesQuery) -> None:
    found = search(query)
    for each in list_filters(found):
        assert not each.is_on
        left = search(followed(each.href))
        assert f"{len(left.products):,}" == each.count
        (on,) = (other for other in list_filters(left) if other.label == each.label)
        assert (on.is_on, on.count) == (True, each.count)
        back = followed(on.href)
        assert back in (query, RatesQuery(variable=True, fixed=False, term=31))


def test_filter_that_leaves_nothing_is_not_offered_unless_it_is_on() -> None:
    assert [each.label for each in list_filters(answer(THREE, RatesQuery(), fee_free=0))] == []
    (on,) = list_filters(answer((), CASHBACK))
    assert (on.label, on.count, on.is_on, on.href) == ("Cashback", "0", True, "/tools/rates/")


def test_fee_free_deals_are_shown_beside_the_others() -> None:
    assert with_free_href(RatesQuery()) == "/tools/rates/?fees=any"
    assert followed(with_free_href(CASHBACK)) == replace(CASHBACK, with_fee_free=True)
