"""Rates that the broker's API keeps by lender and loan to value: call 4 of specification 7.

The answer is handed on as it was saved, so its nesting is read as it comes: lender id, then LTV; LTV alone; or a list
of entries with `ltv`. The lender of a product is always its own LenderID.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from broker.domain.rates.deal_types import BEST_LTV
from broker.domain.rates.product import RateProduct
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import BEST_PER_LENDER
from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SAVED_LTV_RATES
from broker.feeds.errors import FeedError, FeedFaultError, FeedParseError
from broker.feeds.form_encoding import encoded
from broker.feeds.parsing.numbers import whole
from broker.feeds.parsing.product_rows import holds_schemes, is_row, scheme_rows
from broker.feeds.parsing.tree import Tree, empty, listed, numbered
from broker.feeds.products import read_products
from broker.feeds.rates import Clock, now

_MAX_LEVELS = 6
_MIN_LTV = 5
"""No list is saved for an LTV below this, so that keys that begin lower are the places of a list with gaps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLtvRates:
    """The saved products by lender id, then by LTV key in percent, each list in rate order, fee-free ones left out."""

    by_lender: Mapping[int, Mapping[int, tuple[RateProduct, ...]]]
    faults: int
    read_at: datetime

    def best(self, lender_id: int, ltv: int = BEST_LTV) -> tuple[RateProduct, ...]:
        """Return the first three products of a lender at an LTV key; empty where none were saved."""
        return self.by_lender.get(lender_id, {}).get(ltv, ())[:BEST_PER_LENDER]


async def fetch_saved_ltv_rates(
    client: FeedClient, *, lender_id: int | None = None, clock: Clock = now
) -> SavedLtvRates:
    """Return the saved rates by LTV, of one lender or of all; raises FeedError."""
    form = b"" if lender_id is None else encoded({"lenderId": lender_id})
    read_at = clock()
    return await client.read_in_thread(SAVED_LTV_RATES, partial(read_saved_ltv_rates, read_at=read_at), form=form)


def read_saved_ltv_rates(tree: Tree, *, read_at: datetime) -> SavedLtvRates:
    """Read the answer of call 4; raises FeedFaultError where nothing but faults was saved, FeedParseError."""
    if not empty(tree) and not isinstance(tree, dict | list):
        raise FeedParseError(SAVED_LTV_RATES.name, "an answer that is no list by LTV")
    by_ltv: dict[int, list[dict[str, Tree]]] = {}
    faults: list[FeedFaultError] = []
    answers = 0
    for ltv, node in _lists(tree, None, _MAX_LEVELS):
        answers += 1
        try:
            by_ltv.setdefault(ltv, []).extend(_rows(node))
        except FeedFaultError as error:
            faults.append(error)
        except FeedError:
            continue
    if faults and len(faults) == answers:
        raise faults[0]
    return SavedLtvRates(by_lender=_by_lender(by_ltv), faults=len(faults), read_at=read_at)


def _lists(node: Tree, ltv: int | None, levels: int) -> Iterator[tuple[int, Tree]]:
    """Yield each list of products with the LTV key nearest above it; what has no such key is passed over."""
    if levels == 0:
        return
    if holds_schemes(node) or is_row(node):
        if ltv is not None:
            yield ltv, node
    elif numbered(node) and isinstance(node, dict):
        gaps = min(map(int, node)) < _MIN_LTV
        for key in sorted(node, key=int):
            yield from _lists(node[key], ltv if gaps else int(key), levels - 1)
    elif isinstance(node, dict):
        own = whole(node.get("ltv"), most=100)
        for child in node.values():
            yield from _lists(child, own or ltv, levels - 1)
    elif isinstance(node, list):
        for entry in listed(node):
            own = whole(entry.get("ltv"), most=100) if isinstance(entry, dict) else None
            yield from _lists(entry, own or ltv, levels - 1)


def _rows(node: Tree) -> list[dict[str, Tree]]:
    return [node] if isinstance(node, dict) and is_row(node) else scheme_rows(SAVED_LTV_RATES.name, node)


def _by_lender(by_ltv: Mapping[int, list[dict[str, Tree]]]) -> dict[int, dict[int, tuple[RateProduct, ...]]]:
    lenders: dict[int, dict[int, tuple[RateProduct, ...]]] = {}
    for ltv, found in by_ltv.items():
        for product in read_products(found, _query(ltv)).products:
            lists = lenders.setdefault(product.lender_id, {})
            lists[ltv] = (*lists.get(ltv, ()), product)
    return lenders


def _query(ltv: int) -> RatesQuery:
    """Return the search that a saved list answers: the default price at its LTV."""
    price = RatesQuery().price
    return RatesQuery(price=price, amount=min(max(price * ltv // 100, 1), price))
