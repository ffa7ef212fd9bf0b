"""Lenders with saved rates: call 11 of specification 7."""

from dataclasses import dataclass

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import SAVED_LENDERS
from broker.feeds.errors import FeedParseError
from broker.feeds.parsing.html import plain_text
from broker.feeds.parsing.numbers import parse_integer
from broker.feeds.parsing.product_row import MAX_LENDER_ID, NAME_LENGTH
from broker.feeds.parsing.status import raise_for_fault
from broker.feeds.parsing.tree import Tree, as_list, child, is_empty, text_of


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
