"""Where product rows stand in an answer: Body.GetSchemesExResponse.objSchemes.MBPublicSchemeSummaryEX."""

from __future__ import annotations

from broker.feeds.errors import FeedParseError
from broker.feeds.parsing.status import envelope_body, refuse_bad_result, refuse_fault
from broker.feeds.parsing.tree import Tree, empty, rows, step

ROW, LIST, RESPONSE = "MBPublicSchemeSummaryEX", "objSchemes", "GetSchemesExResponse"


def scheme_rows(call: str, tree: Tree) -> list[dict[str, Tree]]:
    """Return the product rows of an answer; none for null, false, `{}`, `[]` and an empty list.

    Raises FeedFaultError for a fault or a failed operation, FeedParseError for an answer of another shape.
    """
    if empty(tree):
        return []
    refuse_fault(call, tree)
    body = envelope_body(tree)
    response = step(body if body is not None else tree, RESPONSE)
    if response is None:
        if body is not None and empty(body):
            return []
        raise FeedParseError(call, f"an answer without {RESPONSE}")
    found = _listed(response)
    if not found:
        refuse_bad_result(call, response, result="GetSchemesExResult")
    return found


def holds_schemes(tree: Tree) -> bool:
    """Tell whether a node is an answer with product rows, or a fault in place of one."""
    return envelope_body(tree) is not None or step(tree, RESPONSE) is not None


def is_row(node: Tree) -> bool:
    """Tell whether a node is a product row by itself."""
    return isinstance(node, dict) and (step(node, "LenderName") is not None or step(node, "InitialRate") is not None)


def _listed(response: Tree) -> list[dict[str, Tree]]:
    schemes = step(response, LIST)
    if schemes is None:
        schemes = step(step(response, "GetSchemesExResult"), LIST)
    return rows(schemes, ROW) or rows(schemes)
