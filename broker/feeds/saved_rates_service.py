"""The request to save rates for lender pages: call 6 of specification 7, whose answer is only logged."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SERVICE
from broker.feeds.form_encoding import encode_form_list
from broker.feeds.parsing.numbers import whole
from broker.feeds.parsing.tree import Tree, step

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRatesRequest:
    """One list to be saved: a lender, the kind of rates (`value`), an LTV in percent, and how many products."""

    lender_id: int
    value: str
    ltv: int
    count: int


async def request_saved_rates(client: FeedClient, orders: Sequence[SavedRatesRequest]) -> int | None:
    """Send the orders; return how many lists were saved, None where the answer does not say; raises FeedError."""
    tree = await client.read(SERVICE, form=service_form(orders))
    saved = read_saved(tree)
    _log.info("%s: %d asked for, %s saved", SERVICE.name, len(orders), "unknown" if saved is None else saved)
    return saved


def service_form(orders: Sequence[SavedRatesRequest]) -> bytes:
    """Return the form body of call 6: `0[lenderId]=..&0[value]=..&0[ltv]=..&0[count]=..&1[lenderId]=..`."""
    return encode_form_list(
        [
            {"lenderId": order.lender_id, "value": order.value, "ltv": order.ltv, "count": order.count}
            for order in orders
        ]
    )


def read_saved(tree: Tree) -> int | None:
    """Return the number under `saved`, or None; the answer's shape is not specified."""
    return whole(step(tree, "saved"), most=1e6)
