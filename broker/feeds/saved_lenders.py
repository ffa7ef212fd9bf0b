"""The lenders that the broker's API has saved rates for: call 11 of specification 7."""

from __future__ import annotations

from dataclasses import dataclass

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SAVED_LENDERS
from broker.feeds.errors import FeedParseError
from broker.feeds.parsing.html import plain
from broker.feeds.parsing.numbers import whole
from broker.feeds.parsing.product_row import MAX_LENDER_ID, NAME_LENGTH
from broker.feeds.parsing.status import refuse_fault
from broker.feeds.parsing.tree import Tree, empty, listed, scalar, step


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedLender:
    """A lender with saved rates; `updated` is the service's own time, without a zone, and may be empty."""

    lender_id: int
    name: str
    updated: str = ""


async def fetch_saved_lenders(client: FeedClient) -> tuple[SavedLender, ...]:
    """Return the lenders with saved rates, in the service's order; raises FeedError."""
    return read_saved_lenders(await client.read(SAVED_LENDERS))


def read_saved_lenders(tree: Tree) -> tuple[SavedLender, ...]:
    """Read the answer of call 11: a list of `id`, `name`, `updated`; nothing, null and false are none.

    Raises FeedFaultError, or FeedParseError for an answer that is no list of objects.
    """
    refuse_fault(SAVED_LENDERS.name, tree)
    if empty(tree):
        return ()
    if not isinstance(tree, dict | list):
        raise FeedParseError(SAVED_LENDERS.name, "an answer that is no list")
    read = [_lender(entry) for entry in listed(tree)]
    return tuple(lender for lender in read if lender is not None)


def _lender(entry: Tree) -> SavedLender | None:
    lender_id = whole(step(entry, "id"), most=MAX_LENDER_ID)
    name = plain(scalar(step(entry, "name")), NAME_LENGTH)
    if not (lender_id and name):
        return None
    return SavedLender(lender_id=lender_id, name=name, updated=plain(scalar(step(entry, "updated")), 40))
