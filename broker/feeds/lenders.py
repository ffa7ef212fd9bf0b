"""Lenders of the sourcing service: call 9 of specification 7."""

from dataclasses import dataclass

from broker.feeds.client import FeedClient
from broker.feeds.endpoints import LENDERS
from broker.feeds.errors import FeedParseError
from broker.feeds.parsing.html import plain_text
from broker.feeds.parsing.numbers import parse_integer
from broker.feeds.parsing.product_row import MAX_LENDER_ID, NAME_LENGTH
from broker.feeds.parsing.status import envelope_body, raise_for_fault, raise_for_result
from broker.feeds.parsing.tree import Tree, as_rows, child, is_empty, text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedLender:
    """A lender by its id and name in the feed; `short_name` may be empty."""

    lender_id: int
    name: str
    short_name: str = ""


async def fetch_lenders(client: FeedClient) -> tuple[FeedLender, ...]:
    """Return every lender, by id; raises FeedError."""
    return parse_lenders(await client.read(LENDERS))


def parse_lenders(tree: Tree) -> tuple[FeedLender, ...]:
    """Parse call 9; rows without an id or a name, and repeated ids, are skipped.

    Raises FeedFaultError for a fault or an error code, FeedParseError for another shape.
    """
    found: dict[int, FeedLender] = {}
    for row in response_rows(LENDERS.name, tree, response="GetLenderListResponse", list_name="Lenders"):
        lender_id = parse_integer(child(row, "ID"), maximum=MAX_LENDER_ID)
        name = plain_text(text_of(child(row, "Name")), NAME_LENGTH)
        if lender_id and name:
            short = plain_text(text_of(child(row, "ShortName")), NAME_LENGTH)
            found.setdefault(lender_id, FeedLender(lender_id=lender_id, name=name, short_name=short))
    return tuple(found[lender_id] for lender_id in sorted(found))


def response_rows(call: str, tree: Tree, *, response: str, list_name: str) -> list[dict[str, Tree]]:
    """Return the rows under `response`.`list_name`, whatever their element is called; none for an empty answer.

    Raises FeedFaultError for a fault or an error code, FeedParseError for another shape.
    """
    if is_empty(tree):
        return []
    raise_for_fault(call, tree)
    body = envelope_body(tree)
    answer = child(body if body is not None else tree, response)
    if answer is None:
        raise FeedParseError(call, f"an answer without {response}")
    found = as_rows(child(answer, list_name))
    if not found:
        raise_for_result(call, answer, result=response.replace("Response", "Result"))
    return found
