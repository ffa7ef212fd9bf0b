"""The tree of a parsed answer, navigated by local names without their prefix.

The backend is PHP in front of SOAP: a single row is an object instead of a list; empty is `{}`, `[]`, `""` or an object
of attributes; names have the prefix `a:`, `a` or none; lists may be objects with numeric keys and gaps.
"""

from typing import TypeAlias

Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | bool | None"
"""A JSON or XML value; numbers stay text, so that no digit is lost."""

MAX_DEPTH = 40

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
    """Return the node at a path of local names, or None."""
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


def is_too_deep(node: Tree) -> bool:
    """Return whether a tree is deeper than MAX_DEPTH, without recursion."""
    level: list[Tree] = [node]
    for _ in range(MAX_DEPTH):
        level = [child for parent in level for child in _children(parent) if isinstance(child, dict | list)]
        if not level:
            return False
    return True


def _holds(node: Tree) -> bool:
    return isinstance(node, dict | list) and not is_empty(node)


def _children(node: Tree) -> list[Tree]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def _numbered(fields: dict[str, Tree]) -> bool:
    return bool(fields) and all(key.isascii() and key.isdigit() and len(key) < 10 for key in fields)
