"""Parse a body: JSON, JSON in a JSON string, or XML, each after optional PHP warnings.

Whatever the bytes, only FeedParseError (and FeedTooLargeError) is raised.
"""

import json
import re

from broker.feeds.errors import FeedParseError, FeedTooLargeError
from broker.feeds.parsing.tree import Tree, is_too_deep
from broker.feeds.parsing.xml import parse_xml

MAX_VALUES = 600_000
"""Values in a JSON answer; ten thousand products of 25 fields are less than half of it."""

_BLANK = "\ufeff \t\r\n"
_WARNING = re.compile(
    r"(?:PHP )?(?:Warning|Notice|Deprecated|Strict Standards|Fatal error|Parse error)(?=[:<])", re.IGNORECASE
)
_LINE = " on line "
_MARKS = ("<br />", "<br/>", "<br>", "<b>", "</b>")
"""Tags that PHP writes in a warning: the text after it is JSON or XML, which no parser of HTML may touch."""


def parse_body(call: str, body: bytes) -> Tree:
    """Return the tree of a body, None for an empty one; raises FeedParseError."""
    text = _decoded(call, body).strip(_BLANK)
    if not text:
        return None
    after = _without_warnings(text)
    if not after:
        raise FeedParseError(call, "PHP warnings and nothing else")
    tree = _parsed(call, after)
    if isinstance(tree, str):
        inner = tree.strip(_BLANK)
        # A PHP callback encoded the answer before WordPress did: the whole answer is one string.
        tree = _parsed(call, inner) if inner.startswith(("{", "[", "<")) else (inner or None)
    if is_too_deep(tree):
        raise FeedTooLargeError(call, "an answer nested too deeply")
    return tree


def _decoded(call: str, body: bytes) -> str:
    if b"\0" in body:
        raise FeedParseError(call, "a binary body")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")


def _without_warnings(text: str) -> str:
    """Return a text without the warnings that PHP printed before it."""
    while _WARNING.match(after := _without_marks(text)):
        _, is_there, end = after.lower().partition(_LINE)
        if not is_there:
            break
        text = _without_marks(_without_marks(after[-len(end) :]).lstrip("0123456789"))
    return text.strip(_BLANK)


def _without_marks(text: str) -> str:
    """Return a text without the spaces and tags of a warning at its start."""
    text = text.lstrip()
    while mark := next((each for each in _MARKS if text[: len(each)].lower() == each), ""):
        text = text[len(mark) :].lstrip()
    return text


def _parsed(call: str, text: str) -> Tree:
    if not text.startswith("<"):
        return _json(call, text)
    return parse_xml(call, text)


def _json(call: str, text: str) -> Tree:
    if sum(text.count(mark) for mark in ",[{") > MAX_VALUES:
        raise FeedTooLargeError(call, "an answer of too many values")
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=_nothing)
    except RecursionError as error:
        raise FeedTooLargeError(call, "an answer nested too deeply") from error
    except ValueError as error:
        raise FeedParseError(call, "a body that is not JSON") from error


def _nothing(_constant: str) -> None:
    """Return None for NaN and infinities, which are not JSON."""
