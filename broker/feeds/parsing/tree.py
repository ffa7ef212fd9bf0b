"""The plain tree that every answer is turned into, and the way through it: by local names, whatever the prefix.

The backend is PHP before a SOAP service: one row comes as an object and not a list, nothing as `{}`, `[]`, `""` or an
object of attributes only, names with `a:`, a glued `a`, or none, and lists as objects with gaps in their keys.
"""

from __future__ import annotations

from typing import TypeAlias

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | bool | None"
"""What JSON and XML come to; numbers are their own text, so that none is too large and none loses a digit."""

MAX_DEPTH = 40

_ATTRIBUTES = {"@attributes", "_attributes", "$", "comment"}
_TEXT_KEYS = ("_text", "#text", "$t", "_", "@value", "@cdata", "_cdata", "$")
_GLUED = ("s", "a", "i")


def step(node: Tree, name: str) -> Tree:
    """Return the child of a local name (`Body` finds `Body`, `s:Body` and `sBody`), or None where there is none."""
    fields = only(node)
    if not isinstance(fields, dict):
        return None
    if name in fields:
        return fields[name]
    glued = {f"{letter}{name}" for letter in _GLUED}
    return next((value for key, value in fields.items() if key.rpartition(":")[2] == name or key in glued), None)


def path(node: Tree, *names: str) -> Tree:
    """Return what stands at the end of a path of local names, or None."""
    for name in names:
        node = step(node, name)
    return node


def only(node: Tree) -> Tree:
    """Return the one thing in a list of one, else the node itself."""
    while isinstance(node, list) and len(node) == 1:
        node = node[0]
    return node


def empty(node: Tree) -> bool:
    """Tell whether a node says nothing: null, false, no text, no members, or attributes only."""
    if isinstance(node, dict):
        return set(node) <= _ATTRIBUTES and scalar(node) is None
    if isinstance(node, str):
        return not node.strip()
    return not node


def scalar(node: Tree) -> str | None:
    """Return a node's own text, or None where it has none: `{}`, `[]`, an object of attributes, true and false too.

    Several values under one name give the first. What cannot be written as UTF-8 becomes a question mark.
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


def rows(node: Tree, name: str | None = None) -> list[dict[str, Tree]]:
    """Return the rows of a list element: the child `name`, or whichever single child holds them.

    One object is a list of one, an object whose keys are all digits is a list with gaps, nothing is an empty list.
    Members that are no objects are left out.
    """
    if name is not None:
        node = step(node, name)
    elif isinstance(held := only(node), dict) and not _numbered(held):
        node = next((value for key, value in held.items() if key not in _ATTRIBUTES and _holds(value)), node)
    return [row for row in listed(node) if isinstance(row, dict) and not empty(row)]


def listed(node: Tree) -> list[Tree]:
    """Return a node as a list: an object with digits for keys by their order, any other object as a list of one."""
    if isinstance(node, list):
        return [only(member) for member in node]
    if isinstance(node, dict) and _numbered(node):
        return [node[key] for key in sorted(node, key=int)]
    return [] if empty(node) else [node]


def numbered(node: Tree) -> bool:
    """Tell whether a node is an object whose keys are all whole numbers (of at most nine digits)."""
    return isinstance(node, dict) and _numbered(node)


def too_deep(node: Tree) -> bool:
    """Tell whether a tree is deeper than MAX_DEPTH, without recursion."""
    level: list[Tree] = [node]
    for _ in range(MAX_DEPTH):
        level = [child for parent in level for child in _children(parent) if isinstance(child, dict | list)]
        if not level:
            return False
    return True


def _holds(node: Tree) -> bool:
    return isinstance(node, dict | list) and not empty(node)


def _children(node: Tree) -> list[Tree]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def _numbered(fields: dict[str, Tree]) -> bool:
    return bool(fields) and all(key.isascii() and key.isdigit() and len(key) < 10 for key in fields)
