"""HTTP status, SOAP faults and error objects of an answer."""

import re

from broker.feeds.errors import FeedFaultError, FeedParseError, FeedStatusError
from broker.feeds.parsing.html import plain_text
from broker.feeds.parsing.normalise import parse_body
from broker.feeds.parsing.tree import Tree, child, descendant, is_empty, text_of, unwrapped

MAX_FAULT_LENGTH, MAX_CODE_LENGTH = 300, 40
"""Characters of a fault and of an error code that visitors see."""

_CODE = re.compile(r"[a-z][a-z0-9_]{0,60}")
_SUCCESS = {"0", "ok", "success", "succeeded", "true", "none"}


def parse_reply(call: str, status: int, *, body: bytes) -> Tree:
    """Return the tree of a successful answer; raises FeedFaultError, FeedStatusError or FeedParseError.

    Faults come before the status: SOAP faults have status 500.
    """
    success = 200 <= status < 300
    try:
        tree = parse_body(call, body)
    except FeedParseError:
        if success:
            raise
        tree = None
    raise_for_fault(call, tree)
    if not success:
        raise FeedStatusError(call, status, code=_wordpress_code(tree))
    return tree


def raise_for_fault(call: str, tree: Tree) -> None:
    """Raise FeedFaultError for a SOAP fault or an `error`, FeedStatusError for an error of WordPress."""
    fault = child(envelope_body(tree), "Fault")
    if fault is None and isinstance(unwrapped(tree), dict):
        fault = child(tree, "Fault")
    if fault is not None:
        raise FeedFaultError(call, _words(child(fault, "faultstring")))
    status = text_of(descendant(tree, "data", "status"))
    if status is not None and status.isascii() and status.isdigit() and len(status) == 3 and _wordpress_code(tree):
        raise FeedStatusError(call, int(status), code=_wordpress_code(tree))
    if not is_empty(error := child(tree, "error")):
        raise FeedFaultError(call, _words(error) or _words(child(error, "message")))


def raise_for_result(call: str, response: Tree, *, result: str) -> None:
    """Raise FeedFaultError if the element `result`, which is optional, says that the operation failed."""
    outcome = child(response, result)
    word = (
        text_of(outcome) or text_of(child(outcome, "ReturnStatus")) or text_of(child(response, "ReturnStatus")) or "0"
    )
    if word.lower() not in _SUCCESS:
        own = f"The service answered with code {plain_text(word, MAX_CODE_LENGTH)}."
        raise FeedFaultError(call, _words(child(response, "strMessage")) or own)


def envelope_body(tree: Tree) -> Tree:
    """Return the body of a SOAP answer, with or without its envelope, or None."""
    envelope = child(tree, "Envelope")
    return child(tree if envelope is None else envelope, "Body")


def _words(node: Tree) -> str:
    return plain_text(text_of(node), MAX_FAULT_LENGTH)


def _wordpress_code(tree: Tree) -> str:
    code = text_of(child(tree, "code")) or ""
    return code if _CODE.fullmatch(code) else ""
