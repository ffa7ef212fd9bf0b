"""Parse XML with lxml: no entities, no DTD, no network; any DOCTYPE is refused."""

import re

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml ships no types

from broker.feeds.errors import FeedParseError, FeedTooLargeError
from broker.feeds.parsing.tree import MAX_DEPTH, Tree

MAX_TAGS = 600_000

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
