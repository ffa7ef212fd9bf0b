"""What an answer says of itself: its HTTP status, a fault, or an error in place of what was asked for."""

from __future__ import annotations

import re

from broker.feeds.errors import FeedFaultError, FeedParseError, FeedStatusError
from broker.feeds.parsing.html import plain
from broker.feeds.parsing.normalise import read_body
from broker.feeds.parsing.tree import Tree, empty, only, path, scalar, step

MAX_FAULT_LENGTH, MAX_CODE = 300, 40
"""Characters of a fault, and of an error code, that a visitor is shown."""

_CODE = re.compile(r"[a-z][a-z0-9_]{0,60}")
_FINE = {"0", "ok", "success", "succeeded", "true", "none"}


def read_reply(call: str, status: int, *, body: bytes) -> Tree:
    """Return the tree of a successful answer; raises FeedFaultError, FeedStatusError or FeedParseError.

    Faults are looked for first: a proxy may hand on the status 500 that SOAP faults have.
    """
    success = 200 <= status < 300
    try:
        tree = read_body(call, body)
    except FeedParseError:
        if success:
            raise
        tree = None
    refuse_fault(call, tree)
    if not success:
        raise FeedStatusError(call, status, code=_wordpress_code(tree))
    return tree


def refuse_fault(call: str, tree: Tree) -> None:
    """Raise FeedFaultError for a SOAP fault or an `error`, FeedStatusError for an error of WordPress's own."""
    fault = step(envelope_body(tree), "Fault")
    if fault is None and isinstance(only(tree), dict):
        fault = step(tree, "Fault")
    if fault is not None:
        raise FeedFaultError(call, _words(step(fault, "faultstring")))
    status = scalar(path(tree, "data", "status"))
    if status is not None and status.isascii() and status.isdigit() and len(status) == 3 and _wordpress_code(tree):
        raise FeedStatusError(call, int(status), code=_wordpress_code(tree))
    if not empty(error := step(tree, "error")):
        raise FeedFaultError(call, _words(error) or _words(step(error, "message")))


def refuse_bad_result(call: str, response: Tree, *, result: str) -> None:
    """Raise FeedFaultError where a response without rows says that the operation failed.

    `result` is the name of the element that holds the outcome; it is read where there is one, and never required.
    """
    outcome = step(response, result)
    word = scalar(outcome) or scalar(step(outcome, "ReturnStatus")) or scalar(step(response, "ReturnStatus")) or "0"
    if word.lower() not in _FINE:
        own = f"The service answered with code {plain(word, MAX_CODE)}."
        raise FeedFaultError(call, _words(step(response, "strMessage")) or own)


def envelope_body(tree: Tree) -> Tree:
    """Return the body of a SOAP answer, with or without its envelope; None where there is none."""
    envelope = step(tree, "Envelope")
    return step(tree if envelope is None else envelope, "Body")


def _words(node: Tree) -> str:
    return plain(scalar(node), MAX_FAULT_LENGTH)


def _wordpress_code(tree: Tree) -> str:
    code = scalar(step(tree, "code")) or ""
    return code if _CODE.fullmatch(code) else ""
