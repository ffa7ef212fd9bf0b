"""Saved rates by customer type: call 3 of specification 7."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.query import RatesQuery
from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SAVED_RATES
from broker.feeds.errors import FeedError, FeedFaultError, FeedParseError
from broker.feeds.parsing.product_rows import scheme_rows
from broker.feeds.parsing.tree import Tree, is_empty, unwrapped
from broker.feeds.products import ParsedProducts, parse_products
from broker.feeds.rates import Clock, now

_SLUG = re.compile(r"[a-z][a-z0-9-]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRates:
    """Saved products by customer type; `problems` has the error of each type without a list."""

    by_type: Mapping[str, ParsedProducts]
    problems: Mapping[str, str]
    read_at: datetime


async def fetch_saved_rates(client: FeedClient, *, clock: Clock = now) -> SavedRates:
    """Return saved rates of all customer types; raises FeedError if no list can be read."""
    read_at = clock()
    return await client.read_in_thread(SAVED_RATES, partial(parse_saved_rates, read_at=read_at), form=b"")


def parse_saved_rates(tree: Tree, *, read_at: datetime) -> SavedRates:
    """Parse call 3; raises FeedFaultError or FeedParseError if no list can be read."""
    if tree is False:
        raise FeedParseError(SAVED_RATES.name, "answered false")
    if is_empty(tree):
        return SavedRates(by_type={}, problems={}, read_at=read_at)
    held = unwrapped(tree)
    types = {key: value for key, value in held.items() if _SLUG.fullmatch(key)} if isinstance(held, dict) else {}
    if not types:
        raise FeedParseError(SAVED_RATES.name, "an answer without customer types")
    lists: dict[str, ParsedProducts] = {}
    problems: dict[str, FeedError] = {}
    for customer, answer in types.items():
        try:
            lists[customer] = parse_products(scheme_rows(SAVED_RATES.name, answer), _query(customer))
        except FeedError as error:
            problems[customer] = error
    if not lists:
        raise next((error for error in problems.values() if isinstance(error, FeedFaultError)), _unreadable())
    return SavedRates(by_type=lists, problems={key: str(error) for key, error in problems.items()}, read_at=read_at)


def _query(customer: str) -> RatesQuery:
    return default_query(customer) if customer in RULES else RatesQuery()


def _unreadable() -> FeedParseError:
    return FeedParseError(SAVED_RATES.name, "no readable list")
