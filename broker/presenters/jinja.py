"""Jinja2 code in texts of a page that is exported as a template (`web.export.edge_templates`).

The code stands between two private-use characters, by which the export tells it from content that looks like Jinja2.
It holds no quotes: React would escape them.
"""

from collections.abc import Collection
from dataclasses import fields, is_dataclass, replace
from typing import Self, TypeVar, cast

OPEN, CLOSE = "\ue000", "\ue001"

CONDITIONAL = "data-jinja-"
"""Prefix of an attribute that the export makes conditional: `data-jinja-checked` becomes `checked` or nothing."""


T = TypeVar("T")


def code(text: str) -> str:
    """Return Jinja2 code, marked for the export."""
    return f"{OPEN}{text}{CLOSE}"


def variable(name: str, *, min_width: int = 0) -> str:
    """Return the place of a value; `min_width` makes the text long, for limits of length that look at it."""
    return code(f"{{{{ {name:<{min_width}} }}}}")


class Placeholder(str):
    """The place of a value in a template; `name` is the value's."""

    __slots__ = ("name",)

    def __new__(cls, name: str) -> Self:
        place = super().__new__(cls, variable(name))
        place.name = name
        return place


def placeholders(view: T, name: str, *, fixed: Collection[str] = ()) -> T:
    """Return a view whose texts and conditions are the places of those of the view that the edge names `name`.

    What stands under a name of `fixed` is the same in every view, and stays as it is.
    """
    if isinstance(view, tuple):
        parts = (placeholders(part, f"{name}.{place}", fixed=fixed) for place, part in enumerate(view))
        return cast("T", tuple(parts))
    if is_dataclass(view) and not isinstance(view, type):
        values = {each.name: getattr(view, each.name) for each in fields(view) if each.name not in fixed}
        changes = {key: placeholders(value, f"{name}.{key}", fixed=fixed) for key, value in values.items()}
        return cast("T", replace(view, **changes))
    return view if view is None else cast("T", Placeholder(name))


def markup_variable(name: str) -> str:
    """Return the place of a value that is sanitised HTML."""
    return variable(f"{name}|safe")


def attribute_if(attribute: str, name: str) -> dict[str, str]:
    """Return an attribute that is `true` where the value of a name is true, and absent otherwise."""
    return {f"{CONDITIONAL}{attribute}": variable(name)}
