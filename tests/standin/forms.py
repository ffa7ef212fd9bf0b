"""Form fields and query strings, parsed as PHP does."""

import re
from typing import TypeAlias
from urllib.parse import parse_qsl

Fields: TypeAlias = "dict[str, Fields | str]"

_KEY = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])*)")
_PART = re.compile(r"\[([^\[\]]*)\]")
_TRUE = {"1", "true", "on", "yes"}


def php_fields(text: str) -> Fields:
    """Return fields by name: the last of a repeated one counts, `a[b]=` nests, `a[]=` counts on from 0.

    Dots and spaces of a name become underscores.
    """
    found: Fields = {}
    for key, value in parse_qsl(text, keep_blank_values=True):
        if match := _KEY.fullmatch(key):
            name = re.sub(r"[. ]", "_", match[1])
            _put(found, [name, *_PART.findall(match[2])], value)
    return found


def entries(fields: Fields) -> list[Fields]:
    """Return the members of a list that came as numbered keys, in their order."""
    numbered = sorted((key for key in fields if key.isascii() and key.isdigit()), key=int)
    return [entry for key in numbered if isinstance(entry := fields[key], dict)]


def text(fields: Fields, name: str) -> str:
    value = fields.get(name, "")
    return value if isinstance(value, str) else ""


def flag(fields: Fields, name: str, *, default: bool) -> bool:
    """Compare a switch's text: `1`, `true`, `on` and `yes` are yes, a missing one is the default, the rest are no."""
    return text(fields, name).strip().lower() in _TRUE if name in fields else default


def numbers(fields: Fields, name: str) -> list[int]:
    """Return a list of ids, however it was sent: `1,75`, `id[]=1&id[]=75`, or one."""
    value = fields.get(name, "")
    texts = value.split(",") if isinstance(value, str) else [one for one in value.values() if isinstance(one, str)]
    return [int(one) for one in texts if one.strip().isascii() and one.strip().isdigit()]


def _put(fields: Fields, keys: list[str], value: str) -> None:
    first, *rest = keys
    key = first or str(sum(1 for one in fields if one.isdigit()))
    if not rest:
        fields[key] = value
        return
    inner = fields.get(key)
    if not isinstance(inner, dict):
        inner = fields[key] = {}
    _put(inner, rest, value)
