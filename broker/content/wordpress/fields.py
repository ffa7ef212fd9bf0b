"""The tolerant way through WordPress's answers: what is missing, null, false, empty or a list of one is no surprise."""

from __future__ import annotations

import re
from datetime import date, datetime

from broker.content.text.sanitise import plain_text, single_line
from broker.content.wordpress.responses import Json

_NUMBER = re.compile(r"\s*-?\d{1,12}(?:\.\d{1,12})?\s*")


class DateError(ValueError):
    """A date in none of the forms that WordPress writes."""


def at(tree: Json, *names: str) -> Json:
    """Return what stands at the end of a path of names; None where a step is no object, `acf: []` for example."""
    for name in names:
        if not isinstance(tree, dict):
            return None
        tree = tree.get(name)
    return tree


def rows(tree: Json) -> list[dict[str, Json]]:
    """Return the objects of a connection (nodes or edges), of a list, or of an object with digits for keys."""
    if isinstance(tree, dict):
        if "edges" in tree:
            return [node for edge in rows(tree["edges"]) if isinstance(node := edge.get("node"), dict)]
        if "nodes" in tree:
            return rows(tree["nodes"])
        if tree and all(key.isdigit() for key in tree):
            return rows([tree[key] for key in sorted(tree, key=int)])
        return [tree] if tree else []
    return [row for row in tree if isinstance(row, dict)] if isinstance(tree, list) else []


def text(tree: Json) -> str:
    """Return a value as plain text, its entities decoded once; empty for what is no text and no number."""
    return plain_text(raw(tree))


def title(tree: Json) -> str:
    """Return a title: GraphQL has decoded its entities already, REST (`rendered`) has not."""
    return text(tree.get("rendered")) if isinstance(tree, dict) else single_line(raw(tree))


def raw(tree: Json) -> str:
    """Return a value's text as it is written; a number's digits; empty for everything else."""
    if isinstance(tree, str):
        return tree
    return str(tree) if isinstance(tree, int | float) and not isinstance(tree, bool) else ""


def choice(tree: Json) -> str:
    """Return the value of a choice: a text, an object of value and label, or a list that holds one."""
    return next(iter(choices(tree)), "")


def choices(tree: Json) -> tuple[str, ...]:
    """Return the values of a choice that may have several; the default format's empty text is none."""
    entries = tree if isinstance(tree, list) else [tree]
    values = (text(entry.get("value") if isinstance(entry, dict) else entry) for entry in entries)
    return tuple(dict.fromkeys(value for value in values if value))


def labels(tree: Json) -> dict[str, str]:
    """Return the words of each chosen value, where a field gives objects of value and label."""
    entries = [entry for entry in tree if isinstance(entry, dict)] if isinstance(tree, list) else []
    found = {text(entry.get("value")): text(entry.get("label")) for entry in entries}
    return {value: words for value, words in found.items() if value and words}


def number(tree: Json) -> float | None:
    """Return a number, also one written as text; None for anything else."""
    written = raw(tree)
    return float(written) if _NUMBER.fullmatch(written) else None


def parse_switch(tree: Json) -> bool:
    """Return a switch; PHP's texts of one too."""
    return tree is True or raw(tree).strip().lower() in ("1", "true", "yes")


def day(tree: Json) -> date | None:
    """Return a date written dd/mm/yyyy, 20240305, or as ISO 8601 with a time or without; None for an unset one.

    Raises DateError for everything else.
    """
    written = text(tree)
    if not written or written.startswith("0000-"):
        return None
    try:
        return (datetime.strptime(written, "%d/%m/%Y") if "/" in written else datetime.fromisoformat(written)).date()
    except ValueError as error:
        raise DateError(f"{written[:40]!r} is no date; write dd/mm/yyyy") from error


def image_address(tree: Json, *, large: bool = False) -> str:
    """Return the address of a picture: GraphQL's node, REST's object, a bare address; empty for an id, false and null.

    `large` prefers that size where there is one.
    """
    if isinstance(tree, list):
        return image_address(tree[0], large=large) if tree else ""
    if isinstance(tree, dict):
        node = tree.get("node") if "node" in tree else tree
        size = at(node, "sizes", "large") if large else ""
        return raw(size) or raw(at(node, "sourceUrl")) or raw(at(node, "url")) or raw(at(node, "source_url"))
    return tree if isinstance(tree, str) and tree.startswith(("http://", "https://")) else ""


def image_alt(tree: Json) -> str:
    """Return the words for a picture, empty where it only decorates."""
    if isinstance(tree, list):
        return image_alt(tree[0]) if tree else ""
    node = at(tree, "node") or tree
    return text(at(node, "altText") or at(node, "alt") or at(node, "alt_text"))
