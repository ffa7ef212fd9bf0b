"""The lenders that the sourcing service knows: call 9 of specification 7."""

from __future__ import annotations

from dataclasses import dataclass

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import LENDERS
from broker.feeds.errors import FeedParseError
from broker.feeds.parsing.html import plain
from broker.feeds.parsing.numbers import whole
from broker.feeds.parsing.product_row import MAX_LENDER_ID, NAME_LENGTH
from broker.feeds.parsing.status import envelope_body, refuse_bad_result, refuse_fault
from broker.feeds.parsing.tree import Tree, empty, rows, scalar, step


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedLender:
    """A lender by its id in the feed, with the service's own name for it; `short_name` may be empty."""

    lender_id: int
    name: str
    short_name: str = ""


async def fetch_lenders(client: FeedClient) -> tuple[FeedLender, ...]:
    """Return every lender, by id; raises FeedError."""
    return read_lenders(await client.read(LENDERS))


def read_lenders(tree: Tree) -> tuple[FeedLender, ...]:
    """Read the answer of call 9; rows without an id or a name are left out, and the first of one id counts.

    Raises FeedFaultError for a fault or an error code, FeedParseError for another shape.
    """
    found: dict[int, FeedLender] = {}
    for row in response_rows(LENDERS.name, tree, response="GetLenderListResponse", held="Lenders"):
        lender_id = whole(step(row, "ID"), most=MAX_LENDER_ID)
        name = plain(scalar(step(row, "Name")), NAME_LENGTH)
        if lender_id and name:
            short = plain(scalar(step(row, "ShortName")), NAME_LENGTH)
            found.setdefault(lender_id, FeedLender(lender_id=lender_id, name=name, short_name=short))
    return tuple(found[lender_id] for lender_id in sorted(found))


def response_rows(call: str, tree: Tree, *, response: str, held: str) -> list[dict[str, Tree]]:
    """Return the rows under `response`.`held`, whatever their own element is called; none for an empty answer.

    Raises FeedFaultError for a fault or an error code, FeedParseError for another shape.
    """
    if empty(tree):
        return []
    refuse_fault(call, tree)
    body = envelope_body(tree)
    answer = step(body if body is not None else tree, response)
    if answer is None:
        raise FeedParseError(call, f"an answer without {response}")
    found = rows(step(answer, held))
    if not found:
        refuse_bad_result(call, answer, result=response.replace("Response", "Result"))
    return found
