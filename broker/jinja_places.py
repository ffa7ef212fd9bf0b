"""Jinja2 code in the texts of a page that is exported as a template (`server.export.templates`).

Two private-use characters around it tell it from content that looks like Jinja2. It has no quotes, which React escapes.
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


def variable(name: str) -> str:
    return code(f"{{{{ {name} }}}}")


class Placeholder(Immutable, str):
    """Jinja2 expression of the value `name`, as a text."""

    __slots__ = ("name",)

    def __new__(cls, name: str) -> Self:
        place = super().__new__(cls, variable(name))
        place.name = name
        return place


class ListPlaceholder(Placeholder):
    """Jinja2 expression of a list; `variable` is the name of an item in its loop."""

    __slots__ = ("_hint", "variable")

    def __new__(cls, name: str, hint: Any) -> Self:
        """`hint` is the type of the items."""
        place = super().__new__(cls, name)
        place._hint = hint
        place.variable = f"{name.rpartition('.')[2].replace('_', '')}item"
        return place

    def item(self) -> Any:
        """Return the placeholders of an item."""
        return _place(self._hint, self.variable)


def as_template(view: T, name: str, *, fixed: Collection[str] = ()) -> T:
    """Return a view with a placeholder for each value; the edge passes the real view as `name`.

    Fields in `fixed` keep their value, which is the same in every view.
    """
    if isinstance(view, tuple):
        parts = (as_template(part, f"{name}.{place}", fixed=fixed) for place, part in enumerate(view))
        return cast("T", tuple(parts))
    if is_dataclass(view) and not isinstance(view, type):
        values = {each.name: getattr(view, each.name) for each in fields(view) if each.name not in fixed}
        changes = {key: as_template(value, f"{name}.{key}", fixed=fixed) for key, value in values.items()}
        return cast("T", replace(view, **changes))
    return view if view is None else cast("T", Placeholder(name))


def template_of(view: type[T], name: str) -> T:
    """Return a view of a type with a placeholder for each value; the edge passes the real view as `name`.

    A tuple of any length is a list that the template loops over.
    """
    hints = get_type_hints(view)
    return view(**{each.name: _place(hints[each.name], f"{name}.{each.name}") for each in fields(cast("Any", view))})


def _place(hint: Any, name: str) -> Any:
    parts = get_args(hint)
    if get_origin(hint) is tuple and Ellipsis in parts:
        return ListPlaceholder(name, parts[0])
    if get_origin(hint) is tuple:
        return tuple(_place(part, f"{name}.{index}") for index, part in enumerate(parts))
    return template_of(hint, name) if isinstance(hint, type) and is_dataclass(hint) else Placeholder(name)


def markup_variable(name: str) -> str:
    """Return a Jinja2 expression of sanitised HTML."""
    return variable(f"{name}|safe")


def attribute_if(attribute: str, name: str) -> dict[str, str]:
    """Return an attribute that is `true` where a value is true, else absent."""
    return {f"{CONDITIONAL}{attribute}": variable(name)}
