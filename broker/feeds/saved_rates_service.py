"""The request to save rates for lender pages: call 6 of specification 7, whose answer is only logged."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SERVICE
from broker.feeds.form_encoding import encoded_list
from broker.feeds.parsing.numbers import whole
from broker.feeds.parsing.tree import Tree, step

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRatesOrder:
    """One list to be saved: a lender, the kind of rates (`value`), an LTV in percent, and how many products."""

    lender_id: int
    value: str
    ltv: int
    count: int


async def order_saved_rates(client: FeedClient, orders: Sequence[SavedRatesOrder]) -> int | None:
    """Send the orders; return how many lists were saved, None where the answer does not say; raises FeedError."""
    tree = await client.read(SERVICE, form=orders_form(orders))
    saved = read_saved(tree)
    _log.info("%s: %d asked for, %s saved", SERVICE.name, len(orders), "unknown" if saved is None else saved)
    return saved


def orders_form(orders: Sequence[SavedRatesOrder]) -> bytes:
    """Return the form body of call 6: `0[lenderId]=..&0[value]=..&0[ltv]=..&0[count]=..&1[lenderId]=..`."""
    return encoded_list(
        [
            {"lenderId": order.lender_id, "value": order.value, "ltv": order.ltv, "count": order.count}
            for order in orders
        ]
    )


def read_saved(tree: Tree) -> int | None:
    """Return the number under `saved`, or None; the answer's shape is not specified."""
    return whole(step(tree, "saved"), most=1e6)
