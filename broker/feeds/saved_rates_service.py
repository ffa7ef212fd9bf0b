"""Request to save rates for lender pages: call 6 of specification 7; the answer is only logged."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SERVICE
from broker.feeds.form_encoding import encode_form_list
from broker.feeds.parsing.numbers import parse_integer
from broker.feeds.parsing.tree import Tree, child

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRatesRequest:
    """A list to save: lender, kind of rates (`value`), LTV in percent, and number of products."""

    lender_id: int
    value: str
    ltv: int
    count: int


async def request_saved_rates(client: FeedClient, requests: Sequence[SavedRatesRequest]) -> int | None:
    """Request lists; return how many were saved, None if the answer does not say; raises FeedError."""
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
