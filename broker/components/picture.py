"""Pictures, served as files; without words of their own they decorate, and screen readers pass them by."""

from __future__ import annotations

from typing import Any

import reflex as rx


def picture(
    address: Any, *, width: int, height: int, alt: str = "", class_name: str = "", lazy: bool = True
) -> rx.Component:
    """Draw a picture at its size in pixels; `lazy` ones below the fold load when they come near."""
    loading = {"loading": "lazy"} if lazy else {"fetchPriority": "low"}
    sides = {"width": str(width), "height": str(height)}
    looks: dict[str, Any] = {"class_name": class_name} if class_name else {}
    return rx.el.img(src=address, alt=alt, custom_attrs={**sides, **loading}, **looks)


def drawing(name: str, *, width: int, height: int, class_name: str = "", lazy: bool = True) -> rx.Component:
    """Draw one of the site's own drawings by the name of its file."""
    return picture(f"/art/{name}.svg", width=width, height=height, class_name=class_name, lazy=lazy)
