"""Saved rates by lender and loan to value: call 4 of specification 7.

The nesting varies: lender id, then LTV; LTV alone; or a list of entries with `ltv`. The lender of a product is always
its own LenderID.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from broker.domain.rates.deal_types import of_every_type
from broker.domain.rates.product import RateProduct
from broker.domain.rates.query import RatesQuery
from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SAVED_LTV_RATES
from broker.feeds.errors import FeedError, FeedFaultError, FeedParseError
from broker.feeds.form_encoding import encode_form
from broker.feeds.parsing.numbers import parse_integer
from broker.feeds.parsing.product_rows import holds_schemes, is_row, scheme_rows
from broker.feeds.parsing.tree import Tree, as_list, has_numeric_keys, is_empty
from broker.feeds.products import ParsedProducts, parse_products
from broker.feeds.rates import Clock, now

_MAX_DEPTH = 6
_MIN_LTV = 5
"""Lowest LTV that is saved; numeric keys that start lower are indexes of a list with gaps."""


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
    client: FeedClient, *, lender_id: int | None = None, clock: Clock = now
) -> SavedLtvRates:
    """Return saved rates of one lender or of all; raises FeedError."""
    form = b"" if lender_id is None else encode_form({"lenderId": lender_id})
    read_at = clock()
    return await client.read_in_thread(SAVED_LTV_RATES, partial(parse_saved_ltv_rates, read_at=read_at), form=form)


def parse_saved_ltv_rates(tree: Tree, *, read_at: datetime) -> SavedLtvRates:
    """Parse call 4; raises FeedFaultError if only faults were saved, or FeedParseError."""
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
    parsed = {ltv: parse_products(found, _query(ltv)) for ltv, found in by_ltv.items()}
    unusable = sum(found.unusable for found in parsed.values())
    return SavedLtvRates(by_lender=_by_lender(parsed), faults=len(faults), read_at=read_at, unusable=unusable)


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


def _query(ltv: int) -> RatesQuery:
    """Return the search that a saved list answers: every deal type, the default price at an LTV."""
    return of_every_type(RatesQuery(), ltv=min(ltv, 100))
