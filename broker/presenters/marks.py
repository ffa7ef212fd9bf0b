"""What stands in an unfilled page where the edge puts what it learns: texts, attributes, and parts that may be there.

An unfilled page is exported like any other and shown to nobody (`routes.is_unfilled`). `web.serving.filling` exchanges
the marks for escaped texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = "str | bool | Sequence[Values]"
Values: TypeAlias = Mapping[str, Value]
"""What fills a page, by the names of its marks: a text, a flag, or an entry for each time that a part is there.

An entry has names of its own, before those around it. What has no value is empty, not set, or not there.
"""

IF = "data-if-"
"""How the attributes begin that become attributes of their own, or nothing: `data-if-checked`."""

OPENS, CLOSES = "__[{}[__", "__]{}]__"
"""What stands before and behind a part that is there once, several times, or not at all."""


def mark(name: str) -> str:
    """Return what stands for a text; a name is small letters, figures and dashes."""
    return f"__{name}__"


def flag(attribute: str, name: str) -> dict[str, str]:
    """Return the attribute that stands for another one, which is `true` where the flag of that name is, else absent."""
    return {f"{IF}{attribute}": mark(name)}
