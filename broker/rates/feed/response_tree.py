"""Answers of the broker's API as trees, navigated by local names without their prefix.

The backend is PHP in front of SOAP: a single row is an object instead of a list; empty is `{}`, `[]`, `""` or an object
of attributes; names have the prefix `a:`, `a` or none; lists may be objects with numeric keys and gaps.
"""

import json
import re
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml ships no types

from broker.rates.feed.errors import FeedFaultError, FeedParseError, FeedStatusError, FeedTooLargeError
from broker.rates.feed.html_text import plain_text

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | bool | None"
"""A JSON or XML value; numbers stay text, so that no digit is lost."""

MAX_DEPTH = 40

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


_ATTRIBUTES = {"@attributes", "_attributes", "$", "comment"}

_TEXT_KEYS = ("_text", "#text", "$t", "_", "@value", "@cdata", "_cdata", "$")

_PREFIX_LETTERS = ("s", "a", "i")


def child(node: Tree, name: str) -> Tree:
    """Return the child with a local name (`Body` finds `Body`, `s:Body` and `sBody`), or None."""
    fields = unwrapped(node)
    if not isinstance(fields, dict):
        return None
    if name in fields:
        return fields[name]
    prefixed = {f"{letter}{name}" for letter in _PREFIX_LETTERS}
    return next((value for key, value in fields.items() if key.rpartition(":")[2] == name or key in prefixed), None)


def descendant(node: Tree, *names: str) -> Tree:
    for name in names:
        node = child(node, name)
    return node


def unwrapped(node: Tree) -> Tree:
    """Return the member of a list of one, else the node itself."""
    while isinstance(node, list) and len(node) == 1:
        node = node[0]
    return node


def is_empty(node: Tree) -> bool:
    """Return whether a node is null, false, blank, without members, or has only attributes."""
    if isinstance(node, dict):
        return set(node) <= _ATTRIBUTES and text_of(node) is None
    if isinstance(node, str):
        return not node.strip()
    return not node


def text_of(node: Tree) -> str | None:
    """Return the text of a node, of its first value if there are several, or None if it has none.

    Characters that UTF-8 cannot encode become question marks.
    """
    for _ in range(MAX_DEPTH):
        if isinstance(node, str):
            whole = node if node.isascii() else node.encode("utf-8", "replace").decode("utf-8")
            return whole.strip() or None
        if isinstance(node, list):
            node = node[0] if node else None
        elif isinstance(node, dict):
            fields = node
            node = next((fields[key] for key in _TEXT_KEYS if isinstance(fields.get(key), str | list)), None)
        else:
            return None
    return None


def as_rows(node: Tree, name: str | None = None) -> list[dict[str, Tree]]:
    """Return the objects in the child `name`, else in the first child that is a list or an object."""
    if name is not None:
        node = child(node, name)
    elif isinstance(held := unwrapped(node), dict) and not _numbered(held):
        node = next((value for key, value in held.items() if key not in _ATTRIBUTES and _holds(value)), node)
    return [row for row in as_list(node) if isinstance(row, dict) and not is_empty(row)]


def as_list(node: Tree) -> list[Tree]:
    """Return a node as a list: an object with numeric keys in their order, any other object as a list of one."""
    if isinstance(node, list):
        return [unwrapped(member) for member in node]
    if isinstance(node, dict) and _numbered(node):
        return [node[key] for key in sorted(node, key=int)]
    return [] if is_empty(node) else [node]


def has_numeric_keys(node: Tree) -> bool:
    """Return whether a node is an object whose keys are all integers of at most nine digits."""
    return isinstance(node, dict) and _numbered(node)


def _holds(node: Tree) -> bool:
    return isinstance(node, dict | list) and not is_empty(node)


def _numbered(fields: dict[str, Tree]) -> bool:
    return bool(fields) and all(key.isascii() and key.isdigit() and len(key) < 10 for key in fields)


MAX_DIGITS = 60

_IGNORED = re.compile(r"[\s£,%]+")

_NUMBER = re.compile(r"\+?([0-9]{1,12}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?")

_SIMPLE = re.compile(r"[0-9]{1,10}(\.[0-9]{1,4})?")

_PLACES, _MAX = Decimal("0.0001"), Decimal(10) ** 12


def parse_number(node: Tree, *, maximum: float) -> float | None:
    """Return a number from 0 to `maximum`, rounded to four places; None for anything else.

    Commas, pound and percent signs and spaces are ignored. NaN, infinities and negative numbers are refused.
    """
    text = node if isinstance(node, str) else text_of(node)
    number = _number(text[:MAX_DIGITS]) if text else None
    return number if number is not None and number <= maximum else None


def parse_integer(node: Tree, *, maximum: float) -> int | None:
    """Return an integer from 0 to `maximum` (`000123` and `24.0` too); None for anything else."""
    number = parse_number(node, maximum=maximum)
    return int(number) if number is not None and number.is_integer() else None


@lru_cache(maxsize=8_192)
def _number(text: str) -> float | None:
    """Return a number from a cache: terms, fees and periods repeat in a list."""
    if _SIMPLE.fullmatch(text):
        # The usual form needs no rounding, so Decimal would change nothing.
        return float(text)
    bare = _IGNORED.sub("", text)
    if not _NUMBER.fullmatch(bare):
        return None
    number = Decimal(bare)
    return float(number.quantize(_PLACES)) if number <= _MAX else None


MAX_VALUES = 600_000
"""Values in a JSON answer; ten thousand products of 25 fields are less than half of it."""

MAX_TAGS = 600_000

_BLANK = "\ufeff \t\r\n"

_WARNING = re.compile(
    r"(?:PHP )?(?:Warning|Notice|Deprecated|Strict Standards|Fatal error|Parse error)(?=[:<])", re.IGNORECASE
)

_LINE = " on line "

_MARKS = ("<br />", "<br/>", "<br>", "<b>", "</b>")
"""Tags that PHP writes in a warning: the text after it is JSON or XML, which no parser of HTML may touch."""


def parse_body(call: str, body: bytes) -> Tree:
    """Return the tree of a body, None for an empty one; raises only FeedParseError, whatever the bytes."""
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


def is_too_deep(node: Tree) -> bool:
    """Return whether a tree is deeper than MAX_DEPTH, without recursion."""
    level: list[Tree] = [node]
    for _ in range(MAX_DEPTH):
        level = [child for parent in level for child in _children(parent) if isinstance(child, dict | list)]
        if not level:
            return False
    return True


def _children(node: Tree) -> list[Tree]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


_DECLARATION = re.compile(r"<\?xml[^>]{0,200}\?>")

_OF_A_PAGE = ("<!doctype", "<!entity")

_PAGE_TAGS = {
    *("html", "head", "body", "title", "style", "script"),
    *("br", "b", "p", "div", "h1", "font", "center", "table"),
}


def parse_xml(call: str, text: str) -> Tree:
    """Return the tree of an XML document by local names, with the root as its only key.

    Raises FeedParseError, also for an HTML page.
    """
    if any(each in text.lower() for each in _OF_A_PAGE):
        raise FeedParseError(call, "an HTML page, or XML that declares its own entities")
    if text.count("<") > MAX_TAGS:
        raise FeedTooLargeError(call, "an answer of too many elements")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        encoding="utf-8",
    )
    try:
        root = etree.fromstring(_DECLARATION.sub("", text, count=1).encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise FeedParseError(call, "a body that is not XML") from error
    if root is None or _local(root).lower() in _PAGE_TAGS:
        raise FeedParseError(call, "an HTML page")
    return {_local(root): _tree(call, root, 0)}


def _tree(call: str, element: etree._Element, depth: int) -> Tree:
    """Return an element's text, or its children by local name; repeated children become a list."""
    if depth > MAX_DEPTH:
        raise FeedTooLargeError(call, "an answer nested too deeply")
    if len(element) == 0:
        return element.text or ""
    fields: dict[str, Tree] = {}
    repeated: dict[str, list[Tree]] = {}
    for child in element:
        if not isinstance(child.tag, str):
            continue
        name, value = _local(child), _tree(call, child, depth + 1)
        if name in repeated:
            repeated[name].append(value)
        elif name in fields:
            fields[name] = repeated[name] = [fields[name], value]
        else:
            fields[name] = value
    return fields


def _local(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


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
