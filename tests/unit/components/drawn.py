"""The words of a component that was drawn from values known in this process."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import reflex as rx

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_TAG = re.compile(r"<[^>]*>")


def words_of(*components: rx.Component) -> str:
    """Return the text of components in reading order, in one line; of a condition, the branch that it takes."""
    parts = (part for component in components for part in _words(component.render()))
    return " ".join(" ".join(parts).split())


def plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def _words(tree: Any) -> Iterator[str]:
    if isinstance(tree, list | tuple):
        for each in tree:
            yield from _words(each)
    if not isinstance(tree, dict):
        return
    contents = tree.get("contents", "")
    if _STRING.fullmatch(contents):
        yield json.loads(contents)
    if "cond_state" in tree:
        yield from _words(tree["false_value" if tree["cond_state"] == "false" else "true_value"])
    for prop in tree.get("props", ()):
        if prop.startswith(("dangerouslySetInnerHTML", '"dangerouslySetInnerHTML"')):
            yield from (plain(json.loads(text)) for text in _STRING.findall(prop) if "<" in text)
    yield from _words(tree.get("children", ()))
