"""Find product rows in an answer: Body.GetSchemesExResponse.objSchemes.MBPublicSchemeSummaryEX."""

from broker.feeds.errors import FeedParseError
from broker.feeds.parsing.status import envelope_body, raise_for_fault, raise_for_result
from broker.feeds.parsing.tree import Tree, as_rows, child, is_empty

ROW, LIST, RESPONSE = "MBPublicSchemeSummaryEX", "objSchemes", "GetSchemesExResponse"


def scheme_rows(call: str, tree: Tree) -> list[dict[str, Tree]]:
    """Return the product rows of an answer, none for an empty one.

    Raises FeedFaultError for a fault or a failed operation, FeedParseError for another shape, `false` among them: a
    backend says it where it could not read what it was given itself.
    """
    if tree is False:
        raise FeedParseError(call, "answered false")
    if is_empty(tree):
        return []
    raise_for_fault(call, tree)
    body = envelope_body(tree)
    response = child(body if body is not None else tree, RESPONSE)
    if response is None:
        if body is not None and is_empty(body):
            return []
        raise FeedParseError(call, f"an answer without {RESPONSE}")
    found = _listed(response)
    if not found:
        raise_for_result(call, response, result="GetSchemesExResult")
    return found


def holds_schemes(tree: Tree) -> bool:
    """Return whether a node is an answer with product rows, or a fault."""
    return envelope_body(tree) is not None or child(tree, RESPONSE) is not None


def is_row(node: Tree) -> bool:
    return isinstance(node, dict) and (child(node, "LenderName") is not None or child(node, "InitialRate") is not None)


def _listed(response: Tree) -> list[dict[str, Tree]]:
    schemes = child(response, LIST)
    if schemes is None:
        schemes = child(child(response, "GetSchemesExResult"), LIST)
    return as_rows(schemes, ROW) or as_rows(schemes)
