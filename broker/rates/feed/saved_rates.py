"""Saved rates by customer type, and by lender and loan to value: calls 3, 4, 6 and 11 of specification 7."""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from broker.clock import utc_now
from broker.rates.customers import RULES, default_query
from broker.rates.deal_types import of_every_type
from broker.rates.feed.client import (
    SAVED_LENDERS,
    SAVED_LTV_RATES,
    SAVED_RATES,
    SERVICE,
    FeedClient,
    encode_form,
    encode_form_list,
)
from broker.rates.feed.errors import FeedError, FeedFaultError, FeedParseError
from broker.rates.feed.html_text import plain_text
from broker.rates.feed.product_rows import MAX_LENDER_ID, NAME_LENGTH, holds_schemes, is_row, scheme_rows
from broker.rates.feed.products import ParsedProducts, parse_products
from broker.rates.feed.response_tree import (
    Tree,
    as_list,
    child,
    has_numeric_keys,
    is_empty,
    parse_integer,
    raise_for_fault,
    text_of,
    unwrapped,
)
from broker.rates.product import RateProduct
from broker.rates.query import RatesQuery

_log = logging.getLogger(__name__)

_SLUG = re.compile(r"[a-z][a-z0-9-]{0,60}")

_MAX_DEPTH = 6

_MIN_LTV = 5
"""Lowest LTV that is saved; numeric keys that start lower are indexes of a list with gaps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRates:
    """Saved products by customer type; `problems` has the error of each type without a list."""

    by_type: Mapping[str, ParsedProducts]
    problems: Mapping[str, str]
    read_at: datetime


async def fetch_saved_rates(client: FeedClient, *, clock: Callable[[], datetime] = utc_now) -> SavedRates:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLtvRates:
    """Saved products by lender id and LTV in percent, in rate order, without fee-free products.

    `faults` counts lists that are faults, `unusable` rows with a figure that is missing or cannot be.
    """

    by_lender: Mapping[int, Mapping[int, tuple[RateProduct, ...]]]
    faults: int
    read_at: datetime
    unusable: int = 0


def merged(answers: Iterable[SavedLtvRates], *, read_at: datetime, faults: int) -> SavedLtvRates:
    """Return the answers for several lenders as one; `faults` counts the answers that are faults beside theirs."""
    by_lender: dict[int, Mapping[int, tuple[RateProduct, ...]]] = {}
    unusable = 0
    for answer in answers:
        by_lender |= answer.by_lender
        read_at, faults, unusable = min(read_at, answer.read_at), faults + answer.faults, unusable + answer.unusable
    return SavedLtvRates(by_lender=by_lender, faults=faults, read_at=read_at, unusable=unusable)


async def fetch_saved_ltv_rates(
    client: FeedClient, *, lender_id: int | None = None, clock: Callable[[], datetime] = utc_now
) -> SavedLtvRates:
    """Return saved rates of one lender or of all; raises FeedError."""
    form = b"" if lender_id is None else encode_form({"lenderId": lender_id})
    read_at = clock()
    return await client.read_in_thread(SAVED_LTV_RATES, partial(parse_saved_ltv_rates, read_at=read_at), form=form)


def parse_saved_ltv_rates(tree: Tree, *, read_at: datetime) -> SavedLtvRates:
    """Parse call 4; raises FeedFaultError if only faults were saved, or FeedParseError.

    The nesting varies: lender id, then LTV; LTV alone; or a list of entries with `ltv`. The lender of a product is
    always its own LenderID.
    """
    if not is_empty(tree) and not isinstance(tree, dict | list):
        raise FeedParseError(SAVED_LTV_RATES.name, "an answer that is not a list by LTV")
    by_ltv: dict[int, list[dict[str, Tree]]] = {}
    faults: list[FeedFaultError] = []
    answers = 0
    for ltv, node in _lists(tree, None, _MAX_DEPTH):
        answers += 1
        try:
            by_ltv.setdefault(ltv, []).extend(_rows(node))
        except FeedFaultError as error:
            faults.append(error)
        except FeedError:
            continue
    if faults and len(faults) == answers:
        raise faults[0]
    parsed = {ltv: parse_products(found, _ltv_query(ltv)) for ltv, found in by_ltv.items()}
    unusable = sum(found.unusable for found in parsed.values())
    return SavedLtvRates(by_lender=_by_lender(parsed), faults=len(faults), read_at=read_at, unusable=unusable)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLender:
    """A lender with saved rates; `updated` is the service's local time or empty."""

    lender_id: int
    name: str
    updated: str = ""


async def fetch_saved_lenders(client: FeedClient) -> tuple[SavedLender, ...]:
    """Return the lenders with saved rates, in the service's order; raises FeedError."""
    return parse_saved_lenders(await client.read(SAVED_LENDERS))


def parse_saved_lenders(tree: Tree) -> tuple[SavedLender, ...]:
    """Parse call 11, a list of `id`, `name` and `updated`; raises FeedFaultError or FeedParseError."""
    raise_for_fault(SAVED_LENDERS.name, tree)
    if is_empty(tree):
        return ()
    if not isinstance(tree, dict | list):
        raise FeedParseError(SAVED_LENDERS.name, "an answer that is not a list")
    read = [_lender(entry) for entry in as_list(tree)]
    return tuple(lender for lender in read if lender is not None)


def _lender(entry: Tree) -> SavedLender | None:
    lender_id = parse_integer(child(entry, "id"), maximum=MAX_LENDER_ID)
    name = plain_text(text_of(child(entry, "name")), NAME_LENGTH)
    if not (lender_id and name):
        return None
    return SavedLender(lender_id=lender_id, name=name, updated=plain_text(text_of(child(entry, "updated")), 40))


def _lists(node: Tree, ltv: int | None, levels: int) -> Iterator[tuple[int, Tree]]:
    """Yield each list of products with the nearest LTV key above it; lists without one are skipped."""
    if levels == 0:
        return
    if holds_schemes(node) or is_row(node):
        if ltv is not None:
            yield ltv, node
    elif has_numeric_keys(node) and isinstance(node, dict):
        gaps = min(map(int, node)) < _MIN_LTV
        for key in sorted(node, key=int):
            yield from _lists(node[key], ltv if gaps else int(key), levels - 1)
    elif isinstance(node, dict):
        own = parse_integer(node.get("ltv"), maximum=100)
        for child in node.values():
            yield from _lists(child, own or ltv, levels - 1)
    elif isinstance(node, list):
        for entry in as_list(node):
            own = parse_integer(entry.get("ltv"), maximum=100) if isinstance(entry, dict) else None
            yield from _lists(entry, own or ltv, levels - 1)


def _rows(node: Tree) -> list[dict[str, Tree]]:
    return [node] if isinstance(node, dict) and is_row(node) else scheme_rows(SAVED_LTV_RATES.name, node)


def _by_lender(by_ltv: Mapping[int, ParsedProducts]) -> dict[int, dict[int, tuple[RateProduct, ...]]]:
    lenders: dict[int, dict[int, tuple[RateProduct, ...]]] = {}
    for ltv, found in by_ltv.items():
        for product in found.products:
            lists = lenders.setdefault(product.lender_id, {})
            lists[ltv] = (*lists.get(ltv, ()), product)
    return lenders


def _ltv_query(ltv: int) -> RatesQuery:
    """Return the search that a saved list answers: every deal type, the default price at an LTV."""
    return of_every_type(RatesQuery(), ltv=min(ltv, 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRatesRequest:
    """A list to save: lender, kind of rates (`value`), LTV in percent, and number of products."""

    lender_id: int
    value: str
    ltv: int
    count: int


async def request_saved_rates(client: FeedClient, requests: Sequence[SavedRatesRequest]) -> int | None:
    """Request lists; return how many were saved, None if the answer has no number; raises FeedError."""
    tree = await client.read(SERVICE, form=service_form(requests))
    saved = parse_saved_count(tree)
    _log.info("%s: %d requested, %s saved", SERVICE.name, len(requests), "unknown" if saved is None else saved)
    return saved


def service_form(requests: Sequence[SavedRatesRequest]) -> bytes:
    """Return the form body of call 6: `0[lenderId]=..&0[value]=..&0[ltv]=..&0[count]=..&1[lenderId]=..`."""
    return encode_form_list(
        [
            {"lenderId": request.lender_id, "value": request.value, "ltv": request.ltv, "count": request.count}
            for request in requests
        ]
    )


def parse_saved_count(tree: Tree) -> int | None:
    """Return the number under `saved`, or None; the answer is not specified."""
    return parse_integer(child(tree, "saved"), maximum=1e6)
