"""Conditions and loops around parts of a page that is exported as a Jinja2 template."""

from collections.abc import Iterable

import reflex as rx

from broker.presenters.jinja import code


def block_if(name: str, *content: rx.Component | str, otherwise: Iterable[rx.Component | str] = ()) -> rx.Component:
    """Draw content where the value of a name is true, else `otherwise`."""
    alternative = tuple(otherwise)
    branches = (code("{% else %}"), *alternative) if alternative else ()
    return rx.fragment(code(f"{{% if {name} %}}"), *content, *branches, code("{% endif %}"))


def block_for(item: str, items: str, *content: rx.Component | str) -> rx.Component:
    return rx.fragment(code(f"{{% for {item} in {items} %}}"), *content, code("{% endfor %}"))
