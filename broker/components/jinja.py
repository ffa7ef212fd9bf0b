"""Conditions and loops around parts of a page that is exported as a Jinja2 template."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import reflex as rx
from reflex.event import EventType
from reflex.vars import NumberVar

from broker.jinja_places import ListPlaceholder, Placeholder, attribute_if, code

Text = str | rx.Var
"""A text: known, a browser expression, or a place in a template (`jinja_places.variable`)."""

Value = bool | float | Text
"""A text, figure or condition; the place of a condition is a `jinja_places.Placeholder`."""

Content = rx.Component | Value | tuple[rx.Component | Value, ...]
"""What an element may hold."""

Handler = EventType[()]
"""What handles an event: an event of a state, or an expression that the browser calls."""

Attributes = dict[str, Any]
"""Attributes of an element by Reflex's names; Reflex checks each value."""

Item = TypeVar("Item")

View = TypeVar("View")

Shown = View | Any
"""A view as a page draws it: its values, a Var of them in the browser, or their placeholders in a template.

The fields of a Var and of a placeholder are found at run time, so a type checker takes each as Any.
"""


def block_if(name: str, *content: rx.Component | str, otherwise: Iterable[rx.Component | str] = ()) -> rx.Component:
    """Draw content where the value of a name is true, else `otherwise`."""
    alternative = tuple(otherwise)
    branches = (code("{% else %}"), *alternative) if alternative else ()
    return rx.fragment(code(f"{{% if {name} %}}"), *content, *branches, code("{% endif %}"))


def block_for(item: str, items: str, *content: rx.Component | str) -> rx.Component:
    return rx.fragment(code(f"{{% for {item} in {items} %}}"), *content, code("{% endfor %}"))


def when(condition: Value, content: rx.Component, *, otherwise: rx.Component | None = None) -> rx.Component:
    """Draw content where a condition holds: in a template that of a place, in the browser that of an expression.

    One that is known already is decided here.
    """
    if isinstance(condition, bool):
        return content if condition else otherwise or rx.fragment()
    if isinstance(condition, Placeholder):
        return block_if(condition.name, content, otherwise=(otherwise,) if otherwise else ())
    return rx.cond(condition, content, otherwise)


def when_text(text: Text, content: rx.Component, *, otherwise: rx.Component | None = None) -> rx.Component:
    return when(has_text(text), content, otherwise=otherwise)


def when_any(items: Sequence | rx.Var, content: rx.Component, *, otherwise: rx.Component | None = None) -> rx.Component:
    has_items = items if isinstance(items, Placeholder) else _length(items) > 0
    return when(has_items, content, otherwise=otherwise)


def _length(items: Sequence | rx.Var) -> int | NumberVar:
    return items.to(list).length() if isinstance(items, rx.Var) else len(items)


def has_text(text: Text) -> Value:
    """Return the condition that a text is not empty, of the browser or of a template."""
    return text if isinstance(text, Placeholder) else text != ""


def class_if(condition: Value, names: str, *, otherwise: Text) -> Text:
    """Return the classes of an element where a condition holds, and otherwise."""
    if isinstance(condition, bool):
        return names if condition else otherwise
    if isinstance(condition, Placeholder):
        return "".join(
            (code(f"{{% if {condition.name} %}}"), names, code("{% else %}"), otherwise, code("{% endif %}"))
        )
    return rx.cond(condition, names, otherwise)


def set_attribute(attribute: str, condition: Value, *, otherwise: Attributes) -> Attributes:
    """Return the attribute of a template that is set where a condition holds; in the browser `otherwise`."""
    return attribute_if(attribute, condition.name) if isinstance(condition, Placeholder) else otherwise


def foreach(items: Iterable[Item] | rx.Var, draw: Callable[[Item], rx.Component]) -> rx.Component:
    """Draw each item of a list; of a place in a template by a loop of the template."""
    if isinstance(items, ListPlaceholder):
        return block_for(items.variable, items.name, draw(items.item()))
    if isinstance(items, rx.Var):
        return rx.foreach(items, draw)
    return rx.fragment(*(draw(item) for item in items))
