"""Jinja2 code in texts of a page that is exported as a template (`server.export.edge_templates`).

The code stands between two private-use characters, by which the export tells it from content that looks like Jinja2.
It holds no quotes: React would escape them.
"""

from collections.abc import Collection
from dataclasses import fields, is_dataclass, replace
from typing import Any, Self, TypeVar, cast, get_args, get_origin, get_type_hints

from broker.lending.immutable import Immutable

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


class Placeholder(Immutable, str):
    """The place of a value in a template; `name` is the value's."""

    __slots__ = ("name",)

    def __new__(cls, name: str) -> Self:
        place = super().__new__(cls, variable(name))
        place.name = name
        return place


class ListPlaceholder(Placeholder):
    """The place of a list in a template; `variable` is the template's name of an item."""

    __slots__ = ("_hint", "variable")

    def __new__(cls, name: str, hint: Any) -> Self:
        """Take the name of the list, and the type of its items."""
        place = super().__new__(cls, name)
        place._hint = hint
        place.variable = f"{name.rpartition('.')[2].replace('_', '')}item"
        return place

    def item(self) -> Any:
        """Return the view of an item."""
        return _place(self._hint, self.variable)


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


def places_of(view: type[T], name: str) -> T:
    """Return a view of a type whose values are the places of those of the view that the edge names `name`.

    A tuple of any length is a place over which the template loops.
    """
    hints = get_type_hints(view)
    return view(**{each.name: _place(hints[each.name], f"{name}.{each.name}") for each in fields(cast("Any", view))})


def _place(hint: Any, name: str) -> Any:
    parts = get_args(hint)
    if get_origin(hint) is tuple and Ellipsis in parts:
        return ListPlaceholder(name, parts[0])
    if get_origin(hint) is tuple:
        return tuple(_place(part, f"{name}.{index}") for index, part in enumerate(parts))
    return places_of(hint, name) if isinstance(hint, type) and is_dataclass(hint) else Placeholder(name)


def markup_variable(name: str) -> str:
    """Return the place of a value that is sanitised HTML."""
    return variable(f"{name}|safe")


def attribute_if(attribute: str, name: str) -> dict[str, str]:
    """Return an attribute that is `true` where the value of a name is true, and absent otherwise."""
    return {f"{CONDITIONAL}{attribute}": variable(name)}
