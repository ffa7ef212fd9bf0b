"""Buttons, and links that look like them."""

from typing import Any, Literal

import reflex as rx

from broker.components.elements.icons import icon
from broker.components.screen_types import Content


def button(
    label: Content,
    *more: Content,
    look: str = "",
    icon_name: str = "",
    kind: Literal["button", "submit"] = "button",
    **attributes: Any,
) -> rx.Component:
    """Draw a button; `look` adds `lamp`, `line`, `s` or `full`, `kind` is its HTML type."""
    before = (icon(icon_name),) if icon_name else ()
    return rx.el.button(*before, label, *more, type=kind, class_name=f"btn {look}".strip(), **attributes)


def button_link(label: Content, href: str, *, look: str = "", icon_name: str = "", arrow: bool = False) -> rx.Component:
    before = (icon(icon_name),) if icon_name else ()
    after = (icon("arrow"),) if arrow else ()
    return rx.el.a(*before, label, *after, href=href, class_name=f"btn {look}".strip())
